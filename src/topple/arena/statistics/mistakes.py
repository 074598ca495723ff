"""Mistakes: what agents' moves in a store have given away, where the oracle can say."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from topple.arena.statistics.rates import Estimate, cluster_ratio
from topple.arena.statistics.standings import FINGERPRINT, Contest
from topple.arena.store.played import PlayedGame, moves_digest
from topple.core.errors import BadText, Unsupported
from topple.core.stopping import Stop
from topple.solvers import MEMORY, RESULT
from topple.solvers.oracle import Oracle
from topple.solvers.regret import RegretSummary, Review, review

if TYPE_CHECKING:
    from topple.arena.store.rows import Pairing
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
    thrown: int  # games that were won for it and then not won, for its own mistake


Opening = tuple[int, int]  # a tournament's seed, and the opening's number
Cluster = tuple[float, "_Counts"]  # so many openings that look like this


class _Counts(NamedTuple):
    """An agent's moves in some games."""

    moves: float = 0
    chances: float = 0
    mistakes: float = 0
    regret: float = 0

    def plus(self, other: "_Counts", times: float = 1) -> "_Counts":
        """These and so many times the others."""
        return _Counts(*(one + times * two for one, two in zip(self, other, strict=True)))


class _Half(NamedTuple):
    """A game that waits for the other one of its pair."""

    seat: int
    digest: str


@dataclass
class _Pairing:
    """An agent's moves against one opponent, by opening."""

    openings: dict[Opening, _Counts] = field(default_factory=dict)
    n_pairs: int = 0  # also those of which one game is still to come
    repeats: int = 0  # pairs that are move for move the same as an earlier one
    waiting: dict[str, _Half] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)

    def add(self, opening: Opening, counts: _Counts, pair: str, half: _Half) -> None:
        """Count the agent's moves in one game, and look whether a pair repeats."""
        self.openings[opening] = self.openings.get(opening, _Counts()).plus(counts)
        other = self.waiting.get(pair)
        if other is None or other.seat == half.seat:
            self.waiting[pair] = half
            self.n_pairs += 1
            return
        del self.waiting[pair]
        digests = "/".join(each.digest for each in sorted((half, other)))
        fingerprint = hashlib.blake2b(digests.encode(), digest_size=FINGERPRINT).digest()
        self.repeats += fingerprint in self.seen
        self.seen.add(fingerprint)

    @property
    def worth(self) -> float:
        """What a pair counts as evidence."""
        return max(1, self.n_pairs - self.repeats) / self.n_pairs


@dataclass
class Ledger:
    """All of one agent's games in a contest."""

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
        # An agent that plays itself is seen from the side that the pairing names first.
        seat = seats[0] if len(seats) == 1 else played.side
        opening = (played.tournament_seed, played.opening_number)
        counts = _Counts(*(sum(getattr(part, name) for part in parts) for name in _Counts._fields))
        pairing = self.pairings.setdefault(played.record.players[1 - seats[0]], _Pairing())
        half = _Half(seat, moves_digest(played.record.moves))
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
        """The openings, repeats not counted.

        Each pairing's counts are taken as often as its pairs are worth. How many
        openings these stand for is the mean worth, weighted by the evidence.
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
        """What it comes to."""
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
        """Regret for each move, with an interval that has a width whatever was counted.

        It is found as the share of the greatest regret that a move of these games
        could have had: a share lies between 0 and 1, and so has Wilson's interval.
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
    """Agents' moves beside the oracle's; openings belong to nobody.

    Games may come in any order, but each only once, and those of a contest
    best together: one oracle is at hand at a time.

    Parameters
    ----------
    memory : int
        Megabytes for what the oracle remembers.
    time : float, optional
        Seconds for each position; by default there is no limit, and boards that
        are too large are left out.
    stop : Stop, optional
        A sign to stop; what was counted by then remains.
    """

    def __init__(
        self, memory: int = MEMORY, time: float | None = None, stop: Stop | None = None
    ) -> None:
        self.memory, self.time, self.stop = memory, time, stop
        self.left_out: dict[Contest, str] = {}  # contests that are too large, and why
        self.unread: Counter[str] = Counter()  # why games could not be replayed
        self.n_games = 0  # that were judged
        self.is_complete = True
        self._ledgers: dict[Contest, dict[str, Ledger]] = {}
        self._units: dict[Contest, str] = {}
        self._oracle: tuple[object, Contest, Oracle | None] | None = None

    def add_all(
        self, games: Iterable[PlayedGame], done: Callable[[str], None] = lambda _: None
    ) -> None:
        """Judge games until all are done or it is time to stop; `done` is told of each."""
        for played in games:
            self.add(played)
            if not self.is_complete:
                return
            done("")

    def add(self, played: PlayedGame) -> None:
        """Judge one more game; one during which it is time to stop is not counted."""
        if self.stop is not None and self.stop.is_set():
            self.is_complete = False
            return
        try:
            contest, oracle = self._oracle_for(played)
            found = None if oracle is None else review(played.record, oracle, stop=self.stop)
        except BadText as error:  # its rules are not at hand, or its moves are none of theirs
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
        record = played.record
        options = tuple(sorted(record.options.items()))
        key = (record.game, options, record.board.spec, record.board.digest)
        if self._oracle is None or self._oracle[0] != key:
            self._oracle = None  # its memory is free before another takes its own
            game = record.load_game()
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
        ledgers = self._ledgers.setdefault(contest, {})
        for agent in dict.fromkeys(players):
            parts = [found.summary(seat) for seat, name in enumerate(players) if name == agent]
            ledgers.setdefault(agent, Ledger()).add(played, parts)

    @property
    def contests(self) -> list[Contest]:
        """Those with games that were judged, by name."""
        return sorted(self._ledgers)

    def rows(self, contest: Contest) -> list[MistakeRow]:
        """The agents of a contest, by name, with what their moves come to."""
        unit = self._units.get(contest, RESULT)
        ledgers = self._ledgers.get(contest, {})
        return [ledgers[agent].row(contest, agent, unit) for agent in sorted(ledgers)]


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
        Told of each game that was looked at.

    Examples
    --------
    >>> from topple.arena.store.store import open_store
    >>> with open_store(None) as store:
    ...     mistakes(store)
    []
    """

    def is_wanted(pairing: "Pairing") -> bool:
        spec = pairing.contest.spec
        return game is None or game in (spec, spec.partition(":")[0])

    found = Mistakes(memory, time, stop)
    with store.snapshot():
        found.add_all(store.games(is_wanted), done)
    return [row for contest in found.contests for row in found.rows(contest)]
