"""Ratings: closed forms, a likelihood maximised by SciPy, a jackknife, and what is covered."""

from itertools import combinations
from math import inf, isfinite, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.arena.simulated_matches import as_pairs, davidson, simulate
from topple.arena.statistics.davidson import PRIOR
from topple.arena.statistics.elo import elo_difference
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, score_rate
from topple.arena.statistics.ratings import Ratings, fit_ratings

Results = dict[tuple[str, str], Pairs]


LOGIT = 400 / log(10)


TOURNAMENT = {
    ("a", "b"): Pairs({("W", "L"): 20, ("W", "W"): 12, ("D", "W"): 5, ("L", "L"): 3}),
    ("b", "c"): Pairs({("W", "L"): 15, ("D", "D"): 10, ("L", "W"): 8, ("W", None): 3}),
    ("c", "a"): Pairs({("W", "L"): 18, ("L", "L"): 9, ("D", "L"): 7, ("W", "D"): 2}),
    ("d", "a"): Pairs({("L", "L"): 25, ("W", "L"): 6}),
}


def elos(ratings: Ratings) -> dict[str, float]:
    return {row.agent: row.elo.value for row in ratings.rows}


def blind_fit(results: Results) -> tuple[dict[str, float], float, float]:
    """Ratings, first move and ν from the definition, game by game, maximised by SciPy."""
    agents = sorted({agent for pairing in results for agent in pairing})
    games: list[tuple[str, str, int, float]] = []  # first, second, result of the first, times
    for (one, other), pairs in results.items():
        worth = 1 - pairs.repeats / pairs.n_pairs
        for (as_first, as_second), n in pairs.counts.items():
            if as_first is not None:
                games.append((one, other, "WDL".index(as_first), n * worth))
            if as_second is not None:
                games.append((other, one, "LDW".index(as_second), n * worth))
    for agent in agents:
        for result in (0, 2):
            games.append((agent, "", result, PRIOR / 2))
            games.append(("", agent, result, PRIOR / 2))

    def unlikely(parameters: np.ndarray) -> float:
        strength = {"": 0.0, **dict(zip(agents, parameters, strict=False))}
        first_move, draw = parameters[-2], np.exp(parameters[-1])
        return -sum(
            n * log(davidson(strength[one] - strength[two] + first_move, draw)[result])
            for one, two, result, n in games
        )

    found = minimize(unlikely, np.zeros(len(agents) + 2), tol=1e-10, options={"gtol": 1e-6}).x
    draw = float(np.exp(found[-1]))
    scale = LOGIT * 2 / (2 + draw)
    strengths = scale * (found[:-2] - found[:-2].mean())
    return dict(zip(agents, strengths, strict=True)), scale * found[-2], draw


def test_the_likelihood_is_at_its_greatest() -> None:
    ratings = fit_ratings(TOURNAMENT)
    strengths, first_move, draw = blind_fit(TOURNAMENT)
    assert elos(ratings) == pytest.approx(strengths, abs=0.01)
    assert ratings.first_move.value == pytest.approx(first_move, abs=0.01)
    assert ratings.draw == pytest.approx(draw, abs=1e-4)


def test_two_agents_without_a_first_move_have_a_closed_form() -> None:
    """e^(lead) = W/L and ν = D/√(W·L), up to the prior; near 0 that is the score's Elo."""
    won, drawn, lost = 110_000, 50_000, 100_000
    pairs = Pairs({("W", "W"): won, ("D", "D"): drawn, ("L", "L"): lost})
    ratings = fit_ratings({("a", "b"): pairs})
    draw = drawn / sqrt(won * lost)
    assert ratings.draw == pytest.approx(draw, rel=1e-4)
    assert ratings.first_move.value == pytest.approx(0, abs=1e-6)
    lead = elos(ratings)["a"] - elos(ratings)["b"]
    assert lead == pytest.approx(LOGIT * 2 / (2 + draw) * log(won / lost), rel=1e-4)
    by_score = elo_difference(pairs)
    assert by_score is not None
    assert lead == pytest.approx(by_score.value, rel=2e-3)


