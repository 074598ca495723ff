"""An engine of somebody else's as a process: commands in, replies out, within a time."""

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

LEASH = Path(__file__).parents[1] / "process_guard.py"
MOST_LINES = 10_000  # of a reply
MOST_WAITING = 50_000  # lines that nobody has asked for
PICTURE = "gogui-gfx:"  # something to draw for HexGui, sent before a reply
LONGEST_LINE = 65_536  # bytes
SHOWN = 60  # characters of a command or a reply in a message
PATIENCE = 5.0  # seconds for an engine's process to be gone once it is let go

Lines = queue.SimpleQueue[str | None]


class EngineFailure(ToppleError):
    """An engine has ended, does not answer, or answers nonsense."""


class EngineRefusal(ToppleError):
    """An engine answers a command with `?`."""


def split_command(text: str) -> list[str]:
    """A command's words, as a shell has them.

    Raises
    ------
    BadText
        If there is none, or a quote is not closed.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadText(f"the engine's command {text!r:.60} cannot be read: {error}") from None
    if not words:
        raise BadText("the engine's command is empty: write cmd=PROGRAM")
    return words


class EngineProcess:
    """A running engine. It ends when this object does, and with this process."""

    def __init__(self, command: str) -> None:
        if os.name != "posix":
            raise Unsupported("engines of others are run on Linux and macOS alone")
        self.command = command
        self.name = command if len(command) <= SHOWN else f"{command[: SHOWN - 1]}…"
        self._process, pipe = self._start(split_command(command))
        self._lines: Lines = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=3)  # its last words on stderr
        self._readers = [
            threading.Thread(target=read, args=(stream, heard), daemon=True)
            for read, stream, heard in (
                (_read_replies, self._process.stdout, self._lines),
                (_read_log, self._process.stderr, self._said),
            )
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _let_go, self._process, pipe)

    def _start(self, words: list[str]) -> tuple["subprocess.Popen[bytes]", int]:
        """Start the engine on a leash; returns the leash's process and our end of its pipe."""
        held, ours = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(LEASH), str(held), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(held,),
                start_new_session=True,  # Ctrl-C is for topple, which ends the engine itself
            )
        except OSError as error:
            os.close(ours)
            raise EngineFailure(f"the engine {self.name!r} cannot be started: "
                                f"{error.strerror}") from None  # fmt: skip
        finally:
            os.close(held)
        return process, ours

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._end.alive

    def close(self) -> None:
        """End the engine and all that it has started."""
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
        except BaseException:  # also Ctrl-C: what comes later would answer something else
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
        """The lines of a reply, the empty one at its end left out."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - monotonic()))
            except queue.Empty:
                raise EngineFailure(f"the engine {self.name!r} has not answered {command!r} "
                                    f"within {seconds:g} s") from None  # fmt: skip
            if line is None:
                raise self._gone(command)
            if line:
                lines.append(line)
                if lines[0][0] not in "=?" and not lines[0].startswith(PICTURE):
                    raise EngineFailure(f"the engine {self.name!r} answers {command!r} with "
                                        f"nonsense: {line!r:.{SHOWN}}")  # fmt: skip
                if len(lines) > MOST_LINES:
                    raise EngineFailure(f"the engine {self.name!r} does not come to an end with "
                                        f"its answer to {command!r}")  # fmt: skip
            elif lines and not lines[0].startswith(PICTURE):
                return lines
            else:
                lines = []

    def _gone(self, command: str) -> EngineFailure:
        """What is said of an engine that has ended."""
        try:
            status = f"exit status {self._process.wait(PATIENCE)}"
        except subprocess.TimeoutExpired:
            status = "its output is closed"
        self._readers[1].join(PATIENCE)
        words = f": {self._said[-1]:.100}" if self._said else ""
        return EngineFailure(f"the engine {self.name!r} has ended instead of answering "
                             f"{command!r} ({status}){words}")  # fmt: skip


def _read_replies(stream: IO[bytes], lines: Lines) -> None:
    """Hand on what an engine says, line by line; None at the end."""
    with stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            lines.put(line.decode("utf-8", "replace").rstrip())
            if lines.qsize() > MOST_WAITING:
                break  # it talks without being asked
    lines.put(None)


def _read_log(stream: IO[bytes], said: deque[str]) -> None:
    """Keep an engine's last words, and let it never wait for a reader."""
    with stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            words = " ".join(line.decode("utf-8", "replace").split())
            if words:
                said.append("".join(letter if letter.isprintable() else "?" for letter in words))


def _let_go(process: "subprocess.Popen[bytes]", leash: int) -> None:
    """Let the leash go, which ends the engine's whole group, and wait for it."""
    os.close(leash)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        with suppress(OSError):  # what was not sent stays unsent
            process.stdin.close()
