"""Cautions: what readers of standings should know before they rely on them."""

from collections.abc import Mapping

from topple.arena.report.naming import contest_texts
from topple.arena.report.tables import forfeit_texts
from topple.arena.statistics.standings import Contest, Standings
from topple.core.text import plural
from topple.game.record import LENGTH


def cautions(standings: Standings, names: Mapping[str, str]) -> list[str]:
    """A sentence each on repeats, games cut off, forfeits and incomplete pairs.

    A caution about forfeits has more lines, with the first reason of each kind.
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
    if ratings is None and standings.games:
        found.append(
            "there are no ratings over all contests, because their numbers of players differ"
        )
    for agent in standings.agents:
        totals = standings.agent_totals(agent)
        if totals.forfeits:
            kinds, *reasons = forfeit_texts(totals)
            head = f"{names[agent]} forfeited {plural(totals.forfeits.total(), 'game')}: {kinds}"
            found.append("\n".join([head, *reasons]))
    return found


def _of_contest(standings: Standings, contest: Contest, where: str) -> list[str]:
    total, found = standings.total(contest), []
    if total.effective_games < total.games:
        found.append(
            f"{where}: only {total.effective_games:,} of {plural(total.games, 'game')} are "
            "different, the others repeat them move for move; the intervals account for this"
        )
    cut = total.endings[LENGTH]
    if cut:
        found.append(
            f"{where}: {plural(cut, 'game')} reached the greatest length and counted as draws"
        )
    halves = sum(n for result, n in total.pairs.counts.items() if None in result)
    if halves:
        found.append(
            f"{where}: {plural(halves, 'game')} still {'lacks' if halves == 1 else 'lack'} "
            "the other one with sides swapped"
        )
    groups = standings.group_results(contest)
    lonely = 0 if groups is None else sum(part.n_incomplete for part in groups.parts)
    if lonely:
        found.append(
            f"{where}: {plural(lonely, 'game')} still {'lacks' if lonely == 1 else 'lack'} "
            "others from the same opening with other seats"
        )
    return found