def test_with_a_draw_parameter_of_2_a_lead_is_the_elo_of_the_score() -> None:
    """e^(a/2) + 2 + e^(−a/2) is a square: the score is logistic at any distance."""
    pairs = Pairs({("W", "W"): 40_000, ("D", "D"): 40_000, ("L", "L"): 10_000})
    ratings, by_score = fit_ratings({("a", "b"): pairs}), elo_difference(pairs)
    assert by_score is not None
    assert ratings.draw == pytest.approx(2, rel=1e-4)
    assert elos(ratings)["a"] - elos(ratings)["b"] == pytest.approx(by_score.value, rel=1e-3)


def test_the_first_move_between_equals_has_a_closed_form() -> None:
    pairs = Pairs({("W", "L"): 30_000, ("L", "W"): 10_000})
    ratings = fit_ratings({("a", "b"): pairs})
    assert ratings.draw == 0
    assert ratings.first_move.value == pytest.approx(LOGIT * log(3), rel=1e-4)
    assert elos(ratings) == pytest.approx({"a": 0, "b": 0}, abs=1e-6)


def test_intervals_are_those_of_a_jackknife_over_pairs() -> None:
    many = {
        pairing: Pairs({result: 10 * n for result, n in pairs.counts.items()})
        for pairing, pairs in TOURNAMENT.items()
    }
    ratings = fit_ratings(many)
    middle = elos(ratings) | {"first move": ratings.first_move.value}
    variance = dict.fromkeys(middle, 0.0)
    for pairing, pairs in many.items():
        for result, n in pairs.counts.items():  # all pairs with one result are alike
            left = fit_ratings({**many, pairing: Pairs(pairs.counts - Pairs([result]).counts)})
            without = elos(left) | {"first move": left.first_move.value}
            for name in middle:
                variance[name] += n * (without[name] - middle[name]) ** 2
    rows = {row.agent: row.elo for row in ratings.rows} | {"first move": ratings.first_move}
    for name, estimate in rows.items():
        assert (estimate.high - estimate.low) / 2 / 1.96 == pytest.approx(
            sqrt(variance[name]), rel=0.02
        )


def test_rows_have_the_best_first_and_the_mean_0() -> None:
    ratings = fit_ratings(TOURNAMENT)
    assert [row.agent for row in ratings.rows] == ["a", "b", "c", "d"]
    values = [row.elo.value for row in ratings.rows]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-6)
    assert ratings.n_groups == 1


def test_rows_count_an_agents_games_and_score() -> None:
    (row,) = (row for row in fit_ratings(TOURNAMENT).rows if row.agent == "a")
    played = (
        TOURNAMENT["a", "b"] + TOURNAMENT["c", "a"].reversed() + TOURNAMENT["d", "a"].reversed()
    )
    assert row.games == played.tally.games == 80 + 72 + 62
    assert row.score == score_rate(played)


def test_who_is_named_first_does_not_matter() -> None:
    turned = {(b, a): pairs.reversed() for (a, b), pairs in reversed(TOURNAMENT.items())}
    here, there = fit_ratings(TOURNAMENT), fit_ratings(turned)
    assert [row.agent for row in here.rows] == [row.agent for row in there.rows]
    for one, other in zip(here.rows, there.rows, strict=True):
        assert one.elo == pytest.approx(other.elo)
    assert here.first_move == pytest.approx(there.first_move)


def test_repeats_tell_nothing_new() -> None:
    once = fit_ratings(TOURNAMENT)
    doubled = {
        pairing: Pairs({result: 2 * n for result, n in pairs.counts.items()}, pairs.n_pairs)
        for pairing, pairs in TOURNAMENT.items()
    }
    twice = fit_ratings(doubled)
    for one, other in zip(once.rows, twice.rows, strict=True):
        assert one.elo == pytest.approx(other.elo)
        assert one.score == pytest.approx(other.score)


