"""Computations of Tanay's thesis: diffusing populations of figures 4.2 and 4.4 to 4.7, and Hex.

Curves have a point for each iteration, beginning with the agents' first choices.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.agents import agent as make_agent
from topple.agents.sds import Populations, SdsSearch
from topple.agents.sds_bandit import sds_bandit
from topple.game.game import Game, load
from topple.kernels.diffusion.population import UNSET
from topple.papers.engine.computations.estimates import (
    ReportProgress,
    curve,
    estimate,
    no_report,
    runs_text,
)
from topple.rules.game_tree import Nested, board_from_tree

SETTLED = 10  # "after about 10 iterations"
EARLY = 2  # diffusions: "the first few iterations"

# Figure 4.3, as far as the text describes it. Max wins 33% of random games after a and 67% after
# b, where Min's reply c wins for Min. With fewer than three replies b could not be worth 67%; with
# three, the other two must be sure wins. That the replies to a are worth a third each is ours.
THIRD = Fraction(1, 3)
STUDIED_TREE: Nested = [[THIRD, THIRD, THIRD], [0, 1, 1]]
REPLIES = {"a": ("reply 1", "reply 2", "reply 3"), "b": ("c", "reply 2", "reply 3")}
DEPTHS = ("at the root", "a move ahead", "farther ahead")
ALL_WORK = 10**9  # playouts; more than any of these searches needs

Counts = NDArray[np.float64]  # shape (runs, iterations, moves): the agents that support each move


def bandit(
    chances: Sequence[float],
    agents: int = 200,
    iterations: int = 50,
    runs: int = 1,
    seed: int = 0,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Figure 4.2: how the agents spread over the arms of a bandit.

    `chances` are those of the arms to win, the best first. Each run adds 1 to the seed.
    """
    histories = []
    for run in range(runs):
        histories.append(sds_bandit(chances, agents, iterations, seed + run))
        report(run + 1, runs)
    counts: Counts = np.array(histories, dtype=np.float64)
    shares = 100 * counts / agents
    settled, late = shares[:, SETTLED], shares[:, iterations // 2 :].mean(axis=1)
    return {
        **_drawn(counts, [f"worth {chance:g}" for chance in chances]),
        "settled": [estimate(settled[:, arm]) for arm in range(len(chances))],
        "late": [estimate(late[:, arm]) for arm in range(len(chances))],
        "worth": [round(100 * chance / sum(chances), 1) for chance in chances],
        "is_in_order": bool((np.diff(settled.mean(axis=0)) < 0).all()),
    }


def tree(
    population: str,
    agents: int = 500,
    iterations: int = 50,
    runs: int = 1,
    seed: int = 0,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Figures 4.4 to 4.6: one of the three equally large populations of the studied tree.

    `population` is `root`, or Max's move that leads to it: `a` or `b`.
    """
    game = studied_tree()
    of = {"root": (), "a": (_first_move(game, 0),), "b": (_first_move(game, 1),)}[population]
    moves = _position_after(game, of).legal_moves()
    names = REPLIES.get(population, ("a", "b"))
    options = f"agents={agents},iterations={iterations},allocation=fixed"
    counts = _counts(game, options, runs, seed, report, lambda found: _support(found[of], moves))
    facts = {"root": _at_root, "a": _after_a, "b": _after_b}[population]
    return {**_drawn(counts, names), **facts(counts / agents)}


def layers(
    agents: int = 500,
    iterations: int = 50,
    runs: int = 1,
    seed: int = 0,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Figure 4.7: the size of Min's population after a, with agents reallocated within layers."""
    game = studied_tree()
    a, b = (_first_move(game, at) for at in (0, 1))

    def seen(found: Populations) -> list[float]:
        return [sum(found.get((a,), {}).values()), _support(found[()], (a, b))[0]]

    options = f"agents={agents},iterations={iterations},allocation=layers"
    counts = _counts(game, options, runs, seed, report, seen)
    sizes, support = counts[:, :, 0] / agents, counts[:, :, 1] / agents
    # The sizes follow the root's choices in the iteration before.
    distances = np.abs(sizes[:, 1:] - support[:, :-1])[:, SETTLED:].mean(axis=1)
    return {
        **_drawn(counts, ("in Min's population after a", "for a at the root")),
        "distance": estimate(100 * distances),
        "early": estimate(100 * sizes[:, EARLY]),
        "settled": estimate(100 * sizes[:, SETTLED]),
        "late": estimate(100 * sizes[:, SETTLED:].mean(axis=1)),
        "late_support": estimate(100 * support[:, SETTLED:].mean(axis=1)),
    }


def spread(
    agents: int,
    scattering: float,
    board: str = "hex:7",
    iterations: int = 50,
    runs: int = 1,
    seed: int = 0,
    report: ReportProgress = no_report,
) -> dict[str, Any]:
    """Section 5.2.3: how agents spread over the tree of Hex from the empty board.

    `scattering` is the chance that an active agent sends an inactive one ahead.
    """
    options = f"agents={agents},iterations={iterations},scattering={scattering}"
    counts = _counts(load("hex", board), options, runs, seed, report, _by_depth)
    percent = 100 * counts / agents
    return {
        **_drawn(percent, DEPTHS),
        "title": f"scattering {scattering:g}, {agents:,} agents, {runs_text(runs)}",
        "axes": ["iteration", "agents, %"],
        "at_root": estimate(percent[:, SETTLED:, 0].mean(axis=1)),
    }


def _drawn(counts: Counts, names: Sequence[str]) -> dict[str, Any]:
    """Counts as the data of a picture: for each name a curve over the iterations."""
    return {
        "title": runs_text(len(counts)),
        "axes": ["iteration", "agents"],
        "x": list(range(counts.shape[1])),
        "series": {name: curve(counts[:, :, at]) for at, name in enumerate(names)},
    }


def _by_depth(found: Populations) -> list[float]:
    """The number of agents at the root, one move ahead and farther ahead."""
    by_depth = [0.0] * len(DEPTHS)
    for moves, population in found.items():
        by_depth[min(len(moves), len(DEPTHS) - 1)] += sum(population.values())
    return by_depth


def studied_tree() -> Game:
    """The game on the tree of figure 4.3."""
    return load("game-tree", board_from_tree(STUDIED_TREE))


def _first_move(game: Game, at: int) -> int:
    return game.start().legal_moves()[at]


def _position_after(game: Game, moves: Sequence[int]) -> Any:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def _counts(
    game: Game,
    options: str,
    runs: int,
    seed: int,
    report: ReportProgress,
    seen: Callable[[Populations], Sequence[float]],
) -> Counts:
    """What `seen` returns for the populations of `sds-tree` in each iteration of each run."""
    agent = make_agent(f"sds-tree:{options}")
    found = []
    for run in range(runs):
        search = agent.search(game.start(), seed + run)
        assert isinstance(search, SdsSearch)
        search.recording = []
        search.advance(ALL_WORK)
        found.append([seen(populations) for populations in search.recording])
        report(run + 1, runs)
    return np.array(found, dtype=np.float64)


def _support(population: dict[int, int], moves: Sequence[int]) -> list[float]:
    """The number of agents that support each move.

    An agent that has dropped its move draws another one in the next iteration. In the
    thesis it draws immediately, so here it counts equally for all moves.
    """
    undecided = population.get(UNSET, 0) / len(moves)
    return [population.get(move, 0) + undecided for move in moves]


def _at_root(shares: Counts) -> dict[str, Any]:
    for_a = shares[:, :, 0]
    leads = for_a > 0.5
    # The first iteration after which a always has more than half of the agents.
    turned = [int(np.flatnonzero(~run)[-1]) + 1 if not run.all() else 0 for run in leads]
    return {
        "early_b": estimate(100 * shares[:, EARLY, 1]),
        "settled_a": estimate(100 * for_a[:, SETTLED]),
        "late_a": estimate(100 * for_a[:, SETTLED:].mean(axis=1)),
        "turned": estimate(np.array(turned, dtype=np.float64)),
        "a_leads_from_10": bool(leads[:, SETTLED:].all()),
    }


def _after_a(shares: Counts) -> dict[str, Any]:
    largest = 100 * shares.max(axis=2)
    return {
        "largest_settled": estimate(largest[:, SETTLED]),
        "largest_last": estimate(largest[:, -1]),
    }


def _after_b(shares: Counts) -> dict[str, Any]:
    for_c = shares[:, :, 0]
    everyone = [int(np.flatnonzero(run < 1)[-1]) + 1 for run in for_c]
    return {
        "settled_c": estimate(100 * for_c[:, SETTLED]),
        "all_on_c_since": estimate(np.array(everyone, dtype=np.float64)),
        "all_on_c_from_10": bool((for_c[:, SETTLED:] == 1).all()),
    }
