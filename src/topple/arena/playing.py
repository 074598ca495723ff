"""Playing one game: whatever an agent does, the game ends, and the score sheet says how."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from time import perf_counter
from typing import NamedTuple

from topple.agents import Agent, Decision, Player
from topple.arena.desk import Desk
from topple.arena.plan import Fixture, Limits
from topple.errors import IllegalMove, ToppleError
from topple.game import Game
from topple.position import Position
from topple.record import CRASH, ILLEGAL, LENGTH, LONGEST_NAME, TIME, Ending
from topple.rng import make_rng

MOST_PLIES = 10_000
TOLERANCE = 0.1  # seconds over a limit of time that are forgiven


class Costs(NamedTuple):
    """What one player's moves have cost in all."""

    moves: int = 0
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0


class Scoresheet(NamedTuple):
    """What came of a fixture: what a worker reports."""

    moves: tuple[str, ...]
    result: tuple[float, ...]
    reason: str
    ending: Ending | None
    costs: tuple[Costs, Costs]  # in the order of the seats
    began: str  # UTC
    seconds: float
    move_seconds: tuple[float, ...]


class Trouble(Exception):
    """What ends a game before its rules do."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.detail)
        self.ending = ending


@dataclass
class Seat:
    """A player at the board, with what its moves have cost."""

    number: int
    player: Player
    costs: Costs = field(default_factory=Costs)


def play_fixture(
    game: Game, agents: tuple[Agent, Agent], fixture: Fixture, limits: Limits, desk: Desk
) -> Scoresheet:
    """Play a game to its end; an agent that fails loses it.

    `agents` are in the order of the seats. The desk shows how far the game is.
    """
    seats = [
        Seat(number, agent.begin(int(make_rng(fixture.seed, number)[0])))
        for number, agent in enumerate(agents)
    ]
    play = Play(game, (seats[0], seats[1]), limits, desk)
    began, start = datetime.now(UTC).isoformat(timespec="seconds"), perf_counter()
    ending = play.to_the_end(fixture.opening)
    return play.sheet(ending, began, perf_counter() - start)


class Play:
    """A game under way."""

    def __init__(self, game: Game, seats: tuple[Seat, Seat], limits: Limits, desk: Desk) -> None:
        self.game, self.seats, self.limits, self.desk = game, seats, limits, desk
        self.position = game.start()
        self.moves: list[int] = []
        self.move_seconds: list[float] = []

    def to_the_end(self, opening: tuple[int, ...]) -> Ending | None:
        """Play until the game is over, or something ends it before."""
        self.desk.begin()
        try:
            for move in opening:
                self._play(move)
            for seat in self.seats:
                self._warm(seat)
            while not self.position.is_over:
                if len(self.moves) >= MOST_PLIES:
                    raise Trouble(Ending(LENGTH, None, f"not over after {MOST_PLIES:,} plies"))
                self._turn(self.seats[self.position.player])
        except Trouble as trouble:
            return trouble.ending
        finally:
            self.desk.rest()
        return None

    def _warm(self, seat: Seat) -> None:
        """Load what an agent runs before any clock does."""
        self.desk.think(seat.number, inf)
        try:
            seat.player.agent.warm(self.game)
        except (Exception, SystemExit) as error:
            raise Trouble(Ending(CRASH, seat.number, told(error))) from None

    def _turn(self, seat: Seat) -> None:
        """Let a player move."""
        limit = self._seconds_left(seat)
        self.desk.think(seat.number, limit)
        began = perf_counter()
        try:
            decision = seat.player.choose(self.position, len(self.moves))
        except (Exception, SystemExit) as error:
            raise Trouble(Ending(CRASH, seat.number, told(error))) from None
        finally:
            seconds = perf_counter() - began
            self.desk.rest()
        move = self._check(seat, decision)
        self._charge(seat, decision, seconds)
        if seconds > limit + TOLERANCE:
            raise Trouble(Ending(TIME, seat.number, late(limit)))
        self._play(move)

    def _seconds_left(self, seat: Seat) -> float:
        """What the limits leave for a move."""
        if self.limits.game_seconds is None:
            return self.limits.move_seconds
        left = self.limits.game_seconds - seat.costs.seconds
        return max(0.0, min(self.limits.move_seconds, left))

    def _check(self, seat: Seat, decision: object) -> int:
        """The move that was decided on, if it may be played."""
        if not isinstance(decision, Decision):
            given = f"it answered {type(decision).__name__}, not a Decision"
            raise Trouble(Ending(CRASH, seat.number, given))
        try:
            return self.position.check_move(decision.move)
        except ToppleError as error:
            raise Trouble(Ending(ILLEGAL, seat.number, told(error))) from None

    def _charge(self, seat: Seat, decision: Decision, seconds: float) -> None:
        """Put a move on a player's account."""
        costs, effort = seat.costs, decision.effort
        self.move_seconds.append(round(seconds, 6))
        seat.costs = Costs(
            costs.moves + 1,
            costs.seconds + seconds,
            costs.simulations + effort.simulations,
            costs.nodes + effort.nodes,
        )

    def _play(self, move: int) -> None:
        try:
            self.position = self.position.play(move)
        except ToppleError as error:  # a cascade beyond all bounds is nobody's fault
            raise Trouble(Ending(LENGTH, None, told(error))) from None
        self.moves.append(move)
        self.desk.note(move)

    def sheet(self, ending: Ending | None, began: str, seconds: float) -> Scoresheet:
        """What there is to report."""
        return Scoresheet(
            moves=tuple(map(self.game.move_text, self.moves)),
            result=result_of(self.position, ending),
            reason=reason_of(self.position, ending),
            ending=ending,
            costs=(self.seats[0].costs, self.seats[1].costs),
            began=began,
            seconds=seconds,
            move_seconds=tuple(self.move_seconds),
        )


def broken_off(game: Game, moves: tuple[int, ...], ending: Ending, began: str) -> Scoresheet:
    """The sheet of a game whose worker is gone, from what was seen on the desk."""
    return Scoresheet(
        moves=tuple(map(game.move_text, moves)),
        result=ending.returns(2),
        reason=reason_of(game.start(), ending),
        ending=ending,
        costs=(Costs(), Costs()),
        began=began,
        seconds=0.0,
        move_seconds=(),
    )


def result_of(position: Position, ending: Ending | None) -> tuple[float, ...]:
    """One return per seat."""
    return position.returns() if ending is None else ending.returns(2)


def reason_of(position: Position, ending: Ending | None) -> str:
    """In words, why the game ended as it did."""
    if ending is None:
        assert position.outcome is not None
        return position.outcome.reason
    return ending.text(position.game.players).partition(": ")[2]


def late(limit: float) -> str:
    """What is said of a move that took too long."""
    return f"no move within {limit:g} s"


def told(error: BaseException) -> str:
    """An error on one plain line that fits into a record."""
    line = " ".join(str(error).split())
    name = "" if isinstance(error, IllegalMove) else f"{type(error).__name__}: "
    plain = "".join(letter if letter.isprintable() else "?" for letter in f"{name}{line}")
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