def test_what_repeats_in_one_contest_does_not_weigh_in_another() -> None:
    again, once = Pairs({("L", "L"): 200}, repeats=199), Pairs({("L", "L"): 1})
    found, expected = (
        fit_ratings({**TOURNAMENT, ("a", "b"): TOURNAMENT["a", "b"] + more})
        for more in (again, once)
    )
    for one, other in zip(found.rows, expected.rows, strict=True):
        assert one.agent == other.agent
        assert one.elo == pytest.approx(other.elo)
        assert one.score == pytest.approx(other.score)
    assert found.first_move == pytest.approx(expected.first_move)
    assert {row.agent: row.games for row in found.rows}["a"] == 80 + 72 + 62 + 400


@pytest.mark.parametrize(
    "counts",
    [{("W", "W"): 1}, {("W", "W"): 50}, {("W", "L"): 50}, {("D", "D"): 50}, {("W", None): 1}],
)
def test_what_was_never_lost_stays_finite_and_uncertain(
    counts: dict[tuple[str | None, str | None], int],
) -> None:
    ratings = fit_ratings({("a", "b"): Pairs(counts)})
    for estimate in [*(row.elo for row in ratings.rows), ratings.first_move]:
        assert all(map(isfinite, estimate))
        assert estimate.low < estimate.value < estimate.high
    assert isfinite(ratings.draw)


def test_a_clean_sweep_is_no_more_certain_than_its_score() -> None:
    """100 wins of 100 leave a score of 96% possible, and ratings must as well."""
    ratings = fit_ratings({("a", "b"): Pairs({("W", "W"): 50})})
    by_score = elo_difference(Pairs({("W", "W"): 50}))
    assert by_score is not None
    lowest = 2 * ratings.rows[0].elo.low  # the other agent is as far below the mean
    assert lowest < by_score.low < 2 * ratings.rows[0].elo.value


def test_groups_that_never_met_are_rated_apart() -> None:
    alone = fit_ratings({("a", "b"): Pairs({("W", "L"): 20, ("W", "W"): 9})})
    more = {("c", "d"): Pairs({("L", "L"): 9, ("W", "L"): 20}), ("e", "e"): Pairs()}
    both = fit_ratings({("a", "b"): Pairs({("W", "L"): 20, ("W", "W"): 9}), **more})
    assert alone.n_groups == 1
    assert both.n_groups == 3
    values = elos(both)
    assert values["a"] == pytest.approx(-values["b"], abs=1e-6)
    assert values["a"] == pytest.approx(values["d"], abs=1e-6)
    assert values["e"] == 0


def test_nobody_one_agent_and_no_games_do_no_harm() -> None:
    unknown = Estimate(0, -inf, inf)
    assert fit_ratings({}) == Ratings([], 0, unknown, 0)
    (row,) = fit_ratings({("a", "a"): Pairs({("W", "L"): 30, ("D", "W"): 5})}).rows
    assert row == ("a", unknown, 0, None)
    assert [row.elo for row in fit_ratings({("a", "b"): Pairs()}).rows] == [unknown, unknown]


def test_games_of_an_agent_with_itself_tell_of_the_first_move() -> None:
    itself = Pairs({("W", "L"): 3000, ("L", "W"): 1000})
    ratings = fit_ratings({("a", "a"): itself})
    assert ratings.first_move.value == pytest.approx(LOGIT * log(3), rel=1e-3)
    others = fit_ratings({("a", "b"): itself})
    assert ratings.first_move == pytest.approx(others.first_move, rel=1e-3)


results_of_pairs = st.dictionaries(
    st.tuples(st.sampled_from(["W", "D", "L", None]), st.sampled_from(["W", "D", "L", None])),
    st.integers(0, 100),
    max_size=5,
).map(Pairs)


names = st.sampled_from("abcde")


