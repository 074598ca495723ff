"""Choices as plain data, for `--json` and for programs."""

from typing import Any

from topple.arena.report.standings_data import RATE_DIGITS, interval_data, number_data
from topple.arena.statistics.choices import BOTH, SEATS, Choices
from topple.arena.statistics.standings import Contest


def choices_data(choices: Choices, contest: Contest) -> dict[str, Any] | None:
    """Where agents moved in a contest; None where its games could not be read.

    Shares are given for each seat and for both, in all games and in those that
    the agent won; counts are those of both seats, one for each vertex.
    """
    if contest not in choices.contests:
        return None
    groups, labels = choices.groups(contest), choices.labels(contest)
    return {
        "centrality": choices.measure,
        "top": [labels[vertex] for vertex in sorted(groups.top)],
        "lowest": [labels[vertex] for vertex in sorted(groups.lowest)],
        "shares": [
            _shares(choices, contest, agent, seats, won)
            for agent in choices.agents(contest)
            for seats in SEATS
            for won in (False, True)
        ],
        "counts": {
            agent: dict(zip(labels, choices.vertex_counts(contest, agent, BOTH), strict=True))
            for agent in choices.agents(contest)
        },
    }


def _shares(
    choices: Choices, contest: Contest, agent: str, seats: str, won: bool
) -> dict[str, Any]:
    shares = choices.shares(contest, agent, seats, won=won)
    found: dict[str, Any] = {
        "agent": agent, "seats": seats, "won": won, "games": shares.games, "moves": shares.moves,
    }  # fmt: skip
    for name in ("top", "rest", "lowest"):
        estimate = getattr(shares, name)
        found[name] = number_data(None if estimate is None else estimate.value, RATE_DIGITS)
        found[f"{name}_interval"] = interval_data(estimate, RATE_DIGITS)
    return found
