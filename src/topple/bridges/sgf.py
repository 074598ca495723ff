"""Hex games as SGF (FF[4], GM[11]), as HexGui, twogtp, Little Golem and HexWorld write them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from topple import __version__
from topple.bridges.hex.notation import (
    BLACK,
    COLOURS,
    FORFEIT,
    PASS,
    RESIGN,
    SWAPS,
    WHITE,
    NotatedMove,
    NotatedResult,
    check_size,
    from_record,
    to_record,
)
from topple.core.errors import BadText
from topple.game.record import CRASH, LONGEST_NAME, RESIGNATION, TIME, Record

HEX = "11"  # the number of the game
LARGEST = 16 * 1024 * 1024  # characters of a file
WIDTH = 72  # columns to which lines are wrapped
SETUP = ("AB", "AW", "AE")
KEYS = {"B": BLACK, "W": WHITE}
SPECIAL_MOVES = (*SWAPS, RESIGN, FORFEIT, PASS)
REASONS = {"R": RESIGNATION, "T": TIME, "F": CRASH}  # first letters after B+ or W+
LETTERS = {by: letter for letter, by in REASONS.items()}

_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_WRAPPED = re.compile(r"\\(?:\r\n|\n\r|\n|\r)")  # an escaped line break, which means nothing

Node = dict[str, list[str]]


def read(text: str) -> Record:
    """Read the game of an SGF file; only the main line of variations is read.

    Raises
    ------
    BadText
        If the file is damaged, contains several games, or a game that is not Hex on an empty
        square board.
    BadRecord
        If a move cannot be played, or the moves lead to another result than the stated one.

    Examples
    --------
    >>> record = read("(;FF[4]GM[11]SZ[3];B[b2];W[a1];B[c1];W[c3];B[a3])")
    >>> record.moves, record.result
    (('b2', 'a1', 'c1', 'c3', 'a3'), (1.0, -1.0))
    """
    trees = read_trees(text)
    if len(trees) != 1:
        raise BadText(f"the SGF holds {len(trees)} games: give one with one game")
    return _record(trees[0])


def read_all(text: str) -> list[tuple[Record, int]]:
    """Read every game of an SGF file, each with the number of variations left out.

    Raises
    ------
    BadText, BadRecord
        As for `read`.
    """
    return [(_record(tree), tree.n_variations) for tree in read_trees(text)]


def write(record: Record) -> str:
    """Write a game of Hex as SGF.

    A swap is written as SGF defines it: the stone is mirrored, and so are the moves after it.

    Raises
    ------
    BadText
        If it is not a game of Hex.
    BadRecord
        If it does not replay.

    Examples
    --------
    >>> print(write(read("(;GM[11]SZ[2]PB[Ann];B[b1];W[a1];B[a2])")), end="")
    (;FF[4]GM[11]CA[UTF-8]AP[topple:0.1.0]SZ[2]PB[Ann]PW[White]RE[B+]
    ;B[b1];W[a1];B[a2])
    """
    size, notated, result = from_record(record)
    head = (
        f"(;FF[4]GM[{HEX}]CA[UTF-8]AP[topple:{__version__}]SZ[{size}]"
        f"PB[{escaped(record.players[0])}]PW[{escaped(record.players[1])}]"
    )
    if record.options.get("swap"):
        head += "RU[swap]"
    if result is not None:
        head += f"RE[{'BW'[result.winner]}+{LETTERS.get(result.by, '')}]"
    lines = [""]
    for move in (f";{'BW'[each.colour]}[{each.text}]" for each in notated):
        if len(lines[-1]) + len(move) > WIDTH:
            lines.append("")
        lines[-1] += move
    return "\n".join([head, *filter(None, lines)]) + ")\n"


def _record(tree: "GameTree") -> Record:
    if not tree.nodes:
        raise BadText("the SGF has no nodes: a game begins with (;")
    root = tree.nodes[0]
    game = _value(root, "GM")
    if game not in ("", HEX):
        raise BadText(f"the SGF has GM[{game:.20}]: Hex is GM[{HEX}]")
    size = _size(root)
    moves = [move for node in tree.nodes for move in _moves(node)]
    names = (_name(root, "PB", COLOURS[BLACK]), _name(root, "PW", COLOURS[WHITE]))
    swap = "swap" in _value(root, "RU").lower()
    return to_record(size, moves, names, _result(_value(root, "RE")), swap=swap)


def _value(node: Node, key: str) -> str:
    return node.get(key, [""])[0]


def _size(root: Node) -> int:
    text = _value(root, "SZ")
    if not text:
        raise BadText("the SGF has no SZ, the size of the board")
    columns, colon, rows = text.partition(":")
    numbers = [columns, rows] if colon else [columns, columns]
    if not all(each.isdecimal() and each.isascii() and len(each) < 5 for each in numbers):
        raise BadText(f"the SGF has SZ[{text:.20}], which is no size of a board")
    return check_size(int(numbers[0]), int(numbers[1]))


def _moves(node: Node) -> list[NotatedMove]:
    """The moves of a node: one or none."""
    for key in SETUP:
        if key in node:
            raise BadText(
                f"the SGF sets stones up with {key}: topple reads games that begin on an "
                "empty board"
            )
    moves = [(key, value) for key in KEYS for value in node.get(key, [])]
    if len(moves) > 1:
        first, second = (f"{key}[{value:.20}]" for key, value in moves[:2])
        raise BadText(f"a node of the SGF has {len(moves)} moves: {first} and {second}")
    return [NotatedMove(KEYS[key], _move_text(value)) for key, value in moves]


def _move_text(value: str) -> str:
    """A cell such as `a1`, also from Little Golem's `aa`, or one of SPECIAL_MOVES."""
    move = value.strip().lower()
    if not move:
        return PASS
    if move not in SPECIAL_MOVES and len(move) == 2 and move.isalpha() and move.isascii():
        return f"{move[0]}{ord(move[1]) - ord('a') + 1}"
    return move


