"""Boards and positions as plain data: all that the page needs to draw them and play on."""

from collections.abc import Sequence
from typing import Annotated, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from topple.boards import Board
from topple.boards.board import Stage
from topple.game import Game, Position
from topple.lab import limits
from topple.lab.data.endings import takers_of, winning_chain
from topple.lab.data.position_cache import PlayedLine
from topple.nets.shelf import has_net
from topple.rules.text import Cell

# The shapes named …Reply are also what the API's description is made of.
EXACT = ConfigDict(extra="forbid")  # a reply has no parts beyond those described

WRAPPING = ("torus", "infexion")  # kinds of boards whose opposite sides are joined
NOBODY = -1
PLACE_DIGITS = 5
SHARE_DIGITS = 6

Arcs = NDArray[np.int64]

# Pairs are described as lists of two: not every tool knows tuples.
_PAIR = Field(min_length=2, max_length=2)
Edge = Annotated[list[int], _PAIR]
Point = Annotated[list[float], _PAIR]
CellReply = list[int]  # owner or -1, gone 0 or 1, then a count for each player
Form = Literal["squares", "hexes", "network"]
Change = Annotated[list[int | CellReply], _PAIR]  # a vertex and its new cell


class NetworkReply(TypedDict):
    """A network of a board that changes, with the ply at which it begins."""

    ply: int
    edges: list[Edge]
    thresholds: list[int]
    accept: list[float]  # the probability that an edge takes a token, or empty: all are sure


@with_config(EXACT)
class BoardReply(TypedDict):
    """A board with all that is needed to draw it."""

    board: str
    digest: str
    spec: str
    form: Form
    wraps: bool
    rows: int
    columns: int
    directed: bool
    labels: list[str]
    edges: list[Edge]
    places: list[Point]
    thresholds: list[int]
    sides: str
    notes: list[str]
    has_net: bool  # whether a network is shipped for the game that was asked about
    vertices: int
    n_edges: int
    accept: list[float]  # as for a network
    later: list[NetworkReply]  # the later networks of a board that changes
    communities: list[str]  # the name of each vertex's community, or empty


class PlaceReply(TypedDict):
    """A move with its text and its vertex."""

    move: int
    text: str
    vertex: int | None


class LegalReply(PlaceReply):
    """A move that may be played."""

    to: int | None


class MadeReply(PlaceReply):
    """A move that was made; in a game with chance its text has its draw, as `ann~7f3a01c2`."""

    player: int


class ResultReply(TypedDict):
    """How a game ended."""

    winner: int | None  # None for a draw, or if several share the win
    winners: list[int]
    text: str
    returns: list[float]


class TallyReply(TypedDict):
    """Something that is counted for each player."""

    name: str
    values: list[int]


class HoldingReply(TypedDict):
    """Who holds a community: vertices and tokens there for each player."""

    community: str
    size: int
    vertices: list[int]
    tokens: list[int]


class StepReply(TypedDict):
    """One step of a move."""

    network: int | None  # on which it happened, where the rules say so
    vertex: int
    text: str
    changes: list[Change]


@with_config(EXACT)
class ViewReply(TypedDict):
    """A position with all that is needed to draw it and to play on."""

    game: str
    title: str
    board: str
    players: list[str]
    chance: bool  # whether moves have draws
    has_net: bool  # whether a network is shipped for the game and its board
    ply: int
    player: int
    over: bool
    result: ResultReply | None
    legal: list[LegalReply]
    cells: list[CellReply]
    tallies: list[TallyReply]
    holdings: list[HoldingReply]
    network: int  # which of the board's networks
    network_before: int  # the same before the last move
    changes_in: int | None  # plies until the next one; None if there is none, or it is hidden
    borders: list[int]
    takers: list[int]  # when all is over: who took each vertex that is gone, or empty
    chain: list[int]  # when all is over: the vertices that have won by being joined, or empty
    headline: str
    text: str
    moves: list[MadeReply]
    placed: list[Change]
    steps: list[StepReply]
    steps_cut: bool


def board_data(board: Board, name: str, game: Game | None = None) -> BoardReply:
    """A board to draw, perhaps for a game; `name` is what requests call it."""
    return {
        "board": name,
        "digest": board.digest,
        "spec": board.spec,
        "form": cast(Form, board.form),
        "wraps": board.spec.partition(":")[0] in WRAPPING,
        "rows": board.rows,
        "columns": board.columns,
        "directed": board.directed,
        "labels": list(board.labels),
        "edges": [list(edge) for edge in board.edges()],
        "places": places(board),
        "thresholds": board.thresholds.tolist(),
        "sides": board.sides,
        "notes": list(board.notes),
        "has_net": game is not None and has_net(game),
        "vertices": board.n_vertices,
        "n_edges": board.n_edges,
        "accept": _accept(board, board.networks[0]),
        "later": [_network(board, stage) for stage in board.stages],
        "communities": list(board.communities),
    }


def _network(board: Board, stage: Stage) -> NetworkReply:
    return {
        "ply": stage.ply,
        "edges": _edges(board, stage)[0].tolist(),
        "thresholds": stage.thresholds.tolist(),
        "accept": _accept(board, stage),
    }


