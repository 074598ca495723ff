"""Values parsed from text."""

import re

from topple.core.errors import BadText
from topple.core.text import shorten
from topple.solvers.scoring.value import DEEPEST, Value, game, number

MARKS = re.compile(r"\s*([-+−]?[0-9]+|[{}|,]|\S)")
MOST_DIGITS = 18
SHORT = 60  # characters of a text in a message


def parse(text: str) -> Value:
    """Parse a value: a whole number, or {Left's options|Right's options} separated by commas.

    Raises
    ------
    BadText
        If it cannot be parsed, or is not in Milnor's universe.

    Examples
    --------
    >>> print(parse("{3 | {-1|-5}}"))
    {3|{-1|-5}}
    >>> print(parse("{2,{5|0}|-2}") + parse("{1|-1}"))
    {{{6|4}|{1|-1}},{3|1}|{-1|-3}}
    >>> parse("{3|-1")
    Traceback (most recent call last):
    ...
    topple.core.errors.BadText: '{3|-1' is not a game: } is missing at the end
    """
    return _Reader(text).read()


class _Reader:
    """A text, and how far it has been parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks = MARKS.findall(text)
        self.place = 0

    def read(self) -> Value:
        value = self._value(0)
        mark = self._next()
        if mark:
            surplus = mark in "}|,"
            raise self._bad(f"there is a surplus {mark}" if surplus else f"it ends before {mark!r}")
        return value

    def _value(self, depth: int) -> Value:
        mark = self._next()
        if mark != "{":
            return self._number(mark)
        if depth == DEEPEST:
            raise self._bad(f"games may be nested {DEEPEST} deep")
        self.place += 1
        left = self._options("|", depth)
        right = self._options("}", depth)
        try:
            return game(left, right)
        except BadText as error:
            raise self._bad(str(error)) from None

    def _options(self, end: str, depth: int) -> list[Value]:
        options: list[Value] = []
        if self._next() == end:
            self.place += 1
            return options
        while True:
            options.append(self._value(depth + 1))
            mark = self._next()
            if mark not in (end, ","):
                raise self._bad(f"{end} is missing {self._where(mark)}")
            self.place += 1
            if mark == end:
                return options

    def _number(self, mark: str) -> Value:
        digits = mark.lstrip("+-−")
        if not digits.isdecimal():
            raise self._bad(f"a number or {{ is missing {self._where(mark)}")
        if len(digits) > MOST_DIGITS:
            raise self._bad(f"a number has at most {MOST_DIGITS} digits")
        self.place += 1
        return number(int(mark.replace("−", "-")))

    def _next(self) -> str:
        mark: str = self.marks[self.place] if self.place < len(self.marks) else ""
        return mark

    def _where(self, mark: str) -> str:
        return f"before {mark!r}" if mark else "at the end"

    def _bad(self, why: str) -> BadText:
        text = shorten(" ".join(self.text.split()), SHORT)
        return BadText(f"{text!r} is not a game: {why}")