def _name(root: Node, key: str, default: str) -> str:
    name = "".join(letter for letter in _value(root, key) if letter.isprintable())
    return name[:LONGEST_NAME].strip() or default


def _result(text: str) -> NotatedResult | None:
    """The result in RE: `B+`, `W+R`, `B+Time`; anything else states no result."""
    colour, plus, reason = text.strip().upper().partition("+")
    if not plus or colour not in KEYS:
        return None
    return NotatedResult(KEYS[colour], REASONS.get(reason.strip()[:1], ""))


class GameTree(NamedTuple):
    """The nodes of a game's main line, and the number of variations left out."""

    nodes: list[Node]
    n_variations: int


def read_trees(text: str) -> list[GameTree]:
    """Parse the games of an SGF file, of any game; each gives its main line.

    Raises
    ------
    BadText
        If it is not SGF; the message names the line.
    """
    if len(text) > LARGEST:
        raise BadText(f"the SGF has more than {LARGEST:,} characters")
    first = text.find("(")
    if first < 0:
        raise BadText("this is not SGF: there is no ( in it")
    return list(_Parser(text, first).trees())


class _Parser:
    """Parses SGF from a place in a text on."""

    def __init__(self, text: str, place: int) -> None:
        self.text, self.place = text, place

    def trees(self) -> Iterator[GameTree]:
        """Every game of the file."""
        while self._next() == "(":
            yield self._tree()
        if self._next():
            raise self._error(f"{self._next()!r} where a game should begin with (")

    def _tree(self) -> GameTree:
        """One game; the first of several variations is the main line."""
        nodes: list[Node] = []
        n_variations = 0
        open_branches: list[_Branch] = []
        while True:
            sign = self._next()
            self.place += 1
            if sign == "(":
                branch = open_branches[-1].variation() if open_branches else _Branch(True)
                n_variations += bool(open_branches) and open_branches[-1].n_variations > 1
                open_branches.append(branch)
            elif sign == ")":
                open_branches.pop()
                if not open_branches:
                    return GameTree(nodes, n_variations)
            elif sign == ";" and not open_branches[-1].n_variations:
                node = self._node()
                if open_branches[-1].is_main:
                    nodes.append(node)
            else:
                self.place -= 1
                found = repr(sign) if sign else "the end"
                raise self._error(f"{found} where a move, a variation or ) should be")

    def _node(self) -> Node:
        """The properties of a node."""
        node: Node = {}
        while name := self._match(_NAME):
            # Old files spell names out; the lower-case letters carry no meaning.
            key = "".join(letter for letter in name[0] if letter.isupper())
            values = []
            while self._next() == "[":
                value = _VALUE.match(self.text, self.place)
                if value is None:
                    raise self._error(f"the value of {name[0]:.20} has no ]")
                self.place = value.end()
                values.append(plain_text(value[1]))
            if not values or not key:
                raise self._error(f"{name[0]:.20} has no value in [ ]")
            node.setdefault(key, []).extend(values)
        return node

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._next()
        found = pattern.match(self.text, self.place)
        if found is not None:
            self.place = found.end()
        return found

    def _next(self) -> str:
        """The next character that is not a space; empty at the end."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1
        return self.text[self.place : self.place + 1]

    def _error(self, what: str) -> BadText:
        line = self.text.count("\n", 0, self.place) + 1
        return BadText(f"the SGF is damaged in line {line}: {what}")


class _Branch:
    """A sequence of nodes, which may end in variations."""

    def __init__(self, is_main: bool) -> None:
        self.is_main, self.n_variations = is_main, 0

    def variation(self) -> "_Branch":
        """The next variation; the first one continues the main line."""
        self.n_variations += 1
        return _Branch(self.is_main and self.n_variations == 1)


def plain_text(value: str) -> str:
    """A property's value without escapes, on one line.

    >>> plain_text("a \\\\] b\\\\\\nc\\nd")
    'a ] bc d'
    """
    value = re.sub(r"\\(.)", r"\1", _WRAPPED.sub("", value), flags=re.DOTALL)
    return re.sub(r"\s", " ", value)


def escaped(value: str) -> str:
    """A text as a property's value.

    >>> escaped("a]b")
    'a\\\\]b'
    """
    return re.sub(r"([\]\\])", r"\\\1", value)
