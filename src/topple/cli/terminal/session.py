"""A game under way at the terminal: who plays, and what was played."""

from collections.abc import Sequence

from topple.agents import Agent
from topple.arena.playing.game import error_text
from topple.cli.terminal.players import Seat, seat_players
from topple.cli.terminal.record_files import SavedGame
from topple.compiling.rng import make_rng
from topple.core.errors import BadText, IllegalMove, ToppleError
from topple.game import Game, Position
from topple.game.record import CRASH, ILLEGAL, RESIGNATION, Ending, Record
from topple.game.warm_up import prepare

DRAWS = 0x6472  # the draws' part of the seed, which no seat has: there are fewer seats


class Session:
    """A game with its players and moves so far, which can be taken back.

    Only the moves are kept, not every position: taking back replays them. In a game with chance
    each is written with its draw, so that the same happens again.
    """

    def __init__(self, game: Game, names: Sequence[str], seed: int) -> None:
        self.names = tuple(names)  # as given; empty seats are filled
        self.seed = seed
        self.is_left = False
        self.ending: Ending | None = None  # once an agent has given up
        self.game = game
        self.seats: tuple[Seat, ...] = seat_players(game, self.names, seed)
        self.moves: list[int] = []
        self.written: list[str] = []  # the same as texts, with their draws
        self.movers: list[int] = []  # who played each
        self.position: Position

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents that play."""
        return tuple(seat.player.agent for seat in self.seats if seat.player is not None)

    def begin(self) -> None:
        """Set up the first position, with players who remember nothing."""
        if self.moves:
            self.seats = seat_players(self.game, self.names, self.seed)
        self.position = self.game.start()
        self.moves, self.written, self.movers = [], [], []
        self.ending = None

    @property
    def on_turn(self) -> Seat:
        """Who is to move."""
        return self.seats[self.position.player]

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return any(seat.player is None for seat in self.seats)

    def play(self, move: int | str) -> Position:
        """Play a move; returns the position before it.

        In a game with chance the move's draw is the one in its text, or else follows from the
        session's seed and the ply.
        """
        before = self.position
        number, written = before.check_move(move), self._with_draw(move)
        self.position = before.play(written)
        self.moves.append(number)
        self.written.append(written)
        self.movers.append(before.player)
        return before

    def _with_draw(self, move: int | str) -> str:
        """The text of a move as records keep it."""
        has_draw = isinstance(move, str) and self.game.split_draw(move)[1] is not None
        if has_draw or not self.game.has_chance:
            return self.position.with_draw(move)
        draw = int(make_rng(self.seed, DRAWS, len(self.moves))[0]) >> 32
        return self.position.with_draw(move, draw)

    def give_up(self) -> Ending:
        """The player to move resigns; the game is left."""
        self.ending, self.is_left = Ending(RESIGNATION, self.position.player), True
        return self.ending

    def fail(self, error: ToppleError) -> Ending:
        """The program that is to move, somebody else's, has failed and loses; the game is left."""
        by = ILLEGAL if isinstance(error, IllegalMove) else CRASH
        self.ending, self.is_left = Ending(by, self.position.player, error_text(error)), True
        return self.ending

    def take_back(self, n_plies: int | None = None) -> int:
        """Take back so many moves, or back to a person's last turn; returns how many.

        Raises
        ------
        BadText
            If there are not so many moves to take back.
        """
        if n_plies is None:
            n_plies = self._plies_to_last_turn()
        if not 1 <= n_plies <= len(self.moves):
            raise BadText(f"there are {len(self.moves)} moves to take back")
        kept = self.written[:-n_plies]
        self.begin()
        for move in kept:
            self.play(move)
        return n_plies

    def _plies_to_last_turn(self) -> int:
        for n_plies, mover in enumerate(reversed(self.movers), start=1):
            if self.seats[mover].player is None:
                return n_plies
        raise BadText("there is no move of yours to take back")

    def resume(self, saved: SavedGame) -> None:
        """Go on from a saved game, which may be another one than this.

        Raises
        ------
        BadText
            If it does not replay, or the players do not fit it.
        Unsupported
            If an agent cannot play it.
        """
        game = saved.load_game()
        seats = seat_players(game, self.names, self.seed)
        prepare(game)
        movers = []
        for position in saved.positions():  # checks every move
            movers.append(position.player)
        self.game, self.seats, self.position = game, seats, position
        prepare(game, *self.agents)
        self.written = list(saved.record.moves)
        self.moves = [game.parse_move(text) for text in self.written]
        self.movers = movers[:-1]

    def record(self) -> Record:
        """The game so far, as it can be saved."""
        names = [seat.name for seat in self.seats]
        return Record.at(self.position, self.written, names, self.seed, ending=self.ending)
