"""Games of more than two players: who won them, opening by opening, and how sure rates are.

All games from one opening depend on each other: they have the same first moves and, in a
game with chance, the same draws. So openings are the samples of all intervals, whoever
played from them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from topple.arena.statistics.pairs import fingerprint
from topple.arena.statistics.rates import Estimate, cluster_ratio
from topple.arena.store.played import Result

SEAT_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

Opening = tuple[int, int]  # the tournament's seed and the opening's number
Group = tuple[str, ...]  # its agents in alphabetical order


class GroupGame(NamedTuple):
    """How a game ended: who sat where, and which seats won."""

    agents: tuple[str, ...]  # in the order of the seats
    winners: tuple[int, ...]  # seats; all of them if the game is drawn
    returns: tuple[float, ...]

    @property
    def group(self) -> Group:
        """The agents, whatever their seats."""
        return tuple(sorted(self.agents))

    def share(self, seat: int) -> float:
        """What a seat has of the win: all, nothing, or one part of several."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


class _Round:
    """The games of a group from one opening so far, of which more are to come."""

    def __init__(self) -> None:
        self.digests: dict[int, tuple[object, ...]] = {}  # by side

    def add(self, result: Result) -> bytes | None:
        """Add a game; returns a fingerprint of all once the last one has been added."""
        self.digests[result.side] = (result.side, result.agents, result.moves_digest)
        if len(self.digests) < len(result.agents):
            return None
        return fingerprint(*map(repr, sorted(self.digests.values())))


class _GroupRounds:
    """How many rounds a group has played, and how many repeat earlier ones."""

    def __init__(self) -> None:
        self.n = 0  # including incomplete ones
        self.repeats = 0
        self.waiting: dict[str, _Round] = {}
        self.seen: set[bytes] = set()

    def add(self, result: Result) -> None:
        if result.pair not in self.waiting:
            self.waiting[result.pair] = _Round()
            self.n += 1
        found = self.waiting[result.pair].add(result)
        if found is not None:
            del self.waiting[result.pair]
            self.repeats += found in self.seen
            self.seen.add(found)

    @property
    def worth(self) -> float:
        """How much a round counts as evidence, between 0 and 1."""
        return max(1, self.n - self.repeats) / self.n


class WeightedGame(NamedTuple):
    """Games of one kind from one opening, with their weight as evidence."""

    game: GroupGame
    weight: float


class GroupCounts:
    """The games of one contest of more than two players.

    Rounds, the games of a group from one opening, that repeat earlier ones move for move
    add no information: a group's rates are over all of its games, and its weight is the
    number of its different rounds.
    """

    def __init__(self) -> None:
        self.counts: Counter[GroupGame] = Counter()
        self._kinds: dict[GroupGame, int] = {}
        self._openings: dict[Opening, list[int]] = {}  # the kinds of its games
        self._rounds: dict[Group, _GroupRounds] = {}

    def add(self, result: Result) -> None:
        """Count one more game."""
        game = GroupGame(result.agents, result.winners, result.returns)
        self.counts[game] += 1
        kind = self._kinds.setdefault(game, len(self._kinds))
        opening = (result.tournament_seed, result.opening_number)
        self._openings.setdefault(opening, []).append(kind)
        self._rounds.setdefault(game.group, _GroupRounds()).add(result)

    @property
    def n_players(self) -> int:
        """The number of players, which is the same in all games."""
        return len(next(iter(self._kinds)).agents)

    @property
    def n_repeated(self) -> int:
        """How many games are in rounds that repeat earlier ones."""
        return self.n_players * sum(each.repeats for each in self._rounds.values())

    @property
    def n_incomplete(self) -> int:
        """How many games are in rounds that lack others."""
        waiting = (each for met in self._rounds.values() for each in met.waiting.values())
        return sum(len(each.digests) for each in waiting)

    def clusters(self) -> Iterator[list[WeightedGame]]:
        """The games of each opening with their weights as evidence."""
        worth = {group: rounds.worth for group, rounds in self._rounds.items()}
        weighted = [WeightedGame(kind, worth[kind.group]) for kind in self._kinds]
        for opening in sorted(self._openings):
            yield [weighted[kind] for kind in sorted(self._openings[opening])]


class GroupResults:
    """Results of games of more than two players, in one contest or in several."""

    def __init__(self, parts: Sequence[GroupCounts]) -> None:
        self.parts = parts

    @property
    def n_players(self) -> int | None:
        """The number of players; None if the contests differ in it, or there are none."""
        found = {part.n_players for part in self.parts}
        return found.pop() if len(found) == 1 else None

    def clusters(self) -> Iterator[list[WeightedGame]]:
        """The games of each opening with their weights as evidence."""
        for part in self.parts:
            yield from part.clusters()

    def tally(self, agent: str | None, seat: int | None = None) -> tuple[int, int, int]:
        """How many games an agent won alone, shared, and did not win."""
        alone = shared = lost = 0
        for part in self.parts:
            for game, n in part.counts.items():
                for place in _places(game, agent, seat):
                    alone += n * (game.winners == (place,))
                    shared += n * (place in game.winners and len(game.winners) > 1)
                    lost += n * (place not in game.winners)
        return alone, shared, lost

    def share_so_far(self, agent: str) -> float | None:
        """An agent's share of the wins in all of its games, repeats included."""
        won = games = 0.0
        for part in self.parts:
            for game, n in part.counts.items():
                for place in _places(game, agent, None):
                    won, games = won + n * game.share(place), games + n
        return won / games if games else None

    def score(self, agent: str | None, seat: int | None = None) -> Estimate | None:
        """The share of the wins of an agent or of all, in one seat or in all.

        A shared win counts in parts, so that p agents of equal strength have 1/p each. All
        rates are None without games.
        """
        return self._rate(agent, seat, GroupGame.share)

    def win_rate(self, agent: str | None, seat: int | None = None) -> Estimate | None:
        """The share of games that an agent won alone."""
        return self._rate(agent, seat, lambda game, place: float(game.winners == (place,)))

    def mean_return(self, agent: str | None, seat: int | None = None) -> Estimate | None:
        """The mean return of an agent, between −1 and 1."""
        found = self._rate(agent, seat, lambda game, place: (1 + game.returns[place]) / 2)
        return None if found is None else Estimate(*(2 * number - 1 for number in found))

    def _rate(
        self, agent: str | None, seat: int | None, counted: Callable[[GroupGame, int], float]
    ) -> Estimate | None:
        """The mean of a number between 0 and 1 over an agent's games, with its interval."""
        found = cluster_ratio(self._units(agent, seat, counted))
        return None if found is None else found.estimate()

    def _units(
        self, agent: str | None, seat: int | None, counted: Callable[[GroupGame, int], float]
    ) -> Iterator[tuple[float, float, float]]:
        """Each opening as clusters for `cluster_ratio`."""
        for games in self.clusters():
            hits = trials = squares = 0.0
            for game, weight in games:
                for place in _places(game, agent, seat):
                    hits += weight * counted(game, place)
                    trials += weight
                    squares += weight**2
            if trials:
                number = squares / trials
                yield number, hits / number, trials / number


def _places(game: GroupGame, agent: str | None, seat: int | None) -> list[int]:
    """The seats of an agent in a game, or of all agents: all or only the one in question."""
    there = [place for place, other in enumerate(game.agents) if agent in (None, other)]
    return [place for place in there if seat in (None, place)]
