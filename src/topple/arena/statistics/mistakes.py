"""Mistakes: what agents' moves in a store have given away, where the oracle can say."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from topple.arena.statistics.pairs import fingerprint
from topple.arena.statistics.rates import Estimate, cluster_ratio
from topple.arena.statistics.standings import Contest
from topple.arena.store.played import PlayedGame, moves_digest
from topple.core.errors import BadText, Unsupported
from topple.core.stopping import Stop
from topple.solvers import MEMORY, RESULT
from topple.solvers.oracle import Oracle
from topple.solvers.regret import RegretSummary, Review, review

if TYPE_CHECKING:
    from topple.arena.store.store import Store


class MistakeRow(NamedTuple):
    """An agent's mistakes in a contest. Counts are over all games, estimates by evidence."""

    contest: Contest
    agent: str
    unit: str  # of regret: RESULT or POINTS
    games: int
    moves: int  # that were judged
    unjudged: int  # in positions that could not be solved within the limits
    chances: int  # moves where a mistake was possible
    mistakes: int
    rate: Estimate | None  # mistakes per chance; None without chances
    regret: int  # in all
    mean_regret: Estimate | None  # for each judged move; None without chances
    first_mistake: float | None  # its ply, the mean over games that have one
    flawless: int  # games without a mistake of the agent, all of its moves judged
    thrown: int  # games that it had won and then did not win because of its own mistake


Opening = tuple[int, int]  # a tournament's seed, and the opening's number
Cluster = tuple[float, "_Counts"]  # the number of openings with these counts


class _Counts(NamedTuple):
    """An agent's moves in some games."""

    moves: float = 0
    chances: float = 0
    mistakes: float = 0
    regret: float = 0

    def plus(self, other: "_Counts", times: float = 1) -> "_Counts":
        """These counts plus `times` the others."""
        return _Counts(*(one + times * two for one, two in zip(self, other, strict=True)))


class _HalfPair(NamedTuple):
    """A game whose pair lacks the other game."""

    seat: int
    digest: str


@dataclass
class _Pairing:
    """An agent's moves against one opponent, by opening."""

    openings: dict[Opening, _Counts] = field(default_factory=dict)
    n_pairs: int = 0  # including incomplete ones
    repeats: int = 0  # pairs that are move for move the same as an earlier one
    waiting: dict[str, _HalfPair] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)

    def add(self, opening: Opening, counts: _Counts, pair: str, half: _HalfPair) -> None:
        """Count the agent's moves in one game, and check whether its pair is a repetition."""
        self.openings[opening] = self.openings.get(opening, _Counts()).plus(counts)
        other = self.waiting.get(pair)
        if other is None or other.seat == half.seat:
            self.waiting[pair] = half
            self.n_pairs += 1
            return
        del self.waiting[pair]
        found = fingerprint(*(each.digest for each in sorted((half, other))))
        self.repeats += found in self.seen
        self.seen.add(found)

    @property
    def worth(self) -> float:
        """How much a pair counts as evidence, between 0 and 1."""
        return max(1, self.n_pairs - self.repeats) / self.n_pairs


@dataclass
class AgentMistakes:
    """The mistakes of one agent in all its games of a contest.

    The moves of a game depend on each other, and so do all games from one opening, even
    against different opponents: a deterministic agent begins them in the same way. All
    intervals therefore take openings as units. Pairs of games that repeat others move for
    move add no information: as everywhere, a pairing's rates are over all of its games,
    and its weight is the number of its different pairs.
    """

    pairings: dict[str, _Pairing] = field(default_factory=dict)  # by opponent
    games: int = 0
    unjudged: int = 0
    flawless: int = 0
    thrown: int = 0
    most_regret: int = 0
    faulty: int = 0  # games with a mistake
    first_mistakes: int = 0  # the sum of their plies

    def add(self, played: PlayedGame, parts: Sequence[RegretSummary]) -> None:
        """Count one game; an agent that plays itself has two parts in it."""
        self.games += 1
        seats = [part.player for part in parts]
        # For an agent that plays itself, take the side that the pairing names first.
        seat = seats[0] if len(seats) == 1 else played.side
        opening = (played.tournament_seed, played.opening_number)
        counts = _Counts(*(sum(getattr(part, name) for part in parts) for name in _Counts._fields))
        pairing = self.pairings.setdefault(played.record.players[1 - seats[0]], _Pairing())
        half = _HalfPair(seat, moves_digest(played.record.moves))
        pairing.add(opening, counts, played.pair, half)
        firsts = [each.first_mistake for each in parts if each.first_mistake is not None]
        self.faulty += bool(firsts)
        self.first_mistakes += min(firsts, default=0)
        unjudged = sum(each.unjudged for each in parts)
        self.unjudged += unjudged
        self.flawless += not firsts and not unjudged
        self.thrown += any(each.thrown is not None for each in parts)
        self.most_regret = max([self.most_regret, *(each.most_regret for each in parts)])

    def clusters(self) -> Iterator[Cluster]:
        """The openings, without repetitions.

        Each pairing's counts are weighted with the worth of its pairs. The number of
        openings that they stand for is the mean worth, weighted with the evidence.
        """
        there: dict[Opening, list[Cluster]] = {}
        for pairing in self.pairings.values():
            for opening, counts in pairing.openings.items():
                there.setdefault(opening, []).append((pairing.worth, counts))
        for parts in there.values():
            total, squares = _Counts(), 0.0
            for worth, counts in parts:
                total = total.plus(counts, worth)
                squares += worth**2 * counts.moves
            if total.moves:
                number = squares / total.moves
                yield number, _Counts().plus(total, 1 / number)

    def row(self, contest: Contest, agent: str, unit: str) -> MistakeRow:
        """The agent's mistakes in the contest."""
        clusters, total = list(self.clusters()), _Counts()
        for pairing in self.pairings.values():
            for counts in pairing.openings.values():
                total = total.plus(counts)
        return MistakeRow(
            contest=contest,
            agent=agent,
            unit=unit,
            games=self.games,
            moves=int(total.moves),
            unjudged=self.unjudged,
            chances=int(total.chances),
            mistakes=int(total.mistakes),
            rate=_share((n, each.mistakes, each.chances) for n, each in clusters),
            regret=int(total.regret),
            mean_regret=self._mean_regret(clusters),
            first_mistake=self.first_mistakes / self.faulty if self.faulty else None,
            flawless=self.flawless,
            thrown=self.thrown,
        )

    def _mean_regret(self, clusters: list[Cluster]) -> Estimate | None:
        """Regret for each move, with an interval that is never empty.

        It is computed as a share of the greatest regret that a move of these games could
        have had. Like every share, it has Wilson's interval.
        """
        most = self.most_regret
        if not most:
            return None
        found = _share((n, each.regret / most, each.moves) for n, each in clusters)
        return None if found is None else Estimate(*(most * number for number in found))


