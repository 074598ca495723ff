"""Preparing a board for the wider world: networks, budgets and what lies there at first."""

import csv
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board, Stage
from topple.compiling.chance import SURE, share_of
from topple.core.errors import BadBoard, BadText, unknown
from topple.core.lazy import lazy_module
from topple.rules.spread_it.options import FULL, ZERO
from topple.rules.spread_it.wide.board import (
    MOST_TOKENS,
    NEVER,
    PER_PLAYER,
    WideBoard,
    state_size,
    totals_at,
)
from topple.rules.spread_it.wide.cells import on_board_of, read_cell, write_cell

csgraph = lazy_module("scipy.sparse.csgraph")
sparse = lazy_module("scipy.sparse")

LONGEST_SEEDS = 1 << 20  # bytes of a file


class Network(NamedTuple):
    """One network of a board and what is known of its cascades."""

    stage: Stage
    thresholds: NDArray[np.int32]  # NEVER for sinks
    shares: NDArray[np.uint64]
    is_random: bool
    growth: int  # the most tokens that a firing adds
    conserves: bool  # whether a firing sends as many tokens as it takes
    refires: bool
    is_strong: bool
    needs_limit: bool


def make_tables(board: Board, options: dict[str, Any]) -> WideBoard:
    """Prepare a board.

    Raises
    ------
    BadBoard
        If the budgets do not fit, or there are fewer tokens than players.
    BadText
        If the seeds cannot be read.
    """
    loyalty = {ZERO: 0, FULL: 1}.get(options["loyalty"])
    loyalty = int(options["loyalty"]) if loyalty is None else loyalty
    networks = [_network(stage, options["accept"], loyalty) for stage in board.networks]
    budgets = _budgets(board, options["tokens"], options["players"])
    is_random = any(network.is_random for network in networks)
    drops = options["sinks"] == "drop" and any((n.thresholds == NEVER).any() for n in networks)
    loses = (is_random and options["refused"] == "lost") or drops
    size = state_size(board.n_vertices, len(budgets), loyalty)
    tables = WideBoard(
        n=board.n_vertices,
        n_players=len(budgets),
        n_networks=len(networks),
        loyalty=loyalty,
        by_index=int(options["order"] == "index"),
        drops=int(drops),
        stays=int(options["refused"] == "stay"),
        is_random=int(is_random),
        conserves=int(not loses and all(network.conserves for network in networks)),
        turn=options["turn"],
        n_tokens=sum(budgets),
        most_firings=_most_firings(board, networks, options["firings"]),
        first=np.zeros(size, dtype=np.int32),
        plies=np.array([network.stage.ply for network in networks], dtype=np.int32),
        refires=_flags([network.refires for network in networks]),
        is_strong=_flags([network.is_strong for network in networks]),
        needs_limit=_flags([network.needs_limit for network in networks]),
        successor_start=_starts([network.stage.successor_start for network in networks]),
        successors=np.concatenate([network.stage.successors for network in networks]),
        shares=np.concatenate([network.shares for network in networks]),
        predecessor_start=_starts([network.stage.predecessor_start for network in networks]),
        predecessors=np.concatenate([network.stage.predecessors for network in networks]),
        thresholds=np.concatenate([network.thresholds for network in networks]),
    )
    tables.first[PER_PLAYER : PER_PLAYER + len(budgets)] = budgets
    if options["seeds"] is not None:
        _sow(board, tables, options["seeds"])
    if sum(budgets) + sum(on_board_of(tables, tables.first)) > MOST_TOKENS // 2:
        raise BadBoard(f"more than {MOST_TOKENS // 2:,} tokens are too many")
    return tables


def present_tables(tables: WideBoard, network: int) -> WideBoard:
    """The same game on one of its networks for all time."""
    n, starts = tables.n, slice(network * (tables.n + 1), (network + 1) * (tables.n + 1))
    one = slice(network, network + 1)
    return tables._replace(
        n_networks=1,
        plies=tables.plies[:1],
        refires=tables.refires[one],
        is_strong=tables.is_strong[one],
        needs_limit=tables.needs_limit[one],
        successor_start=tables.successor_start[starts],
        predecessor_start=tables.predecessor_start[starts],
        thresholds=tables.thresholds[network * n : (network + 1) * n],
    )


def _network(stage: Stage, accept: float | None, loyalty: int) -> Network:
    """A network with what decides about its cascades; see `endless`."""
    degrees, behind = np.diff(stage.successor_start), np.diff(stage.predecessor_start)
    reachable = np.minimum(stage.thresholds, NEVER - 1)
    thresholds = np.where(degrees > 0, reachable, NEVER).astype(np.int32)
    shares = _shares(stage, accept)
    is_random = bool((shares < SURE).any())
    spread = (degrees - stage.thresholds)[degrees > 0]
    refires = not loyalty and not is_random and bool((thresholds <= behind).all())
    conserves = not spread.any()
    is_balanced = bool((degrees == behind).all())
    return Network(
        stage=stage,
        thresholds=thresholds,
        shares=shares,
        is_random=is_random,
        growth=int(spread.max(initial=0)),
        conserves=conserves,
        refires=refires,
        is_strong=refires and _is_strongly_connected(stage),
        needs_limit=loyalty > 1
        or (not loyalty and (is_random or not conserves or not is_balanced)),
    )


