"""Lines that a person types, or that come through a pipe."""

import sys
from collections.abc import Callable, Sequence

from topple.core.streams import plain_line

LONGEST_LINE = 100_000


def read_line(prompt: str, words: Callable[[], Sequence[str]]) -> str | None:
    """The next line of input, or None at its end.

    On a terminal the line can be edited, and Tab completes `words`. A line from
    a pipe is repeated behind the prompt, so that the output reads as a dialogue.
    """
    if sys.stdin is None:  # closed before the program began
        return None
    if sys.stdin.isatty():
        _edit_lines(words)
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(LONGEST_LINE)
    if len(line) == LONGEST_LINE:
        print(f"a line of {LONGEST_LINE:,} characters or more is not read")
        return None
    print(plain_line(line))
    return line.rstrip("\n") if line else None


def _edit_lines(words: Callable[[], Sequence[str]]) -> None:
    """Turn on line editing, where the system has it."""
    try:
        import readline  # not on every system
    except ImportError:
        return

    found: list[str] = []

    def complete(start: str, number: int) -> str | None:
        if number == 0:
            found[:] = [word for word in words() if word.lower().startswith(start.lower())]
        return found[number] if number < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
