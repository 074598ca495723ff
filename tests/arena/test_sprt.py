"""The sequential test: its ratio, its bounds and how often it errs."""

from itertools import pairwise
from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.stats import binom

from tests.arena.simulated_matches import CELLS, Chances, davidson
from topple.arena.statistics.elo import score_of_elo
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.sprt import SCORES, SEEN_BEFORE, Sprt
from topple.core.errors import BadText

pair_counts = st.dictionaries(
    st.tuples(st.sampled_from(["W", "D", "L", None]), st.sampled_from(["W", "D", "L", None])),
    st.integers(0, 200),
)
elo_bounds = st.tuples(st.integers(-300, 300), st.integers(1, 300)).map(
    lambda pair: (pair[0], sum(pair))
)


def likeliest(counts: list[float], mean: float) -> float:
    """Maximise the multinomial likelihood over all distributions with this mean, blindly."""
    scores, numbers = np.array(SCORES), np.array(counts)
    start = np.full(5, 0.2)
    start[0 if mean < 0.5 else 4] += 1e-3  # any start inside will do
    found = minimize(
        lambda p: -(numbers @ np.log(p)) / numbers.sum(),
        start / start.sum(),
        jac=lambda p: -(numbers / p) / numbers.sum(),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(5)},
            {"type": "eq", "fun": lambda p: p @ scores - mean, "jac": lambda p: scores},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return float(-found.fun * numbers.sum())


@pytest.mark.parametrize("counts", [(3, 9, 40, 12, 6), (1, 2, 3, 4, 5), (0, 0, 25, 5, 0)])
@pytest.mark.parametrize("elos", [(0, 30), (-20, 100)])
def test_the_ratio_is_that_of_the_likeliest_distributions(
    counts: tuple[int, ...], elos: tuple[float, float]
) -> None:
    cells = [("L", "L"), ("L", "D"), ("W", "L"), ("D", "W"), ("W", "W")]
    test = Sprt(*elos)
    seen = [n + SEEN_BEFORE for n in counts]
    before = [SEEN_BEFORE] * 5

    def ratio(numbers: list[float]) -> float:
        return likeliest(numbers, score_of_elo(elos[1])) - likeliest(numbers, score_of_elo(elos[0]))

    found = test.llr(Pairs(dict(zip(cells, counts, strict=True))))
    assert found == pytest.approx(ratio(seen) - ratio(before), abs=1e-4)


def test_with_two_scores_the_ratio_is_that_of_a_coin() -> None:
    """Pairs that are all 2-0 or 0-2 are tosses of a coin, up to what was seen before."""
    n, won = 10_000_000, 5_100_000
    score0, score1 = score_of_elo(0), score_of_elo(5)
    coin = won * log(score1 / score0) + (n - won) * log((1 - score1) / (1 - score0))
    llr = Sprt(0, 5).llr(Pairs({("W", "W"): won, ("L", "L"): n - won}))
    assert llr == pytest.approx(coin, rel=1e-6)


def test_many_pairs_give_the_normal_approximation() -> None:
    """Near the mean the ratio is N·(s1 − s0)·(2·mean − s0 − s1)/(2·variance)."""
    pairs = Pairs({("W", "W"): 2700, ("W", "L"): 5000, ("L", "L"): 2300})
    mean, variance = 0.52, (0.27 * 0.48**2 + 0.5 * 0.02**2 + 0.23 * 0.52**2)
    score0, score1 = score_of_elo(10), score_of_elo(15)
    normal = 10_000 * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert Sprt(10, 15).llr(pairs) == pytest.approx(normal, rel=0.01)


@given(pair_counts, elo_bounds)
def test_seen_from_the_other_side_the_ratio_changes_its_sign(
    counts: dict[tuple[str | None, str | None], int], elos: tuple[int, int]
) -> None:
    pairs = Pairs(counts)
    here, there = Sprt(*elos), Sprt(-elos[1], -elos[0])
    assert there.llr(pairs.reversed()) == pytest.approx(-here.llr(pairs), abs=1e-6, rel=1e-9)


