"""Standard streams that can write any character."""

import codecs
import os
import sys
from io import TextIOWrapper

# ASCII substitutes for terminals without Unicode; all other letters are escaped.
SUBSTITUTES = dict(
    zip(
        "·…−–×±≥≤→✓✗▲○",
        [".", "...", "-", "-", "x", "+-", ">=", "<=", "->", "v", "x", "^", "o"],
        strict=True,
    )
)


def ready_streams() -> None:
    """Let stdout and stderr write any character, and stdin read any byte."""
    codecs.register_error("topple", _substitute)
    # A stream that was closed before the program began is replaced by one that discards.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "topple"), (sys.stderr, "topple")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _substitute(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks by ASCII."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(SUBSTITUTES.get(letter) or _escaped(letter) for letter in letters), error.end


def _escaped(letter: str) -> str:
    """Escape a letter as Python does: `\\xe9`."""
    return letter.encode("ascii", "backslashreplace").decode("ascii")


def plain_line(text: str) -> str:
    """Put a text on one line, without any code that a terminal would obey.

    >>> plain_line("two\\nlines\\x1b[1m")
    'two lines?[1m'
    """
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)
