"""Single segments of INFLUENCE: table 1, Theorem 20 and section 4.3."""

from collections.abc import Iterable, Sequence
from typing import Any

from topple.papers.engine.computations.repeats import Told, say_nothing
from topple.papers.engine.computations.sums import SumScores
from topple.solvers.segments.findings import conjectures, find_irregular, find_period
from topple.solvers.solver import MEMORY

Scored = tuple[int, int, int]  # n, Ls, Rs

PUBLISHED_REACH = 80  # how far the authors' program had come
REGULAR = (38, 76)  # where they saw a period of 4
LAST_OF_FOUR = 30  # the last (4, −4) that they saw
ONCE_MORE = 1  # a period has come again at least so often


def segments(last: int, memory: int = MEMORY, report: Told = say_nothing) -> dict[str, Any]:
    """Ls and Rs of all segments up to a length, and what they say of section 4.

    Parameters
    ----------
    last : int
        The longest segment.
    memory : int
        Megabytes for the search.
    """
    rows = SumScores(last, last, memory, report).of_segments()
    return {
        "title": f"segments of 1 to {last} vertices",
        "axes": ["n", "score"],
        "x": [n for n, _, _ in rows],
        "series": {"Ls": [left for _, left, _ in rows], "Rs": [right for _, _, right in rows]},
        "last": last,
        "theorem_20": _theorem_20(rows),
        "sequence": _sequence(rows),
    }


def _theorem_20(rows: Sequence[Scored]) -> dict[str, Any]:
    """The values of Ls and Rs in each class; one vertex is no segment."""
    even = [row for row in rows if row[0] % 2 == 0]
    minus = [row for row in rows if row[0] % 2 == 1 and row[0] > 1]
    plus = [(n, -right, -left) for n, left, right in minus]  # the negatives of C₋
    odd_left = [row for row in minus if row[0] // 2 % 2 == 1]  # of C₋, |L| = (n − 1)/2
    even_left = [row for row in plus if (row[0] + 1) // 2 % 2 == 0]  # of C₊, |L| = (n + 1)/2
    return {
        "even": _values(even),
        "minus": _values(minus),
        "plus": _values(plus),
        "minus_odd": _values(odd_left),
        "plus_even": _values(even_left),
        "first_wins": all(left > 0 > right for _, left, right in (*even, *minus, *plus)),
        "most": max(max(left, -right) for _, left, right in (*even, *minus)),
    }


def _values(rows: Iterable[Scored]) -> dict[str, str]:
    rows = list(rows)
    return {"Ls": values_text(left for _, left, _ in rows),
            "Rs": values_text(right for _, _, right in rows)}  # fmt: skip


def values_text(values: Iterable[int]) -> str:
    """Different values in order, as people write them.

    >>> values_text([3, -1, 1, 3])
    '−1, 1, 3'
    """
    return ", ".join(f"{value}" for value in sorted(set(values))).replace("-", "−")


def _sequence(rows: Sequence[Scored]) -> dict[str, Any]:
    """What section 4.3 says of the sequence, and how far it goes on like that."""
    scores = {n: (left, right) for n, left, right in rows}
    fours = [n for n, both in scores.items() if both == (4, -4)]
    _, conjecture_26, conjecture_27 = conjectures(rows)
    first, last = REGULAR
    return {
        "right_77": scores[77][1] if 77 in scores else "not computed",
        "period_4_to_76": last in scores
        and all(scores[n] == scores[n + 4] for n in range(first, last - 3)),
        "none_to_80": find_period(rows[:PUBLISHED_REACH], ONCE_MORE) is None,
        "last_four": fours[-1],
        "even_after_30": values_text(
            scores[n][0] for n in scores if n > LAST_OF_FOUR and n % 2 == 0
        ),
        "rare": ", ".join(str(n) for n in find_irregular(rows)),
        "conjecture_26": _case(conjecture_26.counterexamples),
        "conjecture_27": _case(conjecture_27.counterexamples),
        # Theorem 20 gives 3 for n = 3 mod 4; section 4.3 prints 1 mod 4.
        "as_printed": _case(n for n in scores if n % 4 == 1 and n not in (1, 5)
                            and scores[n][0] != 3),
        "as_proved": _case(n for n in scores if n % 4 == 3 and scores[n][0] != 3),
        **_period(rows),
    }  # fmt: skip


def _case(counterexamples: Iterable[int]) -> dict[str, Any]:
    against = list(counterexamples)
    return {"holds": not against, "counterexamples": against, "n_against": len(against)}


def _period(rows: Sequence[Scored]) -> dict[str, Any]:
    """The period that the end of the sequence shows, if there is one."""
    found = find_period(rows, ONCE_MORE)
    if found is None:
        return {"is_periodic": False, "period": "none", "period_length": 0, "period_start": 0}
    times = found.n_repeats + 1
    text = f"{found.length}, from n = {found.start} on, {times} times to n = {found.last}"
    return {"is_periodic": True, "period": text,
            "period_length": found.length, "period_start": found.start}  # fmt: skip
