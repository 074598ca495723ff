"""Before kernels run: compile what has never been compiled on this machine."""

import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from topple.cli.terminal.progress import Done, progress, tell

if TYPE_CHECKING:
    from topple.agents import Agent
    from topple.game.game import Game
    from topple.game.position import Position
    from topple.solvers import Solver

Answer = TypeVar("Answer")


def prepare(game: "Game", kernels: Sequence[Callable[..., Any]]) -> None:
    """Load a game's kernels; those that are cold are compiled first, and it shows."""
    from topple.game.warm_up import cold_kernels, warm

    if cold_kernels(game, kernels):
        with _compiling(game.name, len(kernels)) as done:
            warm(game, kernels, done)
    else:
        warm(game, kernels)


def described_position(game: str, board: str | None, text: str | None) -> "Position":
    """The first position of a game, or the one that a text describes; its rules are loaded."""
    from topple.game.game import load
    from topple.game.warm_up import RULES

    chosen = load(game, board)
    given = None if text is None else chosen.position(text)
    prepare(chosen, RULES)
    return given or chosen.start()


def prepare_agents(game: "Game", agents: Iterable["Agent"]) -> None:
    """Load what agents need to play a game, as `prepare` does."""
    from topple.compiling.specialise import quietly
    from topple.game.warm_up import cold_kernels

    for agent in agents:
        n_cold = len(cold_kernels(game, agent.kernels(game)))
        if n_cold == 0:
            agent.warm(game)
            continue
        what = f"{agent.NAME} for {game.name}"
        with quietly(), _compiling(what, n_cold) as done, game.kernels.watched(done):
            agent.warm(game)


def prepare_solver(solver: "Solver") -> None:
    """Load what a solver needs for its game, as `prepare` does."""
    from topple.compiling.specialise import quietly
    from topple.game.warm_up import cold_kernels

    game = solver.game
    n_cold = len(cold_kernels(game, solver.KERNELS))
    if n_cold == 0:
        solver.warm()
        return
    what = f"exact play of {game.name}"
    with quietly(), _compiling(what, n_cold) as done, game.kernels.watched(done):
        solver.warm()


@contextmanager
def _compiling(what: str, n_kernels: int) -> Iterator[Done]:
    """Say that something is being compiled, and show how far it is."""
    what = f"compiling {what}"
    if sys.stderr.isatty():
        what = f"{what} for this machine (once) …"
    else:
        tell(f"{what} for this machine (once) …")
    with progress(what, n_kernels) as done:
        yield done


def interruptibly(function: Callable[..., Answer], *arguments: Any) -> Answer:
    """Call a function that may be long in a kernel, and hear Ctrl-C meanwhile.

    A kernel does not look for signals. It runs in a thread of its own; when the
    wait is interrupted, the thread ends with the process.
    """
    answers: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put((True, function(*arguments)))
        except BaseException as error:
            answers.put((False, error))

    threading.Thread(target=work, daemon=True).start()
    succeeded, answer = answers.get()
    if not succeeded:
        raise answer
    return answer  # type: ignore[no-any-return]
