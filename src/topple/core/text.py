"""Texts that end up in specs, labels and messages: short, plain, one line."""

import unicodedata

MAX_LABEL = 80  # characters
MAX_SPEC = 4096

# Control characters, lone surrogates, line and paragraph separators: each
# would break a line of a table, a record or a terminal.
_UNPLAIN = {"Cc", "Cs", "Zl", "Zp"}


def is_plain(text: str) -> bool:
    """Say whether a text is one line without control characters.

    >>> is_plain("Émile Zola"), is_plain("two\\nlines")
    (True, False)
    """
    if text.isprintable():  # nearly always, and much faster
        return True
    return not any(unicodedata.category(letter) in _UNPLAIN for letter in text)


def one_line(reason: object, most: int = 160) -> str:
    """Write a reason on one line, cut to a readable length.

    >>> one_line("no\\n  graph")
    'no graph'
    """
    try:
        words = " ".join(str(reason).split())
    except (ValueError, RecursionError):  # a number of too many digits, a list too deep
        words = type(reason).__name__
    words = "".join(letter if is_plain(letter) else "�" for letter in words)
    return words if len(words) <= most else words[: most - 1] + "…"


def number_text(number: float) -> str:
    """Write a number as a user would type it, without losing digits.

    >>> number_text(3.0), number_text(1_000_000), number_text(1 / 3)
    ('3', '1000000', '0.3333333333333333')
    """
    if isinstance(number, int):
        return str(number)
    short = f"{number:g}"
    return short if float(short) == number else repr(number)
