"""Checks: whether what a paper says in words holds of what was measured."""

from collections.abc import Callable, Iterable, Mapping
from math import inf

from topple.papers.engine.findings import FAILS, HOLDS, UNDECIDED, Measured
from topple.papers.paper import Between, Check, Fact, Falling

Place = tuple[str, str]  # row and column
Values = Mapping[Place, Measured | None]
FactOf = Callable[[Fact], Measured | None]


def judge_checks(checks: Iterable[Check], values: Values, fact_of: FactOf) -> str:
    """The verdict on checks that must all hold: it fails with one of them."""
    return all_of(judge_check(check, values, fact_of) for check in checks)


def judge_check(check: Check, values: Values, fact_of: FactOf) -> str:
    """Whether a check holds; undecided where intervals leave it open, or a value is missing."""
    if isinstance(check, Falling):
        found = [values.get(place) for place in check.cells]
        return all_of(map(_falls, found[:-1], found[1:]))
    if isinstance(check, Between):
        return _lies_between(values.get((check.row, check.column)), check.low, check.high)
    truth = fact_of(check.fact)
    if truth is None:
        return UNDECIDED
    return HOLDS if truth.value is True else FAILS


def is_measured(check: Check, values: Values, fact_of: FactOf) -> bool:
    """Whether anything of what a check looks at is measured."""
    if isinstance(check, Falling):
        return any(values.get(place) is not None for place in check.cells)
    if isinstance(check, Between):
        return values.get((check.row, check.column)) is not None
    return fact_of(check.fact) is not None


def all_of(verdicts: Iterable[str]) -> str:
    """What several verdicts come to.

    >>> all_of([HOLDS, UNDECIDED]), all_of([UNDECIDED, FAILS])
    ('undecided', 'fails')
    """
    given = set(verdicts)
    return FAILS if FAILS in given else UNDECIDED if UNDECIDED in given else HOLDS


def ends(measured: Measured) -> tuple[float, float] | None:
    """The ends of the interval, both the value where that is exact; None of a text or truth."""
    value, low, high = measured.value, measured.low, measured.high
    if isinstance(value, str | bool):
        return None
    return value if low is None else low, value if high is None else high


def margin_towards(measured: Measured, other: float) -> float:
    """How far the interval reaches from the value towards another number; 0 of exact values.

    >>> none_of_27 = Measured(0.0, 0.0, 12.46)
    >>> margin_towards(none_of_27, 7.0), margin_towards(none_of_27, -7.0)
    (12.46, 0.0)
    """
    found = ends(measured)
    if found is None or isinstance(measured.value, str):
        return 0.0
    return found[1] - measured.value if other > measured.value else measured.value - found[0]


def _falls(before: Measured | None, after: Measured | None) -> str:
    """Whether the second of two values is the lower one, beyond their intervals."""
    if before is None or after is None:
        return UNDECIDED
    one, two = ends(before), ends(after)
    if one is None or two is None:  # texts do not fall
        return FAILS
    if one[0] > two[1]:
        return HOLDS
    is_exact = one[0] == one[1] and two[0] == two[1]
    return FAILS if one[1] < two[0] or is_exact else UNDECIDED


def _lies_between(measured: Measured | None, low: float | None, high: float | None) -> str:
    """Whether a value lies between two bounds with all of its interval."""
    if measured is None:
        return UNDECIDED
    found = ends(measured)
    if found is None:
        return FAILS
    least, most = -inf if low is None else low, inf if high is None else high
    if least <= found[0] and found[1] <= most:
        return HOLDS
    return FAILS if found[1] < least or found[0] > most else UNDECIDED
