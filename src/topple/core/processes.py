"""Worker processes: work spread over them, how they are started, and how they end.

A process started here ends with its parent, however the parent ends.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from topple.core.errors import ProcessDied, ToppleError

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Done = Callable[[str], None]  # called with the name of each part that is done

STDERR = 2
HEARTBEAT = 0.25  # seconds between two looks around while no process has a message
PATIENCE = 2.0  # seconds for a process to end when it is asked to


def in_processes(
    work: Callable[[Item, Done], Answer], items: Sequence[Item], n_processes: int, done: Done
) -> list[Answer]:
    """Call `work` on each item in processes of its own, `n_processes` at a time.

    `work` and the items are pickled, so `work` must be a module's function. Whatever
    ends the wait, such as Ctrl-C, ends the processes too.

    Returns
    -------
    list
        The answers, in the order of the items.

    Raises
    ------
    ToppleError
        If `work` raised one, or a process died.
    """
    with closing(as_they_come(work, items, n_processes, done)) as coming:
        answers = dict(answer for answer in coming if answer is not None)
    return [answers[number] for number in range(len(items))]


def as_they_come(
    work: Callable[[Item, Done], Answer], items: Sequence[Item], n_processes: int, done: Done
) -> Generator[tuple[int, Answer] | None, None, None]:
    """Call `work` as `in_processes` does, and yield (item number, answer) as answers come.

    It also yields None at least every `HEARTBEAT` seconds, so that the caller can
    check for a sign to stop. Closing the iterator ends the processes.
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
        for _, process in running.values():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()


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
    """Do the work in the new process, and send its answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C for all
    end_with_parent()
    try:
        answer = work(item, lambda part: speaker.send(("done", part)))
        speaker.send(("answer", answer))
    except ToppleError as error:
        speaker.send(("error", str(error)))


def _hear(listener: Connection, done: Done) -> tuple[bool, Any]:
    """Receive one message; returns whether it was the last, and the answer if so."""
    try:
        kind, content = listener.recv()
    except EOFError:
        raise ProcessDied("a process ended before its work was done: try again") from None
    if kind == "done":
        done(content)
    elif kind == "error":
        raise ToppleError(content)
    return (True, content) if kind == "answer" else (False, None)


def end_with_parent(*, with_group: bool = False) -> None:
    """End this process when its parent ends, however that happens.

    With `with_group`, all processes that this one has started end too; it must be
    the leader of its process group then.
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


def n_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def exit_text(status: int | None) -> str:
    """Describe a process's exit status, as `Process.exitcode` and `Popen.returncode` give it.

    >>> exit_text(-9), exit_text(3)
    ('SIGKILL', 'exit status 3')
    """
    if status is not None and status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return f"exit status {status}"


def worker_context(preload: str) -> Any:
    """The multiprocessing context for workers, which are never copies of this process.

    A copy would inherit the locks that the threads of a progress bar hold. Where the
    system's libraries allow it, workers are forked from a server process that has
    imported the module `preload` and nothing else, which is quick; elsewhere each one
    starts from scratch.
    """
    if sys.platform in ("darwin", "win32"):
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([preload])
    return context


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back in here; processes started meanwhile never receive it.

    The parent handles Ctrl-C for all its workers. One that has just been started
    could not ignore it yet.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def without_stderr() -> Iterator[None]:
    """Discard what a library's compiled code writes to stderr; it offers no other way."""
    sys.stderr.flush()
    terminal = os.dup(STDERR)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), STDERR)
    try:
        yield
    finally:
        os.dup2(terminal, STDERR)
        os.close(terminal)
