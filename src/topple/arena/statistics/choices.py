"""Choices: how often agents move on central vertices, and on which ones they move at all.

This is what Figures 4 and 5 of the Spread-It paper show: the share of an
agent's moves on the top fifth, the lowest fifth and the rest of the vertices,
in all of its games and in those that it won.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.arena.statistics.centrality import Groups, central_groups
from topple.arena.statistics.groups import SEAT_NAMES
from topple.arena.statistics.rates import Estimate, share
from topple.arena.statistics.standings import Contest
from topple.arena.store.played import PlayedGame
from topple.game.game import Game
from topple.game.record import Record

OWN_RULES = "topple.rules."


def takes_turns(game: Game) -> bool:
    """Whether players take turns until one can no longer move and passes to the end.

    This holds for topple's own games, unless a turn has several moves. Nothing is known
    about others.
    """
    return game.rules.__name__.startswith(OWN_RULES) and game.options.get("turn", 1) == 1


def movers(played: PlayedGame, first: int | None) -> list[int]:
    """The seat that made each move after the opening.

    `first` is the player who begins, in a game that `takes_turns`. Such a game has to be
    replayed only if the numbers of moves show that a player has passed. With None, and with
    more than two players, every game is replayed.

    Raises
    ------
    BadRecord
        If the record must be replayed and cannot be.
    """
    record = played.record
    n = len(record.moves)
    if first is not None and len(record.players) == 2:
        turns = [(first + ply) % 2 for ply in range(record.opening, n)]
        if [turns.count(0), turns.count(1)] == [part.moves for part in played.participants]:
            return turns
    positions = list(record.positions())
    return [position.player for position in positions[record.opening : n]]


BOTH, ALL = "both", "all"  # the seats that an agent had, of two players or of more


def seats_of(n_players: int) -> tuple[str, ...]:
    """The seats that moves are counted for: all of them together, then each.

    >>> seats_of(2), seats_of(3)
    (('both', 'first', 'second'), ('all', 'first', 'second', 'third'))
    """
    return (BOTH if n_players == 2 else ALL, *SEAT_NAMES[:n_players])


Counts = tuple[int, int, int]  # moves on the top, the rest and the lowest vertices


class Shares(NamedTuple):
    """How an agent's moves are distributed."""

    games: int
    moves: int
    top: Estimate | None  # None where there are no moves
    rest: Estimate | None
    lowest: Estimate | None


class _Moves:
    """Moves of one agent in some of its games, by centrality and by vertex."""

    def __init__(self, n_vertices: int) -> None:
        self.games = 0
        self.units: Counter[Counts] = Counter()  # of a game or, in both seats, of a pair
        self.vertices: NDArray[np.int64] = np.zeros(n_vertices, dtype=np.int64)


class _UnitKey(NamedTuple):
    """An agent's moves in games whose pair, or round of a group, lacks others."""

    pair: str
    agent: str
    won: bool  # whether only games that it won are counted


class _Contest:
    """The choices of all agents in one contest."""

    def __init__(self, game: Game, measure: str) -> None:
        self.game = game
        self.first = game.start().player if takes_turns(game) else None
        self.vertex_of: dict[str, int | None] = {}  # by the text of a move
        self.groups: Groups = central_groups(game.board, measure)
        self.moves: dict[tuple[str, str, bool], _Moves] = {}  # by agent, seats and won
        self.waiting: dict[_UnitKey, tuple[int, Counts]] = {}  # how many games, and their moves
        self.agents: set[str] = set()

    def add(self, played: PlayedGame) -> None:
        record = played.record
        vertices = [self._vertex(text) for text in record.moves[record.opening :]]
        places = list(zip(vertices, movers(played, self.first), strict=True))
        for seat, agent in enumerate(record.players):
            self.agents.add(agent)
            chosen = [place for place, mover in places if mover == seat and place is not None]
            self._count(played, agent, seat, chosen, won=False)
            if _is_won(record, seat):
                self._count(played, agent, seat, chosen, won=True)

    def _vertex(self, text: str) -> int | None:
        """The vertex of a move, remembered because the same moves come again and again."""
        text = self.game.split_draw(text)[0]
        if text not in self.vertex_of:
            self.vertex_of[text] = self.game.move_vertex(self.game.parse_move(text))
        return self.vertex_of[text]

    def _count(
        self, played: PlayedGame, agent: str, seat: int, chosen: list[int], *, won: bool
    ) -> None:
        counts = self._grouped(chosen)
        for seats in (BOTH, SEAT_NAMES[seat]):
            key = (agent, seats, won)
            moves = self.moves.setdefault(key, _Moves(self.game.board.n_vertices))
            moves.games += 1
            np.add.at(moves.vertices, chosen, 1)
            if seats != BOTH:
                moves.units[counts] += 1
        n_games = len(played.record.players)
        if n_games > 2:  # an agent may have several seats in a game
            n_games *= played.record.players.count(agent)
        self._count_pair(_UnitKey(played.pair, agent, won), counts, n_games)

    def _count_pair(self, part: _UnitKey, counts: Counts, n_games: int) -> None:
        """Count the moves in all games of a pair as one unit, and those in some meanwhile."""
        units = self.moves[part.agent, BOTH, part.won].units
        n, before = self.waiting.pop(part, (0, (0, 0, 0)))
        if n:
            units[before] -= 1
            counts = (before[0] + counts[0], before[1] + counts[1], before[2] + counts[2])
        units[counts] += 1
        if n + 1 < n_games:
            self.waiting[part] = n + 1, counts

    def _grouped(self, chosen: list[int]) -> Counts:
        top = sum(vertex in self.groups.top for vertex in chosen)
        lowest = sum(vertex in self.groups.lowest for vertex in chosen)
        return top, len(chosen) - top - lowest, lowest


