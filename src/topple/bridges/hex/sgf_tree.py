"""SGF as a tree of nodes, whatever the game: texts in, properties out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from topple.core.errors import BadText

LARGEST = 16 * 1024 * 1024  # characters of a file

_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_BREAK = re.compile(r"\\(?:\r\n|\n\r|\n|\r)")  # a line that was only wrapped

Node = dict[str, list[str]]


class Tree(NamedTuple):
    """A game: the nodes of its main line, and how many other lines there are beside it."""

    nodes: list[Node]
    n_variations: int


def read_trees(text: str) -> list[Tree]:
    """The games of an SGF file, each by its main line.

    Raises
    ------
    BadText
        If it is not SGF; the line is named.
    """
    if len(text) > LARGEST:
        raise BadText(f"the SGF has more than {LARGEST:,} characters")
    first = text.find("(")
    if first < 0:
        raise BadText("this is not SGF: there is no ( in it")
    return list(_Reader(text, first).trees())


class _Reader:
    """Reads SGF from a place on; whatever is wrong is told with its line."""

    def __init__(self, text: str, place: int) -> None:
        self.text, self.place = text, place

    def trees(self) -> Iterator[Tree]:
        """Every game of the file."""
        while self._next() == "(":
            yield self._tree()
        if self._next():
            raise self._wrong(f"{self._next()!r} where a game should begin with (")

    def _tree(self) -> Tree:
        """One game. Of several variations the first one is the main line."""
        nodes: list[Node] = []
        n_variations = 0
        opened: list[_Branch] = []
        while True:
            sign = self._next()
            self.place += 1
            if sign == "(":
                branch = opened[-1].grow() if opened else _Branch(True)
                n_variations += bool(opened) and opened[-1].n_grown > 1
                opened.append(branch)
            elif sign == ")":
                opened.pop()
                if not opened:
                    return Tree(nodes, n_variations)
            elif sign == ";" and not opened[-1].n_grown:
                node = self._node()
                if opened[-1].is_main:
                    nodes.append(node)
            else:
                self.place -= 1
                found = repr(sign) if sign else "the end"
                raise self._wrong(f"{found} where a move, a variation or ) should be")

    def _node(self) -> Node:
        """The properties of a node."""
        node: Node = {}
        while name := self._match(_NAME):
            # Old files write names in full; lower-case letters were for readers alone.
            short = "".join(letter for letter in name[0] if letter.isupper())
            values = []
            while self._next() == "[":
                value = _VALUE.match(self.text, self.place)
                if value is None:
                    raise self._wrong(f"the value of {name[0]:.20} has no ]")
                self.place = value.end()
                values.append(plain_text(value[1]))
            if not values or not short:
                raise self._wrong(f"{name[0]:.20} has no value in [ ]")
            node.setdefault(short, []).extend(values)
        return node

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._next()
        found = pattern.match(self.text, self.place)
        if found is not None:
            self.place = found.end()
        return found

    def _next(self) -> str:
        """The sign that comes next, spaces left out; nothing at the end."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1
        return self.text[self.place : self.place + 1]

    def _wrong(self, what: str) -> BadText:
        line = self.text.count("\n", 0, self.place) + 1
        return BadText(f"the SGF is damaged in line {line}: {what}")


class _Branch:
    """A sequence of nodes, which may end in variations."""

    def __init__(self, is_main: bool) -> None:
        self.is_main, self.n_grown = is_main, 0

    def grow(self) -> "_Branch":
        """One of its variations; the first one is the main line's."""
        self.n_grown += 1
        return _Branch(self.is_main and self.n_grown == 1)


def plain_text(value: str) -> str:
    """A property's value without escapes, on one line.

    >>> plain_text("a \\\\] b\\\\\\nc\\nd")
    'a ] bc d'
    """
    value = re.sub(r"\\(.)", r"\1", _BREAK.sub("", value), flags=re.DOTALL)
    return re.sub(r"\s", " ", value)


def escaped(value: str) -> str:
    """A text as a property's value.

    >>> escaped("a]b")
    'a\\\\]b'
    """
    return re.sub(r"([\]\\])", r"\\\1", value)