def _shares(stage: Stage, accept: float | None) -> NDArray[np.uint64]:
    n = len(stage.successors)
    if accept is not None:
        return np.full(n, share_of(accept), dtype=np.uint64)
    if stage.accept is None:
        return np.full(n, SURE, dtype=np.uint64)
    return np.array([share_of(p) for p in stage.accept.tolist()], dtype=np.uint64)


def _is_strongly_connected(stage: Stage) -> bool:
    n = len(stage.thresholds)
    arcs = np.ones(len(stage.successors), dtype=np.int8)
    graph = sparse.csr_array((arcs, stage.successors, stage.successor_start), shape=(n, n))
    n_parts = csgraph.connected_components(graph, connection="strong", return_labels=False)
    return bool(n_parts == 1)


def _flags(values: Sequence[bool]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _starts(starts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Where the vertices' parts of a joined array begin, network by network."""
    parts, offset = [], 0
    for start in starts:
        parts.append(start + offset)
        offset += int(start[-1])
    return np.concatenate(parts).astype(np.int32)


def _budgets(board: Board, tokens: int | str | None, n_players: int) -> tuple[int, ...]:
    if isinstance(tokens, str):
        budgets = tuple(map(int, tokens.split("/")))
        if len(budgets) != n_players:
            raise BadBoard(
                f"tokens={tokens} are {len(budgets)} budgets, but {n_players} play: "
                "give one for each"
            )
        return budgets
    if tokens is not None:
        return (tokens,) * n_players
    degrees = np.diff(board.successor_start)
    budget = int((degrees[degrees > 0] - 1).sum())
    if budget < n_players:
        form = "out-degrees less 1, summed" if board.directed else "2m − n"
        raise BadBoard(
            f"{board.spec} has {budget} tokens to share ({form}), too few for {n_players} "
            "players: set tokens=N"
        )
    return tuple((budget - player + n_players - 1) // n_players for player in range(n_players))


def _most_firings(board: Board, networks: Sequence[Network], firings: int | None) -> int:
    """The limit on the firings of a cascade, low enough that no count can overflow."""
    # With chance, or arcs that lead one way, many a cascade goes on for longer than any limit.
    often_cut = board.directed or any(network.is_random for network in networks)
    n = board.n_vertices
    usual = 100 * (n + 10) if often_cut else 1000 * (n + 100)
    growth = max(network.growth for network in networks)
    return min(usual if firings is None else firings, MOST_TOKENS // 2 // max(growth, 1))


def seeds_from_file(path: str) -> str:
    """Read a CSV file with the columns `vertex` and `cell` into the text of the option.

    Raises
    ------
    BadText
        If the file cannot be read or has other columns.
    """
    try:
        if Path(path).stat().st_size > LONGEST_SEEDS:
            raise BadText(f"{path} is too large for seeds: at most {LONGEST_SEEDS:,} bytes")
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise BadText(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadText(f"{path} is not a CSV file in UTF-8") from None
    if any(set(row) != {"vertex", "cell"} or None in row.values() for row in rows):
        raise BadText(f"{path} must have the columns vertex and cell, and no others")
    return " ".join(shlex.quote(f"{row['vertex']}={row['cell']}") for row in rows)


def _sow(board: Board, tables: WideBoard, seeds: str) -> None:
    """Put down what lies on the board before the first move."""
    try:
        words = shlex.split(seeds)
    except ValueError:
        raise BadText(f"seeds={seeds:.60} has an open quote") from None
    if not words:
        raise BadText("seeds is empty: write for example ann=2b")
    seen = set()
    for word in words:
        label, equals, text = word.rpartition("=")
        if not equals:
            raise BadText(f"seed {word!r:.60} is not of the form vertex=cell, as in ann=2b")
        if label not in board.vertex_of:
            raise BadText(unknown("vertex", label, board.labels[:1000]))
        if label in seen:
            raise BadText(f"seeds name {label} twice")
        seen.add(label)
        vertex = board.vertex_of[label]
        cell = read_cell(text, tables.n_players, tables.loyalty)
        write_cell(tables, tables.first, vertex, cell)
        total, threshold = tables.first[totals_at(tables) + vertex], tables.thresholds[vertex]
        if total >= threshold and not cell.times:
            raise BadText(
                f"seeds put {total} tokens on {label}, which fires at {threshold}: put fewer"
            )
