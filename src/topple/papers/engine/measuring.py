"""Measuring: what stored games and computed facts come to, with 95% intervals."""

from collections.abc import Callable, Iterable, Sequence
from math import hypot, isfinite, sqrt
from typing import Any

from topple.arena.statistics import rates as statistics
from topple.arena.statistics.pairs import Pairs
from topple.arena.store.facts import ComputedFact
from topple.arena.store.store import Store
from topple.core.errors import BadText
from topple.core.means import student_quantile
from topple.papers.engine.computing import fact_name
from topple.papers.engine.counts import COUNTS, Worth
from topple.papers.engine.findings import Measured
from topple.papers.engine.ledger import Ledger
from topple.papers.engine.plans import Plans
from topple.papers.paper import (
    BOTH,
    SECOND,
    Cost,
    Fact,
    MeanRate,
    Measure,
    Rate,
    Ratio,
    Share,
)


class Measuring:
    """Measures of a paper from a store at a scale; each set of games is read once."""

    def __init__(self, plans: Plans, store: Store) -> None:
        self.plans, self.store = plans, store
        self._ledgers: dict[str, Ledger] = {}
        self._facts: dict[str, ComputedFact | None] = {}

    def ledger(self, name: str) -> Ledger:
        """What the store has of some games."""
        if name not in self._ledgers:
            games, plan = self.plans.games(name), self.plans.plan(name)
            self._ledgers[name] = Ledger(games, self.plans.scale, plan, self.store)
        return self._ledgers[name]

    def fact(self, name: str) -> ComputedFact | None:
        """A computed fact; None if it is not computed yet."""
        if name not in self._facts:
            computed = self.plans.computed(name)
            self._facts[name] = self.store.read_fact(fact_name(computed, self.plans.scale))
        return self._facts[name]

    def measure(self, measure: Measure) -> Measured | None:
        """The value of a measure; None where nothing is there to measure it by.

        Raises
        ------
        BadText
            If a computed fact has no value where one is looked for.
        StoreError
            If the store is damaged.
        """
        if isinstance(measure, Rate):
            return self._rate(measure)
        if isinstance(measure, MeanRate):
            return mean([self._rate(rate) for rate in measure.rates])
        if isinstance(measure, Share):
            return self._share(measure)
        if isinstance(measure, Cost):
            return self._cost(measure)
        if isinstance(measure, Ratio):
            found = ratio(self.measure(measure.over), self.measure(measure.under))
            return saved(found) if measure.saved else found
        kept = self.fact(measure.computed)
        return None if kept is None else fact_value(measure, kept.data)

    def _rate(self, rate: Rate) -> Measured | None:
        if rate.reason:
            return self._rate_of_reason(rate)
        pairs = self.ledger(rate.games).pairs(rate.agent, rate.opponents, rate.boards)
        if rate.seat != BOTH:
            pairs = pairs.in_seat(1 if rate.seat == SECOND else 0)
        return scaled(pairs_rate(pairs, *COUNTS[rate.counts]), rate.out_of, pairs.tally.games)

    def _rate_of_reason(self, rate: Rate) -> Measured | None:
        """Units are pairs of games; in one seat, games."""
        ledger, (hits_of, trials_of) = self.ledger(rate.games), COUNTS[rate.counts]
        units: dict[tuple[int, str], tuple[float, float]] = {}
        n_games = 0
        places = ledger.places_of(rate.boards)
        for end in ledger.ends(rate.agent, rate.opponents):
            if end.place not in places or not _counts_seat(rate.seat, end.seat):
                continue
            n_games += 1
            hits, trials = units.get((end.place, end.pair), (0.0, 0.0))
            hits += hits_of[end.result] * (end.reason == rate.reason)
            units[end.place, end.pair] = hits, trials + trials_of[end.result]
        return scaled(statistics.share(units.values()), rate.out_of, n_games)

    def _share(self, share: Share) -> Measured | None:
        """Units are pairs of games; in one seat, games."""
        ledger = self.ledger(share.games)
        units: dict[tuple[int, str], tuple[int, int]] = {}
        n_games = 0
        for place in ledger.places_of([share.board]):
            hit = _in_vertices(share.vertices, ledger, place)
            for turns in ledger.turns(share.agent, share.opponents, place):
                lost = share.won and not turns.won
                if lost or not _counts_seat(share.seat, turns.seat):
                    continue
                n_games += 1
                hits, moves = units.get((place, turns.pair), (0, 0))
                hits += sum(map(hit, turns.vertices))
                units[place, turns.pair] = hits, moves + len(turns.vertices)
        return scaled(statistics.share(units.values()), 100.0, n_games)

    def _cost(self, cost: Cost) -> Measured | None:
        works = self.ledger(cost.games).works(cost.agent, cost.opponents)
        units = [(float(getattr(work, cost.what)), work.moves) for work in works if work.moves]
        return mean_cost(units)


def _counts_seat(wanted: str, seat: int) -> bool:
    return wanted == BOTH or seat == (wanted == SECOND)


