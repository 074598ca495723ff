"""Charts of networks: small pictures side by side."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from topple.boards import Board, load_board
from topple.papers.engine.findings import ItemFindings
from topple.papers.paper import GameSet, Paper
from topple.present.charts import Chart, cut, styled
from topple.present.colours import ACCENT, BLUE, FAINT, INK, LEFT_FILL, LINE, RIGHT_FILL, VERTEX

WIDTH = 9.0  # inches
MOST_COLUMNS = 5
LEAST_SIZE, MOST_SIZE = 9.0, 110.0  # of a vertex, in square points
HUBS = 0.15  # the largest share of vertices that are hubs; equal degrees are hubs together
TITLE_LETTERS = 30  # above a network


class NetworkPicture(NamedTuple):
    """A board to draw, its title, and the vertices that have another threshold."""

    title: str
    board: Board
    cheap: tuple[int, ...] = ()


def boards_of(found: ItemFindings, paper: Paper) -> list[NetworkPicture]:
    """The boards of an item's computed facts, or else of its games, or else of all games.

    A computed fact is a list of board specs or a mapping of titles to them, or has
    either under the key `boards`.
    """
    named = [each for fact in found.curves.values() for each in _named_boards(fact)]
    if named:
        return [NetworkPicture(title, load_board(text)) for title, text in dict(named).items()]
    games: Sequence[GameSet] = [played.games for played in found.played] or paper.games
    fields = dict.fromkeys(
        (field.board, tuple(vertex for vertex, _ in field.thresholds))
        for each in games
        for field in each.fields
    )
    return [NetworkPicture(text, load_board(text), cheap) for text, cheap in fields]


def _named_boards(fact: Any) -> list[tuple[str, str]]:
    if isinstance(fact, Mapping) and "boards" in fact:
        fact = fact["boards"]
    match fact:
        case {**named}:
            pairs = list(named.items())
        case [*texts]:
            pairs = [(text, text) for text in texts]
        case _:
            pairs = []
    return [
        (title, text) for title, text in pairs if isinstance(title, str) and isinstance(text, str)
    ]


@styled
def plot_networks(networks: Sequence[NetworkPicture]) -> Chart | None:
    """A picture of each network with its numbers of vertices and edges."""
    if not networks:
        return None
    columns = min(MOST_COLUMNS, len(networks))
    rows = ceil(len(networks) / columns)
    side = WIDTH / max(columns, 3)
    chart = Chart(side * columns, (side + 0.25) * rows, columns, rows)
    for axes in chart.axes.flat:
        axes.set_axis_off()
    for axes, drawn in zip(chart.axes.flat, networks, strict=False):
        _draw_network(axes, drawn)
    return chart


def _draw_network(axes: Any, drawn: NetworkPicture) -> None:
    board, places = drawn.board, drawn.board.coordinates
    links = np.array(board.edges(), dtype=np.int64).reshape(-1, 2)
    _draw_links(axes, board, places, links)
    degrees = np.bincount(links.ravel(), minlength=board.n_vertices)
    crowd = min(1.0, 30 / board.n_vertices) ** 0.7
    most = max(1, int(degrees.max()))
    sizes = crowd * (LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * (degrees / most) ** 1.6)
    rims = [ACCENT if vertex in drawn.cheap else INK for vertex in range(board.n_vertices)]
    widths = [2.0 if vertex in drawn.cheap else 0.6 for vertex in range(board.n_vertices)]
    axes.scatter(
        places[:, 0],
        places[:, 1],
        sizes,
        c=_fills(board, degrees),
        edgecolors=rims,
        linewidths=widths,
        zorder=3,
    )
    axes.set_aspect("equal", adjustable="datalim")
    axes.invert_yaxis()
    axes.margins(0.08)
    edges = "arcs" if board.directed else "edges"
    text = f"{board.n_vertices:,} vertices, {board.n_edges:,} {edges}"
    axes.set_title(cut(drawn.title, TITLE_LETTERS), size=7, loc="center", pad=13)
    axes.text(
        0.5, 1.0, text, size=7, color=FAINT, ha="center", va="bottom", transform=axes.transAxes
    ).set_in_layout(False)


def _draw_links(axes: Any, board: Board, places: Any, links: Any) -> None:
    if not board.directed:
        width = 0.3 + 0.5 * min(1.0, 60 / max(len(links), 1))
        axes.add_collection(LineCollection(places[links], colors=LINE, linewidths=width, zorder=1))
        return
    for tail, head in links:
        axes.annotate(
            "",
            places[head],
            places[tail],
            zorder=1,
            arrowprops={
                "arrowstyle": "->",
                "color": LINE,
                "linewidth": 0.7,
                "shrinkA": 3,
                "shrinkB": 3,
            },
        )


def _fills(board: Board, degrees: Any) -> list[str]:
    """The colours of vertices: by their sides, or else hubs apart from others."""
    if board.sides:
        return [LEFT_FILL if side == "L" else RIGHT_FILL for side in board.sides]
    most = HUBS * board.n_vertices
    hubs = {degree for degree in set(degrees.tolist()) if (degrees >= degree).sum() <= most}
    return [BLUE if degree in hubs else VERTEX for degree in degrees.tolist()]
