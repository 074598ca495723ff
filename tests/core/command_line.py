"""Running the `topple` command inside the test's own process."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from topple.cli.main import run


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def topple(*arguments: str, typed: str | bytes = "") -> Ran:
    """Run one command line with `typed` piped into it."""
    piped = typed.encode() if isinstance(typed, str) else typed
    out, err = io.BytesIO(), io.BytesIO()
    with _streams(io.BytesIO(piped), out, err):
        status = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(status, out.getvalue().decode(), err.getvalue().decode())


@contextmanager
def _streams(*streams: io.BytesIO) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, encoding="utf-8") for stream in streams
    )
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def assert_one_line_refusal(ran: Ran) -> None:
    """Status 2 and one line that says why; compiles may have been announced before it."""
    lines = [line for line in ran.err.splitlines() if "topple: compiling" not in line]
    assert ran.status == 2, ran
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("topple: ")
    assert "Traceback" not in ran.out + ran.err


def assert_refused_without_a_trace(arguments: Sequence[str], folder: Path) -> None:
    """A refusal that prints nothing else and leaves nothing behind in the current folder."""
    ran = topple(*arguments)
    assert_one_line_refusal(ran)
    assert ran.out == ""
    assert list(folder.iterdir()) == []


def assert_fits_80_columns(text: str) -> None:
    """No line is longer than a terminal is wide, unless it names a file that is."""
    lines = [line for line in text.splitlines() if not line.startswith("saved to ")]
    assert max(map(len, lines), default=0) <= 80, max(lines, key=len)
