"""Rates, Elo and LOS: definitions, closed forms, SciPy's values, and what intervals cover."""

from itertools import product
from math import inf, isfinite, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from scipy.stats import t as student

from tests.arena.simulated_matches import Chances, matches
from topple.arena.statistics.elo import elo_difference, elo_of_score, los, score_of_elo
from topple.arena.statistics.pairs import Pairs, Tally
from topple.arena.statistics.rates import (
    NORMAL_QUANTILE,
    draw_rate,
    score_rate,
    share,
    win_loss_ratio,
    win_rate,
)

RATES = {
    "WR": win_rate,
    "DR": draw_rate,
    "WLR": win_loss_ratio,
    "score": score_rate,
    "elo": elo_difference,
}

results = st.sampled_from(["W", "D", "L", None])
some_pairs = st.builds(
    Pairs, st.dictionaries(st.tuples(results, results), st.integers(0, 60), max_size=12)
)
played = st.sampled_from(["W", "D", "L"])
repeated_pairs = st.dictionaries(
    st.tuples(played, played), st.integers(1, 60), min_size=1, max_size=9
).flatmap(lambda counts: st.integers(0, sum(counts.values()) - 1).map(lambda n: Pairs(counts, n)))


# What the rates are


def test_rates_are_those_of_the_paper() -> None:
    pairs = Pairs({("W", "L"): 4, ("W", "W"): 3, ("D", "L"): 2, ("W", None): 1, (None, "D"): 1})
    wins, draws, losses = 4 + 6 + 1, 2 + 1, 4 + 2
    values = {name: rate(pairs) for name, rate in RATES.items()}
    score = (wins + draws / 2) / (wins + draws + losses)
    assert {name: found.value for name, found in values.items() if found} == pytest.approx(
        {
            "WR": wins / (wins + draws + losses),
            "DR": draws / (wins + draws + losses),
            "WLR": wins / (wins + losses),
            "score": score,
            "elo": 400 * np.log10(score / (1 - score)),
        }
    )


def test_without_games_there_are_no_rates() -> None:
    for empty in (Pairs(), Pairs({("W", "L"): 0}), Pairs({(None, None): 3})):
        assert [rate(empty) for rate in RATES.values()] == [None] * 5
        assert los(empty) == 0.5
    drawn = Pairs({("D", "D"): 3, ("D", None): 1})
    assert win_loss_ratio(drawn) is None
    assert score_rate(drawn) is not None


@given(some_pairs)
def test_the_other_agent_sees_the_mirror_image(pairs: Pairs) -> None:
    other = pairs.reversed()
    for rate in (win_loss_ratio, score_rate):
        here, there = rate(pairs), rate(other)
        if here is None:
            assert there is None
        else:
            assert there == pytest.approx((1 - here.value, 1 - here.high, 1 - here.low))
    assert draw_rate(other) == pytest.approx(draw_rate(pairs))
    assert los(other) == pytest.approx(1 - los(pairs))
    here, there = elo_difference(pairs), elo_difference(other)
    if here is not None:
        assert there == pytest.approx((-here.value, -here.high, -here.low), abs=1e-6)


@given(some_pairs)
def test_intervals_hold_their_value_and_have_a_width(pairs: Pairs) -> None:
    for name, rate in RATES.items():
        found = rate(pairs)
        if found is None:
            continue
        assert found.low <= found.value <= found.high
        assert found.low < found.high
        if name != "elo":
            assert found.low >= 0
            assert found.high <= 1
    assert 0 <= los(pairs) <= 1


@given(some_pairs, st.sampled_from([("L", "W"), ("D", "D"), ("L", "D"), ("D", "W")]))
def test_a_better_result_never_lowers_the_score(pairs: Pairs, result: tuple[str, str]) -> None:
    worse = score_rate(pairs + Pairs([result]))
    better = score_rate(pairs + Pairs([("W", result[1])]))
    assert worse is not None
    assert better is not None
    assert better.value > worse.value


