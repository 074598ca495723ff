"""Ratings of more than two players: Davidson's for two, a likelihood by SciPy, and coverage."""

from collections.abc import Sequence
from itertools import combinations, product
from math import log

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from tests.arena.invented import made_up_result
from topple.arena.planning.plan import around_table
from topple.arena.statistics.davidson import PRIOR
from topple.arena.statistics.group_ratings import fit_group_ratings, steepness
from topple.arena.statistics.groups import GroupCounts, GroupResults
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.ratings import Ratings, fit_ratings

LOGIT = 400 / log(10)


def returns_of(winners: Sequence[int], n: int) -> tuple[float, ...]:
    """The returns of a game of n players that some of them win."""
    s = len(winners)
    won = (n - s) / (s * (n - 1))
    return tuple(won if seat in winners else -1 / (n - 1) for seat in range(n))


def counted(games: Sequence[tuple[Sequence[str], Sequence[int], int, int]]) -> GroupResults:
    """Results of games: who sat where, which seats won, the opening and the side."""
    counts = GroupCounts()
    for number, (agents, winners, opening, side) in enumerate(games):
        counts.add(
            made_up_result(
                agents=tuple(agents),
                returns=returns_of(winners, len(agents)),
                opening_number=opening,
                pair=f"{sorted(agents)} {opening}",
                side=side,
                moves_digest=str(number),
            )
        )
    return GroupResults([counts])


def fitted(results: GroupResults) -> Ratings:
    ratings = fit_group_ratings(results)
    assert ratings is not None
    return ratings


LETTER = {"W": (0,), "D": (0, 1), "L": (1,)}


def test_two_players_have_the_ratings_of_davidsons_model() -> None:
    """Also the same intervals, where no two pairings share an opening."""
    tournament = {
        ("a", "b"): Pairs({("W", "L"): 20, ("W", "W"): 12, ("D", "W"): 5, ("L", "L"): 3}),
        ("a", "c"): Pairs({("W", "W"): 15, ("W", "D"): 4, ("L", "W"): 6}),
        ("b", "c"): Pairs({("W", "L"): 9, ("D", "D"): 2, ("L", "W"): 7}),
    }
    games = []
    opening = 0
    for (one, two), pairs in tournament.items():
        for (first, second), n in pairs.counts.items():
            for _ in range(n):
                turned = {"W": "L", "D": "D", "L": "W"}[str(second)]
                games.append(((one, two), LETTER[str(first)], opening, 0))
                games.append(((two, one), LETTER[turned], opening, 1))
                opening += 1
    ours, theirs = fitted(counted(games)), fit_ratings(tournament)
    assert [row.agent for row in ours.rows] == [row.agent for row in theirs.rows]
    for own, other in zip(ours.rows, theirs.rows, strict=True):
        assert own.elo == pytest.approx(other.elo, abs=1e-6)
        assert own.games == other.games
        assert own.score == pytest.approx(other.score)
    assert ours.tied[0] == pytest.approx(theirs.draw)
    lead = ours.seats[0].value - ours.seats[1].value
    assert lead == pytest.approx(theirs.first_move.value, abs=1e-6)
    half = (ours.seats[0].high - ours.seats[0].low) * 2 / 2
    assert half == pytest.approx((theirs.first_move.high - theirs.first_move.low) / 2, rel=1e-6)


def test_two_players_are_flattened_as_in_davidsons_model() -> None:
    for nu in (0.0, 0.3, 2.0):
        steep, slopes = steepness(np.array([nu]))
        assert steep == pytest.approx(2 / (2 + nu))
        assert slopes == pytest.approx([-steep * nu / (2 + nu)])


SETS = [seats for n in (1, 2, 3) for seats in combinations(range(3), n)]


def chances(strengths: np.ndarray, tied: Sequence[float]) -> np.ndarray:
    """The chance of each of SETS to win, from the definition of the model."""
    delta = {1: 1.0, 2: tied[0], 3: tied[1]}
    weights = [delta[len(t)] * np.exp(strengths[list(t)].sum() / len(t)) for t in SETS]
    return np.array(weights) / sum(weights)


