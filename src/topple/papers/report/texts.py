"""Words and numbers of findings, the same in the terminal, on the page and in Markdown."""

from collections.abc import Iterable
from math import floor, isfinite, log10

from topple.core.means import LEVEL
from topple.core.text import duration
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED,
    UNDECIDED_ITEM,
    GamesSummary,
    ItemFindings,
    JudgedCell,
    Measured,
)
from topple.papers.paper import Number

NOTHING = "–"
LOPSIDED = 2.0  # an interval that reaches so many times farther to one side is written out
MOST_DIGITS = 8  # behind the point
FORFEITED = "forfeited: lost by a crash, an illegal move or time"
FEW = 0.1  # of the values differ: it may be by chance

# A shape for each verdict: nobody has to tell colours apart.
MARKS = {
    AGREES: "✓", DIFFERS: "✗", EXPLAINED: "▲", OPEN: "○", OURS: "·",
    HOLDS: "✓", FAILS: "✗", UNDECIDED: "?", UNDECIDED_ITEM: "?",
}  # fmt: skip


def published_text(published: Number | str | bool | None, margin_digits: int = 0) -> str:
    """What was published, as it is printed.

    Margins have at least so many digits as others of the same table: a printed
    0.20 is 0.2 as data.

    >>> published_text(Number(31.0, 1.48)), published_text(Number(99.6, 0.2), 2)
    ('31.0 ± 1.48', '99.6 ± 0.20')
    >>> published_text(Number(984)), published_text("W"), published_text(None)
    ('984', 'W', '–')
    """
    if published is None:
        return NOTHING
    if isinstance(published, bool | str):
        return plain_text(published)
    value = _as_printed(published.value)
    if published.margin is None:
        return value
    digits = max(margin_digits, _digits_of(published.margin))
    return f"{value} ± {published.margin:,.{digits}f}"


def margin_digits(published: Iterable[Number | str | bool | None]) -> int:
    """How many digits the margins of a table have behind the point.

    >>> margin_digits([Number(31.0, 1.48), Number(99.6, 0.2), "W"])
    2
    """
    margins = (each.margin for each in published if isinstance(each, Number))
    return max((_digits_of(margin) for margin in margins if margin is not None), default=0)


def measured_text(measured: Measured | None) -> str:
    """A measured value with half its interval, or with its ends where they lie unevenly.

    >>> measured_text(Measured(28.4, 26.4, 30.6)), measured_text(Measured(0.3, 0.1, 0.9))
    ('28.4 ± 2.1', '0.3 (0.1 to 0.9)')
    >>> measured_text(Measured(-5)), measured_text(Measured(True)), measured_text(None)
    ('-5', 'yes', '–')
    """
    if measured is None:
        return NOTHING
    value, low, high = measured.value, measured.low, measured.high
    if isinstance(value, bool | str) or (low is None and high is None):
        return plain_text(value)
    if low is None or high is None:
        bound = f"up to {plain_text(high)}" if low is None else f"from {plain_text(low)}"
        return f"{plain_text(value)} ({bound})"
    half = (high - low) / 2
    digits = _digits_for(half)
    below, above = value - low, high - value
    if max(below, above) > LOPSIDED * max(min(below, above), 0.0):
        digits -= half < 1  # two ends tell more than one margin
        value_text, low_text, high_text = (_fixed(each, digits) for each in (value, low, high))
        return f"{value_text} ({low_text} to {high_text})"
    return f"{_fixed(value, digits)} ± {_fixed(half, digits)}"


def is_exact(measured: Measured | None) -> bool:
    """Whether a value was measured and has no interval."""
    return measured is not None and measured.low is None and measured.high is None


def plain_text(value: object) -> str:
    """A number, text or truth without an interval.

    >>> plain_text(22500), plain_text(2 / 3), plain_text(0.0000123), plain_text(False)
    ('22,500', '0.666667', '1.23e-05', 'no')
    """
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return f"{value:,.0f}"
        return f"{value:,.1f}" if abs(value) >= 1e5 else f"{value:,.6g}"
    return str(value)


def verdict_text(verdict: str) -> str:
    """A verdict with its shape.

    >>> verdict_text("agrees")
    '✓ agrees'
    """
    return f"{MARKS[verdict]} {verdict}" if verdict in MARKS else verdict