@pytest.mark.parametrize("won", [60, 5])
def test_seen_from_the_other_side_the_verdict_is_the_other_one(won: int) -> None:
    pairs = Pairs({("W", "W"): won, ("W", "L"): 60, ("L", "L"): 65 - won})
    here = Sprt(0, 40, alpha=0.05, beta=0.01).verdict(pairs)
    there = Sprt(-40, 0, alpha=0.01, beta=0.05).verdict(pairs.reversed())
    assert {here, there} == {"H0", "H1"}


@given(pair_counts, elo_bounds, st.integers(1, 50))
def test_pairs_won_speak_for_h1_and_pairs_lost_for_h0(
    counts: dict[tuple[str | None, str | None], int], elos: tuple[int, int], more: int
) -> None:
    test, pairs = Sprt(*elos), Pairs(counts)
    assert test.llr(pairs + Pairs({("W", "W"): more})) > test.llr(pairs) - 1e-9
    assert test.llr(pairs + Pairs({("L", "L"): more})) < test.llr(pairs) + 1e-9


def test_unfinished_pairs_do_not_count() -> None:
    whole = Pairs({("W", "D"): 20, ("L", "W"): 30})
    assert Sprt().llr(whole + Pairs({("W", None): 9, (None, "L"): 5})) == Sprt().llr(whole)
    assert Sprt().llr(Pairs({("W", None): 9})) == 0
    assert Sprt().llr(Pairs()) == 0
    assert Sprt().verdict(Pairs()) is None


def test_repeats_are_no_evidence() -> None:
    once = {("W", "L"): 20, ("W", "W"): 8}
    twice = {result: 2 * n for result, n in once.items()}
    assert Sprt().llr(Pairs(twice, repeats=28)) == pytest.approx(Sprt().llr(Pairs(once)))
    assert Sprt().llr(Pairs(twice)) > 1.9 * Sprt().llr(Pairs(once))
    pooled = Pairs(once) + Pairs({("L", "L"): 500}, repeats=499)
    assert Sprt().llr(pooled) == pytest.approx(Sprt().llr(Pairs(once) + Pairs([("L", "L")])))


def test_bounds_are_walds() -> None:
    lower, upper = Sprt(alpha=0.05, beta=0.1).bounds
    assert lower == pytest.approx(log(0.1 / 0.95))
    assert upper == pytest.approx(log(0.9 / 0.05))


def test_the_verdict_falls_where_the_ratio_crosses_its_bounds() -> None:
    test = Sprt(0, 60)
    lower, upper = test.bounds
    for result, verdict in (("W", "H1"), ("L", "H0")):
        series = [Pairs({("W", "L"): 5, (result, result): n}) for n in range(60)]
        verdicts = [test.verdict(pairs) for pairs in series]
        assert verdicts[0] is None
        assert verdicts[-1] == verdict
        for pairs, found in zip(series, verdicts, strict=True):
            assert (found is None) == (lower < test.llr(pairs) < upper)
        assert all(b is not None for a, b in pairwise(verdicts) if a is not None)


def chances_of_five(elo: float, first_move: float, draw: float, correlation: float) -> list[float]:
    """How often a pair has each score, where the lead is exactly this."""

    def expected(lead: float) -> float:
        return sum(won + drawn / 2 for won, drawn, _ in sides(lead)) / 2

    def sides(lead: float) -> tuple[Chances, Chances]:
        won, drawn, lost = davidson(first_move - lead, draw)
        return davidson(first_move + lead, draw), (lost, drawn, won)

    exact = brentq(lambda lead: expected(lead) - score_of_elo(elo), -8, 8, xtol=1e-12)
    return joint(*sides(exact), correlation)


def joint(first: Chances, second: Chances, correlation: float) -> list[float]:
    """Games of a pair that go together as far as a mixture allows.

    With the chance |correlation| both games are decided by the same number, otherwise
    by two; below 0 the number is turned around for the second game.
    """
    edges_first, edges_second = np.cumsum((0, *first)), np.cumsum((0, *second))
    if correlation < 0:
        edges_second = 1 - edges_second
    five = [0.0] * 5
    for place, (one, two) in enumerate(CELLS):
        i, j = divmod(place, 3)
        low, high = sorted(edges_second[j : j + 2])
        shared = max(0.0, min(edges_first[i + 1], high) - max(edges_first[i], low))
        alone = first[i] * second[j]
        points = "LDW".index(one) + "LDW".index(two)
        five[points] += abs(correlation) * shared + (1 - abs(correlation)) * alone
    return five


