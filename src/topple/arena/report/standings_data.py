"""Standings as plain data, for `--json` and for programs.

Rates lie between 0 and 1 and come with 95% intervals; what is infinite or
cannot be told is None.
"""

from math import isfinite
from typing import Any

from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.standings import Contest, Encounter, Labour, Standings

RATE_DIGITS, ELO_DIGITS, TIME_DIGITS, COUNT_DIGITS = 6, 2, 9, 3


def match_data(
    standings: Standings, first: str, second: str, contest: Contest | None = None
) -> dict[str, Any]:
    """The games of two agents, seen by the first of them.

    `interval` is that of `win_rate`. Effort and forfeits are those of the agents in
    all their games of the contest: in a match, in these.
    """
    labours = [standings.labour(agent, contest) for agent in (first, second)]
    return {
        **_place(standings, contest),
        "agents": [first, second],
        **encounter_data(standings.encounter(first, second, contest)),
        "forfeits": [dict(sorted(each.forfeits.items())) for each in labours],
        **{name: [_per_move(each)[name] for each in labours] for name in _per_move(Labour())},
    }


def tournament_data(standings: Standings) -> dict[str, Any]:
    """Every contest with its pairings and ratings, and ratings over all contests."""
    total = standings.total()
    return {
        "games": total.games,
        "effective_games": total.effective_games,
        **ratings_data(standings),
        "agents": [agent_data(standings, agent) for agent in standings.agents],
        "contests": [contest_data(standings, each) for each in standings.contests],
    }


def contest_data(standings: Standings, contest: Contest) -> dict[str, Any]:
    """One contest: its pairings, its agents and their ratings in it."""
    total = standings.total(contest)
    agents = standings.agents_in(contest)
    return {
        **_place(standings, contest),
        "games": total.games,
        "effective_games": total.effective_games,
        "mean_plies": round(total.mean_plies, COUNT_DIGITS),
        **ratings_data(standings, contest),
        "agents": [agent_data(standings, agent, contest) for agent in agents],
        "pairings": [
            {
                "agents": [first, second],
                **encounter_data(standings.encounter(first, second, contest)),
            }
            for first, second in standings.pairings(contest)
        ],
    }


def encounter_data(encounter: Encounter) -> dict[str, Any]:
    """The results of two agents, seen by the first of them."""
    pairs = encounter.pairs
    elo = elo_difference(pairs)
    return {
        "games": encounter.games,
        "effective_games": encounter.effective_games,
        **pairs.tally._asdict(),
        **_rates(pairs),
        "elo": number_data(None if elo is None else elo.value, ELO_DIGITS),
        "elo_interval": interval_data(elo, ELO_DIGITS),
        "los": round(los(pairs), RATE_DIGITS),
        "as_first": _seat(pairs.in_seat(0)),
        "as_second": _seat(pairs.in_seat(1)),
        "endings": dict(sorted(encounter.endings.items())),
        "mean_plies": round(encounter.mean_plies, COUNT_DIGITS),
    }


def agent_data(standings: Standings, agent: str, contest: Contest | None = None) -> dict[str, Any]:
    """An agent's results against all others, and what its moves have cost."""
    labour = standings.labour(agent, contest)
    pairs = standings.all_pairs(agent, contest)
    return {
        "agent": agent,
        "games": labour.games,
        **pairs.tally._asdict(),
        **_rates(pairs),
        "moves": labour.moves,
        "mean_plies": round(labour.mean_plies, COUNT_DIGITS),
        **_per_move(labour),
        "forfeits": dict(sorted(labour.forfeits.items())),
    }


def ratings_data(standings: Standings, contest: Contest | None = None) -> dict[str, Any]:
    """The rating table, best first, with what the first move is worth in Elo."""
    ratings = standings.ratings(contest)
    if ratings is None:
        return {"ratings": [], "groups": 0, "first_move": None, "first_move_interval": None}
    return {
        "ratings": [
            {
                "agent": row.agent,
                "elo": number_data(row.elo.value, ELO_DIGITS),
                "elo_interval": interval_data(row.elo, ELO_DIGITS),
                "games": row.games,
                "score": number_data(None if row.score is None else row.score.value, RATE_DIGITS),
                "score_interval": interval_data(row.score, RATE_DIGITS),
            }
            for row in ratings.rows
        ],
        "groups": ratings.n_groups,  # of agents that can be compared with each other
        "first_move": number_data(ratings.first_move.value, ELO_DIGITS),
        "first_move_interval": interval_data(ratings.first_move, ELO_DIGITS),
    }


def _place(standings: Standings, contest: Contest | None) -> dict[str, Any]:
    """The game and the board; None where there are several."""
    if contest is None and len(standings.contests) == 1:
        contest = standings.contests[0]
    return {
        "game": None if contest is None else contest.game,
        "board": None if contest is None else contest.board,
    }


def _rates(pairs: Pairs) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, estimate, interval in (
        ("win_rate", win_rate(pairs), "interval"),
        ("draw_rate", draw_rate(pairs), "draw_rate_interval"),
        ("win_loss_ratio", win_loss_ratio(pairs), "win_loss_ratio_interval"),
        ("score", score_rate(pairs), "score_interval"),
    ):
        found[name] = number_data(None if estimate is None else estimate.value, RATE_DIGITS)
        found[interval] = interval_data(estimate, RATE_DIGITS)
    return found


def _per_move(labour: Labour) -> dict[str, float]:
    return {
        "seconds_per_move": round(labour.per_move(labour.seconds), TIME_DIGITS),
        "simulations_per_move": round(labour.per_move(labour.simulations), COUNT_DIGITS),
        "nodes_per_move": round(labour.per_move(labour.nodes), COUNT_DIGITS),
    }


def _seat(pairs: Pairs) -> dict[str, Any]:
    return {**pairs.tally._asdict(), "games": pairs.tally.games, **_rates(pairs)}


def number_data(value: float | None, digits: int) -> float | None:
    """A number rounded; None if there is none, or it is infinite."""
    return None if value is None or not isfinite(value) else round(value, digits)


def interval_data(estimate: Estimate | None, digits: int) -> list[float | None] | None:
    """The ends of an interval, rounded; None for an end that is infinite."""
    return None if estimate is None else [number_data(end, digits) for end in estimate[1:]]
