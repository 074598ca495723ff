"""Self-play: tables of games that a network plays, here or on a device for learning."""

from collections.abc import Iterator
from concurrent.futures import Executor
from random import Random
from typing import NamedTuple

from topple.core.errors import BadText
from topple.game import Game
from topple.nets.net import Design, Net
from topple.nets.shelf import fits, planes_of
from topple.training.lessons import Lesson
from topple.training.seats import Seat, seats_of
from topple.training.settings import TrainingSettings
from topple.training.tables import GameTable
from topple.training.window import LATTICES, Ring, extent_of


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
        self.seats = seats_of(settings)
        self.begun = begun
        self.source = Random(f"{settings.seed} {begun}")
        self.design = self._design()
        self.rings: dict[tuple[int, int], Ring] = {}
        self.placed: dict[tuple[tuple[int, int], str], int] = {}  # numbers of boards in rings
        self.n_opened = 0
        n_tables = -(-max(n_tables, len(self.seats)) // len(self.seats)) * len(self.seats)
        self.n_games = max(1, settings.parallel // n_tables)
        seats = [self.seats[i % len(self.seats)] for i in range(n_tables)]
        self.tables = [self._open(seat) for seat in seats]

    def _design(self) -> Design:
        settings, game = self.settings, self.seats[0].draw(Random(0))
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
            other = seat.draw(Random(0))
            if other.name != game.name or not fits(design, other):
                raise BadText(f"one network cannot see both {game!r} and {other!r}")
        return design

    def _extent(self, game: Game, seat: Seat) -> tuple[int, int]:
        return extent_of(game.board, self.design.kind, seat.most)

    def _open(self, seat: Seat, extent: tuple[int, int] | None = None) -> PlayedTable:
        """A new table for a seat, on a board of any extent or of the given one."""
        game = seat.draw(self.source)
        while extent is not None and self._extent(game, seat) != extent:
            game = seat.draw(self.source)
        self.n_opened += 1
        table = GameTable(game, self.settings, self.n_games, (self.begun, self.n_opened))
        return PlayedTable(table, *self.place(game, seat), seat)

    def place(self, game: Game, seat: Seat) -> tuple[Ring, int]:
        """The ring for positions of a game, and its board's number there."""
        extent, board = self._extent(game, seat), game.board.spec
        if extent not in self.rings:
            self.rings[extent] = Ring(self.settings.window, self.design, extent)
        ring = self.rings[extent]
        if (extent, board) not in self.placed:
            self.placed[extent, board] = ring.see(game.sight[1])
        return ring, self.placed[extent, board]

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
