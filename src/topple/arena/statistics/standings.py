"""Standings: what a stream of results comes to, pairing by pairing and agent by agent.

Nothing is kept of a game but counts, a fingerprint of each pair, by which
repeats are found, and the halves of pairs whose other game is still to come.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from topple.arena.statistics import rates as statistics
from topple.arena.statistics.elo import elo_difference
from topple.arena.statistics.pairs import DRAW, LOSS, WIN, Pairs, Tally
from topple.arena.statistics.rates import Estimate

if TYPE_CHECKING:
    from topple.arena.statistics.ratings import Ratings
    from topple.arena.store.played import Result

FINGERPRINT = 12  # bytes: two pairs of a million are confused once in 10¹⁶ times


class Contest(NamedTuple):
    """What was played: a game with its options, on a board."""

    game: str
    board: str
    board_digest: str


@dataclass
class Encounter:
    """The games of two agents, seen by the first of them."""

    pairs: Pairs = field(default_factory=Pairs)
    lengths: Counter[int] = field(default_factory=Counter)  # plies: how many games
    endings: Counter[str] = field(default_factory=Counter)  # of games that the rules did not end

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.lengths.total()

    @property
    def effective_games(self) -> int:
        """How many games are not repeats of others."""
        return self.games - 2 * self.pairs.repeats

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return sum(plies * n for plies, n in self.lengths.items()) / max(1, self.games)

    @property
    def win_rate(self) -> Estimate | None:
        """The share of games won, with its 95% interval; None without games, as all below."""
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
        """The lead in Elo that the score stands for."""
        return elo_difference(self.pairs)

    def reversed(self) -> "Encounter":
        """The same games seen by the other agent."""
        return Encounter(self.pairs.reversed(), self.lengths, self.endings)

    def __add__(self, other: "Encounter") -> "Encounter":
        return Encounter(
            self.pairs + other.pairs, self.lengths + other.lengths, self.endings + other.endings
        )


@dataclass
class Labour:
    """What one agent's part in all its games came to."""

    games: int = 0
    plies: int = 0  # of these games, whoever made them
    moves: int = 0  # those it chose itself
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)  # games lost not by the rules, by kind

    def per_move(self, total: float) -> float:
        """A total divided by the agent's own moves."""
        return total / self.moves if self.moves else 0.0

    @property
    def mean_plies(self) -> float:
        """The mean length of its games."""
        return self.plies / self.games if self.games else 0.0

    def __add__(self, other: "Labour") -> "Labour":
        return Labour(
            self.games + other.games,
            self.plies + other.plies,
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.simulations + other.simulations,
            self.nodes + other.nodes,
            self.forfeits + other.forfeits,
        )


class _Half(NamedTuple):
    """A game that waits for the other one of its pair."""

    seat: int
    result: str
    digest: str


class _Table:
    """The games of one contest."""

    def __init__(self) -> None:
        self.encounters: dict[tuple[str, str], Encounter] = {}  # agents in alphabetical order
        self.labours: dict[str, Labour] = {}
        self.outcomes: dict[str, Counter[str]] = {}  # of each agent's games with others
        self.waiting: dict[str, _Half] = {}
        self.seen: dict[tuple[str, str], set[bytes]] = {}

    def add(self, result: "Result") -> None:
        viewer = min(result.agents)
        # An agent that plays itself is seen from the side that the pairing names first.
        seat = result.side if viewer == max(result.agents) else result.agents.index(viewer)
        key = (viewer, result.agents[1 - seat])
        encounter = self.encounters.setdefault(key, Encounter())
        encounter.lengths[result.plies] += 1
        if result.ending is not None:
            encounter.endings[result.ending] += 1
        half = _Half(seat, outcome(result, seat), result.moves_digest)
        self._count(encounter.pairs, self.seen.setdefault(key, set()), result.pair, half)
        for place in (0, 1):
            self._work(result, place)

    def _count(self, pairs: Pairs, seen: set[bytes], pair: str, half: _Half) -> None:
        """Count a game as half a pair, or as the half that makes a pair whole."""
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
        digests = "/".join(each.digest for each in sorted((half, other)))
        fingerprint = hashlib.blake2b(digests.encode(), digest_size=FINGERPRINT).digest()
        pairs.repeats += fingerprint in seen
        seen.add(fingerprint)

    def _work(self, result: "Result", seat: int) -> None:
        agent = result.agents[seat]
        if agent != result.agents[1 - seat]:
            self.outcomes.setdefault(agent, Counter())[outcome(result, seat)] += 1
        labour = self.labours.setdefault(agent, Labour())
        labour.games += 1
        labour.plies += result.plies
        labour.moves += result.moves[seat]
        labour.seconds += result.seconds[seat]
        labour.simulations += result.simulations[seat]
        labour.nodes += result.nodes[seat]
        if result.ending is not None and result.ending_player == seat:
            labour.forfeits[result.ending] += 1


