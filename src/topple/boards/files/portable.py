"""Boards as plain JSON data, as records store them."""

from typing import Any, NoReturn

from topple.boards.board import Board, check_size
from topple.boards.conversion import uncommon_thresholds
from topple.boards.draft import Draft, board_from_draft
from topple.boards.kinds.catalogue import find_kind
from topple.core.errors import BadBoard, BadText
from topple.core.text import MAX_SPEC, is_plain, one_line

_REQUIRED = ("spec", "directed", "labels", "edges")
_KEYS = (*_REQUIRED, "thresholds", "sides", "places")


def board_to_json(board: Board) -> str | dict[str, Any]:
    """Write a board as plain JSON data.

    A board whose spec builds it again on any machine is written as that spec. Any
    other is written out: labels, edges as pairs of vertices counted from 0,
    thresholds where they are not the degree, and sides and places if it has them.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> board_to_json(load_board("grid:5x5"))
    'grid:5x5'
    >>> board_to_json(load_board("er:n=3,m=3"))["edges"]
    [[0, 1], [0, 2], [1, 2]]
    """
    if board.structural:
        return board.spec
    data: dict[str, Any] = {
        "spec": board.spec,
        "directed": board.directed,
        "labels": list(board.labels),
        "edges": [list(edge) for edge in board.edges()],
    }
    if thresholds := uncommon_thresholds(board):
        data["thresholds"] = [list(pair) for pair in thresholds]
    if board.sides:
        data["sides"] = board.sides
    if board.places is not None:
        data["places"] = board.places.tolist()
    return data


def board_from_json(data: Any) -> Board:
    """Restore a board from what `board_to_json` wrote.

    The data may come from anywhere and is checked throughout; no file is opened.

    Raises
    ------
    BadBoard
        If the data is not a board.

    Examples
    --------
    >>> from topple.boards import load_board
    >>> board = load_board("er:n=3,m=3")
    >>> board_from_json(board_to_json(board)) == board
    True
    """
    if isinstance(data, str):
        return _board_of_spec(data)
    if not isinstance(data, dict):
        raise BadBoard(f"a board is a spec or an object, not {type(data).__name__}")
    _check_keys(data)
    labels, edges = _read_labels(data["labels"]), data["edges"]
    n = len(labels)
    if not isinstance(edges, list):
        _refuse("edges is not a list")
    check_size(n, len(edges))
    draft = Draft(
        directed=data["directed"],
        names=labels,
        edges=[_read_edge(edge, n) for edge in edges],
        vertex_attributes=_read_attributes(data, n),
    )
    return board_from_draft(draft, data["spec"])


def _board_of_spec(text: str) -> Board:
    try:
        kind = find_kind(text)
        if not kind.structural:
            # The file may be missing or changed, and another release of NetworkX may
            # draw another network from the same seed.
            raise BadBoard(
                f"{one_line(text, 60)!r} must be written out with its vertices and edges"
            )
        return kind.load(text)
    except BadText as error:
        raise BadBoard(str(error)) from None


def _refuse(reason: str) -> NoReturn:
    raise BadBoard(f"the board's data is damaged: {reason}")


def _check_keys(data: dict[Any, Any]) -> None:
    for key in _REQUIRED:
        if key not in data:
            _refuse(f"{key} is missing")
    for key in data:
        if key not in _KEYS:
            _refuse(f"unknown key {one_line(key, 24)!r}")
    spec = data["spec"]
    if not isinstance(spec, str) or not 0 < len(spec) <= MAX_SPEC or not is_plain(spec):
        _refuse("spec is not one line of text")
    if not isinstance(data["directed"], bool):
        _refuse("directed is neither true nor false")


def _read_labels(labels: Any) -> list[str]:
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        _refuse("labels is not a list of texts")
    if any(label != label.strip(" ") for label in labels):
        _refuse("a label begins or ends with a blank")
    return list(labels)


def _is_vertex(value: object, n: int) -> bool:
    return type(value) is int and 0 <= value < n


def _read_edge(edge: Any, n: int) -> tuple[int, int]:
    if not isinstance(edge, list) or len(edge) != 2 or not all(_is_vertex(v, n) for v in edge):
        _refuse(f"edge {one_line(edge, 24)} is not a pair of vertices from 0 to {n - 1}")
    return edge[0], edge[1]


def _read_attributes(data: dict[str, Any], n: int) -> list[dict[str, Any]]:
    """Thresholds, sides and places as attributes of each vertex."""
    attributes: list[dict[str, Any]] = [{} for _ in range(n)]
    for vertex, threshold in _read_thresholds(data.get("thresholds", []), n):
        attributes[vertex]["threshold"] = threshold
    sides = data.get("sides", "")
    if not isinstance(sides, str) or len(sides) not in {0, n} or set(sides) - {"L", "R"}:
        _refuse("sides is not one L or R for each vertex")
    for each, side in zip(attributes, sides, strict=False):
        each["side"] = side
    if "places" in data:
        for each, (x, y) in zip(attributes, _read_places(data["places"], n), strict=True):
            each.update(x=x, y=y)
    return attributes


def _read_thresholds(pairs: Any, n: int) -> list[tuple[int, int]]:
    if not isinstance(pairs, list):
        _refuse("thresholds is not a list")
    read: dict[int, int] = {}
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not _is_vertex(pair[0], n):
            _refuse(f"threshold {one_line(pair, 24)} is not a pair of vertex and threshold")
        if type(pair[1]) is not int or pair[0] in read:
            _refuse(f"threshold {one_line(pair, 24)} is not a whole number, or occurs twice")
        read[pair[0]] = pair[1]
    return list(read.items())


def _read_places(places: Any, n: int) -> list[tuple[float, float]]:
    if not isinstance(places, list) or len(places) != n:
        _refuse("places is not a list with one place for each vertex")
    for place in places:
        if not isinstance(place, list) or len(place) != 2 or not all(map(_is_number, place)):
            _refuse(f"place {one_line(place, 24)} is not a pair of numbers")
    return [(float(x), float(y)) for x, y in places]


def _is_number(value: object) -> bool:
    # The bound keeps float() from overflowing, and NaN fails the comparison.
    return type(value) in {int, float} and abs(value) <= 1e9  # type: ignore[arg-type]
