"""Self-play: tables of games that a network plays, here or on a device for learning."""

from collections.abc import Iterator
from concurrent.futures import Executor
from random import Random
from typing import NamedTuple

from topple.core.errors import BadText
from topple.game import Game, load
from topple.nets.net import Design, Net
from topple.nets.shelf import fits, planes_of
from topple.training.boards import BoardFamily
from topple.training.settings import TrainingSettings
from topple.training.tables import GameTable, Lesson
from topple.training.window import LATTICES, Ring, extent_of


class Seat(NamedTuple):
    """What is played at a table: a game on boards of one family."""

    game: str
    family: BoardFamily


class Found(NamedTuple):
    """A lesson, the ring that it belongs to, and its board's number there."""

    lesson: Lesson
    ring: Ring
    board: int


class PlayedTable(NamedTuple):
    """A table with its place in the window."""

    table: GameTable
    ring: Ring
    board: int
    seat: Seat


class SelfPlay:
    """All tables of a training run; a table whose networks are drawn anew is replaced."""

    def __init__(self, settings: TrainingSettings, n_tables: int, begun: int = 0) -> None:
        """Set up at least `n_tables` tables, and one for each game and family of boards.

        `begun`, the games of earlier processes, makes the games of this one others.
        """
        self.settings = settings
        self.seats = [
            Seat(game, BoardFamily(text)) for text in settings.boards for game in settings.games
        ]
        self.begun = begun
        self.source = Random(f"{settings.seed} {begun}")
        self.most = {seat.family: _most_vertices(seat.family) for seat in self.seats}
        self.design = self._design()
        self.rings: dict[tuple[int, int], Ring] = {}
        self.n_opened = 0
        n_tables = -(-max(n_tables, len(self.seats)) // len(self.seats)) * len(self.seats)
        self.n_games = max(1, settings.parallel // n_tables)
        seats = [self.seats[i % len(self.seats)] for i in range(n_tables)]
        self.tables = [self._open(seat) for seat in seats]

    def _design(self) -> Design:
        settings, game = self.settings, self._draw(self.seats[0], Random(0))
        kind, sight = game.sight
        assert game.encoding is not None
        design = Design(
            kind,
            planes_of(sight),
            game.encoding.ACTIONS,
            game.encoding.board_actions(game),
            game.n_players,
            settings.channels,
            settings.blocks,
            settings.policy,
            settings.value,
        )
        for seat in self.seats[1:]:
            other = self._draw(seat, Random(0))
            if other.name != game.name or not fits(design, other):
                raise BadText(f"one network cannot see both {game!r} and {other!r}")
        return design

    def _draw(self, seat: Seat, source: Random) -> Game:
        while True:
            board = seat.family.draw(source)
            if board.n_vertices <= self.most[seat.family]:
                return load(seat.game, board=board)

    def _extent(self, game: Game, seat: Seat) -> tuple[int, int]:
        return extent_of(game.board, self.design.kind, self.most[seat.family])

    def _open(self, seat: Seat, extent: tuple[int, int] | None = None) -> PlayedTable:
        """A new table for a seat, on a board of any extent or of the given one."""
        game = self._draw(seat, self.source)
        while extent is not None and self._extent(game, seat) != extent:
            game = self._draw(seat, self.source)
        self.n_opened += 1
        table = GameTable(game, self.settings, self.n_games, (self.begun, self.n_opened))
        extent = self._extent(game, seat)
        if extent not in self.rings:
            self.rings[extent] = Ring(self.settings.window, self.design, extent)
        ring = self.rings[extent]
        return PlayedTable(table, ring, ring.see(table.sight), seat)

    def harvest(self) -> Iterator[Found]:
        """The lessons of all games that are over, table by table; replaces empty tables."""
        for i, (table, ring, board, seat) in enumerate(self.tables):
            lessons = table.harvest(restart=seat.family.is_fixed)
            yield from (Found(lesson, ring, board) for lesson in lessons)
            if table.is_empty:
                self.tables[i] = self._open(seat, ring.extent)  # a wave's tables have one shape

    def play(self, net: Net, n_rounds: int, pool: Executor) -> None:
        """Play rounds at all tables with a network that is evaluated here."""

        def play_table(played: PlayedTable) -> None:
            played.table.play(self.design, net, n_rounds)

        list(pool.map(play_table, self.tables))

    @property
    def is_lattice(self) -> bool:
        """Whether the boards are lattices."""
        return self.design.kind in LATTICES


def _most_vertices(family: BoardFamily) -> int:
    """The vertices of the largest board that may be drawn, from a sample of the family."""
    source, draws = Random(0), 1 if family.is_fixed else 200
    return max(family.draw(source).n_vertices for _ in range(draws))
