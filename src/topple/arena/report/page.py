"""The report's page: one HTML file with everything in it, from tables to charts."""

from collections.abc import Iterator, Mapping
from typing import Any

from topple.arena.planning.settings import match_command, settings_text
from topple.arena.report.findings import Findings
from topple.arena.report.tables import (
    communities_table,
    costs_table,
    crosstable,
    groups_table,
    mistakes_table,
    pairings_table,
    ratings_table,
    seats_table,
    shares_table,
    vertices_table,
)
from topple.arena.statistics.standings import Contest
from topple.boards import BOARDS
from topple.boards.kinds.catalogue import names_files
from topple.core.text import plural
from topple.present.page import definitions, details, document, element, figure, wrap

DEFINITIONS = {
    "Pair": "Two games from one opening with sides swapped. The games of a pair depend on each "
    "other, so every interval takes pairs, not games, as its samples.",
    "WR, DR, WLR": "Games won out of all, drawn out of all, and won out of those not drawn.",
    "Score": "Points out of all games; a draw is half a point.",
    "95% interval": "If everything were played again many times, 95% of such intervals would hold "
    "the true value. ± gives half the width.",
    "Elo": "Strength on a scale on which a lead of 100 is worth a score of 64% and a lead of 400 "
    "one of 91%. Ratings come from all pairings at once (Bradley and Terry's model with draws and "
    "the first move); their mean is 0.",
    "LOS": "The likelihood that the agent is the stronger one.",
    "Different games": "Games that repeat others move for move add no information; intervals "
    "count the different ones, and rates over several pairings weigh each by them.",
    "Plies": "Moves of both sides, including those of the opening.",
    "Forfeits": "Games lost by a crash, on time or by an illegal move, and not under the rules.",
    "Top 20%, lowest 20%": "The most and the least central fifth of the board's vertices; of "
    "equals, the one with the lower number counts as more central. Openings are left out.",
}
# With more than two players these replace those of the same name; others are for pairs alone.
GROUP_DEFINITIONS = {
    "Opening": "Every group of agents plays an opening with all rotations of the seats, and in a "
    "game with chance with the same draws. All games from an opening depend on each other, so "
    "every interval takes openings as its samples.",
    "Won, shared, lost": "Games won alone, won together with others (or drawn), and not won. WR is "
    "the share of games won alone.",
    "Score": "The share of the wins; of a shared win each winner has a part.",
    "Return": "The mean result: 1 for a win, less for a shared one, below 0 for a loss.",
    "Elo": "Strength on a scale on which, where no wins are shared, a lead of 400 means to win ten "
    "times as often. Ratings come from all games at once (the model of Plackett and Luce with "
    "shared wins, after Firth, Kosmidis and Turner, and with a worth of each seat); their mean "
    "is 0.",
}
PAIR_WORDS = ("Pair", "WR, DR, WLR", "LOS")
MISTAKE_DEFINITIONS = {
    "Mistake, chance": "A mistake is a move that is worth less than the best one under exact play; "
    "a chance is a move of the agent where not all moves were equally good.",
    "Regret": "What a move gave away: 1 from a win to a draw or from a draw to a loss, 2 from "
    "a win to a loss; in games of points, the points. The mean is over all judged moves.",
    "First, thrown, flawless": "The mean ply of the first mistake; games that the agent had won "
    "and did not win in the end through a mistake of its own; games without a mistake.",
}
MOST_SEEDS = 10  # that are listed


def page(findings: Findings, charts: Mapping[str, str]) -> str:
    """The page as HTML.

    `charts` are SVG by name: `ratings`, `lengths`, `costs`, and `crosstable-1` (with more
    than two players `seats-1`) and `choices-1` for the first contest, and so on.
    """
    several = len(findings.texts) > 1
    terms = _terms(findings)
    return document(
        f"Report on {findings.source}",
        [
            *_summary(findings),
            *([_contents(findings)] if several else []),
            *_ratings(findings, charts),
            *(
                part
                for number, (contest, text) in enumerate(findings.texts.items(), start=1)
                for part in _contest(findings, charts, number, contest, text)
            ),
            element("h2", "Length, time and effort", id="costs"),
            costs_table(findings.standings, findings.names).html(),
            figure(
                charts["costs"],
                "costs",
                "Time and effort for a move, on logarithmic scales; fainter: in each contest.",
            ),
            figure(charts["lengths"], "lengths", "How long the games were; the line is the mean."),
            *_choices(findings, charts),
            *_communities(findings),
            *_mistakes(findings),
            *_repeating(findings),
            element("h2", "What the words mean", id="words"),
            definitions(terms.items()),
        ],
    )