def _edges(board: Board, stage: Stage) -> tuple[Arcs, Arcs]:
    """The edges of a network in the order of `Board.edges`, and where each is in its arrays."""
    tails = np.repeat(np.arange(board.n_vertices), np.diff(stage.successor_start))
    arcs = np.column_stack([tails, stage.successors])
    at = np.flatnonzero(board.directed | (arcs[:, 0] < arcs[:, 1]))
    return arcs[at], at


def _accept(board: Board, stage: Stage) -> list[float]:
    """The probabilities of a network's edges; empty if all are sure."""
    if stage.accept is None or (stage.accept == 1).all():
        return []
    shares: list[float] = stage.accept[_edges(board, stage)[1]].round(SHARE_DIGITS).tolist()
    return shares


def places(board: Board) -> list[list[float]]:
    """Where vertices are drawn: between 0 and 1 both ways, in true proportions, y down.

    >>> from topple.boards import load_board
    >>> places(load_board("path:3"))
    [[0.0, 0.5], [0.5, 0.5], [1.0, 0.5]]
    """
    given = np.asarray(board.coordinates, dtype=float)
    low, high = given.min(axis=0), given.max(axis=0)
    scale = float((high - low).max()) or 1.0
    found = 0.5 + (given - (low + high) / 2) / scale
    rounded: list[list[float]] = np.clip(found, 0, 1).round(PLACE_DIGITS).tolist()
    return rounded


def view_data(line: PlayedLine, board: str, *, with_steps: bool) -> ViewReply:
    """The position that a line leads to.

    Parameters
    ----------
    line : PlayedLine
        The line of play.
    board : str
        What requests call its board.
    with_steps : bool
        Whether the steps of the last move are included.
    """
    position, game = line.position, line.position.game
    placed, steps, steps_cut = _steps(line) if with_steps else ([], [], False)
    return {
        "game": game.spec,
        "title": game.title,
        "board": board,
        "players": list(game.players),
        "chance": game.has_chance,
        "has_net": has_net(game),
        "ply": len(line.moves),
        "player": position.player,
        "over": position.is_over,
        "result": _result(position),
        "legal": [
            {**place_data(game, move), "to": game.move_target(move)}
            for move in position.legal_moves()
        ],
        "cells": [_cell(cell) for cell in position.contents()],
        "tallies": [{"name": name, "values": list(each)} for name, each in position.tallies()],
        "holdings": _holdings(position),
        "network": position.network,
        "network_before": (line.before or position).network,
        "changes_in": _changes_in(line),
        "borders": list(position.borders()),
        "takers": takers_of(line),
        "chain": winning_chain(position),
        "headline": position.headline,
        "text": position.text,
        "moves": [
            {**place_data(game, move), "text": text, "player": player}
            for move, text, player in zip(line.moves, line.texts, line.movers, strict=True)
        ],
        "placed": placed,
        "steps": steps,
        "steps_cut": steps_cut,
    }


def place_data(game: Game, move: int) -> PlaceReply:
    """A move with its text and its vertex."""
    return {"move": move, "text": game.move_text(move), "vertex": game.move_vertex(move)}


def _result(position: Position) -> ResultReply | None:
    """How a game ended; None while it is not over."""
    outcome = position.outcome
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "winners": list(outcome.winners),
        "text": position.result_text(),
        "returns": list(outcome.returns),
    }


def _holdings(position: Position) -> list[HoldingReply]:
    """Who holds each community; empty on a board without communities."""
    held = getattr(position, "holdings", None)
    return [
        {
            "community": each.community,
            "size": each.size,
            "vertices": list(each.vertices),
            "tokens": list(each.tokens),
        }
        for each in (held() if held is not None and position.game.board.communities else ())
    ]


def _changes_in(line: PlayedLine) -> int | None:
    """The plies until the board's next network; None if none comes, or players are not to know."""
    position, ply = line.position, len(line.moves)
    later = position.game.board.networks[position.network + 1 :]
    is_hidden = position.game.options.get("foresight") == "none"
    if position.is_over or is_hidden or not later or not hasattr(position.game.rules, "network"):
        return None
    left = dict(position.tallies()).get("tokens left")
    plies = later[0].ply - ply
    return None if left is not None and sum(left) <= plies else plies


def _cell(cell: Cell) -> CellReply:
    return [NOBODY if cell.owner is None else cell.owner, int(cell.gone), *cell.counts]


def _steps(line: PlayedLine) -> tuple[list[Change], list[StepReply], bool]:
    """The last move's steps: what it changed first, each step, and whether some were left out."""
    placed: list[Change] = []
    steps: list[StepReply] = []
    if line.before is None:
        return placed, steps, False
    cells = line.before.contents()
    most = max(1, min(limits.STEPS, limits.STEP_CELLS // len(cells)))
    for scene in line.before.scenes(line.text(-1)):
        changes, cells = _changes(cells, scene.contents), scene.contents
        if scene.vertex is None:
            placed = changes
        elif len(steps) == most:
            return placed, steps, True
        else:
            told = getattr(scene, "network", None)
            steps.append(
                {"network": told, "vertex": scene.vertex, "text": scene.text, "changes": changes}
            )
    return placed, steps, False


def _changes(before: Sequence[Cell], after: Sequence[Cell]) -> list[Change]:
    """The vertices whose cells differ, with their new cells."""
    return [
        [vertex, _cell(new)]
        for vertex, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