def outcome(result: "Result", seat: int) -> str:
    """How the agent in a seat did: won, drawn or lost."""
    own, other = result.returns[seat], result.returns[1 - seat]
    return WIN if own > other else LOSS if own < other else DRAW


def _in_order(half: _Half, other: _Half | None) -> tuple[str | None, str | None]:
    """The results as first and as second player."""
    rest = None if other is None else other.result
    return (half.result, rest) if half.seat == 0 else (rest, half.result)


class Standings:
    """Results added up. They may come in any order, but each only once.

    Parameters
    ----------
    results : iterable of Result, optional
        Games to begin with; `add` counts more.
    agents : sequence of str, optional
        Agents that come first, in this order; the others follow by name.
    """

    def __init__(self, results: "Iterable[Result]" = (), agents: Sequence[str] = ()) -> None:
        self._given = tuple(agents)
        self._tables: dict[Contest, _Table] = {}
        self._ratings: dict[Contest | None, Ratings | None] = {}  # of the games so far
        for result in results:
            self.add(result)

    def add(self, result: "Result") -> None:
        """Count one more game."""
        self._ratings.clear()
        contest = Contest(result.game, result.board, result.board_digest)
        self._tables.setdefault(contest, _Table()).add(result)

    @property
    def contests(self) -> list[Contest]:
        """What was played, by name."""
        return sorted(self._tables)

    @property
    def agents(self) -> list[str]:
        """Who played: those given first, then the others by name."""
        return self.agents_in(None)

    def agents_in(self, contest: Contest | None) -> list[str]:
        """Who played in a contest, or in any."""
        there = {agent for table in self._chosen(contest) for agent in table.labours}
        given = [agent for agent in self._given if agent in there]
        return [*given, *sorted(there - set(given))]

    def pairings(
        self, contest: Contest | None = None, order: Iterable[str] | None = None
    ) -> list[tuple[str, str]]:
        """Who played whom, each pairing once, in this order or that of the agents."""
        met = {key for table in self._chosen(contest) for key in table.encounters}
        agents = self.agents_in(contest) if order is None else list(order)
        return [
            (first, second)
            for place, first in enumerate(agents)
            for second in agents[place:]
            if (min(first, second), max(first, second)) in met
        ]

    def encounter(self, first: str, second: str, contest: Contest | None = None) -> Encounter:
        """The games of two agents seen by the first, in one contest or in all."""
        found = sum(self._met(first, second, contest), Encounter())
        return found if first <= second else found.reversed()

    def pairs(self, first: str, second: str, contest: Contest | None = None) -> Pairs:
        """The results of two agents seen by the first, in one contest or in all."""
        found = sum((each.pairs for each in self._met(first, second, contest)), Pairs())
        return found if first <= second else found.reversed()

    def all_pairs(self, agent: str, contest: Contest | None = None) -> Pairs:
        """The results of an agent against all the others."""
        others = [other for other in self.agents_in(contest) if other != agent]
        return sum((self.pairs(agent, other, contest) for other in others), Pairs())

    def tally(self, agent: str, contest: Contest | None = None) -> Tally:
        """The games of an agent against all the others: `all_pairs().tally`, but at once."""
        found: Counter[str] = Counter()
        for table in self._chosen(contest):
            found.update(table.outcomes.get(agent, ()))
        return Tally(found[WIN], found[DRAW], found[LOSS])

    def labour(self, agent: str, contest: Contest | None = None) -> Labour:
        """What an agent's moves have cost and how its games went, in one contest or in all."""
        tables = self._chosen(contest)
        return sum((table.labours.get(agent, Labour()) for table in tables), Labour())

    def total(self, contest: Contest | None = None) -> Encounter:
        """All games together: how many, how long, how ended; its results mean nothing."""
        met = (each for table in self._chosen(contest) for each in table.encounters.values())
        return sum(met, Encounter())

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.total().games

    def ratings(self, contest: Contest | None = None) -> "Ratings | None":
        """Ratings over all pairings of one contest or of all; None without games."""
        from topple.arena.statistics.ratings import fit_ratings

        if contest not in self._ratings:
            met = {two: self.pairs(*two, contest) for two in self.pairings(contest)}
            self._ratings[contest] = fit_ratings(met) if met else None
        return self._ratings[contest]

    def _met(self, first: str, second: str, contest: Contest | None) -> Iterator[Encounter]:
        """The games of two agents, contest by contest, seen by whose name is less."""
        key = (min(first, second), max(first, second))
        for table in self._chosen(contest):
            if key in table.encounters:
                yield table.encounters[key]

    def _chosen(self, contest: Contest | None) -> list[_Table]:
        if contest is None:
            return [self._tables[each] for each in self.contests]
        return [self._tables[contest]] if contest in self._tables else []