def _terms(findings: Findings) -> dict[str, str]:
    """The words that the page explains."""
    standings, terms = findings.standings, dict(DEFINITIONS)
    if standings.group_results() is not None and not standings.has_pairs():
        rest = {word: text for word, text in terms.items() if word not in PAIR_WORDS}
        terms = GROUP_DEFINITIONS | {
            word: rest[word] for word in rest if word not in GROUP_DEFINITIONS
        }
    elif standings.group_results() is not None:
        more = GROUP_DEFINITIONS.items()
        terms |= {f"{word} (more than two players)": text for word, text in more}
    return terms | ({} if findings.mistakes is None else MISTAKE_DEFINITIONS)


def _summary(findings: Findings) -> Iterator[str]:
    standings = findings.standings
    total, n_contests = standings.total(), len(standings.contests)
    what = f"{n_contests} contests" if n_contests > 1 else next(iter(findings.texts.values()))
    agents = plural(len(standings.agents), "agent")
    played = f"{plural(total.games, 'game')} between {agents}: {what}."
    if total.effective_games < total.games:
        played += f" {total.effective_games:,} of the games are different."
    yield element("p", played)
    around = []
    if findings.began is not None:
        around.append(f"Played from {_moment(findings.began[0])} to {_moment(findings.began[1])}")
    if findings.versions:
        around.append(f"by topple {', '.join(findings.versions)}")
    if findings.seeds:
        listed = ", ".join(map(str, findings.seeds[:MOST_SEEDS]))
        more = ", …" if findings.seeds[MOST_SEEDS:] else ""
        around.append(f"with {'seeds' if findings.seeds[1:] else 'seed'} {listed}{more}")
    yield element("p", " ".join(around) + ".")
    if findings.cautions:
        points = [_caution(*each.split("\n")) for each in findings.cautions]
        yield wrap("ul", points, class_="cautions", aria_label="Cautions")


def _caution(first: str, *rest: str) -> str:
    """A caution with its further lines small below it."""
    return wrap("li", [element("span", first), *(element("small", line) for line in rest)])


def _contents(findings: Findings) -> str:
    links = [("#ratings", "Ratings")]
    links += [(f"#contest-{i}", text) for i, text in enumerate(findings.texts.values(), start=1)]
    links += [("#costs", "Length, time and effort"), ("#choices", "Choices of vertices")]
    if any(map(findings.communities.held, findings.texts)):
        links.append(("#communities", "Communities"))
    links += [] if findings.mistakes is None else [("#mistakes", "Mistakes")]
    links += [("#repeat", "How to repeat it"), ("#words", "What the words mean")]
    items = [wrap("li", [element("a", text, href=at)]) for at, text in links]
    return wrap("nav", [wrap("ul", items)], aria_label="Contents")


def _ratings(findings: Findings, charts: Mapping[str, str]) -> Iterator[str]:
    table = ratings_table(findings.standings, findings.names)
    if table is None:
        return
    several = " over all contests" if len(findings.texts) > 1 else ""
    yield element("h2", f"Ratings{several}", id="ratings")
    yield table.html()
    if "ratings" in charts:
        yield figure(charts["ratings"], "ratings", "Ratings in Elo with 95% intervals.")


