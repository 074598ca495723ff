"""A board that changes, from one file for each of its networks."""

import re
from pathlib import Path
from typing import Any

from topple.boards.board import MAX_NETWORKS, Board, check_networks, check_schedule
from topple.boards.draft import Draft, Edge, board_from_draft, read_labels
from topple.boards.edge_times import refuse_unnamed
from topple.boards.files.reading import (
    COMPONENT,
    DIRECTED,
    EDGE_LISTS,
    STRICT,
    known_ending,
    read_draft,
    read_text,
    split_path,
)
from topple.core.errors import BadBoard, BadText
from topple.core.spec import Option, Spec, format_spec
from topple.core.text import one_line

SNAPSHOT_OPTIONS = (
    Option("files", "", str, "FILE@PLY,FILE@PLY …: each network with the ply at which it begins"),
    COMPONENT,
    DIRECTED,
    STRICT,
)
_PLACED = re.compile(r"(.+)@([0-9]{1,12})")


def split_snapshots(text: str) -> Spec:
    """Split `snapshots:FILE@PLY,FILE@PLY,option=value` into its parts.

    A path may contain commas: a file ends where @ and a ply do.

    Raises
    ------
    BadText
        If there is no file, or an option is given twice.

    Examples
    --------
    >>> split_snapshots("snapshots:a.csv@0,b,c.csv@10,directed=true")
    Spec(name='snapshots', values=('a.csv@0,b,c.csv@10',), options={'directed': 'true'})
    """
    files, options = split_path(text)
    if not files:
        raise BadText("snapshots has no files: write snapshots:a.csv@0,b.csv@10")
    return Spec("snapshots", (files,), options)


def snapshots_board(files: str, component: str, directed: bool, strict: bool = False) -> Board:
    """Build a board that changes, from one file for each of its networks.

    Its vertices are those of all files, in the order in which they first appear. Sides, places
    and communities are those of the first file that has them; a threshold holds for the network
    of its file.

    Parameters
    ----------
    files
        Each file with the ply at which its network begins: `a.csv@0,b.csv@10`.
    component
        `largest` keeps the largest component of all networks together only.
    directed
        For edge lists: whether a line is an arc.
    strict
        For edge lists: whether repeated edges and loops are refused, not merged and dropped.

    Raises
    ------
    BadText
        If the files cannot be told apart, or `directed` does not fit them.
    BadBoard
        If a file cannot be read, the plies do not grow from 0, or some files are directed
        and others are not.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one, two = pathlib.Path(folder, "one.csv"), pathlib.Path(folder, "two.csv")
    ...     _ = one.write_text("ann,bob\\nbob,cid\\n"), two.write_text("ann,bob\\ncid,ann\\n")
    ...     board = snapshots_board(f"{one}@0,{two}@8", "all", False)
    >>> [network.ply for network in board.networks], board.labels
    ([0, 8], ('ann', 'bob', 'cid'))
    """
    placed = _placed_files(files)
    first = placed[0][1]
    if first:
        raise BadBoard(f"the first network begins at ply {first:,}: it must begin at ply 0")
    if len(placed) > MAX_NETWORKS:
        raise BadBoard(f"{len(placed):,} networks are too many: at most {MAX_NETWORKS:,}")
    check_schedule([ply for _, ply in placed[1:]])
    if directed and all(known_ending(path) not in EDGE_LISTS for path, _ in placed):
        raise BadText("directed=true is for edge lists; these files say so themselves")
    drafts, n_edges = [], []
    for path, ply in placed:
        drafts.append((ply, _read(path, directed, strict)))
        n_edges.append(len(drafts[-1][1].edges))
        check_networks(1, n_edges)  # before the next file is read
        if drafts[-1][1].directed != drafts[0][1].directed:
            raise BadBoard(f"{path}: of the snapshots some are directed and some are not")
    options: dict[str, Any] = {} if component == "all" else {"component": component}
    options |= {"directed": True} if directed else {}
    options |= {"strict": True} if strict else {}
    listed = ",".join(f"{path}@{ply}" for path, ply in placed)
    return board_from_draft(
        _joined(drafts), format_spec("snapshots", (listed,), options), component=component
    )


def _placed_files(files: str) -> list[tuple[str, int]]:
    """The files with their plies."""
    placed: list[tuple[str, int]] = []
    waiting: list[str] = []
    for piece in files.split(","):
        waiting.append(piece)
        if found := _PLACED.fullmatch(",".join(waiting).strip()):
            placed.append((found[1].strip(), int(found[2])))
            waiting = []
    if waiting:
        text = ",".join(waiting).strip()
        raise BadText(
            f"{one_line(text, 60)!r} does not end in a ply: write snapshots:a.csv@0,b.csv@10"
        )
    return placed


def _read(path: str, directed: bool, strict: bool) -> Draft:
    """One file, whose vertices are named by their labels."""
    ending = known_ending(path)
    try:
        is_directed = directed and ending in EDGE_LISTS
        draft = read_draft(read_text(Path(path)), ending, directed=is_directed, strict=strict)
        if draft.stages:
            raise BadBoard("its edges have times, which a snapshot cannot have: use file:PATH")
        draft.names = read_labels(draft)
        draft.notes = tuple(f"{Path(path).name}: {note}" for note in draft.notes)
    except BadBoard as error:
        raise BadBoard(f"{path}: {error}") from None
    return draft


def _joined(drafts: list[tuple[int, Draft]]) -> Draft:
    """One draft over the vertices of all."""
    vertex_of: dict[str, int] = {}
    lasting: dict[str, dict[str, Any]] = {}  # the attributes of each vertex but its thresholds
    for _, draft in drafts:
        for vertex, name in enumerate(draft.names):
            vertex_of.setdefault(name, len(vertex_of))
            given = draft.vertex_attributes[vertex] if draft.vertex_attributes else {}
            kept = {key: given[key] for key in given if key not in {"threshold", "label"}}
            lasting[name] = {**kept, **lasting.get(name, {})}
    names = list(vertex_of)
    networks = [_over(draft, names, vertex_of) for _, draft in drafts]
    refuse_unnamed(names, (edge for network in networks for edge in network.edges))
    first = networks[0]
    thresholds = first.values("threshold")
    first.vertex_attributes = [
        {**lasting[name], "threshold": threshold}
        for name, threshold in zip(names, thresholds, strict=True)
    ]
    first.notes = tuple(note for _, draft in drafts for note in draft.notes)
    first.stages = [(ply, each) for (ply, _), each in zip(drafts[1:], networks[1:], strict=True)]
    return first


def _over(draft: Draft, names: list[str], vertex_of: dict[str, int]) -> Draft:
    """A draft with the vertices of all drafts, of whose attributes it has the thresholds."""
    new = [vertex_of[name] for name in draft.names]
    given = dict(zip(draft.names, draft.values("threshold"), strict=True))
    has_some = any(threshold is not None for threshold in given.values())

    def moved(edge: Edge) -> Edge:
        return new[edge[0]], new[edge[1]]

    return Draft(
        draft.directed,
        names,
        [moved(edge) for edge in draft.edges],
        [{"threshold": given.get(name)} for name in names] if has_some else (),
        {moved(edge): attributes for edge, attributes in draft.edge_attributes.items()},
    )
