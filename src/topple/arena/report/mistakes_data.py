"""Mistakes as plain data, for `--json` and for programs."""

from typing import Any

from topple.arena.report.standings_data import COUNT_DIGITS, RATE_DIGITS, interval_data, number_data
from topple.arena.statistics.mistakes import Mistakes
from topple.arena.statistics.mistakes_ledger import MistakeRow
from topple.arena.statistics.standings import Contest


def mistakes_data(mistakes: Mistakes, contest: Contest) -> list[dict[str, Any]] | None:
    """A contest's agents; None where the oracle cannot say, or nothing was judged."""
    if contest not in mistakes.contests:
        return None
    return [_row(row) for row in mistakes.rows(contest)]


def judging_data(mistakes: Mistakes) -> dict[str, Any]:
    """How far the judging went, and what was left out of it."""
    return {
        "games": mistakes.n_games,
        "complete": mistakes.is_complete,
        "left_out": [
            {"game": contest.game, "board": contest.board, "why": why}
            for contest, why in sorted(mistakes.left_out.items())
        ],
        "unread": dict(sorted(mistakes.unread.items())),
    }


def _row(row: MistakeRow) -> dict[str, Any]:
    rate, mean = row.rate, row.mean_regret
    return {
        "agent": row.agent,
        "unit": row.unit,
        "games": row.games,
        "moves": row.moves,
        "unjudged": row.unjudged,
        "chances": row.chances,
        "mistakes": row.mistakes,
        "mistakes_per_chance": number_data(None if rate is None else rate.value, RATE_DIGITS),
        "mistakes_per_chance_interval": interval_data(rate, RATE_DIGITS),
        "regret": row.regret,
        "mean_regret": number_data(None if mean is None else mean.value, RATE_DIGITS),
        "mean_regret_interval": interval_data(mean, RATE_DIGITS),
        "first_mistake": number_data(row.first_mistake, COUNT_DIGITS),
        "flawless": row.flawless,
        "thrown_away": row.thrown,
    }
