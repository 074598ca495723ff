"""Files of other Hex programs, recognised by their content: SGF or HexWorld addresses."""

from topple.bridges import hexworld, sgf
from topple.core.errors import BadText
from topple.game.record import Record

LARGEST = 64 * 1024 * 1024  # bytes of a file
FORMS = ("sgf", "hexworld")


def is_foreign(content: bytes) -> bool:
    """Whether the beginning of a file is another Hex program's.

    >>> is_foreign(b"(;GM[11]SZ[3])"), is_foreign(b'{"format": 1}')
    (True, False)
    """
    beginning = decoded(content[:200]).lstrip()
    return beginning.startswith("(") or hexworld.is_address(beginning)


def read_games(content: bytes) -> list[tuple[Record, int]]:
    """The games of a file, each with the number of variations that were left out.

    Raises
    ------
    BadText, BadRecord
        If the file is damaged, or contains what topple does not play.
    """
    if len(content) > LARGEST:
        raise BadText(f"a file of more than {LARGEST:,} bytes is too large")
    text = decoded(content)
    if text.lstrip().startswith("("):
        return sgf.read_all(text)
    return [(hexworld.read(address), 0) for address in text.split()]


def read_game(text: str) -> Record:
    """The game of a text that contains exactly one.

    Raises
    ------
    BadText, BadRecord
        If it is damaged, contains several games, or what topple does not play.
    """
    return sgf.read(text) if text.lstrip().startswith("(") else hexworld.read(text.strip())


def decoded(content: bytes) -> str:
    """A text in UTF-8, or else in Latin-1 as old programs wrote it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def write_game(record: Record, form: str) -> str:
    """A game in one of FORMS, ending with a line break.

    Raises
    ------
    BadText
        If it is not a game of Hex.
    BadRecord
        If it does not replay.
    """
    return sgf.write(record) if form == "sgf" else f"{hexworld.write(record)}\n"