def error_rate(test: Sprt, truth: str, chances: list[float], n: int, seed: int) -> float:
    """How often the test errs when it looks after every pair."""
    rng = np.random.default_rng(seed)
    known: dict[tuple[int, ...], str | None] = {}
    cells = [("L", "L"), ("L", "D"), ("W", "L"), ("D", "W"), ("W", "W")]
    errors = 0
    for _ in range(n):
        counts = [0] * 5
        verdict = None
        while verdict is None:
            counts[rng.choice(5, p=chances)] += 1
            key = tuple(counts)
            if key not in known:
                known[key] = test.verdict(Pairs(dict(zip(cells, counts, strict=True))))
            verdict = known[key]
        errors += verdict != truth
    return errors / n


@pytest.mark.parametrize("n", [150, pytest.param(1000, marks=pytest.mark.prove)])
@pytest.mark.parametrize(
    ("first_move", "draw", "correlation"),
    [(0.8, 0.3, -0.4), (1.5, 0.0, -0.5), (0.3, 0.5, 0.3)],
)
def test_error_rates_stay_within_their_bounds(
    first_move: float, draw: float, correlation: float, n: int
) -> None:
    """Of n matches a test with a risk r errs in more than this many once in a thousand times."""
    test = Sprt(0, 100)
    h0 = chances_of_five(0, first_move, draw, correlation)
    h1 = chances_of_five(100, first_move, draw, correlation)
    assert error_rate(test, "H0", h0, n, seed=1) <= binom.ppf(0.999, n, test.alpha) / n
    assert error_rate(test, "H1", h1, n, seed=2) <= binom.ppf(0.999, n, test.beta) / n


def test_a_smaller_risk_is_kept_too() -> None:
    test, n = Sprt(-80, 80, alpha=0.01, beta=0.2), 1000
    h0 = chances_of_five(-80, 0.8, 0.3, -0.4)
    h1 = chances_of_five(80, 0.8, 0.3, -0.4)
    assert error_rate(test, "H0", h0, n, seed=3) <= binom.ppf(0.999, n, 0.01) / n
    h1_errors = error_rate(test, "H1", h1, n, seed=4)
    assert h1_errors <= binom.ppf(0.999, n, 0.2) / n
    assert h1_errors > binom.ppf(0.999, n, 0.01) / n  # the risk that was allowed is taken


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("", Sprt(0, 30, 0.05, 0.05)),
        ("elo0=0,elo1=30,alpha=0.05,beta=0.05", Sprt()),
        ("elo1=5", Sprt(0, 5)),
        (" beta = 0.1 , elo0=-5.5", Sprt(-5.5, 30, 0.05, 0.1)),
    ],
)
def test_a_test_is_read_and_written_back(text: str, test: Sprt) -> None:
    assert Sprt.parse(text) == test
    assert Sprt.parse(str(test)) == test


def test_numbers_are_written_as_they_are_typed() -> None:
    assert str(Sprt()) == "elo0=0,elo1=30,alpha=0.05,beta=0.05"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("elo0=10,elo1=5", "elo0=10 must be less than elo1=5"),
        ("elo0=30", "elo0=30 must be less than elo1=30"),
        ("alpha=0.5,beta=0.5", "less than 1 together"),
        ("alpha=0", "alpha=0 is too small"),
        ("beta=-0.1", "beta=-0.1 is too small"),
        ("elo1=inf", "too large"),
        ("elo0=-3000", "too small"),
        ("elo1=nan", "not a number"),
        ("elo1=much", "not a number"),
        ("elo2=5", "did you mean"),
        ("5", "cannot read '5'"),
        ("elo1=5,,", "empty part"),
        ("elo1=5,elo1=6", "twice"),
    ],
)
def test_nonsense_gets_one_clear_line(text: str, said: str) -> None:
    with pytest.raises(BadText, match=said) as caught:
        Sprt.parse(text)
    assert "\n" not in str(caught.value)


def test_nonsense_is_refused_from_python_too() -> None:
    with pytest.raises(BadText, match="too large"):
        Sprt(0, inf)
    with pytest.raises(BadText, match="must be less"):
        Sprt(5, 5)
