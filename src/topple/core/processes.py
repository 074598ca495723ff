"""Work spread over processes, which report what they have done and end with this one."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from topple.core.errors import ToppleError

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Done = Callable[[str], None]  # is told of each part that is done

STDERR = 2
HEARTBEAT = 0.25  # seconds between two words at most, while there is nothing to hear


def in_processes(
    work: Callable[[Item, Done], Answer], items: Sequence[Item], n_processes: int, done: Done
) -> list[Answer]:
    """Call `work` on each item, so many at a time; the answers are in the items' order.

    `work` and the items are sent to the processes, so that both must be known
    there by their modules. Whatever ends the wait ends the processes too.
    """
    with closing(as_they_come(work, items, n_processes, done)) as coming:
        answers = dict(answer for answer in coming if answer is not None)
    return [answers[number] for number in range(len(items))]


def as_they_come(
    work: Callable[[Item, Done], Answer], items: Sequence[Item], n_processes: int, done: Done
) -> Generator[tuple[int, Answer] | None, None, None]:
    """Call `work` as `in_processes` does; gives each answer with its item's number as it comes.

    Now and then it gives None, so that who waits can look around. Closing the
    iterator ends the processes.
    """
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    waiting = list(range(len(items)))
    try:
        while waiting or running:
            while waiting and len(running) < n_processes:
                number = waiting.pop(0)
                listener, process = _begin(work, items[number])
                running[listener] = number, process
            for ready in wait(list(running), HEARTBEAT):
                assert isinstance(ready, Connection)
                is_last, answer = _hear(ready, done)
                if is_last:
                    number, process = running.pop(ready)
                    process.join()
                    yield number, answer
            yield None
    finally:
        for _, process in running.values():
            process.terminate()


def _begin(work: Callable[..., Any], item: object) -> tuple[Connection, BaseProcess]:
    """Start a process for one item."""
    # A forked process would inherit locks that the threads of a progress bar hold.
    context = get_context("spawn")
    listener, speaker = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, item, speaker), daemon=True)
    process.start()
    speaker.close()  # the process has its own: the pipe ends when that one ends
    return listener, process


def _work(work: Callable[..., Any], item: object, speaker: Connection) -> None:
    """Do the work in the new process, and send what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears Ctrl-C for all
    try:
        answer = work(item, lambda part: speaker.send(("done", part)))
        speaker.send(("answer", answer))
    except ToppleError as error:
        speaker.send(("error", str(error)))


def _hear(listener: Connection, done: Done) -> tuple[bool, Any]:
    """Take one message; returns whether it was the last, and then the answer."""
    try:
        kind, content = listener.recv()
    except EOFError:
        raise ToppleError("a process ended before its work was done: try again") from None
    if kind == "done":
        done(content)
    elif kind == "error":
        raise ToppleError(content)
    return (True, content) if kind == "answer" else (False, None)


def end_with_parent(*, with_group: bool = False) -> None:
    """Never outlive the process that started this one, however that one ends.

    With its group end all processes that it has started itself; it must be the
    leader of a group of its own then.
    """
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        if with_group and hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def without_stderr() -> Iterator[None]:
    """Keep a library's compiled part from writing on the terminal: it knows no other way."""
    sys.stderr.flush()
    terminal = os.dup(STDERR)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    try:
        yield
    finally:
        os.dup2(terminal, STDERR)
        os.close(terminal)
