"""What every agent must keep: whole decisions, the same each time, however the work is cut."""

import itertools
import json
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import isclose
from typing import Any, NamedTuple, NoReturn

import topple.agents
from topple.agents import Agent, Decision, Search
from topple.agents.interface import TIME
from topple.core.errors import BadModule, BadText, IllegalMove, ToppleError, Unsupported
from topple.core.outside import blame, is_from_outside, place_of
from topple.game.game import Game, load, random_position
from topple.game.position import Position
from topple.testing.failing import at

# Small boards of topple's own games, on which an agent from outside is asked.
SMALL = (
    ("hex", "hex:3"),
    ("chain-reaction", "grid:2x2"),
    ("spread-it:loyalty=full", "path:4"),
    ("infexion", "infexion:3"),
    ("influence", "segment:9"),
)
PLIES = (0, 3)  # of the positions that are searched
MOST_PARTS = 10_000  # of a search
WHOLE = 10**6  # units of work that are asked for at once
CUTS = (1, 5, 2, 33)
SECONDS, LATE = 0.2, 2.0  # the limit of a move, and by how much it may be exceeded
ROUNDING = 1e-9
LONGEST = 24  # plies of a game


class Case(NamedTuple):
    """An agent, and a position that it is asked about."""

    agent: Agent
    position: Position

    def fail(self, method: Callable[..., Any], what: str) -> NoReturn:
        """Say what is wrong with a method.

        Raises
        ------
        BadModule
            Always.
        """
        raise BadModule(
            f"{place_of(method)}: {self.agent.spec} in {self.position.game.name}: {what}"
            f"{at(self.position)}"
        )


def check_agent(agent: Agent, games: Sequence[Game] | None = None) -> None:
    """Check everything that the rest of topple relies on.

    Parameters
    ----------
    agent : Agent
        An agent, as `topple.agent` makes it, with limits that make it quick.
    games : sequence of Game, optional
        The games to ask it about, by default small boards of topple's own games. Those that
        it refuses are left out.

    Raises
    ------
    BadModule
        If something is wrong, or it refuses every game; one line says where and what to do.

    Examples
    --------
    >>> import topple
    >>> from topple.testing import check_agent
    >>> check_agent(topple.agent("random"), [topple.load("hex", "hex:3", compiled=False)])
    """
    games = [load(*each) for each in SMALL] if games is None else games
    check_options(agent)
    refusals = [refusal for game in games if (refusal := check_in_game(agent, game)) is not None]
    if games and len(refusals) == len(games):
        raise BadModule(
            f"{place_of(type(agent).check_game)}: {agent.NAME} refuses every game that it is "
            f"offered: {refusals[0]}"
        )


def check_options(agent: Agent) -> None:
    """An agent's text makes the same agent, and it can be sent to another process.

    Raises
    ------
    BadModule
        If it is not so.
    """
    where = place_of(type(agent).search)
    again = topple.agents.agent(agent.spec)
    if again.options != agent.options or type(again) is not type(agent):
        raise BadModule(f"{where}: {agent.spec} makes another agent: {again.spec}")
    try:
        pickle.dumps(agent)
    except Exception as error:
        raise BadModule(
            f"{where}: {agent.spec} cannot be sent to the arena's worker processes: {error}; make "
            "in search what cannot be pickled"
        ) from error


def check_in_game(agent: Agent, game: Game) -> str | None:
    """Ask an agent about positions of a game; returns why it refuses the game, if it does.

    Raises
    ------
    BadModule
        If something is wrong.
    """
    case = Case(agent, game.start())
    try:
        try:
            agent.check_game(game)
        except Unsupported as error:
            return str(error)
        for n_plies in PLIES:
            case = Case(agent, random_position(game, n_plies, seed=1))
            if not case.position.is_over:
                check_search(case)
        case = Case(agent, game.start())
        check_play(case)
        check_time(case)
    except BadModule:
        raise
    except ToppleError as error:
        case.fail(type(agent).search, str(error))
    except Exception as error:
        told = blame(error)
        if told is None or not is_from_outside(type(agent).__module__):
            raise
        raise BadModule(f"{told}{at(case.position)}") from error
    return None


def check_search(case: Case) -> None:
    """One position: the decision is whole, the same each time, and does not hang on the parts."""
    agent, position = case
    if agent.options.get("time") is not None:  # the clock has a say then
        check_decision(agent.choose(position, seed=5), position, swarm=True, case=case)
        return
    agent.warm(position.game)
    search = begun(case)
    finish(case, search, itertools.repeat(WHOLE))
    whole = decided(case, search)
    check_decision(whole, position, swarm=True, case=case)
    search = begun(case)
    search.advance(1)
    early = decided(case, search)
    if early.move not in position.legal_moves():
        case.fail(type(search).decision, f"after advance(1) its move {early.move!r} is not legal")
    search = begun(case)
    finish(case, search, itertools.cycle(CUTS))
    if decided(case, search) != whole:
        what = (
            "it decides otherwise if the work is cut into other parts, or each time: do exactly n "
            "units in advance, and draw from make_rng(seed)"
        )
        case.fail(type(search).advance, what)
    again = agent.choose(position, seed=5)
    if agent.choose(position, seed=5) != again:
        case.fail(
            type(search).decision,
            "it decides otherwise under the same seed: draw from make_rng(seed)",
        )


