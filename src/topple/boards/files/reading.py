"""Boards from files, or from the bytes of one: the ending of the name decides the format."""

import stat
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from topple.boards.board import Board
from topple.boards.draft import Draft, board_from_draft
from topple.boards.files.edge_lists import read_columns, read_separated
from topple.boards.files.markup import read_gexf, read_gml, read_graphml
from topple.boards.files.node_link import read_node_link
from topple.core.errors import BadBoard, BadText, unknown
from topple.core.spec import Option, Spec, format_spec
from topple.core.text import one_line

MAX_FILE_BYTES = 64 * 1024 * 1024
LONGEST_NAME = 60  # characters of a file's name that its board is called by

COMPONENT = Option(
    "component",
    "all",
    str,
    "all: an undirected graph must be connected; largest: its largest part is the board",
    choices=("all", "largest"),
)
DIRECTED = Option("directed", False, bool, "for edge lists: whether a line is an arc")
STRICT = Option(
    "strict",
    False,
    bool,
    "for edge lists: whether repeated edges and loops are refused, not merged and dropped",
)
FILE_OPTIONS = (
    Option("path", "", str, "the file; its ending decides the format"),
    COMPONENT,
    DIRECTED,
    STRICT,
)

EDGE_LISTS: Mapping[str, Callable[[str, bool, bool], Draft]] = {
    ".csv": lambda text, directed, strict: read_separated(text, ",", directed, strict),
    ".tsv": lambda text, directed, strict: read_separated(text, "\t", directed, strict),
    ".edges": read_columns,
    ".txt": read_columns,
}
GRAPH_FORMATS: Mapping[str, Callable[[str], Draft]] = {
    ".graphml": read_graphml,
    ".gexf": read_gexf,
    ".gml": read_gml,
    ".json": read_node_link,
}


KNOWN_ENDINGS = (*GRAPH_FORMATS, *EDGE_LISTS)


def split_file_spec(text: str) -> Spec:
    """Split `file:PATH,option=value` into its parts.

    A path may contain commas, colons and equals signs, so only options that
    exist are taken off its end.

    Raises
    ------
    BadText
        If there is no path, or an option is given twice.

    Examples
    --------
    >>> split_file_spec("file:a,b=c.csv,component=largest")
    Spec(name='file', values=('a,b=c.csv',), options={'component': 'largest'})
    """
    path, options = split_path(text)
    if not path:
        raise BadText("file has no path: write file:PATH, for example file:mynet.graphml")
    return Spec("file", (path,), options)


def split_path(text: str) -> tuple[str, dict[str, str]]:
    """What follows the colon of a spec, and the options that are taken off its end.

    Raises
    ------
    BadText
        If an option is given twice.
    """
    path = text.strip().partition(":")[2].strip()
    options: dict[str, str] = {}
    known = [option.name for option in FILE_OPTIONS[1:]]
    while True:
        head, comma, tail = path.rpartition(",")
        key, equals, value = (piece.strip() for piece in tail.partition("="))
        if not (comma and equals and key in known) or "." in value or "/" in value:
            break  # what is left is the path
        if key in options:
            raise BadText(f"{text!r} gives {key!r} twice")
        options[key] = value
        path = head.strip()
    return path, dict(reversed(options.items()))


def file_board(path: str, component: str, directed: bool, strict: bool = False) -> Board:
    """Build a board from a file.

    Parameters
    ----------
    path
        The file; the ending of its name decides the format.
    component
        `largest` keeps the largest component only; with `all`, an undirected
        graph must be connected.
    directed
        For edge lists: whether a line is an arc.
    strict
        For edge lists: whether repeated edges and loops are refused. Else they are merged and
        dropped, and a note says so.

    Raises
    ------
    BadText
        If there is no such option, or `directed` is given for a format that
        says so itself, or `strict` for one that is always read strictly.
    BadBoard
        If the file cannot be read as a graph to play on; the message names
        the file and the reason.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "net.csv")
    ...     _ = file.write_text("ann,bob\\nbob,cid\\n")
    ...     file_board(str(file), "all", False).labels
    ('ann', 'bob', 'cid')
    """
    _refuse_misspelt_option(path)
    ending = known_ending(path)
    if directed and ending not in EDGE_LISTS:
        raise BadText(f"{path}: directed=true is for edge lists; a {ending} file says so itself")
    if strict and ending not in EDGE_LISTS:
        raise BadText(f"{path}: strict=true is for edge lists; a {ending} file is read strictly")
    try:
        draft = read_draft(read_text(Path(path)), ending, directed=directed, strict=strict)
        spec = _spec(path, component, directed, strict)
        return board_from_draft(draft, spec, component=component)
    except BadBoard as error:
        raise BadBoard(f"{path}: {error}") from None


