"""Findings: everything that a report says about a store of games, read once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from topple.arena.report.cautions import cautions
from topple.arena.report.naming import contest_texts, letters, ranked
from topple.arena.statistics.choices import Choices
from topple.arena.statistics.communities import Communities
from topple.arena.statistics.mistakes import MistakeRow, Mistakes
from topple.arena.statistics.standings import Contest, Standings
from topple.arena.store.played import PlayedGame
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Store
from topple.core.errors import BadText, unknown


@dataclass
class Findings:
    """What was played, and what follows from it.

    `names` are the agents' letters, the best rated first; `texts` are the
    contests in words.
    """

    source: str  # the store's name
    standings: Standings
    choices: Choices
    communities: Communities
    names: dict[str, str]
    texts: dict[Contest, str]
    cautions: list[str]
    versions: list[str]  # of topple
    seeds: list[int]  # of tournaments
    began: tuple[str, str] | None  # when the first and the last game began
    tournaments: list[tuple[int, dict[str, Any], str]]
    mistakes: Mistakes | None = None  # if the oracle was asked

    def mistake_rows(self, contest: Contest) -> list[MistakeRow]:
        """The agents that were judged in a contest, the best rated first."""
        found = () if self.mistakes is None else self.mistakes.rows(contest)
        rows = {row.agent: row for row in found}
        return [rows[agent] for agent in self.names if agent in rows]

    def judging_notes(self) -> list[str]:
        """Sentences on what was left out when mistakes were counted."""
        mistakes = self.mistakes
        if mistakes is None:
            return []
        notes = [
            f"{self.texts[contest]} is left out: {why}"
            for contest, why in sorted(mistakes.left_out.items())
            if contest in self.texts
        ]
        for contest, text in self.texts.items():
            unjudged = sum(row.unjudged for row in mistakes.rows(contest))
            if unjudged:
                notes.append(
                    f"{text}: {unjudged:,} moves are not judged, because their positions were "
                    "not solved within the limits"
                )
        unread = sorted(mistakes.unread.items())
        notes += [f"{n:,} games were not judged: {why}" for why, n in unread]
        if not mistakes.is_complete:
            notes.append(
                f"judging was stopped after {mistakes.n_games:,} games: the others are not "
                "in this table"
            )
        return notes


@dataclass
class _Circumstances:
    """When games were played, with which seeds, and why some could not be read."""

    seeds: set[int] = field(default_factory=set)
    moments: list[str] = field(default_factory=list)  # the first and the last
    unread: dict[str, int] = field(default_factory=dict)  # why: how many games

    def add(self, played: PlayedGame) -> None:
        self.seeds.add(played.tournament_seed)
        moments = [*self.moments, played.began]
        self.moments = [min(moments), max(moments)]


def read_findings(
    store: Store,
    source: str,
    *,
    measure: str = "degree",
    game: str | None = None,
    mistakes: Mistakes | None = None,
    done: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Read a store and compute everything that a report needs.

    Parameters
    ----------
    store : Store
        The games, as they are at the beginning; other processes may add more meanwhile.
    source : str
        The name of the store in the report.
    measure : str
        The centrality by which vertices are ranked.
    game : str, optional
        Only games of this name, such as `hex`, or with these options, such as
        `spread-it:loyalty=full`.
    mistakes : Mistakes, optional
        Counts what the oracle says of each game, which takes time.
    done : callable
        Called after each game is read, and again after it is judged.

    Raises
    ------
    BadText
        If no such game is in the store.
    Unsupported
        If the centrality has no values on a board.
    """
    stored: set[str] = set()

    def is_wanted(pairing: Pairing) -> bool:
        stored.add(pairing.contest.spec)
        return pairing.contest.is_named(game)

    choices, communities, around = Choices(measure=measure), Communities(), _Circumstances()
    with store.snapshot():  # games are read twice, and must be the same both times
        standings = Standings(store.results(is_wanted))
        if game is not None and not standings.contests:
            raise BadText(unknown("game in the store", game, sorted(stored)))
        for played in store.games(is_wanted):
            around.add(played)
            _choose(played, choices, communities, around)
            done("")
        if mistakes is not None:
            mistakes.add_all(store.games(is_wanted), done)
        versions, tournaments = sorted(store.versions()), store.tournaments()
    names = letters(ranked(standings))
    unread = [
        f"the moves of {n:,} games were not counted: {why}" for why, n in around.unread.items()
    ]
    return Findings(
        source=source,
        standings=standings,
        choices=choices,
        communities=communities,
        names=names,
        texts=contest_texts(standings.contests),
        cautions=[*cautions(standings, names), *unread],
        versions=versions,
        seeds=sorted(around.seeds),
        began=(around.moments[0], around.moments[1]) if around.moments else None,
        tournaments=tournaments,
        mistakes=mistakes,
    )


def _choose(
    played: PlayedGame, choices: Choices, communities: Communities, around: _Circumstances
) -> None:
    """Count a game's moves; one that cannot be read must not prevent the report."""
    try:
        choices.add(played)
        communities.add(choices.contest_of(played), played)
    except BadText as error:  # its rules are not installed, or a move is not legal
        around.unread[str(error)] = around.unread.get(str(error), 0) + 1