def some_games(
    seed: int = 1, n_openings: int = 12
) -> list[tuple[tuple[str, ...], tuple[int, ...], int, int]]:
    """Random games of groups of four agents, each opening with all rotations."""
    rng = np.random.default_rng(seed)
    strength = {"a": 0.8, "b": 0.0, "c": -0.3, "d": -0.5}
    games = []
    for opening in range(n_openings):
        for group in combinations("abcd", 3):
            table = tuple(group[i] for i in around_table((0, 1, 2), opening))
            for side in range(3):
                seats = table[3 - side :] + table[: 3 - side]
                own = np.array([strength[agent] for agent in seats]) + np.array([0.4, 0.1, 0.0])
                drawn = rng.choice(len(SETS), p=chances(own, (0.4, 0.2)))
                games.append((seats, SETS[drawn], opening, side))
    return games


def test_the_likelihood_is_the_greatest() -> None:
    games = some_games()
    names = "abcd"

    def surprise(theta: np.ndarray) -> float:
        strength = dict(zip("abcd", theta[:4], strict=True)) | {"average": 0.0}
        worth, tied = np.array([*theta[4:6], 0.0]), np.exp(theta[6:])
        imagined = [
            (tuple(agent if seat == own else "average" for seat in range(3)), (won,), PRIOR / 3)
            for agent, own, won in product(names, range(3), range(3))
        ]
        real = [(seats, winners, 1.0) for seats, winners, _, _ in games]
        total = 0.0
        for seats, winners, n in (*real, *imagined):
            own = np.array([strength[agent] for agent in seats]) + worth
            total -= n * log(chances(own, tied)[SETS.index(winners)])
        return total

    found = minimize(surprise, np.zeros(8), method="BFGS", options={"gtol": 1e-4}).x
    steep, _ = steepness(np.exp(found[6:]))
    expected = LOGIT * steep * (found[:4] - found[:4].mean())
    ratings = fitted(counted(games))
    elo = {row.agent: row.elo.value for row in ratings.rows}
    assert [elo[name] for name in names] == pytest.approx(expected, abs=0.1)
    worth = np.array([*found[4:6], 0.0])
    assert [each.value for each in ratings.seats] == pytest.approx(
        LOGIT * steep * (worth - worth.mean()), abs=0.1
    )
    assert ratings.tied == pytest.approx(np.exp(found[6:]), rel=1e-3)


def test_steepness_is_the_slope_of_the_score_near_equality() -> None:
    tied, step = (0.7, 0.4), 1e-5
    share = np.array([1 / len(t) if 0 in t else 0.0 for t in SETS])
    scores = [chances(np.array([lead, 0, 0]), tied) @ share for lead in (-step, step)]
    slope = (scores[1] - scores[0]) / (2 * step)
    assert slope == pytest.approx(steepness(np.array(tied))[0] * (1 / 3) * (2 / 3), rel=1e-6)
    for place in (0, 1):
        moved = []
        for sign in (-1, 1):
            near = np.array(tied)
            near[place] *= np.exp(sign * step)
            moved.append(steepness(near)[0])
        slopes = steepness(np.array(tied))[1]
        assert (moved[1] - moved[0]) / (2 * step) == pytest.approx(slopes[place], rel=1e-5)


def test_wins_never_shared_leave_delta_at_0() -> None:
    games = [(seats, winners[:1], opening, side) for seats, winners, opening, side in some_games()]
    ratings = fitted(counted(games))
    assert ratings.tied == (0.0, 0.0)
    assert all(np.isfinite(row.elo).all() for row in ratings.rows)


def test_an_agent_that_always_wins_has_a_finite_rating() -> None:
    games = [
        (seats, (seats.index("a"),) if "a" in seats else winners, opening, side)
        for seats, winners, opening, side in some_games()
    ]
    best = fitted(counted(games)).rows[0]
    assert best.agent == "a"
    assert np.isfinite(best.elo).all()
    assert best.elo.low < best.elo.value < best.elo.high