def board_from_upload(
    name: str, content: bytes, *, directed: bool = False, strict: bool = False
) -> Board:
    """Build a board from the content of a file that somebody sent, without opening any file.

    Parameters
    ----------
    name
        The file's name, whose ending decides the format.
    content
        Its bytes. Of an undirected graph that is not connected, the largest component
        becomes the board.
    directed
        For edge lists: whether a line is an arc.
    strict
        For edge lists: whether repeated edges and loops are refused, not merged and dropped.

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
        draft = read_draft(decode(content), ending, directed=directed, strict=strict)
        component = "all" if draft.directed else "largest"
        return board_from_draft(draft, called, component=component)
    except BadBoard as error:
        raise BadBoard(f"{called}: {error}") from None


def read_draft(text: str, ending: str, *, directed: bool, strict: bool = False) -> Draft:
    """Read the text of a file in the format of its ending.

    Raises
    ------
    BadBoard
        If it is not a graph.
    """
    if ending in EDGE_LISTS:
        return EDGE_LISTS[ending](text, directed, strict)
    return GRAPH_FORMATS[ending](text)


def read_text(path: Path) -> str:
    """Read a text file of at most `MAX_FILE_BYTES`.

    Raises
    ------
    BadBoard
        If it is missing, not a plain file, unreadable, empty, too large or
        not UTF-8 text.
    """
    return decode(_read_bytes(path))


def decode(content: bytes) -> str:
    """The text of a file.

    Raises
    ------
    BadBoard
        If it is empty or not UTF-8 text.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadBoard(
            f"it is not UTF-8 text (byte {error.start + 1:,}): save it as UTF-8"
        ) from None
    if "\0" in text:
        raise BadBoard("it is not a text file: it contains zero bytes")
    if not text.strip():
        raise BadBoard("it is empty")
    return text


def _read_bytes(path: Path) -> bytes:
    try:
        # Checked before opening: opening a pipe would wait for a writer.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BadBoard("it is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise BadBoard("it is not a plain file")
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise BadBoard("there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        if isinstance(error, BadBoard):
            raise
        reason = getattr(error, "strerror", None) or error
        raise BadBoard(f"it cannot be read: {one_line(reason)}") from None
    if len(content) > MAX_FILE_BYTES:
        raise BadBoard(f"it is larger than {MAX_FILE_BYTES // 1024**2} MiB")
    return content


def _refuse_misspelt_option(path: str) -> None:
    """Refuse a path that does not exist, but does without an unknown option at its end."""
    known = [option.name for option in FILE_OPTIONS[1:]]
    pieces = path.split(",")
    misspelt = ""
    while len(pieces) > 1 and "=" in pieces[-1] and not is_file(",".join(pieces).strip()):
        key = pieces.pop().partition("=")[0].strip()
        misspelt = misspelt if key in known else key
    if misspelt and is_file(",".join(pieces).strip()):
        raise BadText(unknown("option of file", misspelt, known))


def is_file(path: str) -> bool:
    """Whether there is a file at a path."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a path that no file can have
        return False


def known_ending(path: str) -> str:
    """The ending of a file's name, in lower case, which decides the format.

    Raises
    ------
    BadBoard
        If there is no format with that ending.
    """
    ending = Path(path).suffix.lower()
    if ending in KNOWN_ENDINGS:
        return ending
    if not ending:
        listed = ", ".join(KNOWN_ENDINGS)
        raise BadBoard(f"{path}: its name must end in its format: one of {listed}")
    raise BadBoard(f"{path}: {unknown('ending', ending, KNOWN_ENDINGS)}")


def _spec(path: str, component: str, directed: bool, strict: bool) -> str:
    options: dict[str, Any] = {}
    if component != "all":
        options["component"] = component
    if directed:
        options["directed"] = True
    if strict:
        options["strict"] = True
    return format_spec("file", (path,), options)
