"""Waiting for an agent: a line on the terminal tells what it has found so far."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from topple.agents import Agent, Decision, Player
from topple.cli.views.decision import worth_text
from topple.core.errors import BadModule, ToppleError
from topple.core.lazy import lazy_module
from topple.core.outside import is_from_outside
from topple.core.progress import PATIENCE
from topple.game.position import Position

rich_console = lazy_module("rich.console")
rich_live = lazy_module("rich.live")
rich_text = lazy_module("rich.text")

Show = Callable[[str], None]


def play_turn(player: Player, position: Position, ply: int) -> int:
    """The move of a player, who is asked for the best so far only where someone watches."""
    if not sys.stderr.isatty():
        decision = player.choose(position, ply)
        check_answer(player.agent, position, decision)
        return decision.move
    decision = decide(position, player.think(position, ply))
    check_answer(player.agent, position, decision)
    return decision.move


def check_answer(agent: Agent, position: Position, decision: Decision) -> None:
    """Refuse the answer of an agent from outside whose move cannot be played.

    Raises
    ------
    BadModule
        If it is not legal here; the line names the agent.
    """
    if is_from_outside(type(agent).__module__):
        try:
            position.check_move(decision.move)
        except ToppleError as error:
            raise BadModule(
                f"{type(agent).__module__}.{type(agent).__name__}: the agent {agent.NAME} decided "
                f"on a move that cannot be played: {error}"
            ) from error


def decide(position: Position, decisions: Iterable["Decision"]) -> Decision:
    """The last of an agent's decisions.

    On a terminal a line shows the best so far once this has taken a while.
    """
    began, decision = time.monotonic(), None
    with ExitStack() as line:
        show: Show | None = None
        for decision in decisions:
            if sys.stderr.isatty() and time.monotonic() - began >= PATIENCE:
                show = show or line.enter_context(_line())
                show(_state(position, decision))
    assert decision is not None
    return decision


def _state(position: Position, decision: Decision) -> str:
    """`Red thinks: d4 (+0.120) after 12,400 simulations in 2.1 s`."""
    game, effort = position.game, decision.effort
    best = f"{game.move_text(decision.move)} ({worth_text(decision.candidates[0])})"
    work = "simulations" if effort.simulations else "nodes"
    spent = f"{effort.simulations or effort.nodes:,} {work} in {effort.seconds:.1f} s"
    return f"{game.players[position.player]} thinks: {best} after {spent}"


@contextmanager
def _line() -> Iterator[Show]:
    """A line on stderr that can be rewritten and is gone at the end."""
    console = rich_console.Console(stderr=True, highlight=False)
    with rich_live.Live(console=console, transient=True, auto_refresh=False) as live:

        def show(text: str) -> None:
            line = rich_text.Text(text, no_wrap=True, overflow="ellipsis")
            live.update(line, refresh=True)

        yield show
