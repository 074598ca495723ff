"""Before kernels run: compile what has never been compiled on this machine."""

import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from topple.cli.progress import progress, tell

if TYPE_CHECKING:
    from topple.game import Game

Answer = TypeVar("Answer")


def prepare(game: "Game", kernels: Sequence[Callable[..., Any]]) -> None:
    """Load a game's kernels; those that are cold are compiled first, and it shows."""
    from topple.warming import cold_kernels, warm

    if cold_kernels(game, kernels):
        _compile(game, kernels)
    else:
        warm(game, kernels)


def _compile(game: "Game", kernels: Sequence[Callable[..., Any]]) -> None:
    from topple.warming import warm

    what = f"compiling {game.name}"
    if sys.stderr.isatty():
        what = f"{what} for this machine (once) …"
    else:
        tell(f"{what} for this machine (once) …")
    with progress(what, len(kernels)) as done:
        warm(game, kernels, done)


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
