"""Measuring: the values of measures, with 95% intervals, from stored games and computed facts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot, isfinite, sqrt
from typing import Any

from topple.arena.statistics import rates
from topple.arena.statistics.pairs import Pairs
from topple.arena.store.facts import ComputedFact
from topple.arena.store.store import Store
from topple.core.errors import BadText
from topple.core.means import student_quantile
from topple.papers.engine.computing import fact_name
from topple.papers.engine.findings import Measured
from topple.papers.engine.plans import ScaledPaper
from topple.papers.engine.stored_games import StoredGames
from topple.papers.paper import (
    BOTH,
    SECOND,
    Cost,
    Fact,
    MeanRate,
    Measure,
    MeasureRatio,
    Rate,
    Share,
)

Worth = Mapping[str, float]  # what a game counts that was won, drawn or lost

# Hits and trials, for each value of `Rate.counts`.
COUNTS: Mapping[str, tuple[Worth, Worth]] = {
    "win": (rates.WON, rates.ALL),
    "draw": (rates.DRAWN, rates.ALL),
    "loss": (rates.LOST, rates.ALL),
    "score": (rates.SCORED, rates.ALL),
    "win-loss": (rates.WON, rates.DECIDED),
}


class Measurer:
    """Takes the measures of a paper from a store, reading each set of games once."""

    def __init__(self, scaled: ScaledPaper, store: Store) -> None:
        self.scaled, self.store = scaled, store
        self._stored: dict[str, StoredGames] = {}
        self._facts: dict[str, ComputedFact | None] = {}

    def stored(self, name: str) -> StoredGames:
        """The games of a set that the store has."""
        if name not in self._stored:
            games, plan = self.scaled.games(name), self.scaled.plan(name)
            self._stored[name] = StoredGames(games, self.scaled.scale, plan, self.store)
        return self._stored[name]

    def fact(self, name: str) -> ComputedFact | None:
        """A computed fact; None if the store does not have it."""
        if name not in self._facts:
            computed = self.scaled.computed(name)
            self._facts[name] = self.store.read_fact(fact_name(computed, self.scaled.scale))
        return self._facts[name]

    def measure(self, measure: Measure) -> Measured | None:
        """The value of a measure; None if the store has nothing to take it from.

        Raises
        ------
        BadText
            If a computed fact has no value where one is looked for.
        StoreError
            If the store is damaged.
        """
        if isinstance(measure, Rate):
            return self._reason_rate(measure) if measure.reason else self._rate(measure)
        if isinstance(measure, MeanRate):
            return mean([self.measure(rate) for rate in measure.rates])
        if isinstance(measure, Share):
            return self._share(measure)
        if isinstance(measure, Cost):
            return self._cost(measure)
        if isinstance(measure, MeasureRatio):
            found = ratio(self.measure(measure.over), self.measure(measure.under))
            return saved(found) if measure.saved else found
        fact = self.fact(measure.computed)
        return None if fact is None else fact_value(measure, fact.data)

    def _rate(self, rate: Rate) -> Measured | None:
        pairs = self.stored(rate.games).pairs(rate.agent, rate.opponents, rate.boards)
        if rate.seat != BOTH:
            pairs = pairs.in_seat(1 if rate.seat == SECOND else 0)
        return scaled(pairs_rate(pairs, *COUNTS[rate.counts]), rate.out_of, pairs.tally.games)

    def _reason_rate(self, rate: Rate) -> Measured | None:
        """A rate of games that ended for one reason; pairs of games are the samples."""
        stored, (hits_of, trials_of) = self.stored(rate.games), COUNTS[rate.counts]
        samples: dict[tuple[int, str], tuple[float, float]] = {}
        n_games = 0
        places = stored.places_of(rate.boards)
        for end in stored.endings(rate.agent, rate.opponents):
            if end.place not in places or not _counts_seat(rate.seat, end.seat):
                continue
            n_games += 1
            hits, trials = samples.get((end.place, end.pair), (0.0, 0.0))
            hits += hits_of[end.result] * (end.reason == rate.reason)
            samples[end.place, end.pair] = hits, trials + trials_of[end.result]
        return scaled(rates.share(samples.values()), rate.out_of, n_games)

    def _share(self, share: Share) -> Measured | None:
        """A share of moves; pairs of games are the samples."""
        stored = self.stored(share.games)
        samples: dict[tuple[int, str], tuple[int, int]] = {}
        n_games = 0
        for place in stored.places_of([share.board]):
            is_hit = _in_vertices(share.vertices, stored, place)
            for chosen in stored.chosen_vertices(share.agent, share.opponents, place):
                lost = share.won and not chosen.won
                if lost or not _counts_seat(share.seat, chosen.seat):
                    continue
                n_games += 1
                hits, moves = samples.get((place, chosen.pair), (0, 0))
                hits += sum(map(is_hit, chosen.vertices))
                samples[place, chosen.pair] = hits, moves + len(chosen.vertices)
        return scaled(rates.share(samples.values()), 100.0, n_games)

    def _cost(self, cost: Cost) -> Measured | None:
        games = self.stored(cost.games).costs(cost.agent, cost.opponents)
        return mean_cost(
            (float(getattr(game, cost.what)), game.moves) for game in games if game.moves
        )


def _counts_seat(wanted: str, seat: int) -> bool:
    return wanted == BOTH or seat == (wanted == SECOND)


def _in_vertices(
    vertices: str | tuple[int, ...], stored: StoredGames, place: int
) -> Callable[[int], bool]:
    if isinstance(vertices, str):
        named: frozenset[int] = getattr(stored.groups(place), vertices)
        return named.__contains__
    return frozenset(vertices).__contains__


def pairs_rate(pairs: Pairs, hits: Worth, trials: Worth) -> rates.Estimate | None:
    """A share of all games, with an interval whose samples are pairs of games.

    Pairs that repeat others count in the value, as they do in the papers, but not
    as evidence in the interval.
    """
    games = [(game, n) for pair, n in pairs.counts.items() for game in pair if game is not None]
    counted = sum(n * trials[game] for game, n in games)
    found = rates.ratio(pairs, hits, trials)
    if not counted or found is None:
        return None
    value = sum(n * hits[game] for game, n in games) / counted
    return rates.Ratio(min(1.0, value), found.looseness).estimate()


def scaled(estimate: rates.Estimate | None, out_of: float, n_games: int) -> Measured | None:
    """A share between 0 and 1 as a number out of `out_of`."""
    if estimate is None:
        return None
    value, low, high = (out_of * each for each in estimate)
    return Measured(value, low, high, n_games)


def mean(found: Sequence[Measured | None]) -> Measured | None:
    """The unweighted mean of independent values; None if one is missing.

    >>> mean([Measured(50.0, 47.0, 53.0, 10), Measured(60.0, 56.0, 64.0, 20)])
    Measured(value=55.0, low=52.5, high=57.5, games=30)
    """
    each = [measured for measured in found if measured is not None]
    if len(each) < len(found) or not each:
        return None
    n = len(each)
    numbers = [_with_ends(measured) for measured in each]
    value = sum(middle for _, middle, _ in numbers) / n
    below = sqrt(sum((middle - low) ** 2 for low, middle, _ in numbers)) / n
    above = sqrt(sum((high - middle) ** 2 for _, middle, high in numbers)) / n
    return Measured(value, value - below, value + above, sum(m.games for m in each))


def mean_cost(units: Iterable[tuple[float, int]]) -> Measured | None:
    """The mean cost of a move, from (cost, moves) of games; games are the samples.

    >>> mean_cost([(10.0, 5), (30.0, 10), (20.0, 5)])
    Measured(value=3.0, low=1.13..., high=4.86..., games=3)
    """
    games = list(units)
    moves = sum(n for _, n in games)
    if not moves:
        return None
    value, n = sum(cost for cost, _ in games) / moves, len(games)
    if n == 1:  # nothing is known of how games differ, so the interval is as wide as possible
        return Measured(value, 0.0, 2 * value, 1)
    squares = sum((cost - value * own) ** 2 for cost, own in games) * n / (n - 1)
    half = student_quantile(n - 1) * sqrt(squares) / moves
    return Measured(value, max(0.0, value - half), value + half, n)


def ratio(over: Measured | None, under: Measured | None) -> Measured | None:
    """One value divided by another, with the errors of both; None if one is missing or 0 divides.

    >>> ratio(Measured(6.0), Measured(3.0))
    Measured(value=2.0, low=None, high=None, games=0)
    >>> ratio(Measured(6.0, 3.0, 9.0, 5), Measured(2.0, 1.0, 3.0, 7))
    Measured(value=3.0, low=0.87..., high=5.12..., games=12)
    """
    if over is None or under is None:
        return None
    low, top, high = _with_ends(over)
    least, bottom, most = _with_ends(under)
    if not bottom:
        return None
    value, games = top / bottom, over.games + under.games
    if over.low is None and under.low is None:
        return Measured(value, games=games)
    # How far each end of one value moves the ratio while the other value stays: down and up.
    by_over = sorted((end - top) / bottom for end in (low, high))
    by_under = sorted(top * (bottom - end) / bottom**2 for end in (least, most))
    below, above = map(hypot, by_over, by_under)
    return Measured(value, value - below, value + above, games)


def saved(found: Measured | None) -> Measured | None:
    """By how many percent a ratio is below 1."""
    if found is None:
        return None
    low, high = (None if end is None else 100 * (1 - end) for end in (found.high, found.low))
    return Measured(100 * (1 - _with_ends(found)[1]), low, high, found.games)


def fact_value(fact: Fact, data: Any) -> Measured | None:
    """The value in computed data that a fact points to; None if there is none.

    Raises
    ------
    BadText
        If it is no number, text or bool.

    Examples
    --------
    >>> fact_value(Fact("play", ("values", 1)), {"values": [3, {"value": 5, "low": 4, "high": 7}]})
    Measured(value=5, low=4, high=7, games=0)
    """
    for step in fact.path:
        if isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data = data[step]
        elif isinstance(data, dict) and str(step) in data:
            data = data[str(step)]
        else:
            return None
    if not isinstance(data, dict):
        data = {"value": data}
    value, low, high, games = (data.get(part) for part in ("value", "low", "high", "games"))
    if value is None and "value" in data:
        return None
    is_exact = low is None and high is None
    is_sound = is_exact or (_is_number(value) and _is_number(low) and _is_number(high))
    if not _is_value(value) or not is_sound or not isinstance(games, int | None):
        where = "/".join(map(str, fact.path))
        raise BadText(f"computed fact {fact.computed} has no number, text or bool at {where}")
    return Measured(value, low, high, games or 0)


def _is_value(value: object) -> bool:
    return isinstance(value, str | bool) or _is_number(value)


def _is_number(value: object) -> bool:
    try:
        return type(value) in (int, float) and isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # an integer too large for a float
        return False


def _with_ends(measured: Measured) -> tuple[float, float, float]:
    """The low end, the value and the high end of a number; exact ones have equal ends."""
    value = measured.value
    if isinstance(value, str | bool):
        raise BadText(f"{value!r:.40} is no number: nothing can be computed from it")
    low = value if measured.low is None else measured.low
    return low, value, value if measured.high is None else measured.high
