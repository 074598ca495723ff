"""Standings in the terminal: matches, tournaments and mistakes."""

from topple.arena.report.cautions import cautions
from topple.arena.report.findings import Findings
from topple.arena.report.naming import contest_texts, letters, ranked
from topple.arena.report.tables import (
    Names,
    costs_table,
    crosstable,
    groups_table,
    match_rates_table,
    match_seats_table,
    mistakes_table,
    pairings_table,
    ratings_table,
    seats_table,
)
from topple.arena.statistics.standings import Contest, Standings
from topple.cli.terminal.output import table_text, terminal_width, wrapped
from topple.core.text import plural

MISTAKES_LEGEND = (
    "moves: judged; per chance: mistakes in % of the moves where one was possible; regret: "
    "for each move; ± half a 95% interval; first: the mean ply of the first mistake; thrown: "
    "won games that the agent gave away"
)


def standings_text(standings: Standings) -> str:
    """A match if two agents met in one contest, a tournament otherwise."""
    agents = ranked(standings)
    if len(standings.contests) == 1 and len(agents) <= 2 and standings.has_pairs():
        return match_text(standings, agents[0], agents[-1])
    return tournament_text(standings)


def match_text(
    standings: Standings, first: str, second: str, contest: Contest | None = None
) -> str:
    """A match of two agents: rates with intervals, Elo, and what their moves have cost."""
    names = {first: "A", second: "A" if second == first else "B"}
    pairs = standings.pairs(first, second, contest)
    parts = [
        _headline(standings, contest),
        _legend(names),
        table_text(match_rates_table(pairs, f"{names[first]} against {names[second]}")),
        table_text(match_seats_table(pairs, names[first])),
        table_text(costs_table(standings, names, contest)),
        _cautions(standings, names),
    ]
    return "\n\n".join(filter(None, parts))


def tournament_text(standings: Standings) -> str:
    """A tournament: the agents, scores in each contest, ratings, costs, cautions."""
    names = letters(ranked(standings))
    contests = [
        f"{_headline(standings, contest)}\n{_scores(standings, names, contest)}"
        for contest in standings.contests
    ]
    ratings = ratings_table(standings, names)
    rated = [ratings_table(standings, names, contest) for contest in standings.contests]
    parts = [
        _legend(names),
        *contests,
        *(table_text(each) for each in ([ratings] if ratings else rated) if each is not None),
        table_text(costs_table(standings, names)),
        _cautions(standings, names),
    ]
    return "\n\n".join(filter(None, parts))


def mistakes_text(findings: Findings) -> str:
    """What agents' moves have given away, and what could not be judged."""
    parts = []
    for contest, text in findings.texts.items():
        rows = findings.mistake_rows(contest)
        if rows:
            table = mistakes_table(rows, findings.names, text)
            parts.append(f"{wrapped(table.caption)}\n{table_text(table)}")
    if parts:
        parts[-1] += f"\n{wrapped(MISTAKES_LEGEND, indent=0)}"
    notes = "\n".join(wrapped(f"! {note}", indent=2) for note in findings.judging_notes())
    return "\n\n".join(filter(None, [*parts, notes]))


def _legend(names: Names) -> str:
    """Which letter stands for which agent."""
    wide = max(map(len, names.values()), default=0)
    lines = (wrapped(f"{name:<{wide}}  {agent}", indent=wide + 2) for agent, name in names.items())
    return "\n".join(lines)


def _scores(standings: Standings, names: Names, contest: Contest) -> str:
    """The crosstable as full as there is room for; the pairings if it is too wide anyway.

    With more than two players it is the results of each agent, and its score in each seat.
    """
    if standings.group_results(contest) is not None:
        tables = groups_table(standings, names, contest), seats_table(standings, names, contest)
        return "\n\n".join(map(table_text, tables))
    for form in ({"between": " "}, {}, {"digits": 0}):
        table = crosstable(standings, names, contest, **form)
        if table.width <= terminal_width():
            return table_text(table)
    return table_text(pairings_table(standings, names, contest))


def _cautions(standings: Standings, names: Names) -> str:
    lines = []
    for caution in cautions(standings, names):
        first, *rest = caution.split("\n")
        lines.append(wrapped(f"! {first}", indent=2))
        lines += [wrapped(line, first="  ", indent=4) for line in rest]
    return "\n".join(lines)


def _headline(standings: Standings, contest: Contest | None) -> str:
    if contest is None and len(standings.contests) == 1:
        contest = standings.contests[0]
    total = standings.total(contest)
    texts = contest_texts(standings.contests)
    where = f"{len(texts)} contests" if contest is None else texts[contest]
    return wrapped(
        f"{where}: {plural(total.games, 'game')}, {total.mean_plies:.1f} plies on average"
    )
