"""Standard streams that never fail on a character."""

import codecs
import os
import sys
from io import TextIOWrapper

# What a terminal without Unicode is shown instead; all else is escaped.
SUBSTITUTES = {
    "·": ".", "…": "...", "−": "-", "–": "-", "×": "x", "±": "+-", "≥": ">=", "≤": "<=", "→": "->",
    "✓": "v", "✗": "x", "▲": "^", "○": "o",
}  # fmt: skip


def ready_streams() -> None:
    """Let stdout and stderr write, and stdin read, whatever comes."""
    codecs.register_error("topple", _substitute)
    # A stream that was closed before the program began takes everything and says nothing.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "topple"), (sys.stderr, "topple")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _substitute(error: UnicodeError) -> tuple[str, int]:
    """Write what the encoding lacks in ASCII."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(SUBSTITUTES.get(letter) or _escaped(letter) for letter in letters), error.end


def _escaped(letter: str) -> str:
    """A letter as Python would write it: `\\xe9`."""
    return letter.encode("ascii", "backslashreplace").decode("ascii")


def plain_line(text: str) -> str:
    """A text on one line, without anything that could steer a terminal.

    >>> plain_line("two\\nlines\\x1b[1m")
    'two lines?[1m'
    """
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)
