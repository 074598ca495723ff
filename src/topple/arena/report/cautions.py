"""Cautions: what whoever reads standings should know before believing them."""

from collections.abc import Mapping

from topple.arena.report.naming import contest_texts
from topple.arena.statistics.standings import Contest, Standings
from topple.game.record import LENGTH


def cautions(standings: Standings, names: Mapping[str, str]) -> list[str]:
    """One sentence for each thing: repeats, games cut off, forfeits, halves of pairs.

    Parameters
    ----------
    standings : Standings
        What was played.
    names : mapping
        What to call each agent.
    """
    found: list[str] = []
    for contest, where in contest_texts(standings.contests).items():
        found.extend(_of_contest(standings, contest, where))
    ratings = standings.ratings()
    if ratings is not None and ratings.n_groups > 1:
        found.append(
            f"the agents fall into {ratings.n_groups} groups that never met: "
            "compare ratings within a group alone"
        )
    for agent in standings.agents:
        lost = standings.agent_totals(agent).forfeits
        if lost:
            kinds = ", ".join(f"{n:,} by {kind}" for kind, n in sorted(lost.items()))
            found.append(f"{names[agent]} forfeited {_games(lost.total())}: {kinds}")
    return found


def _of_contest(standings: Standings, contest: Contest, where: str) -> list[str]:
    total, found = standings.total(contest), []
    if total.effective_games < total.games:
        found.append(
            f"{where}: only {total.effective_games:,} of {_games(total.games)} are different, "
            "the others repeat them move for move; the intervals know it"
        )
    cut = total.endings[LENGTH]
    if cut:
        found.append(f"{where}: {_games(cut)} reached the greatest length and counted as drawn")
    halves = sum(n for result, n in total.pairs.counts.items() if None in result)
    if halves:
        found.append(
            f"{where}: {_games(halves)} still {'lacks' if halves == 1 else 'lack'} "
            "the other one with sides swapped"
        )
    return found


def _games(n: int) -> str:
    return f"{n:,} game" if n == 1 else f"{n:,} games"