def test_agents_that_never_met_are_groups_of_their_own() -> None:
    games = some_games()
    others = [
        (tuple(agent.upper() for agent in seats), winners, 100 + opening, side)
        for seats, winners, opening, side in games
    ]
    ratings = fitted(counted([*games, *others]))
    assert ratings.n_groups == 2
    elo = {row.agent: row.elo.value for row in ratings.rows}
    assert sum(elo[agent] for agent in "abcd") == pytest.approx(0, abs=1e-6)


STRENGTHS, WORTH, TIED = np.array([0.5, 0.0, -0.5]), np.array([0.5, 0.1, 0.0]), (0.5, 0.3)


def simulated(n_openings: int, correlation: float, seed: int) -> GroupResults:
    """Games of three agents from openings that favour one seat or another.

    The games of an opening come from normal numbers with this correlation, of which each
    alone gives every set of winners the model's own chance.
    """
    rng = np.random.default_rng(seed)
    games = []
    order = [SETS.index(t) for t in sorted(SETS)]  # alike sets lie side by side
    for opening in range(n_openings):
        common = rng.standard_normal()
        table = around_table((0, 1, 2), opening)
        for side in range(3):
            seats = table[3 - side :] + table[: 3 - side]
            own = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * rng.standard_normal()
            steps = np.cumsum(chances(STRENGTHS[list(seats)] + WORTH, TIED)[order])
            drawn = order[min(int(np.searchsorted(steps, norm.cdf(own))), len(order) - 1)]
            games.append((tuple("abc"[i] for i in seats), SETS[drawn], opening, side))
    return counted(games)


def score_of(agent: int) -> float:
    """The share of the wins that an agent has in the long run."""
    total = 0.0
    for number, side in product(range(2), range(3)):
        table = around_table((0, 1, 2), number)
        seats = table[3 - side :] + table[: 3 - side]
        seat = seats.index(agent)
        share = np.array([1 / len(t) if seat in t else 0.0 for t in SETS])
        total += chances(STRENGTHS[list(seats)] + WORTH, TIED) @ share
    return float(total / 6)


@pytest.mark.parametrize(
    ("n_openings", "correlation", "n", "most"),
    [
        pytest.param(40, 0.5, 200, 0.035, id="openings that favour a seat"),
        pytest.param(40, 0.0, 2000, 0.01, id="independent", marks=pytest.mark.prove),
        pytest.param(40, 0.5, 2000, 0.01, id="many", marks=pytest.mark.prove),
        pytest.param(15, 0.8, 2000, 0.02, id="few that decide much", marks=pytest.mark.prove),
    ],
)
def test_intervals_cover_the_truth_95_times_in_100(
    n_openings: int, correlation: float, n: int, most: float
) -> None:
    """Three agents, three players, shared wins, and games that depend on their opening."""
    steep, _ = steepness(np.array(TIED))
    elo = dict(zip("abc", LOGIT * steep * STRENGTHS, strict=True))
    worth = LOGIT * steep * (WORTH - WORTH.mean())
    scores = {agent: score_of(i) for i, agent in enumerate("abc")}
    held: dict[str, list[bool]] = {"elo": [], "seat": [], "score": []}
    for seed in range(n):
        results = simulated(n_openings, correlation, seed)
        ratings = fitted(results)
        for row in ratings.rows:
            held["elo"].append(row.elo.low <= elo[row.agent] <= row.elo.high)
            assert row.score is not None
            held["score"].append(row.score.low <= scores[row.agent] <= row.score.high)
        for seat, found in enumerate(ratings.seats):
            held["seat"].append(found.low <= worth[seat] <= found.high)
    covered = {name: float(np.mean(each)) for name, each in held.items()}
    assert all(abs(share - 0.95) <= most for share in covered.values()), covered