def _in_vertices(
    vertices: str | tuple[int, ...], ledger: Ledger, place: int
) -> Callable[[int], bool]:
    if isinstance(vertices, str):
        named: frozenset[int] = getattr(ledger.groups(place), vertices)
        return named.__contains__
    return frozenset(vertices).__contains__


def pairs_rate(pairs: Pairs, hits: Worth, trials: Worth) -> statistics.Estimate | None:
    """A share of games as they were counted, with an interval that pairs are the units of.

    Pairs that repeat others count, as in the papers, but the interval knows that
    they tell nothing new.
    """
    games = [(game, n) for pair, n in pairs.counts.items() for game in pair if game is not None]
    counted = sum(n * trials[game] for game, n in games)
    found = statistics.ratio(pairs, hits, trials)
    if not counted or found is None:
        return None
    value = sum(n * hits[game] for game, n in games) / counted
    return statistics.Ratio(min(1.0, value), found.looseness).estimate()


def scaled(estimate: statistics.Estimate | None, out_of: float, n_games: int) -> Measured | None:
    """A share as a number out of 100, or of another whole."""
    if estimate is None:
        return None
    value, low, high = (out_of * each for each in estimate)
    return Measured(value, low, high, n_games)


def mean(found: Sequence[Measured | None]) -> Measured | None:
    """The mean of independent values, each weighing the same; None if one is missing.

    >>> mean([Measured(50.0, 47.0, 53.0, 10), Measured(60.0, 56.0, 64.0, 20)])
    Measured(value=55.0, low=52.5, high=57.5, games=30)
    """
    each = [measured for measured in found if measured is not None]
    if len(each) < len(found) or not each:
        return None
    n = len(each)
    values = [_number(measured.value) for measured in each]
    value = sum(values) / n
    below = sqrt(sum((v - _low(m)) ** 2 for v, m in zip(values, each, strict=True))) / n
    above = sqrt(sum((_high(m) - v) ** 2 for v, m in zip(values, each, strict=True))) / n
    return Measured(value, value - below, value + above, sum(m.games for m in each))


def mean_cost(units: Iterable[tuple[float, int]]) -> Measured | None:
    """What a move costs: the ratio of sums over games, with how much the games differ.

    >>> mean_cost([(10.0, 5), (30.0, 10), (20.0, 5)])
    Measured(value=3.0, low=1.13..., high=4.86..., games=3)
    """
    games = list(units)
    moves = sum(n for _, n in games)
    if not moves:
        return None
    value, n = sum(cost for cost, _ in games) / moves, len(games)
    if n == 1:  # how games differ is not known: an interval as wide as can be shown
        return Measured(value, 0.0, 2 * value, 1)
    squares = sum((cost - value * own) ** 2 for cost, own in games) * n / (n - 1)
    half = student_quantile(n - 1) * sqrt(squares) / moves
    return Measured(value, max(0.0, value - half), value + half, n)


def ratio(over: Measured | None, under: Measured | None) -> Measured | None:
    """One value by another, with the errors of both; None without them, or by nothing.

    >>> ratio(Measured(6.0), Measured(3.0))
    Measured(value=2.0, low=None, high=None, games=0)
    >>> ratio(Measured(6.0, 3.0, 9.0, 5), Measured(2.0, 1.0, 3.0, 7))
    Measured(value=3.0, low=0.87..., high=5.12..., games=12)
    """
    if over is None or under is None or not _number(under.value):
        return None
    one, other = _number(over.value), _number(under.value)
    value, games = one / other, over.games + under.games
    if over.low is None and under.low is None:
        return Measured(value, games=games)
    # What the ends of each add to the ratio, the other being as it is: one less, one more.
    by_over = sorted((end - one) / other for end in (_low(over), _high(over)))
    by_under = sorted(one * (other - end) / other**2 for end in (_low(under), _high(under)))
    below, above = map(hypot, by_over, by_under)
    return Measured(value, value - below, value + above, games)


def saved(found: Measured | None) -> Measured | None:
    """How much less than 1 a ratio is, in percent."""
    if found is None:
        return None
    low, high = (None if end is None else 100 * (1 - end) for end in (found.high, found.low))
    return Measured(100 * (1 - _number(found.value)), low, high, found.games)


def fact_value(fact: Fact, data: Any) -> Measured | None:
    """What stands in computed data where a fact points to; None if nothing does.

    Raises
    ------
    BadText
        If it is no number, text or truth.

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
        raise BadText(f"computed fact {fact.computed} has no number, text or truth at {where}")
    return Measured(value, low, high, games or 0)


def _is_value(value: object) -> bool:
    return isinstance(value, str | bool) or _is_number(value)


def _is_number(value: object) -> bool:
    try:
        return type(value) in (int, float) and isfinite(value)  # type: ignore[arg-type]
    except OverflowError:  # a whole number that is far too large
        return False


def _number(value: float | str | bool) -> float:
    if isinstance(value, str | bool):
        raise BadText(f"{value!r:.40} is no number: nothing can be computed from it")
    return value


def _low(measured: Measured) -> float:
    return _number(measured.value) if measured.low is None else measured.low


def _high(measured: Measured) -> float:
    return _number(measured.value) if measured.high is None else measured.high