@given(some_pairs)
def test_more_of_the_same_narrows_every_interval(pairs: Pairs) -> None:
    more = pairs + pairs
    for name, rate in RATES.items():
        once, twice = rate(pairs), rate(more)
        if once is None or twice is None or (name == "elo" and not isfinite(once.value)):
            continue
        assert twice.high - twice.low < once.high - once.low


# Independent values


@pytest.mark.parametrize(("won", "n"), [(0, 1), (1, 2), (7, 10), (33, 50), (480, 900), (12, 12)])
def test_single_games_give_wilsons_interval(won: int, n: int) -> None:
    pairs = Pairs({("W", None): won, (None, "L"): n - won})
    expected = binomtest(won, n).proportion_ci(0.95, method="wilson")
    assert win_rate(pairs) == pytest.approx((won / n, expected.low, expected.high))


@pytest.mark.parametrize(("won", "n"), [(1, 1), (1, 2), (2, 3), (3, 4)])
def test_a_few_pairs_tell_as_much_as_one_game_of_each(won: int, n: int) -> None:
    """The variance of so few is hardly known, but pairs cannot be worth less than that."""
    pairs = Pairs({("W", "W"): won, ("L", "L"): n - won})
    expected = binomtest(won, n).proportion_ci(0.95, method="wilson")
    assert win_rate(pairs) == pytest.approx((won / n, expected.low, expected.high))


def test_games_that_are_copies_of_each_other_count_once() -> None:
    pairs = Pairs({("W", "W"): 6000, ("L", "L"): 4000})
    expected = binomtest(6000, 10_000).proportion_ci(0.95, method="wilson")
    assert win_rate(pairs) == pytest.approx((0.6, expected.low, expected.high), rel=1e-4)


def test_independent_games_of_pairs_count_twice() -> None:
    pairs = Pairs({("W", "W"): 3600, ("W", "L"): 2400, ("L", "W"): 2400, ("L", "L"): 1600})
    expected = binomtest(12_000, 20_000).proportion_ci(0.95, method="wilson")
    assert win_rate(pairs) == pytest.approx((0.6, expected.low, expected.high), rel=1e-4)


@pytest.mark.parametrize("name", ["WR", "DR", "WLR", "score"])
def test_the_variance_is_that_of_a_bootstrap_over_pairs(name: str) -> None:
    counts = {
        ("W", "L"): 300,
        ("W", "W"): 120,
        ("D", "L"): 60,
        ("L", "L"): 80,
        ("W", "D"): 50,
        ("D", "D"): 40,
        ("W", None): 30,
    }
    hits = {"WR": (1, 0, 0), "DR": (0, 1, 0), "WLR": (1, 0, 0), "score": (1, 0.5, 0)}[name]
    trials = {"WLR": (1, 0, 1)}.get(name, (1, 1, 1))
    pair_hits = np.array([sum(hits["WDL".index(g)] for g in r if g) for r in counts])
    pair_trials = np.array([sum(trials["WDL".index(g)] for g in r if g) for r in counts])
    numbers = np.array(list(counts.values()))
    n, resamples = numbers.sum(), 20_000
    drawn = np.random.default_rng(1).multinomial(n, numbers / n, size=resamples)
    deviation = np.std((drawn @ pair_hits) / (drawn @ pair_trials))
    found = RATES[name](Pairs(counts))
    assert found is not None
    # A deviation from 20,000 resamples is known to 1/√40,000 = 0.5%; the interval also
    # has one more pair than the 680 played.
    assert (found.high - found.low) / 2 / NORMAL_QUANTILE == pytest.approx(deviation, rel=0.02)


@pytest.mark.parametrize("n", [2, 8, 30])
def test_the_interval_is_the_one_that_the_page_describes(n: int) -> None:
    """docs/statistics.md, step by step, with the ends found as roots."""
    pairs = [("W", "L")] * 3 * n + [("W", "W")] * n + [("L", None)] * n + [("D", "L")] * 2
    hits = np.array([sum({"W": 1, "D": 0.5}.get(game or "", 0) for game in r) for r in pairs])
    trials = np.array([sum(game is not None for game in result) for result in pairs])
    total, m = trials.sum(), len(pairs)
    p, c = hits.sum() / total, total / m / 4
    independent = total * p * (1 - p)
    variance = ((hits - p * trials) ** 2).sum() + c * independent / (c + independent)
    quantile = student.ppf(0.975, total / (total / m - 1))
    q = quantile**2 * variance / total**2 / (p * (1 - p))
    q = min(q, norm.ppf(0.975) ** 2 * (trials**2).sum() / total**2)
    ends = np.roots([1 + q, -2 * p - q, p * p])
    assert score_rate(Pairs(pairs)) == pytest.approx((p, min(ends), max(ends)))


