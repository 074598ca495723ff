"""The report's page: one HTML file with everything in it, from tables to charts."""

from collections.abc import Mapping
from typing import Any

from topple.arena.planning.settings import match_command, settings_text
from topple.arena.report.findings import Findings
from topple.arena.report.page_mistakes import MISTAKE_WORDS, mistakes_section
from topple.arena.report.page_tables import (
    agents_table,
    crosstable,
    pairings_table,
    ratings_table,
    shares_table,
    vertices_table,
)
from topple.arena.statistics.standings import Contest
from topple.boards import BOARDS
from topple.present.html import document, element, figure, wrap
from topple.present.page_style import STYLE

DEFINITIONS = {
    "Pair": "Two games from one opening with sides swapped. Games of a pair lean on each other, so "
    "every interval takes pairs, not games, for its samples.",
    "WR, DR, WLR": "Games won out of all, drawn out of all, and won out of those not drawn.",
    "Score": "Points out of all games; a draw is half a point.",
    "95% interval": "Were all of it played anew many times, 95% of such intervals would hold the "
    "true value. ± gives half the width.",
    "Elo": "Strength on a scale on which a lead of 100 is worth a score of 64% and a lead of 400 "
    "one of 91%. Ratings come from all pairings at once (Bradley and Terry's model with draws and "
    "the first move); their mean is 0.",
    "LOS": "The likelihood that the agent is the stronger one.",
    "Different games": "Games that repeat others move for move tell nothing new; intervals "
    "count the different ones, and rates over several pairings weigh each by them.",
    "Plies": "Moves of both sides, the opening's among them.",
    "Forfeits": "Games lost not by the rules: by a crash, by time, by an illegal move.",
    "Top 20%, lowest 20%": "The most and the least central fifth of the board's vertices; of "
    "equals, the one with the lower number is the more central. Openings are left out.",
}


def page(findings: Findings, charts: Mapping[str, str]) -> str:
    """The page as HTML.

    Parameters
    ----------
    findings : Findings
        What it says.
    charts : mapping of str to str
        SVG by name: `ratings`, `lengths`, `costs`, and `crosstable-1` and
        `choices-1` for the first contest, and so on.
    """
    parts = [element("h1", f"Report on {findings.source}"), *_summary(findings)]
    if len(findings.texts) > 1:
        parts.append(_contents(findings))
    parts += _ratings(findings, charts)
    for number, (contest, text) in enumerate(findings.texts.items(), start=1):
        parts += _contest(findings, charts, number, contest, text)
    parts += _lengths_and_costs(findings, charts)
    parts += _choices(findings, charts)
    parts += mistakes_section(findings)
    parts += _repeating(findings)
    definitions = DEFINITIONS if findings.mistakes is None else DEFINITIONS | MISTAKE_WORDS
    entries = [part for term, words in definitions.items()
               for part in (element("dt", term), element("dd", words))]  # fmt: skip
    parts += [element("h2", "What the words mean", id="words"), wrap("dl", entries)]
    return document(f"Report on {findings.source}", STYLE, parts)


def _summary(findings: Findings) -> list[str]:
    standings = findings.standings
    total = standings.total()
    n_contests = len(standings.contests)
    what = f"{n_contests} contests" if n_contests > 1 else next(iter(findings.texts.values()))
    played = (
        f"{_count(total.games, 'game')} between {_count(len(standings.agents), 'agent')}: {what}."
    )
    if total.effective_games < total.games:
        played += f" {total.effective_games:,} of the games are different."
    around = []
    if findings.began is not None:
        around.append(f"Played from {_moment(findings.began[0])} to {_moment(findings.began[1])}")
    if findings.versions:
        around.append(f"by topple {', '.join(findings.versions)}")
    if findings.seeds:
        seeds = ", ".join(map(str, findings.seeds[:10])) + (", …" if findings.seeds[10:] else "")
        around.append(f"with {'seeds' if findings.seeds[1:] else 'seed'} {seeds}")
    parts = [element("p", played), element("p", " ".join(around) + ".")]
    if findings.cautions:
        points = [element("li", each) for each in findings.cautions]
        parts.append(wrap("ul", points, class_="cautions", **{"aria-label": "Cautions"}))
    return parts


def _contents(findings: Findings) -> str:
    links = [("#ratings", "Ratings")]
    links += [(f"#contest-{i}", text) for i, text in enumerate(findings.texts.values(), start=1)]
    links += [("#costs", "Length, time and effort"), ("#choices", "Choices of vertices")]
    links += [] if findings.mistakes is None else [("#mistakes", "Mistakes")]
    links += [("#repeat", "How to repeat it"), ("#words", "What the words mean")]
    items = [wrap("li", [element("a", text, href=at)]) for at, text in links]
    return wrap("nav", [wrap("ul", items)], **{"aria-label": "Contents"})


