"""Standings: results of games added up, by pairing and by agent.

Only counts are kept, together with a fingerprint of each pair of games, to find
repeats, and the first games of pairs whose second game has not been added yet.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from topple.arena.statistics import rates as statistics
from topple.arena.statistics.elo import elo_difference
from topple.arena.statistics.group_ratings import fit_group_ratings
from topple.arena.statistics.groups import GroupCounts, GroupResults
from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs, Tally, fingerprint
from topple.arena.statistics.rates import Estimate
from topple.arena.statistics.ratings import Ratings, fit_ratings
from topple.arena.store.played import Result


class Contest(NamedTuple):
    """What was played: a game with its options, on a board."""

    game: str
    board: str
    board_digest: str


@dataclass
class PairingTotals:
    """The games of two agents, from the point of view of the first of them."""

    pairs: Pairs = field(default_factory=Pairs)
    lengths: Counter[int] = field(default_factory=Counter)  # plies: how many games
    endings: Counter[str] = field(default_factory=Counter)  # of games that the rules did not end
    group_repeats: int = 0  # games of more than two players that repeat others

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.lengths.total()

    @property
    def effective_games(self) -> int:
        """How many games are left when repeats are not counted."""
        return self.games - 2 * self.pairs.repeats - self.group_repeats

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return sum(plies * n for plies, n in self.lengths.items()) / max(1, self.games)

    @property
    def win_rate(self) -> Estimate | None:
        """The share of games won, with its 95% interval. All rates are None without games."""
        return statistics.win_rate(self.pairs)

    @property
    def draw_rate(self) -> Estimate | None:
        """The share of games drawn."""
        return statistics.draw_rate(self.pairs)

    @property
    def win_loss_ratio(self) -> Estimate | None:
        """The share of games won among those that were not drawn."""
        return statistics.win_loss_ratio(self.pairs)

    @property
    def score(self) -> Estimate | None:
        """The share of points: a draw is worth half a win."""
        return statistics.score_rate(self.pairs)

    @property
    def elo(self) -> Estimate | None:
        """The lead in Elo that corresponds to the score."""
        return elo_difference(self.pairs)

    def reversed(self) -> "PairingTotals":
        """The same games from the point of view of the other agent."""
        return PairingTotals(self.pairs.reversed(), self.lengths, self.endings)

    def __add__(self, other: "PairingTotals") -> "PairingTotals":
        return PairingTotals(
            self.pairs + other.pairs,
            self.lengths + other.lengths,
            self.endings + other.endings,
            self.group_repeats + other.group_repeats,
        )


@dataclass
class AgentTotals:
    """An agent's games added up: how many, how long, what they cost, how many it forfeited."""

    games: int = 0
    plies: int = 0  # of these games, whoever made them
    moves: int = 0  # those it chose itself
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0
    # Games that it lost by a crash, by time and so on, by kind, and the first reason of each.
    forfeits: Counter[str] = field(default_factory=Counter)
    first_forfeits: dict[str, "Forfeit"] = field(default_factory=dict)

    def per_move(self, total: float) -> float:
        """A total divided by the agent's own moves."""
        return total / self.moves if self.moves else 0.0

    @property
    def mean_plies(self) -> float:
        """The mean length of its games."""
        return self.plies / self.games if self.games else 0.0

    @property
    def forfeit_reasons(self) -> dict[str, str]:
        """What went wrong in the first forfeit of each kind, where anything is known."""
        first = sorted(self.first_forfeits.items())
        return {kind: forfeit.detail for kind, forfeit in first if forfeit.detail}

    def add_forfeit(self, kind: str, forfeit: "Forfeit") -> None:
        """Count a forfeited game."""
        self.forfeits[kind] += 1
        self.first_forfeits[kind] = min(forfeit, self.first_forfeits.get(kind, forfeit))

    def __add__(self, other: "AgentTotals") -> "AgentTotals":
        first = dict(self.first_forfeits)
        for kind, forfeit in other.first_forfeits.items():
            first[kind] = min(forfeit, first.get(kind, forfeit))
        return AgentTotals(
            self.games + other.games,
            self.plies + other.plies,
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.simulations + other.simulations,
            self.nodes + other.nodes,
            self.forfeits + other.forfeits,
            first,
        )


class Forfeit(NamedTuple):
    """A forfeited game. The order of the fields does not depend on when games were played."""

    opening_number: int
    pair: str
    side: int
    detail: str  # what went wrong, such as `RuntimeError: boom`


