"""Hex games as SGF (FF[4], GM[11]), as HexGui, twogtp, Little Golem and HexWorld have them."""

from topple import __version__
from topple.bridges.hex.game_lines import (
    BLACK,
    COLOURS,
    FORFEIT,
    PASS,
    RESIGN,
    SWAPS,
    WHITE,
    Claim,
    Word,
    check_size,
    from_record,
    to_record,
)
from topple.bridges.hex.sgf_tree import Node, Tree, escaped, read_trees
from topple.core.errors import BadText
from topple.game.record import CRASH, LONGEST_NAME, RESIGNATION, TIME, Record

HEX = "11"  # the number of the game
WIDTH = 72  # columns that lines are wrapped to
SETUP = ("AB", "AW", "AE")
KEYS = {"B": BLACK, "W": WHITE}
WORDS = (*SWAPS, RESIGN, FORFEIT, PASS)
REASONS = {"R": RESIGNATION, "T": TIME, "F": CRASH}  # first letters behind B+ or W+
LETTERS = {by: letter for letter, by in REASONS.items()}


def read(text: str) -> Record:
    """Read the game of an SGF file; of variations the main line alone is read.

    Raises
    ------
    BadText
        If it is damaged, holds several games, or one that is not Hex on a square board
        from its beginning.
    BadRecord
        If a move cannot be played, or the result is not what the moves lead to.

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


def _record(tree: Tree) -> Record:
    if not tree.nodes:
        raise BadText("the SGF has no nodes: a game begins with (;")
    root = tree.nodes[0]
    _check_game(root)
    size = _size(root)
    words = [word for node in tree.nodes for word in _words(node, size)]
    names = (_name(root, "PB", COLOURS[BLACK]), _name(root, "PW", COLOURS[WHITE]))
    swap = "swap" in _value(root, "RU").lower()
    return to_record(size, words, names, _claim(_value(root, "RE")), swap=swap)


def _value(node: Node, key: str) -> str:
    return node.get(key, [""])[0]


def _check_game(root: Node) -> None:
    game = _value(root, "GM")
    if game not in ("", HEX):
        raise BadText(f"the SGF has GM[{game:.20}]: Hex is GM[{HEX}]")


def _size(root: Node) -> int:
    text = _value(root, "SZ")
    if not text:
        raise BadText("the SGF has no SZ, the size of the board")
    columns, colon, rows = text.partition(":")
    numbers = [columns, rows] if colon else [columns, columns]
    if not all(each.isdecimal() and each.isascii() and len(each) < 5 for each in numbers):
        raise BadText(f"the SGF has SZ[{text:.20}], which is no size of a board")
    return check_size(int(numbers[0]), int(numbers[1]))


def _words(node: Node, size: int) -> list[Word]:
    """The moves of a node: one, or none."""
    for key in SETUP:
        if key in node:
            raise BadText(f"the SGF sets stones up with {key}: topple reads games that begin "
                          "on the empty board")  # fmt: skip
    moves = [(key, value) for key in KEYS for value in node.get(key, [])]
    if len(moves) > 1:
        raise BadText(f"a node of the SGF has {len(moves)} moves: {moves[0][0]}"
                      f"[{moves[0][1]:.20}] and {moves[1][0]}[{moves[1][1]:.20}]")  # fmt: skip
    return [Word(KEYS[key], _move(value, size)) for key, value in moves]


def _move(text: str, size: int) -> str:
    """A move as others name it: `a1`, as Little Golem `aa`, or a word."""
    move = text.strip().lower()
    if not move:
        return PASS
    if move in WORDS:
        return move
    if len(move) == 2 and move.isalpha() and move.isascii():
        row = ord(move[1]) - ord("a") + 1
        return f"{move[0]}{row}"
    return move


def _name(root: Node, key: str, usual: str) -> str:
    name = "".join(letter for letter in _value(root, key) if letter.isprintable())
    return name[:LONGEST_NAME].strip() or usual


def _claim(text: str) -> Claim | None:
    """What RE says: `B+`, `W+R`, `B+Time`; anything else claims nothing."""
    colour, plus, reason = text.strip().upper().partition("+")
    if not plus or colour not in KEYS:
        return None
    return Claim(KEYS[colour], REASONS.get(reason.strip()[:1], ""))


def write(record: Record) -> str:
    """Write a game of Hex as SGF.

    A swap is written as SGF defines it: the stone is mirrored, and so are the moves after it.

    Raises
    ------
    BadText
        If it is no game of Hex.
    BadRecord
        If it does not replay.

    Examples
    --------
    >>> print(write(read("(;GM[11]SZ[2]PB[Ann];B[b1];W[a1];B[a2])")), end="")
    (;FF[4]GM[11]CA[UTF-8]AP[topple:0.1.0]SZ[2]PB[Ann]PW[White]RE[B+]
    ;B[b1];W[a1];B[a2])
    """
    size, words, claim = from_record(record)
    head = (
        f"(;FF[4]GM[{HEX}]CA[UTF-8]AP[topple:{__version__}]SZ[{size}]"
        f"PB[{escaped(record.players[0])}]PW[{escaped(record.players[1])}]"
    )
    if record.options.get("swap"):
        head += "RU[swap]"
    if claim is not None:
        head += f"RE[{'BW'[claim.winner]}+{LETTERS.get(claim.by, '')}]"
    moves = [f";{'BW'[word.colour]}[{word.text}]" for word in words]
    return "\n".join([head, *_wrapped(moves)]) + ")\n"


def _wrapped(moves: list[str]) -> list[str]:
    """The moves in lines."""
    lines = [""]
    for move in moves:
        if len(lines[-1]) + len(move) > WIDTH:
            lines.append("")
        lines[-1] += move
    return [line for line in lines if line]