def _contest(
    findings: Findings, charts: Mapping[str, str], number: int, contest: Contest, text: str
) -> Iterator[str]:
    standings, names = findings.standings, findings.names
    total = standings.total(contest)
    yield element("h2", text, id=f"contest-{number}")
    yield element("p", f"{plural(total.games, 'game')}, {total.mean_plies:.1f} plies on average.")
    if standings.group_results(contest) is not None:
        yield groups_table(standings, names, contest).html()
        key = f"seats-{number}"
        yield figure(charts[key], key, f"Scores in {text} in each seat.")
        yield details("Scores in each seat", seats_table(standings, names, contest).html())
        if standings.ratings() is None:  # contests of different numbers of players
            rated = ratings_table(standings, names, contest)
            yield "" if rated is None else rated.html()
        return
    pairings = pairings_table(standings, names, contest).html()
    if len(standings.agents_in(contest)) <= 2:
        yield pairings
        return
    yield crosstable(standings, names, contest).html()
    key = f"crosstable-{number}"
    yield figure(charts[key], key, f"Scores in {text}, row against column.")
    yield details("Every pairing in full", pairings)


def _choices(findings: Findings, charts: Mapping[str, str]) -> Iterator[str]:
    choices, names = findings.choices, findings.names
    yield element("h2", "Choices of vertices", id="choices")
    yield element(
        "p",
        "Shares of each agent's own moves on the most central fifth of the vertices, the least "
        f"central fifth and the rest, by {choices.measure} centrality: in all of its games, and "
        "in those that it won. Broken lines show the shares of a player who chooses every vertex "
        "equally often.",
    )
    for number, (contest, text) in enumerate(findings.texts.items(), start=1):
        key = f"choices-{number}"
        if key in charts:
            yield element("h3", text)
            yield figure(charts[key], key, f"Shares of moves by centrality in {text}.")
            shares = shares_table(choices, names, contest)
            yield details("Shares in each seat", shares.html())
            vertices = vertices_table(choices, names, contest)
            yield details("Moves on each vertex", vertices.html())


def _communities(findings: Findings) -> Iterator[str]:
    """A table for each contest on a board with communities."""
    held = {text: findings.communities.held(contest) for contest, text in findings.texts.items()}
    if not any(held.values()):
        return
    yield element("h2", "Communities", id="communities")
    yield element(
        "p",
        "The share of each community's vertices that an agent holds when its games are over. A "
        "vertex is held by its owner or, if nobody owns it, by the player who alone has most "
        "tokens there.",
    )
    for text, found in held.items():
        if found:
            yield element("h3", text)
            yield communities_table(found, findings.names).html()


def _mistakes(findings: Findings) -> Iterator[str]:
    """A table for each contest that was judged, and a sentence for each that could not be."""
    if findings.mistakes is None:
        return
    yield element("h2", "Mistakes", id="mistakes")
    for note in findings.judging_notes():
        yield element("p", note)
    for contest, text in findings.texts.items():
        rows = findings.mistake_rows(contest)
        if rows:
            yield mistakes_table(rows, findings.names, text).html()


def _repeating(findings: Findings) -> Iterator[str]:
    yield element("h2", "How to repeat it", id="repeat")
    if not findings.tournaments:
        yield element("p", "The store does not say which tournament was asked for.")
        return
    yield element(
        "p",
        "These tournaments were asked for. To repeat one, save it as tournament.toml and run "
        "topple tournament tournament.toml --db again.db; agents that are limited by effort and "
        "not by the clock will play the same games.",
    )
    for number, settings, asked in findings.tournaments:
        yield element("h3", f"Tournament {number}, first asked for {_moment(asked)}")
        yield element("pre", settings_text(settings), tabindex="0")
        if command := match_command(settings):
            again = f"It has a sequential test, so a match repeats it: {command} --db again.db"
            yield element("p", again)
        for board in _boards_without_text(settings):
            yield element(
                "p",
                f"The board {board} cannot be made from its text alone: it is in the store, and "
                "in every line of topple export.",
            )


def _boards_without_text(settings: Mapping[str, Any]) -> Iterator[str]:
    """Boards from files and from NetworkX, which only the store is sure to have."""
    contests = settings.get("contests")
    for contest in contests if isinstance(contests, list) else []:
        match contest:
            case {"board": str(text), "digest": str()}:
                kind = text.partition(":")[0]
                if kind not in BOARDS or names_files(text):
                    yield text


def _moment(iso: str) -> str:
    """A moment to the minute, in UTC.

    >>> _moment("2026-03-01T12:34:56Z")
    '2026-03-01 12:34 UTC'
    """
    return f"{iso[:10]} {iso[11:16]} UTC"