class _Half(NamedTuple):
    """A game whose pair lacks the other game."""

    seat: int
    result: str
    digest: str


class _ContestTotals:
    """The games of one contest."""

    def __init__(self) -> None:
        self.pairings: dict[tuple[str, str], PairingTotals] = {}  # agents in alphabetical order
        self.agents: dict[str, AgentTotals] = {}
        self.outcomes: dict[str, Counter[str]] = {}  # of each agent's games with others
        self.waiting: dict[str, _Half] = {}
        self.seen: dict[tuple[str, str], set[bytes]] = {}
        self.groups: GroupCounts | None = None  # in a contest of more than two players
        self.group_totals = PairingTotals()  # their number, lengths and endings

    def add(self, result: Result) -> None:
        if len(result.agents) > 2:
            self._add_of_group(result)
        else:
            self._add_of_pair(result)
        for place in range(len(result.agents)):
            self._add_to_agent(result, place)

    def _add_of_group(self, result: Result) -> None:
        if self.groups is None:
            self.groups = GroupCounts()
        self.groups.add(result)
        self.group_totals.lengths[result.plies] += 1
        if result.ending is not None:
            self.group_totals.endings[result.ending] += 1

    def total(self) -> PairingTotals:
        """All games: their number, lengths and endings."""
        found = sum(self.pairings.values(), PairingTotals())
        if self.groups is not None:
            found += replace(self.group_totals, group_repeats=self.groups.n_repeated)
        return found

    @property
    def n_games(self) -> int:
        """How many games were played."""
        return self.group_totals.games + sum(each.games for each in self.pairings.values())

    def _add_of_pair(self, result: Result) -> None:
        viewer = min(result.agents)
        # For an agent that plays itself, take the side that the pairing names first.
        seat = result.side if viewer == max(result.agents) else result.agents.index(viewer)
        key = (viewer, result.agents[1 - seat])
        totals = self.pairings.setdefault(key, PairingTotals())
        totals.lengths[result.plies] += 1
        if result.ending is not None:
            totals.endings[result.ending] += 1
        half = _Half(seat, outcome(result, seat), result.moves_digest)
        self._count(totals.pairs, self.seen.setdefault(key, set()), result.pair, half)

    def _count(self, pairs: Pairs, seen: set[bytes], pair: str, half: _Half) -> None:
        """Count a game as half a pair, or as the half that completes a pair."""
        other = self.waiting.get(pair)
        if other is None or other.seat == half.seat:
            self.waiting[pair] = half
            pairs.add(*_in_order(half, None))
            return
        del self.waiting[pair]
        alone = _in_order(other, None)
        pairs.counts[alone] -= 1
        if not pairs.counts[alone]:
            del pairs.counts[alone]
        pairs.add(*_in_order(half, other))
        found = fingerprint(*(each.digest for each in sorted((half, other))))
        pairs.repeats += found in seen
        seen.add(found)

    def _add_to_agent(self, result: Result, seat: int) -> None:
        agent = result.agents[seat]
        if len(result.agents) == 2 and agent != result.agents[1 - seat]:
            self.outcomes.setdefault(agent, Counter())[outcome(result, seat)] += 1
        totals = self.agents.setdefault(agent, AgentTotals())
        totals.games += 1
        totals.plies += result.plies
        totals.moves += result.moves[seat]
        totals.seconds += result.seconds[seat]
        totals.simulations += result.simulations[seat]
        totals.nodes += result.nodes[seat]
        if result.ending is not None and result.ending_player == seat:
            forfeit = Forfeit(
                result.opening_number, result.pair, result.side, result.ending_detail or ""
            )
            totals.add_forfeit(result.ending, forfeit)


def outcome(result: Result, seat: int) -> str:
    """The result of the agent in a seat: WIN, DRAW or LOSS."""
    own, other = result.returns[seat], result.returns[1 - seat]
    return WIN if own > other else LOSS if own < other else DRAW


def _in_order(half: _Half, other: _Half | None) -> tuple[str | None, str | None]:
    """The results as first and as second player."""
    rest = None if other is None else other.result
    return (half.result, rest) if half.seat == 0 else (rest, half.result)


