"""Mistakes in the terminal: a table for each contest that the oracle could judge."""

from typing import TYPE_CHECKING

from topple.cli.terminal.output import WIDTH, table_text
from topple.present.numbers import regret_text

if TYPE_CHECKING:
    from topple.arena.report.findings import Findings
    from topple.arena.statistics.mistakes import MistakeRow
    from topple.arena.statistics.rates import Estimate

UNITS = {
    "result": "from won to lost is a regret of 2",
    "points": "regret in points",
}
LEGEND = (
    "moves: judged; per chance: mistakes in % of the moves where one was possible; regret: "
    "for each move; ± half a 95% interval; first: the mean ply of the first mistake; thrown: "
    "won games that the agent gave away"
)


def mistakes_text(findings: "Findings") -> str:
    """What agents' moves have given away, and what could not be judged."""
    from topple.arena.report.page_mistakes import judging_notes

    mistakes = findings.mistakes
    assert mistakes is not None
    parts = []
    for contest, text in findings.texts.items():
        rows = {row.agent: row for row in mistakes.rows(contest)}
        if rows:
            listed = [rows[agent] for agent in findings.names if agent in rows]
            head = _wrapped(f"mistakes in {text} ({UNITS[listed[0].unit]})", 4)
            parts.append(f"{head}\n{_table(listed, findings)}")
    if parts:
        parts[-1] += f"\n{_wrapped(LEGEND, 0)}"
    notes = judging_notes(mistakes, findings)
    if notes:
        parts.append("\n".join(_wrapped(f"! {note}", 2) for note in notes))
    return "\n\n".join(parts)


def _table(rows: "list[MistakeRow]", findings: "Findings") -> str:
    heads = ["agent", "moves", "chances", "mistakes", "per chance", "regret", "first", "thrown"]
    cells: list[list[object]] = [
        [findings.names[row.agent], row.moves, row.chances, row.mistakes, _rate(row.rate),
         _regret(row.mean_regret), "" if row.first_mistake is None else f"{row.first_mistake:.1f}",
         row.thrown]
        for row in rows
    ]  # fmt: skip
    return table_text(heads, cells, right=("per chance", "regret", "first"))


def _rate(estimate: "Estimate | None") -> str:
    if estimate is None:
        return ""
    return f"{100 * estimate.value:.1f}±{50 * (estimate.high - estimate.low):.1f}"


def _regret(estimate: "Estimate | None") -> str:
    if estimate is None:
        return ""
    return f"{regret_text(estimate.value)}±{regret_text((estimate.high - estimate.low) / 2)}"


def _wrapped(text: str, indent: int) -> str:
    from textwrap import wrap

    lines = wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return "\n".join(lines)
