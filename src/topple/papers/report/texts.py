"""Values, verdicts and settings in words, the same in the terminal, page and Markdown."""

from collections.abc import Iterable, Mapping
from math import floor, isfinite, log10
from typing import Any, NamedTuple

from topple.core.means import LEVEL
from topple.core.text import duration, one_line, plural
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
from topple.papers.engine.plans import Scale
from topple.papers.paper import Computed, GameField, GameSet, Number, Paper
from topple.present.table import NOTHING

LOPSIDED = 2.0  # the ratio of its sides from which the ends of an interval are written out
MOST_DIGITS = 8  # after the decimal point
FORFEITED = "forfeited: lost by a crash, an illegal move or time"
FEW = 0.1  # the share of differing values that may be due to chance
SOME_BOARDS = 3  # that are named where the page names all boards of a set of games

# A shape for each verdict, so that nobody needs to distinguish colours.
MARKS = {
    AGREES: "✓",
    DIFFERS: "✗",
    EXPLAINED: "▲",
    OPEN: "○",
    OURS: "·",
    HOLDS: "✓",
    FAILS: "✗",
    UNDECIDED: "?",
    UNDECIDED_ITEM: "?",
}


def published_text(published: Number | str | bool | None, margin_digits: int = 0) -> str:
    """A published value as it is printed.

    Margins get at least `margin_digits` decimals, since data do not distinguish a
    printed 0.20 from 0.2.

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
    """The largest number of decimals among the margins of a table.

    >>> margin_digits([Number(31.0, 1.48), Number(99.6, 0.2), "W"])
    2
    """
    margins = (each.margin for each in published if isinstance(each, Number))
    return max((_digits_of(margin) for margin in margins if margin is not None), default=0)


def measured_text(measured: Measured | None) -> str:
    """A measured value with half its interval, or with both ends if they are lopsided.

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
        digits -= half < 1  # both ends need fewer digits than one margin
        value_text, low_text, high_text = (_fixed(each, digits) for each in (value, low, high))
        return f"{value_text} ({low_text} to {high_text})"
    return f"{_fixed(value, digits)} ± {_fixed(half, digits)}"


def plain_text(value: object) -> str:
    """A number, text or bool without an interval.

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


def capitalised(text: str) -> str:
    """A text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def verdict_text(verdict: str) -> str:
    """A verdict after its shape.

    >>> verdict_text("agrees")
    '✓ agrees'
    """
    return f"{MARKS[verdict]} {verdict}" if verdict in MARKS else verdict


def games_text(played: Iterable[GamesSummary]) -> str:
    """How many games a store has, of how many.

    >>> from topple.papers.paper import GameSet
    >>> games = GameSet("I", (), {}, 500, 4)
    >>> games_text([GamesSummary(games, {}, 15, 2250, 2250, 22500, 60.0)])
    '2,250 of 22,500 games'
    >>> games_text([GamesSummary(games, {}, 15, 100, 2250, 22500, 60.0)])
    '100 of 22,500 games (2,250 at this scale)'
    >>> games_text([GamesSummary(games, {}, 15, 2250, 2250, 22500, 60.0, n_forfeits=3)])
    '2,250 of 22,500 games, 3 of them forfeited: lost by a crash, an illegal move or time'
    """
    sets = list(played)
    n_games, planned, full, n_forfeits = (
        sum(getattr(each, name) for each in sets)
        for name in ("n_games", "planned", "full", "n_forfeits")
    )
    if not full and not n_games:
        return "none"
    forfeited = f", {n_forfeits:,} of them {FORFEITED}" if n_forfeits else ""
    if n_games == planned == full:
        return plural(n_games, "game") + forfeited
    so_far = f" ({planned:,} at this scale)" if n_games < planned < full else ""
    return f"{n_games:,} of {full:,} games{so_far}{forfeited}"


def effort_text(found: ItemFindings) -> str:
    """The games and the computing time behind an item."""
    games = f"{games_text(found.played)}, " if found.played else ""
    return f"{games}{duration(found.seconds)} of one core"


def agreement(found: ItemFindings) -> tuple[int, int]:
    """How many published values agree under the item's own settings, and of how many."""
    verdicts = [
        each.verdict
        for each in found.cells
        if each.choice is None and each.cell.published is not None
    ]
    return verdicts.count(AGREES), len(verdicts)


def chance_text(found: ItemFindings) -> str:
    """How many values would differ by chance, if few of many estimates differ; else empty."""
    verdicts = [each.verdict for each in found.cells if each.choice is None and _is_estimate(each)]
    n, k = len(verdicts), verdicts.count(DIFFERS)
    if not 0 < k <= max(1, round(FEW * n)) or k == n:
        return ""
    return f"{k:,} of {n:,} values differ; about {(1 - LEVEL) * n:.2g} would by chance"


def _is_estimate(judged: JudgedCell) -> bool:
    """Whether a published and a measured number are compared, and either has an interval."""
    published, measured = judged.cell.published, judged.measured
    if not isinstance(published, Number) or measured is None:
        return False
    return not measured.is_exact or (published.margin or published.trials) is not None


def claims_holding(found: ItemFindings) -> tuple[int, int]:
    """How many claims hold, and of how many."""
    verdicts = [each.verdict for each in found.claims]
    return verdicts.count(HOLDS), len(verdicts)


def out_of(counts: tuple[int, int]) -> str:
    """A count of a total.

    >>> out_of((12, 18)), out_of((0, 0))
    ('12 of 18', '–')
    """
    return f"{counts[0]:,} of {counts[1]:,}" if counts[1] else NOTHING


