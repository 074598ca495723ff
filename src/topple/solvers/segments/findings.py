"""What the score sequence shows: irregular scores, periods, and Conjectures 25 to 27."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

IRREGULAR = ((4, -4), (1, -5))  # the "rare" scores of section 4.3
REPEATS = 2  # repetitions of a stretch that make it a period

Scored = tuple[int, int, int]  # n, Ls, Rs


class Period(NamedTuple):
    """The known scores from `start` on repeat every `length` segments."""

    start: int
    length: int
    last: int  # the last known segment

    @property
    def n_repeats(self) -> int:
        """How often the first stretch is repeated in full."""
        return (self.last - self.start + 1) // self.length - 1


class Finding(NamedTuple):
    """What the sequence says about a conjecture."""

    number: int
    statement: str
    counterexamples: tuple[int, ...]
    last: int
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether there is no counterexample up to `last`."""
        return not self.counterexamples

    @property
    def text(self) -> str:
        """The finding in one line."""
        if self.counterexamples:
            verdict = f"fails at n = {', '.join(map(str, self.counterexamples))}"
        else:
            verdict = self.remark or f"holds up to n = {self.last}"
        return f"Conjecture {self.number} ({self.statement}): {verdict}"


def find_irregular(rows: Iterable[Scored]) -> tuple[int, ...]:
    """The n whose scores are (4, −4) or (1, −5).

    >>> find_irregular([(4, 4, -4), (5, 1, -5), (6, 2, -2)])
    (4, 5)
    """
    return tuple(n for n, *scores in rows if tuple(scores) in IRREGULAR)


def find_period(rows: Sequence[Scored], repeats: int = REPEATS) -> Period | None:
    """The period at the end of the sequence that begins first.

    A finite part of a sequence proves no period. This finds the stretch that is repeated at
    least `repeats` times up to the end and covers most of the sequence, the shortest if
    there are several. The rows are for consecutive n.

    Examples
    --------
    >>> find_period([(n, n % 3, 0) for n in range(1, 13)])
    Period(start=1, length=3, last=12)
    >>> find_period([(n, n, 0) for n in range(1, 13)]) is None
    True
    """
    scores = [tuple(row[1:]) for row in rows]
    n = len(scores)
    found: Period | None = None
    for length in range(1, n // (repeats + 1) + 1):
        start = n - length
        while start > 0 and scores[start - 1] == scores[start - 1 + length]:
            start -= 1
        is_long = n - start >= (repeats + 1) * length
        if is_long and (found is None or rows[start][0] < found.start):
            found = Period(rows[start][0], length, rows[-1][0])
    return found


def conjectures(rows: Sequence[Scored], repeats: int = REPEATS) -> tuple[Finding, ...]:
    """What the sequence says about Conjectures 25, 26 and 27 of the paper.

    >>> for finding in conjectures([(5, 1, -5), (6, 2, -2), (7, 3, -1), (8, 4, -2)]):
    ...     print(finding.text)
    Conjecture 25 (ultimately periodic): no period up to n = 8
    Conjecture 26 (Ls = 1 for n = 1 mod 4, n > 1): holds up to n = 8
    Conjecture 27 (Ls = 2 for n = 0 mod 4, n > 4): fails at n = 8
    """
    last = rows[-1][0] if rows else 0
    return (
        Finding(25, "ultimately periodic", (), last, _period_text(rows, repeats)),
        _finding(26, "Ls = 1 for n = 1 mod 4, n > 1", rows, residue=1, left=1),
        _finding(27, "Ls = 2 for n = 0 mod 4, n > 4", rows, residue=0, left=2),
    )


def _finding(
    number: int, statement: str, rows: Sequence[Scored], *, residue: int, left: int
) -> Finding:
    """Whether all segments with n > 4 and n = residue mod 4 have Ls = left."""
    last = rows[-1][0] if rows else 0
    cases = [(n, found) for n, found, _ in rows if n > 4 and n % 4 == residue]
    counterexamples = tuple(n for n, found in cases if found != left)
    remark = "" if cases else f"no case up to n = {last}"
    return Finding(number, statement, counterexamples, last, remark)


def _period_text(rows: Sequence[Scored], repeats: int) -> str:
    period = find_period(rows, repeats)
    if period is None:
        return f"no period up to n = {rows[-1][0] if rows else 0}"
    times = period.n_repeats + 1
    return f"period {period.length} from n = {period.start}, {times} times to n = {period.last}"
