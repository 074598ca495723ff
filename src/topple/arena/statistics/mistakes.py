"""Mistakes: what agents' moves in a store have given away, where the oracle can say."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from topple.arena.statistics.mistakes_ledger import Ledger, MistakeRow
from topple.arena.statistics.standings import Contest
from topple.arena.store.played import PlayedGame
from topple.core.errors import BadText, Unsupported
from topple.solvers import MEMORY, RESULT
from topple.solvers.oracle import Oracle
from topple.solvers.regret import Review, review
from topple.solvers.solver import Stop

if TYPE_CHECKING:
    from topple.arena.store.rows import Pairing
    from topple.arena.store.store import Store


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
