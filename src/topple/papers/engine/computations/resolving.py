"""Resolving: what alpha-beta saves over plain minimax on the same tree of Infexion.

The tree is built once, as `frontier` builds it, and searched in both ways: the
clock runs for the search of the finished tree alone.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

from topple.agents import agent
from topple.agents.frontier import FrontierSearch, make_path
from topple.game.game import Game, load, random_position
from topple.game.position import Position
from topple.kernels.frontier import ROOT, resolve
from topple.papers.engine.computations.repeats import estimate

GAME, PLAYER = "infexion", "frontier:nodes=2000"
OPENING = 2  # random moves that each game begins with
FIRST = 4  # further moves before the first position is taken
LAST = 100  # no position is taken after so many
REPEATS = 3  # of which the quickest counts: other programs only ever slow it down
MINOR = 20.0  # percent of the time for a turn that are a small part
AT_ONCE = 1 << 16  # nodes that are made between two looks at the limits


class Walk(NamedTuple):
    """One search of a finished tree."""

    seconds: float
    nodes: int
    value: float
    move: int


class Both(NamedTuple):
    """A tree that was searched in both ways."""

    building: float  # seconds
    nodes: int
    alphabeta: Walk
    minimax: Walk

    @property
    def share(self) -> float:
        """The percent that searching by minimax takes of the time for both."""
        return 100 * self.minimax.seconds / (self.building + self.minimax.seconds)


def times(
    nodes: int,
    positions: int,
    every: int,
    seed: int,
    skip: bool = True,
    compiled: bool = True,
    report: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Search trees by alpha-beta and by minimax.

    Parameters
    ----------
    nodes : int
        Of each tree, at most.
    positions : int
        How many trees, one for each position.
    every : int
        Moves between two positions of a game.
    seed : int
        Fixes the games.
    skip : bool
        Whether useless moves are left out and spreads put before spawns.
    compiled : bool
        False: the walk over the tree runs as plain Python.

    Returns
    -------
    dict
        Estimates of the `seconds` and `nodes` of each search and of the seconds of
        `building`; whether value and move were the `same` every time; and, where all of
        it is compiled, the percent that searching by minimax takes of building and
        searching (`share`), and whether that is a small part (`minor`).
    """
    game, walker = load(GAME), load(GAME, compiled=compiled)
    found: list[Both] = []
    for position in met(game, positions, every, seed):
        found.append(searched(grown(position, nodes, skip), walker))
        if report is not None:
            report(len(found), positions)
    told = {
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
        # One tree alone has no interval, and tells nothing of others.
        told |= {"share": share, "minor": share.get("high", 100.0) < MINOR}
    return told


def met(game: Game, n: int, every: int, seed: int) -> Iterator[Position]:
    """So many positions out of games that a small search plays against itself."""
    player, taken = agent(PLAYER), 0
    while taken < n:
        position, ply = random_position(game, OPENING, seed), 0
        while not position.is_over and ply <= LAST and taken < n:
            if ply >= FIRST and (ply - FIRST) % every == 0:
                taken += 1
                yield position
            position, ply = position.play(player.choose(position).move), ply + 1
        seed += 1


def grown(position: Position, nodes: int, skip: bool) -> tuple[FrontierSearch, float]:
    """A tree that has grown to its limits, and the seconds that it took."""
    began = perf_counter()
    search = agent("frontier", nodes=nodes, skip=skip).search(position, 0)
    assert isinstance(search, FrontierSearch)
    while not search.is_done:
        search.advance(AT_ONCE)
    return search, perf_counter() - began


def searched(tree: tuple[FrontierSearch, float], walker: Game) -> Both:
    """Search a tree in both ways."""
    search, building = tree
    alphabeta, minimax = (walk(search, walker, prunes) for prunes in (True, False))
    return Both(building, search.n_nodes, alphabeta, minimax)


def walk(search: FrontierSearch, walker: Game, prunes: bool) -> Walk:
    """Search a finished tree, and take the time; what must be compiled is so before."""
    path = make_path(search.depth + 3)
    if walker.kernels.compiled:
        walker.run(resolve, search.tree, ROOT, path, prunes)
    quickest, n_nodes = float("inf"), 0
    for _ in range(REPEATS):
        began = perf_counter()
        n_nodes = int(walker.run(resolve, search.tree, ROOT, path, prunes))
        quickest = min(quickest, perf_counter() - began)
    return Walk(quickest, n_nodes, float(path.best[0]), int(search.tree.reply[ROOT]))