class Standings:
    """Results added up. They may be added in any order, but each only once.

    The agents that are given are listed first, in this order; the others follow by name.
    """

    def __init__(self, results: Iterable[Result] = (), agents: Sequence[str] = ()) -> None:
        self._given = tuple(agents)
        self._contests: dict[Contest, _ContestTotals] = {}
        self._ratings: dict[Contest | None, Ratings | None] = {}  # of the games so far
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count one more game."""
        self._ratings.clear()
        contest = Contest(result.game, result.board, result.board_digest)
        self._contests.setdefault(contest, _ContestTotals()).add(result)

    @property
    def contests(self) -> list[Contest]:
        """The contests with games, by name."""
        return sorted(self._contests)

    @property
    def agents(self) -> list[str]:
        """The agents that played: those given first, then the others by name."""
        return self.agents_in(None)

    def agents_in(self, contest: Contest | None) -> list[str]:
        """The agents that played in a contest; with None, in any contest."""
        there = {agent for each in self._chosen(contest) for agent in each.agents}
        given = [agent for agent in self._given if agent in there]
        return [*given, *sorted(there - set(given))]

    def pairings(
        self, contest: Contest | None = None, order: Iterable[str] | None = None
    ) -> list[tuple[str, str]]:
        """The pairs of agents that met, each once; in the order of the agents unless given."""
        met = {key for each in self._chosen(contest) for key in each.pairings}
        agents = self.agents_in(contest) if order is None else list(order)
        return [
            (first, second)
            for place, first in enumerate(agents)
            for second in agents[place:]
            if (min(first, second), max(first, second)) in met
        ]

    def pairing_totals(
        self, first: str, second: str, contest: Contest | None = None
    ) -> PairingTotals:
        """The games of two agents from the view of the first, in one contest or in all."""
        found = sum(self._met(first, second, contest), PairingTotals())
        return found if first <= second else found.reversed()

    def pairs(self, first: str, second: str, contest: Contest | None = None) -> Pairs:
        """The results of two agents from the view of the first, in one contest or in all."""
        found = sum((each.pairs for each in self._met(first, second, contest)), Pairs())
        return found if first <= second else found.reversed()

    def all_pairs(self, agent: str, contest: Contest | None = None) -> Pairs:
        """The results of an agent against all others."""
        others = [other for other in self.agents_in(contest) if other != agent]
        return sum((self.pairs(agent, other, contest) for other in others), Pairs())

    def tally(self, agent: str, contest: Contest | None = None) -> Tally:
        """The same as `all_pairs().tally`, but without adding up pairs: this is fast."""
        found: Counter[str] = Counter()
        for each in self._chosen(contest):
            found.update(each.outcomes.get(agent, ()))
        return Tally(found[WIN], found[DRAW], found[LOSS])

    def group_results(self, contest: Contest | None = None) -> GroupResults | None:
        """The games of more than two players, in one contest or in all; None without any."""
        found = [each.groups for each in self._chosen(contest) if each.groups is not None]
        return GroupResults(found) if found else None

    def has_pairs(self, contest: Contest | None = None) -> bool:
        """Whether games of two players were played, in one contest or in any."""
        return any(each.pairings for each in self._chosen(contest))

    def agent_totals(self, agent: str, contest: Contest | None = None) -> AgentTotals:
        """An agent's costs, moves and forfeits, in one contest or in all."""
        found = (each.agents.get(agent, AgentTotals()) for each in self._chosen(contest))
        return sum(found, AgentTotals())

    def total(self, contest: Contest | None = None) -> PairingTotals:
        """All games together: their number, lengths and endings. The results have no meaning."""
        return sum((each.total() for each in self._chosen(contest)), PairingTotals())

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(each.n_games for each in self._chosen(None))

    def ratings(self, contest: Contest | None = None) -> Ratings | None:
        """Ratings over all games of one contest or of all.

        None without games, or if the contests have different numbers of players.
        """
        if contest not in self._ratings:
            self._ratings[contest] = self._fit(contest)
        return self._ratings[contest]

    def _fit(self, contest: Contest | None) -> Ratings | None:
        groups = self.group_results(contest)
        if groups is not None:
            return None if self.has_pairs(contest) else fit_group_ratings(groups)
        met = {two: self.pairs(*two, contest) for two in self.pairings(contest)}
        return fit_ratings(met) if met else None

    def _met(self, first: str, second: str, contest: Contest | None) -> Iterator[PairingTotals]:
        """The games of two agents by contest, from the view of the one whose name sorts first."""
        key = (min(first, second), max(first, second))
        for each in self._chosen(contest):
            if key in each.pairings:
                yield each.pairings[key]

    def _chosen(self, contest: Contest | None) -> list[_ContestTotals]:
        if contest is None:
            return [self._contests[each] for each in self.contests]
        return [self._contests[contest]] if contest in self._contests else []
