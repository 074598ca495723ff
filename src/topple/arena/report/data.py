"""Standings as plain data, for `--json` and for programs.

Rates lie between 0 and 1 and come with 95% intervals; what is infinite or
unknown is None.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from topple.arena.statistics.choices import BOTH, Choices, seats_of
from topple.arena.statistics.communities import Held
from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.groups import GroupResults
from topple.arena.statistics.mistakes import MistakeRow, Mistakes
from topple.arena.statistics.pairs import Pairs
from topple.arena.statistics.rates import Estimate, draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.ratings import Ratings
from topple.arena.statistics.standings import AgentTotals, Contest, PairingTotals, Standings

RATE_DIGITS, ELO_DIGITS, TIME_DIGITS, COUNT_DIGITS = 6, 2, 9, 3


def match_data(
    standings: Standings, first: str, second: str, contest: Contest | None = None
) -> dict[str, Any]:
    """The games of two agents, seen by the first of them.

    `interval` is that of `win_rate`. Effort and forfeits are those of the agents in
    all their games of the contest: in a match, in these.
    """
    totals = [standings.agent_totals(agent, contest) for agent in (first, second)]
    return {
        **_place(standings, contest),
        "agents": [first, second],
        **pairing_data(standings.pairing_totals(first, second, contest)),
        "forfeits": [dict(sorted(each.forfeits.items())) for each in totals],
        "forfeit_reasons": [each.forfeit_reasons for each in totals],
        **{name: [_per_move(each)[name] for each in totals] for name in _per_move(AgentTotals())},
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
    agents, groups = standings.agents_in(contest), standings.group_results(contest)
    return {
        **_place(standings, contest),
        "games": total.games,
        "effective_games": total.effective_games,
        "mean_plies": round(total.mean_plies, COUNT_DIGITS),
        **({} if groups is None else {"players": groups.n_players}),
        **ratings_data(standings, contest),
        "agents": [agent_data(standings, agent, contest) for agent in agents],
        "pairings": [
            {
                "agents": [first, second],
                **pairing_data(standings.pairing_totals(first, second, contest)),
            }
            for first, second in standings.pairings(contest)
        ],
    }


def pairing_data(totals: PairingTotals) -> dict[str, Any]:
    """The results of two agents, seen by the first of them."""
    pairs = totals.pairs
    return {
        "games": totals.games,
        "effective_games": totals.effective_games,
        **pairs.tally._asdict(),
        **_rates(pairs),
        **estimate_data("elo", elo_difference(pairs), ELO_DIGITS),
        "los": round(los(pairs), RATE_DIGITS),
        "as_first": _seat(pairs.in_seat(0)),
        "as_second": _seat(pairs.in_seat(1)),
        "endings": dict(sorted(totals.endings.items())),
        "mean_plies": round(totals.mean_plies, COUNT_DIGITS),
    }


def agent_data(standings: Standings, agent: str, contest: Contest | None = None) -> dict[str, Any]:
    """An agent's results against all others, and what its moves have cost."""
    totals = standings.agent_totals(agent, contest)
    groups = standings.group_results(contest)
    pairs = standings.all_pairs(agent, contest)
    is_of_pairs = groups is None or standings.has_pairs(contest)
    return {
        "agent": agent,
        "games": totals.games,
        **({**pairs.tally._asdict(), **_rates(pairs)} if is_of_pairs else {}),
        **({} if groups is None else {"groups": _group_data(groups, agent)}),
        "moves": totals.moves,
        "mean_plies": round(totals.mean_plies, COUNT_DIGITS),
        **_per_move(totals),
        "forfeits": dict(sorted(totals.forfeits.items())),
        "forfeit_reasons": totals.forfeit_reasons,
    }


def _group_data(groups: GroupResults, agent: str) -> dict[str, Any]:
    """An agent's results in games of more than two players, in all seats and in each."""
    n_seats = max(part.n_players for part in groups.parts)
    seats = [{"seat": seat + 1, **_seats_data(groups, agent, seat)} for seat in range(n_seats)]
    return {**_seats_data(groups, agent, None), "seats": seats}


def _seats_data(groups: GroupResults, agent: str, seat: int | None) -> dict[str, Any]:
    """An agent's results in one seat, or in all."""
    alone, shared, lost = groups.tally(agent, seat)
    return {
        "games": alone + shared + lost,
        "won": alone,
        "shared": shared,
        "lost": lost,
        **estimate_data("win_rate", groups.win_rate(agent, seat), interval="interval"),
        **estimate_data("score", groups.score(agent, seat)),
        **estimate_data("return", groups.mean_return(agent, seat)),
    }