@given(st.dictionaries(st.tuples(names, names), results_of_pairs, max_size=8))
def test_any_results_can_be_rated(results: Results) -> None:
    ratings = fit_ratings(results)
    assert {row.agent for row in ratings.rows} == {
        agent for pairing in results for agent in pairing
    }
    for row in ratings.rows:
        assert isfinite(row.elo.value)
        assert row.elo.low < row.elo.value < row.elo.high
        assert (row.games == 0) == (row.elo.high == inf) == (row.score is None)


@given(results_of_pairs)
def test_the_stronger_of_two_has_the_better_score(pairs: Pairs) -> None:
    whole = Pairs({result: n for result, n in pairs.counts.items() if None not in result})
    score = score_rate(whole)
    if score is not None:
        lead = elos(fit_ratings({("a", "b"): whole}))["a"]
        assert np.sign(round(lead, 6)) == np.sign(round(score.value - 0.5, 9))


def covered(
    elo: list[float], first_move: float, draw: float, correlation: float, n_pairs: int, n: int
) -> np.ndarray:
    """For each of n tournaments, which ratings' intervals hold the truth; the first move last."""
    scale = LOGIT * 2 / (2 + draw)
    counts = {}
    for i, j in combinations(range(len(elo)), 2):
        lead = (elo[i] - elo[j]) / scale
        won, drawn, lost = davidson(first_move / scale - lead, draw)
        counts[str(i), str(j)] = simulate(
            davidson(first_move / scale + lead, draw),
            (lost, drawn, won),
            correlation,
            n_pairs,
            n,
            seed=100 * i + j,
        )
    truth = {str(i): value - np.mean(elo) for i, value in enumerate(elo)}
    found = np.zeros((n, len(elo) + 1), bool)
    for t in range(n):
        ratings = fit_ratings({pairing: as_pairs(drawn[t]) for pairing, drawn in counts.items()})
        for row in ratings.rows:
            found[t, int(row.agent)] = row.elo.low <= truth[row.agent] <= row.elo.high
        found[t, -1] = ratings.first_move.low <= first_move <= ratings.first_move.high
    return found


THREE_AGENTS = [-120, 0, 120], 60, 0.3, -0.4, 40
NO_DRAWS = [-40, 40], 100, 0.0, 0.3, 100


@pytest.mark.parametrize(
    ("case", "n", "most"),
    [
        pytest.param(THREE_AGENTS, 250, 0.03, id="three agents"),
        pytest.param(NO_DRAWS, 250, 0.03, id="no draws"),
        pytest.param(THREE_AGENTS, 3000, 0.01, id="many of three", marks=pytest.mark.prove),
        pytest.param(NO_DRAWS, 2000, 0.01, id="many without draws", marks=pytest.mark.prove),
    ],
)
def test_rating_intervals_cover_the_truth_95_times_in_100(
    case: tuple[list[float], float, float, float, int], n: int, most: float
) -> None:
    """With the truth at 95.3 in 100. In 3,000 tournaments chance moves the figures by 0.4."""
    found = covered(*case, n)
    assert abs(found[:, :-1].mean() - 0.95) <= most
    assert abs(found[:, -1].mean() - 0.95) <= most


def test_every_group_that_never_met_another_has_the_mean_0() -> None:
    ratings = fit_ratings(
        {
            ("a", "b"): Pairs({("W", "W"): 20}),
            ("b", "c"): Pairs({("W", "L"): 20, ("W", "D"): 3}),
            ("d", "e"): Pairs({("L", "L"): 4, ("W", "L"): 5}),
            ("e", "f"): Pairs({("W", "W"): 30}),
            ("f", "g"): Pairs({("W", "W"): 2}),
        }
    )
    assert ratings.n_groups == 2
    elo = {row.agent: row.elo.value for row in ratings.rows}
    assert sum(elo[agent] for agent in "abc") == pytest.approx(0, abs=1e-6)
    assert sum(elo[agent] for agent in "defg") == pytest.approx(0, abs=1e-6)