def begun(case: Case) -> Search:
    """A search of the case's position.

    Raises
    ------
    BadModule
        If it is none.
    """
    search = case.agent.search(case.position.seen(), 5, None)
    if not isinstance(search, Search):
        case.fail(type(case.agent).search, f"it gives {search!r:.60}: return a Search")
    return search


def finish(
    case: Case, search: Search, sizes: "itertools.repeat[int] | itertools.cycle[int]"
) -> None:
    """Advance a search by parts of these sizes until it is done."""
    if callable(search.is_done):
        case.fail(search.is_done, "is_done is a method: mark it with @property")
    for n_parts, n in enumerate(sizes):
        if search.is_done:
            return
        if n_parts > MOST_PARTS:
            what = f"is_done is not true after {MOST_PARTS:,} parts: it must become true in the end"
            case.fail(type(search).advance, what)
        search.advance(n)


def decided(case: Case, search: Search) -> Decision:
    """What a search decides.

    Raises
    ------
    BadModule
        If it is no decision.
    """
    decision = search.decision()
    if not isinstance(decision, Decision):
        case.fail(type(search).decision, f"it gives {decision!r:.60}: return a Decision")
    return decision


def check_play(case: Case) -> None:
    """An agent plays against itself, and every move is legal."""
    agent, position = case
    players = [agent.begin(seat) for seat in range(position.game.n_players)]
    for ply in range(LONGEST):
        if position.is_over:
            return
        decision = players[position.player].choose(position, ply)
        try:
            position = position.play(decision.move)
        except (BadText, IllegalMove) as error:
            Case(agent, position).fail(type(agent).search, f"it plays what is not legal: {error}")


def check_time(case: Case) -> None:
    """An agent that takes a limit of time keeps it, if a unit of its work is small enough."""
    agent, position = case
    if not any(option is TIME for option in agent.OPTIONS):
        return
    given = {name: value for name, value in agent.options.items() if value is not None}
    limited = type(agent)(**{**given, "time": SECONDS})
    limited.warm(position.game)
    began = time.monotonic()
    limited.choose(position, seed=5)
    seconds = time.monotonic() - began
    if seconds > SECONDS + LATE:
        what = (
            f"with time={SECONDS:g} a move takes {seconds:.1f} s: one unit of work in advance, or "
            "decision, takes too long"
        )
        case.fail(type(agent).search, what)


def check_decision(
    decision: Decision, position: Position, *, swarm: bool = False, case: Case | None = None
) -> None:
    """Check that a decision is whole: legal moves, the best first, shares, numbers.

    Parameters
    ----------
    decision : Decision
        What an agent has answered.
    position : Position
        The position that it was asked about.
    swarm : bool
        Whether the shares of the candidates need not sum to 1.
    case : Case, optional
        Who was asked, for the message.

    Raises
    ------
    BadModule
        If it is not whole.
    """
    for what in faults_of(decision, position, swarm=swarm):
        if case is None:
            raise BadModule(f"the decision is not whole: {what}{at(position)}")
        case.fail(type(case.agent).search, f"its decision is not whole: {what}")


def faults_of(decision: Decision, position: Position, *, swarm: bool) -> list[str]:
    """What is wrong with a decision, each in words."""
    legal = position.legal_moves()
    if decision.move not in legal:
        return [f"its move {decision.move!r} is not legal"]
    if not decision.candidates:
        return ["it has no candidates: list at least the move itself"]
    moves = [candidate.move for candidate in decision.candidates]
    shares = sum(candidate.share for candidate in decision.candidates)
    first = decision.candidates[0]
    faults = {
        "variation must begin with the move": decision.variation[:1] != (decision.move,),
        "a move of its variation is not legal": not _is_line(position, decision.variation),
        "a candidate is not legal": not set(moves) <= set(legal),
        "a candidate is listed twice": len(set(moves)) < len(moves),
        "the first candidate must be the move, with its value": (first.move, first.value)
        != (decision.move, decision.value),
        f"the shares sum to {shares:g}, not to 0 or 1": not (
            shares == 0 or isclose(shares, 1, rel_tol=1e-6) or (swarm and 0 < shares < 1)
        ),
        "moves must be int and values float": not all(
            type(each.move) is int and type(each.value) is float for each in decision.candidates
        ),
        "an interval must lie between -1 and 1 and hold the value": not all(
            _holds(each.interval, each.value) for each in decision.candidates
        ),
        "a number of it cannot be written as JSON": not _can_be_written(decision),
    }
    return [what for what, is_wrong in faults.items() if is_wrong]


def _holds(interval: tuple[float, float] | None, value: float) -> bool:
    """Whether an interval of returns is one, and holds a value but for rounding."""
    if interval is None:
        return True
    low, high = interval
    return -1 <= low <= value + ROUNDING and value - ROUNDING <= high <= 1


def _is_line(position: Position, moves: Sequence[int]) -> bool:
    """Whether moves can be played one after the other."""
    try:
        for move in moves:
            position = position.play(move)
    except (BadText, IllegalMove):
        return False
    return True


def _can_be_written(decision: Decision) -> bool:
    try:
        json.dumps(asdict(decision), allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