def test_a_share_is_a_ratio_over_clusters() -> None:
    pairs = Pairs({("W", "L"): 5, ("W", "W"): 3, ("L", None): 2})
    units = [(1, 2)] * 5 + [(2, 2)] * 3 + [(0, 1)] * 2
    assert share(units) == win_rate(pairs)
    assert share([*units, (0, 0)]) == win_rate(pairs)
    assert share([(0, 0)]) is None
    assert share([]) is None


def test_clusters_that_differ_widen_a_share() -> None:
    alike, unlike = share([(10, 20)] * 40), share([(20, 20)] * 20 + [(0, 20)] * 20)
    assert alike is not None
    assert unlike is not None
    expected = binomtest(20, 40).proportion_ci(0.95, method="wilson")
    assert unlike.high == pytest.approx(expected.high, rel=0.02)
    assert alike.high - alike.low < (unlike.high - unlike.low) / 10


# Repeats


@given(some_pairs)
def test_repeats_tell_nothing_new(pairs: Pairs) -> None:
    doubled = {result: 2 * n for result, n in pairs.counts.items()}
    repeated = Pairs(doubled, repeats=pairs.n_pairs)
    for rate in RATES.values():
        assert rate(repeated) == pytest.approx(rate(pairs))
    assert los(repeated) == pytest.approx(los(pairs))


def test_the_same_pair_again_and_again_is_one_pair() -> None:
    assert score_rate(Pairs({("W", "L"): 40}, repeats=39)) == score_rate(Pairs({("W", "L"): 1}))
    assert score_rate(Pairs({("W", "L"): 40}, repeats=40)) == score_rate(Pairs({("W", "L"): 1}))


def test_what_repeats_in_one_contest_does_not_weigh_in_another() -> None:
    again = Pairs({("W", "W"): 100}, repeats=99)
    even = Pairs({("W", "W"): 13, ("W", "L"): 24, ("L", "L"): 13})
    pooled, different = again + even, Pairs({("W", "W"): 1}) + even
    assert (pooled.tally, pooled.n_pairs, pooled.repeats) == ((250, 0, 50), 150, 99)
    for rate in RATES.values():
        assert rate(pooled) == pytest.approx(rate(different))
        assert rate(pooled.reversed()) == pytest.approx(rate(different.reversed()))
        assert rate(pooled.in_seat(1)) == pytest.approx(rate(different.in_seat(1)))
    assert los(pooled) == pytest.approx(los(different))


@given(repeated_pairs, repeated_pairs, repeated_pairs)
def test_evidence_adds_up(one: Pairs, two: Pairs, three: Pairs) -> None:
    total = one + two + three
    for result in product("WDL", "WDL"):
        parts = [pairs.evidence.get(result, 0.0) for pairs in (one, two, three)]
        assert total.evidence.get(result, 0.0) == pytest.approx(sum(parts))
    assert total == two + one + three
    assert total.evidence == pytest.approx((three + (two + one)).evidence)
    assert total + Pairs() == Pairs() + total == total
    for pairs in (one, two, three):
        assert sum(pairs.evidence.values()) == pytest.approx(pairs.n_pairs - pairs.repeats)


@given(repeated_pairs, repeated_pairs)
def test_pools_are_seen_from_either_side_and_seat_by_seat(one: Pairs, two: Pairs) -> None:
    pool = one + two
    assert pool.reversed() == one.reversed() + two.reversed()
    assert pool.reversed().reversed() == pool
    assert [pool.in_seat(seat) for seat in (0, 1)] == [
        one.in_seat(seat) + two.in_seat(seat) for seat in (0, 1)
    ]
    assert pool.reversed().in_seat(0) == pool.in_seat(1).reversed()