def _as_printed(value: float) -> str:
    """A number with the digits of its Python literal.

    >>> _as_printed(980.5), _as_printed(31.0), _as_printed(50000), _as_printed(0.1)
    ('980.5', '31.0', '50,000', '0.1')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{_digits_of(value)}f}" if abs(value) >= 1e-4 or not value else repr(value)


def _digits_of(value: float) -> int:
    """The number of decimals in the shortest form of a number."""
    mantissa, _, exponent = repr(value).partition("e")
    _, _, behind = mantissa.partition(".")
    digits = len(behind)
    return min(MOST_DIGITS, max(0, digits - int(exponent or 0)))


def _digits_for(half: float) -> int:
    """The number of decimals that show two significant figures of half an interval."""
    if not isfinite(half) or half <= 0:
        return 1
    return min(MOST_DIGITS, max(0, 1 - floor(log10(half))))


def _fixed(value: float, digits: int) -> str:
    """A number with fixed decimals, without a minus sign before zero."""
    if digits >= MOST_DIGITS:
        return f"{value:.2g}"
    text = f"{value:,.{digits}f}"
    return text if text.strip("-0.,") else text.lstrip("-")


# -- settings ----------------------------------------------------------------------------------


class SettingsText(NamedTuple):
    """The settings of a set of games or a computation: a title, and terms with texts."""

    title: str
    lines: tuple[tuple[str, str], ...]


def settings_of(
    found: ItemFindings, paper: Paper, scale: Scale, most: int | None = None
) -> list[SettingsText]:
    """The settings of the games and computations behind an item.

    At most `most` boards of a set of games are named. If some sets of games were
    played, the others are only mentioned.
    """
    computed = {each.name: each for each in paper.computed}
    used = [computed[name] for name in found.item.sources().computed]
    return [
        *(
            played_settings(played, scale, most)
            if played.n_games or not found.n_games
            else SettingsText(f"games {played.games.name}", (("games", "none are played yet"),))
            for played in found.played
        ),
        *(computed_settings(each, scale) for each in used),
    ]


def without_repeats(
    settings: list[SettingsText], name: str, shown: dict[SettingsText, str]
) -> list[SettingsText]:
    """Settings of the item `name`, with references for those that another item has shown.

    `shown` maps settings to the item that showed them first; it is changed in place.
    """
    return [
        each
        if shown.setdefault(each, name) == name
        else SettingsText(each.title, (("settings", f"as for {shown[each]}"),))
        for each in settings
    ]


def played_settings(played: GamesSummary, scale: Scale, most: int | None = None) -> SettingsText:
    """The settings of a set of games at a scale, in words."""
    games = played.games
    each = f"{scale.n_games(games):,} for each pairing on each board, half with seats swapped"
    lines = [
        ("agents", "; ".join(f"{name} = {text}" for name, text in played.agents.items())),
        *_agents_at_full(played),
        ("pairings", _pairings(games, played.agents)),
        ("played on", "; ".join(field_texts(games.fields[: played.n_fields], most))),
        ("games", f"{games_text([played])}: {each}"),
    ]
    if games.plies:
        lines.append(("opening", f"{games.plies} random {'ply' if games.plies == 1 else 'plies'}"))
    other_time = scale.is_quick and games.quick_game_time is not None
    game_time = games.quick_game_time if other_time else games.game_time
    if game_time is not None:
        lines.append(("time", f"{duration(game_time)} for each side and game"))
    if not other_time:  # quick games with another time have another seed
        lines.append(("seed", str(games.seed)))
    lines.append(("took", f"{duration(played.seconds)} of one core"))
    if games.about:
        lines.append(("ours", games.about))
    return SettingsText(f"games {games.name}", tuple(lines))


def computed_settings(computed: Computed, scale: Scale) -> SettingsText:
    """The settings of a computed fact at a scale, in words."""
    given = scale.arguments(computed)
    lines = [("computation", computed.computation)]
    if given:
        lines.append(("given", _given(given)))
    if computed.about:
        lines.append(("about", computed.about))
    return SettingsText(f"computed {computed.name}", tuple(lines))


def field_texts(fields: tuple[GameField, ...], most: int | None = None) -> list[str]:
    """Each game with its boards, of which at most `most` are named.

    >>> fields = (GameField("hex", "hex:5"), GameField("hex", "hex:7"), GameField("infexion", "7"))
    >>> field_texts(fields), field_texts(fields, 1)
    (['hex on hex:5, hex:7', 'infexion on 7'], ['hex on hex:5 and 1 more', 'infexion on 7'])
    """
    boards: dict[str, list[str]] = {}
    for field in fields:
        thresholds = ", ".join(f"{vertex}: {k}" for vertex, k in field.thresholds)
        changed = f" (thresholds {thresholds})" if thresholds else ""
        boards.setdefault(field.game, []).append(f"{field.board}{changed}")
    return [f"{game} on {_some(texts, most)}" for game, texts in boards.items()]


def _some(texts: list[str], most: int | None) -> str:
    named = ", ".join(texts[:most])
    left = len(texts) - len(texts[:most])
    return f"{named} and {left} more" if left else named


def _agents_at_full(played: GamesSummary) -> list[tuple[str, str]]:
    """The paper's own agents, if others replaced them at this scale."""
    changed = [
        f"{name} = {text}"
        for name, text in played.games.agents.items()
        if played.agents.get(name) != text
    ]
    return [("at full scale", "; ".join(changed))] if changed else []


def _pairings(games: GameSet, agents: Mapping[str, str]) -> str:
    if games.gauntlet:
        return f"{next(iter(agents), 'the first')} against each of the others"
    return "every agent against every other"


def _given(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {one_line(value, 200)}" for name, value in given.items())
