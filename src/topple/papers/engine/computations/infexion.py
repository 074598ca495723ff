"""Computations of the Infexion report: alpha-beta and plain minimax on the same trees.

The agent `frontier` builds each tree, which both methods then search. Only the search of
the finished tree is timed.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from topple.agents import agent
from topple.agents.frontier import FrontierSearch, make_path
from topple.game import Game, Position, load, random_position
from topple.kernels.frontier import ROOT, resolve
from topple.papers.engine.computations.estimates import ReportProgress, estimate, no_report

GAME, PLAYER = "infexion", "frontier:nodes=2000"
OPENING = 2  # random moves that each game begins with
FIRST = 4  # further moves before the first position is taken
LAST = 100  # moves after which no position is taken
REPEATS = 3  # the quickest counts, since other programs can only slow a search down
MINOR = 20.0  # percent of the time for a turn below which a part of it is small
NODES_PER_STEP = 1 << 16  # built between two checks of the limits


class TreeSearch(NamedTuple):
    """One search of a finished tree."""

    seconds: float
    nodes: int
    value: float
    move: int


class ComparedSearches(NamedTuple):
    """The two searches of one tree."""

    building: float  # seconds
    nodes: int
    alphabeta: TreeSearch
    minimax: TreeSearch

    @property
    def share(self) -> float:
        """The percentage of building and searching time that minimax search takes."""
        return 100 * self.minimax.seconds / (self.building + self.minimax.seconds)


def times(
    nodes: int,
    positions: int,
    every: int,
    seed: int,
    skip: bool = True,
    compiled: bool = True,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Search trees by alpha-beta and by minimax.

    Parameters
    ----------
    nodes : int
        The largest size of a tree.
    positions : int
        The number of trees, one for each position.
    every : int
        Moves between two positions of the same game.
    seed : int
        The seed of the games.
    skip : bool
        Whether useless moves are left out and spreads are tried before spawns.
    compiled : bool
        If False, the search of the tree runs as plain Python.

    Returns
    -------
    dict
        Estimates of the `seconds` and `nodes` of each search and of the seconds of
        `building`; whether both found the `same` value and move every time; and, if
        compiled, the percentage of building and searching time that minimax search
        takes (`share`), and whether that is a small part (`minor`).
    """
    game, walker = load(GAME), load(GAME, compiled=compiled)
    found: list[ComparedSearches] = []
    for position in positions_of_games(game, positions, every, seed):
        found.append(compare_searches(build_tree(position, nodes, skip), walker))
        report(len(found), positions)
    result = {
        "trees": len(found),
        "tree": estimate([each.nodes for each in found]),
        "building": estimate([each.building for each in found]),
        "seconds": {
            "alphabeta": estimate([each.alphabeta.seconds for each in found]),
            "minimax": estimate([each.minimax.seconds for each in found]),
        },
        "nodes": {
            "alphabeta": estimate([each.alphabeta.nodes for each in found]),
            "minimax": estimate([each.minimax.nodes for each in found]),
        },
        "same": all(each.alphabeta[2:] == each.minimax[2:] for each in found),
    }
    if compiled:
        share = estimate([each.share for each in found])
        # A single tree has no interval: nothing is known of how others differ.
        result |= {"share": share, "minor": share.get("high", 100.0) < MINOR}
    return result


def positions_of_games(game: Game, n: int, every: int, seed: int) -> Iterator[Position]:
    """The first n positions taken from games that a small search plays against itself."""
    player, taken = agent(PLAYER), 0
    while taken < n:
        position, ply = random_position(game, OPENING, seed), 0
        while not position.is_over and ply <= LAST and taken < n:
            if ply >= FIRST and (ply - FIRST) % every == 0:
                taken += 1
                yield position
            position, ply = position.play(player.choose(position).move), ply + 1
        seed += 1


def build_tree(position: Position, nodes: int, skip: bool) -> tuple[FrontierSearch, float]:
    """A tree that was built up to its limits, and the seconds that this took."""
    began = perf_counter()
    search = agent("frontier", nodes=nodes, skip=skip).search(position, 0)
    assert isinstance(search, FrontierSearch)
    while not search.is_done:
        search.advance(NODES_PER_STEP)
    return search, perf_counter() - began


def compare_searches(tree: tuple[FrontierSearch, float], walker: Game) -> ComparedSearches:
    """Search a tree by alpha-beta and by minimax."""
    search, building = tree
    alphabeta, minimax = (search_tree(search, walker, prunes) for prunes in (True, False))
    return ComparedSearches(building, search.n_nodes, alphabeta, minimax)


def search_tree(search: FrontierSearch, walker: Game, prunes: bool) -> TreeSearch:
    """Search a finished tree and time it; a first, untimed search compiles what is needed."""
    path = make_path(search.depth + 3)
    if walker.kernels.compiled:
        walker.run(resolve, search.tree, ROOT, path, prunes)
    quickest, n_nodes = float("inf"), 0
    for _ in range(REPEATS):
        began = perf_counter()
        n_nodes = int(walker.run(resolve, search.tree, ROOT, path, prunes))
        quickest = min(quickest, perf_counter() - began)
    return TreeSearch(quickest, n_nodes, float(path.best[0]), int(search.tree.reply[ROOT]))