@given(repeated_pairs, repeated_pairs)
def test_pools_have_their_rates_within_the_intervals(one: Pairs, two: Pairs) -> None:
    for pairs in (one + two, (one + two).in_seat(0)):
        for rate in RATES.values():
            found = rate(pairs)
            assert found is None or found.low <= found.value <= found.high


def test_a_pair_that_is_added_to_a_pool_counts_whole() -> None:
    pool = Pairs({("W", "W"): 100}, repeats=99) + Pairs({("W", "L"): 5})
    same = pool + Pairs([("W", "L"), ("D", "D")])
    pool.add("W", "L")
    pool.add("D", "D")
    assert pool == same
    assert pool.evidence == {("W", "W"): 1, ("W", "L"): 6, ("D", "D"): 1}


def test_pools_with_other_evidence_are_not_equal() -> None:
    won, drawn = {("W", "W"): 10}, {("D", "D"): 10}
    one, other = Pairs(won, 8) + Pairs(drawn), Pairs(won) + Pairs(drawn, 8)
    assert (one.counts, one.repeats) == (other.counts, other.repeats)
    assert one != other
    assert hash(Pairs({**won, ("L", "L"): 0})) == hash(Pairs(won))
    assert Pairs({**won, ("L", "L"): 0}) == Pairs(won)


# Seats


@pytest.mark.parametrize(("seat", "won", "n"), [(0, 17, 20), (1, 6, 20)])
def test_rates_in_one_seat_are_those_of_single_games(seat: int, won: int, n: int) -> None:
    pairs = Pairs({("W", "W"): 5, ("W", "L"): 12, ("D", "W"): 1, ("L", "D"): 2})
    expected = binomtest(won, n).proportion_ci(0.95, method="wilson")
    assert win_rate(pairs.in_seat(seat)) == pytest.approx((won / n, *expected))
    assert pairs.in_seat(seat).tally == (pairs.as_first, pairs.as_second)[seat]


def test_games_not_played_in_a_seat_do_not_count_there() -> None:
    pairs = Pairs({("W", "L"): 12, (None, "L"): 4}, repeats=8)
    assert win_rate(pairs.in_seat(0)) == win_rate(Pairs({("W", None): 6}))
    assert win_rate(Pairs({("W", None): 6}).in_seat(1)) is None


# Tallies


def test_a_tally_tells_its_score() -> None:
    assert (Tally(3, 2, 1).score, Tally(0, 0, 5).score, Tally(0, 0, 0).score) == (4 / 6, 0, None)
    assert f"{Tally(3, 2, 1)}" == "3-2-1"


# Elo and LOS


def test_elo_is_the_logistic_of_the_score() -> None:
    assert elo_of_score(0.5) == 0
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert (elo_of_score(0), elo_of_score(1)) == (-inf, inf)
    assert (score_of_elo(-inf), score_of_elo(inf)) == (0, 1)
    assert score_of_elo(1e9) == 1
    assert score_of_elo(120) == pytest.approx(1 / (1 + 10 ** (-120 / 400)))