def _share(clusters: Iterable[tuple[float, float, float]]) -> Estimate | None:
    found = cluster_ratio(clusters)
    return None if found is None else found.estimate()


class Mistakes:
    """Agents' moves compared with those of the oracle, without openings.

    Games may be added in any order, but each only once. Those of a contest should come
    together, because only one oracle is kept at a time.

    Parameters
    ----------
    memory : int
        Megabytes of memory for the oracle.
    time : float, optional
        Seconds for each position. By default there is no limit, and boards that are too
        large are left out.
    stop : Stop, optional
        A sign to stop. What was counted by then remains.
    """

    def __init__(
        self, memory: int = MEMORY, time: float | None = None, stop: Stop | None = None
    ) -> None:
        self.memory, self.time, self.stop = memory, time, stop
        self.left_out: dict[Contest, str] = {}  # contests that could not be judged, and why
        self.unread: Counter[str] = Counter()  # why games could not be replayed
        self.n_games = 0  # that were judged
        self.is_complete = True
        self._agents: dict[Contest, dict[str, AgentMistakes]] = {}
        self._units: dict[Contest, str] = {}
        self._oracle: tuple[object, Contest, Oracle | None] | None = None

    def add_all(
        self, games: Iterable[PlayedGame], done: Callable[[str], None] = lambda _: None
    ) -> None:
        """Judge games until all are done or it is time to stop; `done` is called after each."""
        for played in games:
            self.add(played)
            if not self.is_complete:
                return
            done("")

    def add(self, played: PlayedGame) -> None:
        """Judge one more game. It is not counted if the judging is stopped before its end."""
        if self.stop is not None and self.stop.is_set():
            self.is_complete = False
            return
        try:
            contest, oracle = self._oracle_for(played)
            found = None if oracle is None else review(played.record, oracle, stop=self.stop)
        except BadText as error:  # its rules are not known here, or a move is not one of theirs
            self.unread[str(error)] += 1
            return
        if found is None:
            return
        if not found.is_complete:
            self.is_complete = False
            return
        self._count(contest, played, found)

    def _oracle_for(self, played: PlayedGame) -> tuple[Contest, Oracle | None]:
        """A game's contest with an oracle for it; None where it is too large."""
        key = played.contest_key
        if self._oracle is None or self._oracle[0] != key:
            self._oracle = None  # free its memory before the next one takes its own
            game = played.record.load_game()
            contest = Contest(game.spec, game.board.spec, game.board.digest)
            oracle = None
            try:
                oracle = Oracle(game, self.memory, self.time)
                if self.time is None:
                    oracle.check()
            except Unsupported as error:
                self.left_out[contest], oracle = str(error), None
            self._oracle = key, contest, oracle
        return self._oracle[1:]

    def _count(self, contest: Contest, played: PlayedGame, found: Review) -> None:
        self.n_games += 1
        if found.unit is not None:
            self._units[contest] = found.unit
        players = played.record.players
        agents = self._agents.setdefault(contest, {})
        for agent in dict.fromkeys(players):
            parts = [found.summary(seat) for seat, name in enumerate(players) if name == agent]
            agents.setdefault(agent, AgentMistakes()).add(played, parts)

    @property
    def contests(self) -> list[Contest]:
        """The contests with games that were judged, by name."""
        return sorted(self._agents)

    def rows(self, contest: Contest) -> list[MistakeRow]:
        """The mistakes of each agent in a contest, by name."""
        unit = self._units.get(contest, RESULT)
        agents = self._agents.get(contest, {})
        return [agents[agent].row(contest, agent, unit) for agent in sorted(agents)]


def mistakes(
    store: "Store",
    *,
    game: str | None = None,
    memory: int = MEMORY,
    time: float | None = None,
    stop: Stop | None = None,
    done: Callable[[str], None] = lambda _: None,
) -> list[MistakeRow]:
    """Count the mistakes of every agent in every contest that the oracle can solve.

    Parameters
    ----------
    store : Store
        The games.
    game : str, optional
        Only games of this name, such as `hex`, or with these options, such as
        `spread-it:loyalty=full`.
    memory, time, stop
        As for `Mistakes`.
    done : callable
        Called after each game.

    Examples
    --------
    >>> from topple.arena.store.store import open_store
    >>> with open_store(None) as store:
    ...     mistakes(store)
    []
    """
    found = Mistakes(memory, time, stop)
    with store.snapshot():
        found.add_all(store.games(lambda pairing: pairing.contest.is_named(game)), done)
    return [row for contest in found.contests for row in found.rows(contest)]