def ratings_data(standings: Standings, contest: Contest | None = None) -> dict[str, Any]:
    """The rating table, best first, with what the first move is worth in Elo.

    With more than two players it is what each seat is worth.
    """
    ratings = standings.ratings(contest)
    if ratings is None:
        return {"ratings": [], "groups": 0, "first_move": None, "first_move_interval": None}
    return {
        "ratings": [
            {
                "agent": row.agent,
                **estimate_data("elo", row.elo, ELO_DIGITS),
                "games": row.games,
                **estimate_data("score", row.score),
            }
            for row in ratings.rows
        ],
        "groups": ratings.n_groups,  # of agents that can be compared with each other
        **_seats_worth(ratings),
    }


def _seats_worth(ratings: Ratings) -> dict[str, Any]:
    """What the first move is worth in Elo; with more than two players, what each seat is."""
    if not ratings.seats:
        return estimate_data("first_move", ratings.first_move, ELO_DIGITS)
    seats = [
        {"seat": number, **estimate_data("elo", worth, ELO_DIGITS)}
        for number, worth in enumerate(ratings.seats, start=1)
    ]
    return {"first_move": None, "first_move_interval": None, "seats": seats}


def _place(standings: Standings, contest: Contest | None) -> dict[str, Any]:
    """The game and the board; None where there are several."""
    if contest is None and len(standings.contests) == 1:
        contest = standings.contests[0]
    return {
        "game": None if contest is None else contest.game,
        "board": None if contest is None else contest.board,
    }


def _rates(pairs: Pairs) -> dict[str, Any]:
    return {
        **estimate_data("win_rate", win_rate(pairs), interval="interval"),
        **estimate_data("draw_rate", draw_rate(pairs)),
        **estimate_data("win_loss_ratio", win_loss_ratio(pairs)),
        **estimate_data("score", score_rate(pairs)),
    }


def _per_move(totals: AgentTotals) -> dict[str, float]:
    return {
        "seconds_per_move": round(totals.per_move(totals.seconds), TIME_DIGITS),
        "simulations_per_move": round(totals.per_move(totals.simulations), COUNT_DIGITS),
        "nodes_per_move": round(totals.per_move(totals.nodes), COUNT_DIGITS),
    }


def _seat(pairs: Pairs) -> dict[str, Any]:
    return {**pairs.tally._asdict(), "games": pairs.tally.games, **_rates(pairs)}


def number_data(value: float | None, digits: int) -> float | None:
    """A number rounded; None if there is none, or it is infinite."""
    return None if value is None or not isfinite(value) else round(value, digits)


def estimate_data(
    name: str, estimate: Estimate | None, digits: int = RATE_DIGITS, interval: str | None = None
) -> dict[str, Any]:
    """A value and the ends of its interval, by default under `name` and `name_interval`."""
    interval = interval or f"{name}_interval"
    if estimate is None:
        return {name: None, interval: None}
    value, *ends = (number_data(number, digits) for number in estimate)
    return {name: value, interval: ends}


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
            for seats in seats_of(choices.n_players(contest))
            for won in (False, True)
        ],
        "counts": {
            agent: dict(zip(labels, choices.vertex_counts(contest, agent, BOTH), strict=True))
            for agent in choices.agents(contest)
        },
    }


def communities_data(found: Sequence[Held]) -> list[dict[str, Any]]:
    """The share of each community that each agent holds when games end, the largest first."""
    return [
        {
            "community": each.community,
            "vertices": each.size,
            "shares": [
                {"agent": agent, **estimate_data("share", held, interval="interval")}
                for agent, held in sorted(each.shares.items())
            ],
        }
        for each in found
    ]


def _shares(
    choices: Choices, contest: Contest, agent: str, seats: str, won: bool
) -> dict[str, Any]:
    shares = choices.shares(contest, agent, seats, won=won)
    return {
        "agent": agent,
        "seats": seats,
        "won": won,
        "games": shares.games,
        "moves": shares.moves,
        **estimate_data("top", shares.top),
        **estimate_data("rest", shares.rest),
        **estimate_data("lowest", shares.lowest),
    }


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
    return {
        "agent": row.agent,
        "unit": row.unit,
        "games": row.games,
        "moves": row.moves,
        "unjudged": row.unjudged,
        "chances": row.chances,
        "mistakes": row.mistakes,
        **estimate_data("mistakes_per_chance", row.rate),
        "regret": row.regret,
        **estimate_data("mean_regret", row.mean_regret),
        "first_mistake": number_data(row.first_mistake, COUNT_DIGITS),
        "flawless": row.flawless,
        "thrown_away": row.thrown,
    }
