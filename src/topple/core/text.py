"""Text for people: one plain line, shortened, wrapped, counted, and times in words."""

import textwrap
import unicodedata
from collections.abc import Sequence

MAX_LABEL = 80  # characters
MAX_SPEC = 4096
WIDTH = 80  # columns that every output fits into

# Control characters, lone surrogates, line and paragraph separators: each
# would break a line of a table, a record or a terminal.
_UNPLAIN = {"Cc", "Cs", "Zl", "Zp"}


def is_plain(text: str) -> bool:
    """Whether a text is one line without control characters.

    >>> is_plain("Émile Zola"), is_plain("two\\nlines")
    (True, False)
    """
    if text.isprintable():  # nearly always, and much faster
        return True
    return not any(unicodedata.category(letter) in _UNPLAIN for letter in text)


def one_line(reason: object, most: int = 160) -> str:
    """Write a reason, such as an exception, on one line of at most `most` characters.

    >>> one_line("no\\n  graph")
    'no graph'
    """
    try:
        words = " ".join(str(reason).split())
    except (ValueError, RecursionError):  # a number of too many digits, a list too deep
        words = type(reason).__name__
    words = "".join(letter if is_plain(letter) else "�" for letter in words)
    return shorten(words, most)


def error_line(error: BaseException, most: int = 160) -> str:
    """Write an unexpected exception on one line, with its type.

    >>> error_line(ValueError("no\\nmove")), error_line(KeyError())
    ('ValueError: no move', 'KeyError')
    """
    reason = one_line(error, most)
    return shorten(f"{type(error).__name__}: {reason}" if reason else type(error).__name__, most)


def shorten(text: str, most: int) -> str:
    """Cut a text to at most `most` characters, the last of them an ellipsis.

    >>> shorten("Ana de la Cruz", 8), shorten("Ana", 8)
    ('Ana de …', 'Ana')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def wrapped(text: str, *, first: str = "", indent: int = 4, width: int = WIDTH) -> str:
    """Wrap a paragraph; lines after the first are indented, and no word is split.

    >>> print(wrapped("a long line of words", width=12, indent=2))
    a long line
      of words
    """
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def plural(n: int, noun: str, many: str | None = None) -> str:
    """Count things: `many` is the plural where it is not the noun with an s.

    >>> plural(1, "game"), plural(1200, "game"), plural(2, "ply", "plies")
    ('1 game', '1,200 games', '2 plies')
    """
    return f"{n:,} {noun if n == 1 else many or noun + 's'}"


def joined(words: Sequence[str], last: str = "and") -> str:
    """List words as in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number_text(number: float) -> str:
    """Write a number as a user would type it, without losing digits.

    >>> number_text(3.0), number_text(1_000_000), number_text(1 / 3)
    ('3', '1000000', '0.3333333333333333')
    """
    if isinstance(number, int):
        return str(number)
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def duration(seconds: float) -> str:
    """Write a length of time in words, with two units at most.

    >>> [duration(each) for each in (0.034, 7.26, 252, 180, 7500, 90061)]
    ['0.034 s', '7.3 s', '4 min 12 s', '3 min', '2 h 5 min', '25 h 1 min']
    """
    if seconds < 9.95:
        return f"{seconds:.2g} s" if seconds >= 0.001 else "0 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    large, small, names = whole // 60, whole % 60, ("min", "s")
    if whole >= 3600:
        minutes = round(seconds / 60)
        large, small, names = minutes // 60, minutes % 60, ("h", "min")
    return f"{large:,} {names[0]}" + (f" {small} {names[1]}" if small else "")
