"""An external engine as a process: commands in, replies out, each within a time limit."""

import os
import queue
import shlex
import subprocess
import sys
import threading
import weakref
from collections import deque
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO

from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.processes import exit_text
from topple.core.text import one_line, shorten

GUARD = Path(__file__).parents[1] / "process_guard.py"
MOST_LINES = 10_000  # of a reply
MOST_WAITING = 50_000  # unread lines
PICTURE = "gogui-gfx:"  # begins drawings for HexGui, sent before a reply
LONGEST_LINE = 65_536  # bytes
SIGNALLED = 128  # added to a signal's number in an exit status
SHOWN = 60  # characters of a command or a reply that a message shows
PATIENCE = 5.0  # seconds for an engine's process to end once it is killed

LineQueue = queue.SimpleQueue[str | None]


class EngineFailure(ToppleError):
    """An engine ended, did not answer, or answered nonsense."""


class EngineRefusal(ToppleError):
    """An engine answered a command with `?`."""


def split_command(text: str) -> list[str]:
    """The words of a command, split as a shell would.

    Raises
    ------
    BadText
        If it is empty, or a quote is not closed.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadText(f"the engine's command {text!r:.60} cannot be read: {error}") from None
    if not words:
        raise BadText("the engine's command is empty: write cmd=PROGRAM")
    return words


class EngineProcess:
    """A running engine, which ends with this object and with this process."""

    def __init__(self, command: str) -> None:
        if os.name != "posix":
            raise Unsupported("external engines only run on Linux and macOS")
        self.command = command
        self.name = shorten(command, SHOWN)
        self._process, pipe = self._start(split_command(command))
        self._lines: LineQueue = queue.SimpleQueue()
        self._log: deque[str] = deque(maxlen=3)  # its last lines on stderr
        self._readers = [
            threading.Thread(target=read, args=(stream, store), daemon=True)
            for read, stream, store in (
                (_read_replies, self._process.stdout, self._lines),
                (_read_log, self._process.stderr, self._log),
            )
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _kill, self._process, pipe)

    def _start(self, words: list[str]) -> tuple["subprocess.Popen[bytes]", int]:
        """Start the engine under guard; returns the guard's process and our end of its pipe."""
        theirs, ours = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(theirs), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs,),
                start_new_session=True,  # Ctrl-C is for topple, which then ends the engine
            )
        except OSError as error:
            os.close(ours)
            raise EngineFailure(
                f"the engine {self.name!r} cannot be started: {error.strerror}"
            ) from None
        finally:
            os.close(theirs)
        return process, ours

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self._end.alive

    def close(self) -> None:
        """End the engine and every process that it has started."""
        self._end()
        for reader in self._readers:
            reader.join(PATIENCE)

    def ask(self, command: str, seconds: float) -> str:
        """Send a command and wait for the reply, without its `=`.

        Raises
        ------
        EngineRefusal
            If the engine answers with `?`.
        EngineFailure
            If it has ended, does not answer in time, or answers nonsense; it is then ended.
        """
        try:
            self._send(command)
            lines = self._reply(command, monotonic() + seconds, seconds)
        except BaseException:  # also Ctrl-C: a later reply would answer another command
            self.close()
            raise
        answer = "\n".join(lines)[1:].strip()
        if lines[0].startswith("?"):
            raise EngineRefusal(f"the engine {self.name!r} refuses {command!r}: {answer:.100}")
        return answer

    def _send(self, command: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{command}\n".encode())
            stdin.flush()
        except (OSError, ValueError):  # ValueError: it was closed
            raise self._gone(command) from None

    def _reply(self, command: str, deadline: float, seconds: float) -> list[str]:
        """The lines of a reply, without the empty one at its end."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - monotonic()))
            except queue.Empty:
                raise EngineFailure(
                    f"the engine {self.name!r} has not answered {command!r} within {seconds:g} s"
                ) from None
            if line is None:
                raise self._gone(command)
            if line:
                lines.append(line)
                if lines[0][0] not in "=?" and not lines[0].startswith(PICTURE):
                    raise EngineFailure(
                        f"the engine {self.name!r} answers {command!r} with nonsense: "
                        f"{line!r:.{SHOWN}}"
                    )
                if len(lines) > MOST_LINES:
                    raise EngineFailure(
                        f"the engine {self.name!r} answers {command!r} with more than "
                        f"{MOST_LINES:,} lines"
                    )
            elif lines and not lines[0].startswith(PICTURE):
                return lines
            else:
                lines = []

    def _gone(self, command: str) -> EngineFailure:
        """The error for an engine that has ended."""
        try:
            status = self._process.wait(PATIENCE)
            # The guard reports a signal as shells do: 128 plus its number.
            end = exit_text(status if status <= SIGNALLED else SIGNALLED - status)
        except subprocess.TimeoutExpired:
            end = "its output is closed"
        self._readers[1].join(PATIENCE)
        last_line = f": {self._log[-1]:.100}" if self._log else ""
        return EngineFailure(
            f"the engine {self.name!r} has ended instead of answering {command!r} "
            f"({end}){last_line}"
        )


def _read_replies(stream: IO[bytes], lines: LineQueue) -> None:
    """Put the lines of an engine's output into a queue; None at the end."""
    with stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            lines.put(line.decode("utf-8", "replace").rstrip())
            if lines.qsize() > MOST_WAITING:
                break  # it writes without being asked
    lines.put(None)


def _read_log(stream: IO[bytes], log: deque[str]) -> None:
    """Keep the last lines that an engine logs, and drain the pipe so that it never blocks."""
    with stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            words = one_line(line.decode("utf-8", "replace"), LONGEST_LINE)
            if words:
                log.append("".join(letter if letter.isprintable() else "?" for letter in words))


def _kill(process: subprocess.Popen[bytes], pipe: int) -> None:
    """Close the guard's pipe, which ends the engine's whole group, and wait for it."""
    os.close(pipe)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        with suppress(OSError):  # it may hold unsent commands
            process.stdin.close()
