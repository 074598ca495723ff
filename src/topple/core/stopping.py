"""Stopping long work: signs to stop, and what Ctrl-C does while something runs."""

import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Any, NoReturn, Protocol, TypeVar

Answer = TypeVar("Answer")

# Signals that ask a process to end as Ctrl-C does: `kill`, a terminal that is closed.
END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Stop(Protocol):
    """A sign to stop, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether it is time to stop."""


@contextmanager
def noted_interrupt(*others: int) -> Iterator[Event]:
    """Note the first Ctrl-C instead of raising it, so that a search can give its best so far.

    The second one raises KeyboardInterrupt as usual. Where Ctrl-C is ignored, it
    stays ignored. `others` are signals that are treated alike.
    """
    noted = Event()

    def note(number: int, frame: FrameType | None) -> None:
        if noted.is_set():
            raise KeyboardInterrupt
        noted.set()

    with _handled_by(note, others):
        yield noted


@contextmanager
def raised_interrupt(*others: int) -> Iterator[None]:
    """Let Ctrl-C and the `others` raise KeyboardInterrupt at once, whatever was set before."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    with _handled_by(end, others):
        yield


@contextmanager
def _handled_by(
    handler: Callable[[int, FrameType | None], None], others: tuple[int, ...]
) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *others)}
    try:
        for number, earlier in before.items():
            if earlier is not signal.SIG_IGN:
                signal.signal(number, handler)
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def interruptibly(function: Callable[..., Answer], *arguments: Any) -> Answer:
    """Call a function that may stay in a kernel for long, and hear Ctrl-C meanwhile.

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