def _ratings(findings: Findings, charts: Mapping[str, str]) -> list[str]:
    ratings = findings.standings.ratings()
    if ratings is None:
        return []
    several = " over all contests" if len(findings.texts) > 1 else ""
    parts = [element("h2", f"Ratings{several}", id="ratings"),
             ratings_table(findings.standings, findings.names)]  # fmt: skip
    if "ratings" in charts:
        parts.append(figure(charts["ratings"], "ratings", "Ratings in Elo with 95% intervals."))
    return parts


def _contest(
    findings: Findings, charts: Mapping[str, str], number: int, contest: Contest, text: str
) -> list[str]:
    standings, names = findings.standings, findings.names
    parts = [element("h2", text, id=f"contest-{number}")]
    total = standings.total(contest)
    parts.append(
        element("p", f"{_count(total.games, 'game')}, {total.mean_plies:.1f} plies on average.")
    )
    if len(standings.agents_in(contest)) > 2:
        parts.append(crosstable(standings, names, contest))
        key = f"crosstable-{number}"
        parts.append(figure(charts[key], key, f"Scores in {text}, row against column."))
    details = pairings_table(standings, names, contest)
    if len(standings.agents_in(contest)) > 2:
        details = wrap("details", [element("summary", "Every pairing in full"), details])
    return [*parts, details]


def _lengths_and_costs(findings: Findings, charts: Mapping[str, str]) -> list[str]:
    return [
        element("h2", "Length, time and effort", id="costs"),
        agents_table(findings.standings, findings.names),
        figure(charts["costs"], "costs", "Time and effort for a move, on logarithmic scales; "
               "fainter: in each contest."),
        figure(charts["lengths"], "lengths", "How long the games were; the line is the mean."),
    ]  # fmt: skip


def _choices(findings: Findings, charts: Mapping[str, str]) -> list[str]:
    choices = findings.choices
    parts = [element("h2", "Choices of vertices", id="choices")]
    parts.append(element("p", f"Shares of each agent's own moves on the most central fifth of the "
                 f"vertices, the least central fifth and the rest, by {choices.measure} "
                 "centrality: in all of its games, and in those that it won. Broken lines show "
                 "what choosing any vertex alike would give."))  # fmt: skip
    for number, (contest, text) in enumerate(findings.texts.items(), start=1):
        key = f"choices-{number}"
        if key not in charts:
            continue
        counts = vertices_table(choices, findings.names, contest)
        parts += [
            element("h3", text),
            figure(charts[key], key, f"Shares of moves by centrality in {text}."),
            wrap("details", [element("summary", "Shares in each seat"),
                             shares_table(choices, findings.names, contest)]),
            wrap("details", [element("summary", "Moves on each vertex"), counts]),
        ]  # fmt: skip
    return parts


def _repeating(findings: Findings) -> list[str]:
    parts = [element("h2", "How to repeat it", id="repeat")]
    if not findings.tournaments:
        return [*parts, element("p", "The store names no tournament that was asked for.")]
    parts.append(element("p", "These tournaments were asked for. Saved as tournament.toml, one is "
                 "played again, to the same games where agents are limited by effort and not by "
                 "the clock, by: topple tournament tournament.toml --db again.db"))  # fmt: skip
    for number, settings, asked in findings.tournaments:
        parts.append(element("h3", f"Tournament {number}, first asked for {_moment(asked)}"))
        parts.append(element("pre", settings_text(settings), tabindex="0"))
        if command := match_command(settings):
            parts.append(element("p", "It has a sequential test, so a match plays it again: "
                         f"{command} --db again.db"))  # fmt: skip
        for board in _boards_of_no_text(settings):
            parts.append(element("p", f"The board {board} cannot be made from its text alone: it "
                         "is in the store, and in every line of topple export."))  # fmt: skip
    return parts


def _boards_of_no_text(settings: Mapping[str, Any]) -> list[str]:
    """Boards from files and from NetworkX, which only the store is sure to have."""
    contests = settings.get("contests")
    found = []
    for contest in contests if isinstance(contests, list) else []:
        match contest:
            case {"board": str(text), "digest": str()}:
                kind = text.partition(":")[0]
                if kind == "file" or kind not in BOARDS:
                    found.append(text)
    return found


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def _moment(iso: str) -> str:
    """A moment to the minute, in UTC.

    >>> _moment("2026-03-01T12:34:56Z")
    '2026-03-01 12:34 UTC'
    """
    return f"{iso[:10]} {iso[11:16]} UTC"
