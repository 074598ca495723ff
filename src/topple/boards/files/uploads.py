"""Boards from files that somebody hands over: a name and bytes, no path."""

from pathlib import PurePosixPath

from topple.boards.board import Board
from topple.boards.draft import board_from_draft
from topple.boards.files.reading import EDGE_LISTS, GRAPH_FORMATS, decode, known_ending
from topple.core.errors import BadBoard
from topple.core.text import one_line

LONGEST_NAME = 60  # characters of the file's name that the board is called by


def board_from_upload(name: str, content: bytes, *, directed: bool = False) -> Board:
    """Build a board from a file's name, whose ending tells the format, and its bytes.

    An undirected graph that is not connected is cut to its largest part. No file
    is opened. `directed` says of edge lists that a line is an arc; the other formats
    say so themselves.

    Raises
    ------
    BadBoard
        If it cannot be read as a graph to play on.

    Examples
    --------
    >>> board_from_upload("net.csv", b"ann,bob\\nbob,cid\\n")
    <Board net.csv: 3 vertices, 2 edges>
    """
    called = one_line(PurePosixPath(name.replace("\\", "/")).name or name, LONGEST_NAME)
    ending = known_ending(called)
    try:
        text = decode(content)
        if ending in EDGE_LISTS:
            draft = EDGE_LISTS[ending](text, directed)
        else:
            draft = GRAPH_FORMATS[ending](text)
        component = "all" if draft.directed else "largest"
        return board_from_draft(draft, called, component=component)
    except BadBoard as error:
        raise BadBoard(f"{called}: {error}") from None
