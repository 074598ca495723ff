"""The mistakes on a report's page."""

from typing import TYPE_CHECKING

from topple.arena.report.page_tables import NOTHING
from topple.present.html import element, table
from topple.present.numbers import percent, regret_text

if TYPE_CHECKING:
    from topple.arena.report.findings import Findings
    from topple.arena.statistics.mistakes import MistakeRow, Mistakes
    from topple.arena.statistics.rates import Estimate

MISTAKE_WORDS = {
    "Mistake, chance": "A move that is worth less than the best one by exact play; a chance is a "
    "move of the agent's own where not all moves were equally good.",
    "Regret": "What a move has given away: 1 from a win to a draw or from a draw to a loss, 2 from "
    "a win to a loss; in games of points so many points. The mean is over all judged moves.",
    "Thrown away": "Games that were won for the agent and that it did not win in the end, for a "
    "mistake of its own.",
}


def mistakes_section(findings: "Findings") -> list[str]:
    """A table for each contest that was judged, and a line for each that could not be."""
    mistakes = findings.mistakes
    if mistakes is None:
        return []
    parts = [element("h2", "Mistakes", id="mistakes")]
    parts += [element("p", note) for note in judging_notes(mistakes, findings)]
    for contest, text in findings.texts.items():
        rows = {row.agent: row for row in mistakes.rows(contest)}
        if rows:
            listed = [rows[agent] for agent in findings.names if agent in rows]
            parts.append(_table(f"{text}: moves beside exact play, with 95% intervals; regret in "
                                f"{'points' if listed[0].unit == 'points' else 'results'}",
                                listed, findings))  # fmt: skip
    return parts


def judging_notes(mistakes: "Mistakes", findings: "Findings") -> list[str]:
    """What was left out, in sentences."""
    notes = [f"{findings.texts[contest]} is left out: {why}"
             for contest, why in sorted(mistakes.left_out.items())
             if contest in findings.texts]  # fmt: skip
    for contest, text in findings.texts.items():
        unjudged = sum(row.unjudged for row in mistakes.rows(contest))
        if unjudged:
            notes.append(f"{text}: {unjudged:,} moves are not judged, for their positions were not "
                         "solved within the limits")  # fmt: skip
    notes += [f"{n:,} games were not judged: {why}" for why, n in sorted(mistakes.unread.items())]
    if not mistakes.is_complete:
        notes.append(f"the judging was stopped when {mistakes.n_games:,} games were done: the "
                     "others are not in this table")  # fmt: skip
    return notes


def _table(caption: str, rows: "list[MistakeRow]", findings: "Findings") -> str:
    heads = ["agent", "games", "judged moves", "unjudged", "chances", "mistakes", "per chance",
             "regret per move", "first mistake", "flawless", "thrown away"]  # fmt: skip
    cells = [
        [f"{findings.names[row.agent]}\n{row.agent}", f"{row.games:,}", f"{row.moves:,}",
         f"{row.unjudged:,}", f"{row.chances:,}", f"{row.mistakes:,}",
         _rate(row.rate), _regret(row.mean_regret),
         NOTHING if row.first_mistake is None else f"ply {row.first_mistake:.1f}",
         f"{row.flawless:,}", f"{row.thrown:,}"]
        for row in rows
    ]  # fmt: skip
    return table(caption, heads, cells)


def _rate(estimate: "Estimate | None") -> str:
    if estimate is None:
        return NOTHING
    return f"{percent(estimate.value)}\n{percent(estimate.low)} to {percent(estimate.high)}"


def _regret(estimate: "Estimate | None") -> str:
    if estimate is None:
        return NOTHING
    low, high = regret_text(estimate.low), regret_text(estimate.high)
    return f"{regret_text(estimate.value)}\n{low} to {high}"
