"""The settings behind an item, in words: games that were played, facts that were computed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from topple.core.text import duration, one_line
from topple.papers.engine.findings import GamesSummary, ItemFindings
from topple.papers.engine.plans import Scale
from topple.papers.paper import Computed, Field, Games, Paper
from topple.papers.report.texts import games_text

SOME_BOARDS = 3  # of a set of games: so many are named where the page names all


class Settings(NamedTuple):
    """A set of games or a computation, with the lines that describe it: term and text."""

    title: str
    lines: tuple[tuple[str, str], ...]


def settings_of(
    found: ItemFindings, paper: Paper, scale: Scale, most: int | None = None
) -> list[Settings]:
    """Everything that an item was measured with; of each set of games `most` boards are named.

    Beside sets of games that were played, others are only named.
    """
    computed = {each.name: each for each in paper.computed}
    used = [computed[name] for name in found.item.sources().computed]
    return [
        *(
            played_settings(played, scale, most)
            if played.n_games or not found.n_games
            else Settings(f"games {played.games.name}", (("games", "none are played yet"),))
            for played in found.played
        ),
        *(computed_settings(each, scale) for each in used),
    ]


def tell_once(settings: list[Settings], name: str, told: dict[Settings, str]) -> list[Settings]:
    """Settings without the lines that were told of another item before.

    `told` says of which item each was told, and remembers those of this one.
    """
    return [
        each if told.setdefault(each, name) == name
        else Settings(each.title, (("settings", f"as for {told[each]}"),))
        for each in settings
    ]  # fmt: skip


def played_settings(played: GamesSummary, scale: Scale, most: int | None = None) -> Settings:
    """The settings of a set of games at a scale."""
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
    if not other_time:  # quick games with a time of their own have a seed of their own
        lines.append(("seed", str(games.seed)))
    lines.append(("took", f"{duration(played.seconds)} of one core"))
    if games.about:
        lines.append(("ours", games.about))
    return Settings(f"games {games.name}", tuple(lines))


def computed_settings(computed: Computed, scale: Scale) -> Settings:
    """The settings of a computed fact at a scale."""
    given = scale.arguments(computed)
    lines = [("computation", computed.computation)]
    if given:
        lines.append(("given", _given(given)))
    if computed.about:
        lines.append(("about", computed.about))
    return Settings(f"computed {computed.name}", tuple(lines))


def field_texts(fields: tuple[Field, ...], most: int | None = None) -> list[str]:
    """What is played on, the boards of a game together, and no more than `most` of them named.

    >>> fields = (Field("hex", "hex:5"), Field("hex", "hex:7"), Field("infexion", "7"))
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
    """The paper's own agents, where others stood in for them."""
    changed = [f"{name} = {text}" for name, text in played.games.agents.items()
               if played.agents.get(name) != text]  # fmt: skip
    return [("at full scale", "; ".join(changed))] if changed else []


def _pairings(games: Games, agents: Mapping[str, str]) -> str:
    if games.gauntlet:
        return f"{next(iter(agents), 'the first')} against each of the others"
    return "every agent against every other"


def _given(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {one_line(value, 200)}" for name, value in given.items())