class Choices:
    """The vertices that agents chose, without openings.

    Games may be added in any order, but each only once. Memory grows with the number of
    incomplete pairs, not with the number of games. `measure` is a centrality: `degree`,
    `pagerank`, `eigenvector`, `betweenness` or `closeness`.
    """

    def __init__(self, games: Iterable[PlayedGame] = (), measure: str = "degree") -> None:
        self.measure = measure
        self._contests: dict[Contest, _Contest] = {}
        self._known: dict[object, Contest] = {}
        for played in games:
            self.add(played)

    def add(self, played: PlayedGame) -> None:
        """Count one more game.

        Raises
        ------
        BadText
            If its game is not known here, or a move is not one of its moves.
        Unsupported
            If the measure has no values on its board.
        """
        self._contests[self.contest_of(played)].add(played)

    def contest_of(self, played: PlayedGame) -> Contest:
        """The contest that a game belongs to.

        Raises
        ------
        BadRecord
            If its game is not known here.
        Unsupported
            If the measure has no values on its board.
        """
        key = played.contest_key
        if key not in self._known:
            game = played.record.load_game(compiled=False)  # most games need not be replayed
            contest = Contest(game.spec, game.board.spec, game.board.digest)
            self._known[key] = contest
            if contest not in self._contests:
                self._contests[contest] = _Contest(game, self.measure)
        return self._known[key]

    @property
    def contests(self) -> list[Contest]:
        """The contests with games, by name."""
        return sorted(self._contests)

    def agents(self, contest: Contest) -> list[str]:
        """The agents that played in a contest, by name."""
        return sorted(self._contests[contest].agents)

    def groups(self, contest: Contest) -> Groups:
        """The vertices of the contest's board by centrality."""
        return self._contests[contest].groups

    def n_players(self, contest: Contest) -> int:
        """The number of players in a contest."""
        return self._contests[contest].game.n_players

    def labels(self, contest: Contest) -> tuple[str, ...]:
        """The names of the vertices of the contest's board."""
        return self._contests[contest].game.board.labels

    def shares(
        self, contest: Contest, agent: str, seats: str = BOTH, *, won: bool = False
    ) -> Shares:
        """Where an agent moved: in one seat or in all, in all games or in those that it won.

        The intervals take pairs of games as units, or with more players the games of a
        group from one opening; for one seat they take single games.
        """
        moves = self._contests[contest].moves.get((agent, BOTH if seats == ALL else seats, won))
        if moves is None:
            return Shares(0, 0, None, None, None)
        top, rest, lowest = (share(_units(moves.units, place)) for place in range(3))
        return Shares(moves.games, int(moves.vertices.sum()), top, rest, lowest)

    def vertex_counts(
        self, contest: Contest, agent: str, seats: str = BOTH, *, won: bool = False
    ) -> list[int]:
        """How often an agent moved on each vertex."""
        found = self._contests[contest]
        moves = found.moves.get((agent, seats, won))
        return [0] * found.game.board.n_vertices if moves is None else moves.vertices.tolist()


def _is_won(record: Record, seat: int) -> bool:
    """Whether a seat has won alone."""
    result = record.result or ()
    return bool(result) and all(
        result[seat] > other for place, other in enumerate(result) if place != seat
    )


def _units(units: Counter[Counts], place: int) -> Iterator[tuple[float, float]]:
    """Each unit as (moves on the vertices in question, all moves)."""
    return ((counts[place], sum(counts)) for counts in units.elements() if sum(counts))
