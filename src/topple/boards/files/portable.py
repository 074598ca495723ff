"""Boards as plain JSON data, as records store them."""

from collections.abc import Mapping
from typing import Any, NoReturn

from topple.boards.board import MAX_NETWORKS, Board, Stage, check_networks
from topple.boards.conversion import arcs_of, uncommon_thresholds
from topple.boards.draft import Draft, board_from_draft, is_short
from topple.boards.kinds.catalogue import find_kind
from topple.core.errors import BadBoard, BadText
from topple.core.text import MAX_SPEC, is_plain, one_line

_REQUIRED = ("spec", "directed", "labels", "edges")
_KEYS = (*_REQUIRED, "thresholds", "sides", "places", "accept", "stages", "communities")
_STAGE_KEYS = ("ply", "removed", "added", "thresholds", "accept")

Edges = dict[tuple[int, int], float]  # with their probabilities


def board_to_json(board: Board) -> str | dict[str, Any]:
    """Write a board as plain JSON data.

    A board whose spec builds it again on any machine is written as that spec. Any
    other is written out: labels, edges as pairs of vertices counted from 0,
    thresholds where they are not the degree, and what else it has: sides, places,
    communities, the probabilities that are not 1, and for each later network the edges
    and probabilities that differ from those of the network before it.

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
    if board.communities:
        data["communities"] = list(board.communities)
    before = _edges_of(board, board.networks[0])
    if accept := [[*edge, p] for edge, p in before.items() if p != 1]:
        data["accept"] = accept
    for stage in board.stages:
        edges = _edges_of(board, stage)
        data.setdefault("stages", []).append(_written_stage(stage, edges, before))
        before = edges
    return data


def _edges_of(board: Board, network: Stage) -> Edges:
    """Every edge of a network once, or every arc, in the order of `Board.edges`."""
    return {(t, h): p for t, h, p in arcs_of(network) if board.directed or t < h}


def _written_stage(stage: Stage, edges: Edges, before: Edges) -> dict[str, Any]:
    """A later network by its difference from the one before it."""
    data: dict[str, Any] = {"ply": stage.ply}
    parts = {
        "removed": [list(edge) for edge in before if edge not in edges],
        "added": [list(edge) for edge in edges if edge not in before],
        "thresholds": [list(pair) for pair in uncommon_thresholds(stage)],
        "accept": [[*edge, p] for edge, p in edges.items() if p != before.get(edge, 1)],
    }
    return data | {name: part for name, part in parts.items() if part}


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
    labels, directed = _read_labels(data["labels"]), data["directed"]
    n = len(labels)
    if not isinstance(data["edges"], list):
        _refuse("edges is not a list")
    check_networks(n, [len(data["edges"])])
    pairs = [_read_edge(edge, n) for edge in data["edges"]]
    attributes = _read_attributes(data, n)
    edges = {_between(pair, directed): 1.0 for pair in pairs}
    _read_accept(data, edges, directed)
    draft = Draft(directed, labels, pairs, attributes, _probabilities(edges))
    draft.stages = _read_stages(data, draft, edges)
    return board_from_draft(draft, data["spec"])


def _probabilities(edges: Edges) -> dict[tuple[int, int], Mapping[str, Any]]:
    return {edge: {"p": p} for edge, p in edges.items() if p != 1}


def _between(edge: tuple[int, int], directed: bool) -> tuple[int, int]:
    """An arc as it is, an edge with its lower end first."""
    return edge if directed else (min(edge), max(edge))


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
    communities = data.get("communities", [])
    if not isinstance(communities, list) or len(communities) not in {0, n}:
        _refuse("communities is not a list with one name for each vertex")
    for each, name in zip(attributes, communities, strict=False):
        if not isinstance(name, str) or not is_short(name):
            _refuse(f"community {one_line(name, 24)} is not a short text")
        each["community"] = name
    return attributes


def _read_accept(data: dict[str, Any], edges: Edges, directed: bool) -> None:
    """Put down the probabilities of edges."""
    accept = data.get("accept", [])
    if not isinstance(accept, list):
        _refuse("accept is not a list")
    for entry in accept:
        if not isinstance(entry, list) or len(entry) != 3 or not _is_number(entry[2]):
            _refuse(f"accept has {one_line(entry, 24)}, not two vertices and a probability")
        if not all(type(vertex) is int for vertex in entry[:2]):
            _refuse(f"accept has {one_line(entry, 24)}, not two vertices and a probability")
        edge = _between((entry[0], entry[1]), directed)
        if edge not in edges:
            _refuse(f"accept names {one_line(entry[:2], 24)}, which is no edge")
        if not 0 <= entry[2] <= 1:
            _refuse(f"the probability {one_line(entry[2], 24)} is not between 0 and 1")
        edges[edge] = float(entry[2])


def _read_stages(data: dict[str, Any], first: Draft, edges: Edges) -> list[tuple[int, Draft]]:
    """The later networks, each from the edges of the one before it."""
    written = data.get("stages", [])
    if not isinstance(written, list) or len(written) >= MAX_NETWORKS:
        _refuse(f"stages is not a list of fewer than {MAX_NETWORKS:,} networks")
    n, sizes = len(first.names), [len(edges)]
    stages: list[tuple[int, Draft]] = []
    for stage in written:
        if not isinstance(stage, dict) or type(stage.get("ply")) is not int:
            _refuse("a stage has no ply")
        for key in stage:
            if key not in _STAGE_KEYS:
                _refuse(f"unknown key {one_line(key, 24)!r} of a stage")
        edges = _changed(stage, edges, n, first.directed)
        sizes.append(len(edges))
        check_networks(n, sizes)  # before the next one, so that a bomb is refused early
        given = dict(_read_thresholds(stage.get("thresholds", []), n))
        attributes = [{"threshold": given.get(vertex)} for vertex in range(n)] if given else []
        network = Draft(first.directed, first.names, list(edges), attributes, _probabilities(edges))
        stages.append((stage["ply"], network))
    return stages


def _changed(stage: dict[str, Any], before: Edges, n: int, directed: bool) -> Edges:
    """The edges of a stage."""
    edges = dict(before)
    for key in ("removed", "added"):
        if not isinstance(stage.get(key, []), list):
            _refuse(f"{key} is not a list")
        for pair in stage.get(key, []):
            edge = _between(_read_edge(pair, n), directed)
            if (edge in edges) != (key == "removed"):
                there = "is no edge" if key == "removed" else "is an edge already"
                _refuse(f"{key} names {one_line(pair, 24)}, which {there}")
            if key == "removed":
                del edges[edge]
            else:
                edges[edge] = 1.0
    _read_accept(stage, edges, directed)
    return edges


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
