"""Boards and positions as plain data for the page, which knows no rules."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from topple.boards import Board
from topple.game.game import Game
from topple.game.position import Position
from topple.lab import limits
from topple.lab.data.position_cache import Reached
from topple.rules.text import Cell

WRAPPING = ("torus", "infexion")  # kinds of boards whose opposite sides are joined
NOBODY = -1
PLACE_DIGITS = 5

Changes = list[list[Any]]  # pairs of a vertex and its cell


def board_data(board: Board, name: str) -> dict[str, Any]:
    """A board with all that is needed to draw it; `name` is what requests call it."""
    return {
        "board": name,
        "digest": board.digest,
        "spec": board.spec,
        "form": board.form,
        "wraps": board.spec.partition(":")[0] in WRAPPING,
        "rows": board.rows,
        "columns": board.columns,
        "directed": board.directed,
        "labels": list(board.labels),
        "edges": board.edges(),
        "places": places(board),
        "thresholds": board.thresholds.tolist(),
        "sides": board.sides,
        "notes": list(board.notes),
        "vertices": board.n_vertices,
        "n_edges": board.n_edges,
    }


def places(board: Board) -> list[list[float]]:
    """Where vertices are drawn: from 0 to 1 both ways, in true proportions, y down.

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


def view_data(reached: Reached, board: str, *, steps: bool) -> dict[str, Any]:
    """The position that a line leads to; with `steps`, how its last move came about."""
    position = reached.position
    game = position.game
    return {
        "game": game.spec,
        "title": game.title,
        "board": board,
        "players": list(game.players),
        "ply": len(reached.moves),
        "player": position.player,
        "over": position.is_over,
        "result": result_data(position),
        "legal": [move_data(game, move) for move in position.legal_moves()],
        "cells": [cell_data(cell) for cell in position.contents()],
        "tallies": [{"name": name, "values": list(each)} for name, each in position.tallies()],
        "borders": list(position.borders()),
        "headline": position.headline,
        "text": position.text,
        "moves": [
            {**place_data(game, move), "player": player}
            for move, player in zip(reached.moves, reached.movers, strict=True)
        ],
        **steps_data(reached, wanted=steps),
    }


def result_data(position: Position) -> dict[str, Any] | None:
    """How a game ended; None while it is not over."""
    outcome = position.outcome
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "text": position.result_text(),
        "returns": list(outcome.returns),
    }


def place_data(game: Game, move: int) -> dict[str, Any]:
    """A move with its text and its vertex."""
    return {"move": move, "text": game.move_text(move), "vertex": game.move_vertex(move)}


def move_data(game: Game, move: int) -> dict[str, Any]:
    """A move that may be played, with where it goes."""
    return {**place_data(game, move), "to": game.move_target(move)}


def cell_data(cell: Cell) -> list[int]:
    """A cell as the page has it: owner, gone, counts."""
    return [NOBODY if cell.owner is None else cell.owner, int(cell.gone), *cell.counts]


def steps_data(reached: Reached, *, wanted: bool) -> dict[str, Any]:
    """What the last move changed, and what each of its steps changed after that."""
    told: dict[str, Any] = {"placed": [], "steps": [], "steps_cut": False}
    if not wanted or reached.before is None:
        return told
    cells = reached.before.contents()
    most = max(1, min(limits.STEPS, limits.STEP_CELLS // len(cells)))
    for number, scene in enumerate(reached.before.scenes(reached.moves[-1])):
        changes = changed(cells, scene.contents)
        cells = scene.contents
        if scene.vertex is None:
            told["placed"] = changes
        elif number > most:
            told["steps_cut"] = True
            break
        else:
            told["steps"].append({"vertex": scene.vertex, "text": scene.text, "changes": changes})
    return told


def changed(before: Sequence[Cell], after: Sequence[Cell]) -> Changes:
    """The vertices that are not as they were, with what they are now."""
    return [
        [vertex, cell_data(new)]
        for vertex, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