@given(st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_elo_has_the_scores_interval() -> None:
    pairs = Pairs({("W", "L"): 30, ("W", "W"): 15, ("D", "L"): 5})
    score, elo = score_rate(pairs), elo_difference(pairs)
    assert score is not None
    assert elo == tuple(elo_of_score(end) for end in score)


def test_elo_may_be_infinite_where_all_was_won() -> None:
    elo = elo_difference(Pairs({("W", "W"): 20}))
    assert elo is not None
    assert (elo.value, elo.high) == (inf, inf)
    assert 0 < elo.low < inf


@pytest.mark.parametrize(("won", "lost"), [(60, 40), (5, 3), (2, 9)])
def test_los_of_single_games_is_the_normal_test_of_a_fair_coin(won: int, lost: int) -> None:
    pairs = Pairs({("W", None): won, ("L", None): lost})
    assert los(pairs) == pytest.approx(NormalDist().cdf((won - lost) / sqrt(won + lost)))


@given(some_pairs)
def test_los_and_interval_agree(pairs: Pairs) -> None:
    score = score_rate(pairs)
    if score is not None and abs(los(pairs) - 0.975) > 1e-9:
        assert (los(pairs) > 0.975) == (score.low > 0.5)


@pytest.mark.parametrize("result", [("W", "L"), ("L", "W"), ("D", "D")])
def test_los_is_even_where_all_pairs_are(result: tuple[str, str]) -> None:
    assert los(Pairs({result: 12})) == 0.5


# The edges


@pytest.mark.parametrize("result", [("W", "L"), ("D", "D"), ("W", "W"), ("W", None)])
@pytest.mark.parametrize("name", ["WR", "DR", "WLR", "score"])
def test_pairs_that_all_look_alike_prove_nothing_at_once(
    name: str, result: tuple[str, str | None]
) -> None:
    """Intervals shrink pair by pair, from most of what is possible."""
    widths = []
    for n in range(1, 40):
        found = RATES[name](Pairs({result: n}))
        if found is None:
            assert result == ("D", "D")
            return
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0.6
    assert 0 < widths[-1] < 0.1


# What intervals cover

EVEN = ((0.6, 0.1, 0.3), (0.3, 0.1, 0.6), -0.4)
STRONG_FIRST_MOVE = ((0.8, 0.0, 0.2), (0.2, 0.0, 0.8), -0.5)
MANY_DRAWS = ((0.55, 0.3, 0.15), (0.35, 0.3, 0.35), -0.3)
ALIKE = ((0.75, 0.05, 0.2), (0.6, 0.05, 0.35), 0.3)
STRONG = ((0.85, 0.1, 0.05), (0.75, 0.1, 0.15), -0.2)
Match = tuple[Chances, Chances, float]


def truth(as_first: Chances, as_second: Chances) -> dict[str, float]:
    won, drawn, lost = ((a + b) / 2 for a, b in zip(as_first, as_second, strict=True))
    score = won + drawn / 2
    values = {"WR": won, "WLR": won / (won + lost), "score": score, "elo": elo_of_score(score)}
    return values | ({"DR": drawn} if drawn else {})


def coverage(match: Match, n_pairs: int, n: int, seed: int) -> dict[str, float]:
    """How often each interval holds the truth; a match without the rate is left out."""
    true = truth(*match[:2])
    found: dict[str, list[bool]] = {name: [] for name in true}
    for pairs in matches(*match, n_pairs=n_pairs, n=n, seed=seed):
        for name, value in true.items():
            estimate = RATES[name](pairs)
            if estimate is not None:
                found[name].append(estimate.low <= value <= estimate.high)
    return {name: float(np.mean(covered)) for name, covered in found.items()}


@pytest.mark.parametrize(
    ("n", "most"), [(1000, 0.025), pytest.param(10_000, 0.01, marks=pytest.mark.prove)]
)
@pytest.mark.parametrize(
    ("match", "n_pairs"),
    [(MANY_DRAWS, 25), (ALIKE, 100), (STRONG_FIRST_MOVE, 100), (EVEN, 200), (STRONG, 200)],
    ids=["many draws", "alike", "strong first move", "even", "strong"],
)
def test_intervals_cover_the_truth_95_times_in_100(
    match: Match, n_pairs: int, n: int, most: float
) -> None:
    """In 10,000 matches chance moves the figure by 0.2 in 100, in 1,000 by 0.7."""
    for name, covered in coverage(match, n_pairs, n=n, seed=4).items():
        assert abs(covered - 0.95) <= most, name


@pytest.mark.parametrize("n_pairs", [1, 2, 4, 10])
@pytest.mark.parametrize("match", [EVEN, MANY_DRAWS, STRONG], ids=["even", "draws", "strong"])
def test_intervals_from_few_pairs_are_rather_too_wide(match: Match, n_pairs: int) -> None:
    for name, covered in coverage(match, n_pairs, n=1000, seed=4).items():
        if name in ("score", "elo"):
            # Of 1,000 matches at least this many, but for one time in a thousand.
            assert covered >= 0.95 - 3.1 * sqrt(0.95 * 0.05 / 1000), name