def games_text(played: Iterable[GamesSummary]) -> str:
    """How many games there are, of how many.

    >>> from topple.papers.paper import Games
    >>> games = Games("I", (), {}, 500, 4)
    >>> games_text([GamesSummary(games, {}, 15, 2250, 2250, 22500, 60.0)])
    '2,250 of 22,500 games'
    >>> games_text([GamesSummary(games, {}, 15, 100, 2250, 22500, 60.0)])
    '100 of 22,500 games (2,250 at this scale)'
    >>> games_text([GamesSummary(games, {}, 15, 2250, 2250, 22500, 60.0, n_forfeits=3)])
    '2,250 of 22,500 games, 3 of them forfeited: lost by a crash, an illegal move or time'
    """
    sets = list(played)
    n_games, planned, full = (
        sum(values) for values in zip(*((p.n_games, p.planned, p.full) for p in sets), strict=True)
    ) if sets else (0, 0, 0)  # fmt: skip
    if not full and not n_games:
        return "none"
    n_forfeits = sum(each.n_forfeits for each in sets)
    forfeited = f", {n_forfeits:,} of them {FORFEITED}" if n_forfeits else ""
    if n_games == planned == full:
        return ("1 game" if n_games == 1 else f"{n_games:,} games") + forfeited
    so_far = f" ({planned:,} at this scale)" if n_games < planned < full else ""
    return f"{n_games:,} of {full:,} games{so_far}{forfeited}"


def effort_text(found: ItemFindings) -> str:
    """The games and the computing time behind an item."""
    games = f"{games_text(found.played)}, " if found.played else ""
    return f"{games}{duration(found.seconds)} of one core"


def agreement(found: ItemFindings) -> tuple[int, int]:
    """Published values of the item's own settings that agree, and how many there are."""
    verdicts = [each.verdict for each in found.cells
                if each.choice is None and each.cell.published is not None]  # fmt: skip
    return verdicts.count(AGREES), len(verdicts)


def chance_text(found: ItemFindings) -> str:
    """How many values would differ by chance, where few of many estimates do; else nothing."""
    verdicts = [each.verdict for each in found.cells
                if each.choice is None and _is_estimate(each)]  # fmt: skip
    n, k = len(verdicts), verdicts.count(DIFFERS)
    if not 0 < k <= max(1, round(FEW * n)) or k == n:
        return ""
    return f"{k:,} of {n:,} values differ; about {(1 - LEVEL) * n:.2g} would by chance"


def _is_estimate(judged: JudgedCell) -> bool:
    """Whether a published number is beside a measured one, and either has an interval."""
    published, measured = judged.cell.published, judged.measured
    if not isinstance(published, Number) or measured is None:
        return False
    return not is_exact(measured) or (published.margin or published.trials) is not None


def claims_holding(found: ItemFindings) -> tuple[int, int]:
    """Claims that hold, and how many there are."""
    verdicts = [each.verdict for each in found.claims]
    return verdicts.count(HOLDS), len(verdicts)


def out_of(counts: tuple[int, int]) -> str:
    """So many of so many.

    >>> out_of((12, 18)), out_of((0, 0))
    ('12 of 18', '–')
    """
    return f"{counts[0]:,} of {counts[1]:,}" if counts[1] else NOTHING


def _as_printed(value: float) -> str:
    """A number with the digits that it has as data.

    >>> _as_printed(980.5), _as_printed(31.0), _as_printed(50000), _as_printed(0.1)
    ('980.5', '31.0', '50,000', '0.1')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{_digits_of(value)}f}" if abs(value) >= 1e-4 or not value else repr(value)


def _digits_of(value: float) -> int:
    """Digits behind the point: as few as tell the number, and one at least where it has one."""
    mantissa, _, exponent = repr(value).partition("e")
    _, _, behind = mantissa.partition(".")
    digits = len(behind)
    return min(MOST_DIGITS, max(0, digits - int(exponent or 0)))


def _digits_for(half: float) -> int:
    """Digits behind the point that show two figures of half an interval."""
    if not isfinite(half) or half <= 0:
        return 1
    return min(MOST_DIGITS, max(0, 1 - floor(log10(half))))


def _fixed(value: float, digits: int) -> str:
    """With so many digits, and no minus before nothing."""
    if digits >= MOST_DIGITS:
        return f"{value:.2g}"
    text = f"{value:,.{digits}f}"
    return text if text.strip("-0.,") else text.lstrip("-")
