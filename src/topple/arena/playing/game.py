"""Playing one game: whatever an agent does, the game ends, and the score sheet says how."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import index
from time import perf_counter
from typing import NamedTuple

from topple.agents import Agent, Decision, Effort, Player
from topple.arena.planning.plan import Fixture, Limits
from topple.arena.playing.shared_status import Desk, Thinking
from topple.compiling.rng import make_rng
from topple.core.errors import IllegalMove, Resigned, ToppleError
from topple.game.game import Game
from topple.game.record import CRASH, ILLEGAL, LENGTH, LONGEST_NAME, RESIGNATION, TIME, Ending

MOST_PLIES = 10_000
TOLERANCE = 0.1  # seconds over a limit of time that are forgiven
LOADING = 600.0  # seconds for an agent to be loaded, or as many as for a move
MOST_EFFORT = 2**62  # that can be counted


class Costs(NamedTuple):
    """What one player's moves have cost in all."""

    moves: int = 0
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0

    def with_move(self, seconds: float, simulations: int, nodes: int) -> "Costs":
        """These costs with one more move's."""
        return Costs(
            self.moves + 1,
            self.seconds + seconds,
            self.simulations + simulations,
            self.nodes + nodes,
        )


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


Sheets = list[tuple[Fixture, Scoresheet]]


class Trouble(Exception):
    """What ends a game before its rules do."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.detail)
        self.ending = ending


@dataclass
class Seat:
    """An agent at the board, with what its moves have cost."""

    number: int
    agent: Agent
    costs: Costs = field(default_factory=Costs)
    player: Player | None = None  # once it has sat down


def play_fixture(
    game: Game, agents: tuple[Agent, Agent], fixture: Fixture, limits: Limits, desk: Desk
) -> Scoresheet:
    """Play a game to its end; an agent that fails loses it.

    `agents` are in the order of the seats. The desk shows how far the game is.
    """
    play = Play(game, (Seat(0, agents[0]), Seat(1, agents[1])), limits, desk)
    began, start = now(), perf_counter()
    ending = play.to_the_end(fixture)
    return play.sheet(ending, began, perf_counter() - start)


class Play:
    """A game under way."""

    def __init__(self, game: Game, seats: tuple[Seat, Seat], limits: Limits, desk: Desk) -> None:
        self.game, self.seats, self.limits, self.desk = game, seats, limits, desk
        self.position = game.start()
        self.moves: list[int] = []
        self.move_seconds: list[float] = []

    def to_the_end(self, fixture: Fixture) -> Ending | None:
        """Play until the game is over, or something ends it before."""
        self.desk.begin()
        try:
            for move in fixture.opening:
                self._play(move)
            for seat in self.seats:
                self._sit_down(seat, int(make_rng(fixture.seed, seat.number)[0]))
            while not self.position.is_over:
                if len(self.moves) >= MOST_PLIES:
                    raise Trouble(Ending(LENGTH, None, f"not over after {MOST_PLIES:,} plies"))
                self._turn(self.seats[self.position.player])
        except Trouble as trouble:
            return trouble.ending
        finally:
            self.desk.rest()
        return None

    @contextmanager
    def _blaming(self, seat: Seat, limit: float) -> Iterator[None]:
        """Whatever goes wrong here, or takes too long, is an agent's own fault."""
        self.desk.think(seat.number, limit)
        try:
            yield
        except Resigned:
            raise Trouble(Ending(RESIGNATION, seat.number)) from None
        except BaseException as error:  # also sys.exit, or what else ends a program
            by = ILLEGAL if isinstance(error, IllegalMove) else CRASH
            raise Trouble(Ending(by, seat.number, told(error))) from None
        finally:
            self.desk.rest()

    def _sit_down(self, seat: Seat, seed: int) -> None:
        """Load what an agent runs, before its own clock does."""
        with self._blaming(seat, max(LOADING, self.limits.move_seconds)):
            seat.agent.warm(self.game)
            seat.player = seat.agent.begin(seed)
            seat.player.line = self.moves

    def _turn(self, seat: Seat) -> None:
        """Let a player move."""
        limit = self._seconds_left(seat)
        began = perf_counter()
        with self._blaming(seat, limit):
            assert seat.player is not None
            decision = seat.player.choose(self.position, len(self.moves))
            effort = counted_effort(decision)
        seconds = perf_counter() - began
        if self._is_late(seat, seconds):
            seat.costs = seat.costs._replace(seconds=seat.costs.seconds + seconds)
            raise Trouble(Ending(TIME, seat.number, late(limit)))
        move = self._check(seat, decision)
        seat.costs = seat.costs.with_move(seconds, *effort)
        self.move_seconds.append(round(seconds, 6))
        self._play(move)

    def _seconds_left(self, seat: Seat) -> float:
        """What the limits leave for a move."""
        if self.limits.game_seconds is None:
            return self.limits.move_seconds
        left = self.limits.game_seconds - seat.costs.seconds
        return max(0.0, min(self.limits.move_seconds, left))

    def _is_late(self, seat: Seat, seconds: float) -> bool:
        """Whether a move took too long; a game's tolerance is given once, not for each move."""
        limits = self.limits
        total = seat.costs.seconds + seconds
        return seconds > limits.move_seconds + TOLERANCE or (
            limits.game_seconds is not None and total > limits.game_seconds + TOLERANCE
        )

    def _check(self, seat: Seat, decision: Decision) -> int:
        """The move that was decided on, if it may be played."""
        try:
            return self.position.check_move(decision.move)
        except ToppleError as error:
            raise Trouble(Ending(ILLEGAL, seat.number, told(error))) from None

    def _play(self, move: int) -> None:
        try:
            self.position = self.position.play(move)
        except ToppleError as error:  # a cascade beyond all bounds is nobody's fault
            raise Trouble(Ending(LENGTH, None, told(error))) from None
        self.moves.append(move)
        self.desk.note(move)

    def _reason(self, ending: Ending | None) -> str:
        """In words, why the game ended as it did."""
        if ending is not None:
            return ending.reason(self.game.players)
        assert self.position.outcome is not None
        return self.position.outcome.reason

    def sheet(self, ending: Ending | None, began: str, seconds: float) -> Scoresheet:
        """What there is to report."""
        return Scoresheet(
            moves=tuple(map(self.game.move_text, self.moves)),
            result=self.position.returns() if ending is None else ending.returns(2),
            reason=self._reason(ending),
            ending=ending,
            costs=(self.seats[0].costs, self.seats[1].costs),
            began=began,
            seconds=seconds,
            move_seconds=tuple(self.move_seconds),
        )


def broken_off(
    game: Game, seen: Thinking, ending: Ending, began: str, seconds: float
) -> Scoresheet:
    """The sheet of a game whose worker is gone, from what was seen on the desk.

    What moves have cost is not known, but that a late one has cost its limit.
    """
    cost = seen.limit if ending.by == TIME else 0.0
    first, second = (Costs(seconds=cost if seat == seen.seat else 0.0) for seat in (0, 1))
    return Scoresheet(
        moves=tuple(map(game.move_text, seen.moves)),
        result=ending.returns(2),
        reason=ending.reason(game.players),
        ending=ending,
        costs=(first, second),
        began=began,
        seconds=seconds,
        move_seconds=(),
    )


def counted_effort(decision: Decision) -> tuple[int, int]:
    """The simulations and nodes of a decision, if it is one.

    Raises
    ------
    TypeError
        If an agent has answered with something else.
    """
    if not isinstance(decision, Decision):
        raise TypeError(f"it answered {type(decision).__name__}, not a Decision")
    effort = decision.effort
    if not isinstance(effort, Effort):
        raise TypeError(f"its effort is {type(effort).__name__}, not an Effort")
    simulations, nodes = index(effort.simulations), index(effort.nodes)
    if not (0 <= simulations < MOST_EFFORT and 0 <= nodes < MOST_EFFORT):
        raise TypeError("its effort is below 0 or beyond all bounds")
    return simulations, nodes


def now() -> str:
    """This moment as a record has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def late(limit: float) -> str:
    """What is said of a move that took too long."""
    return f"no move within {limit:g} s"


def told(error: BaseException) -> str:
    """An error on one plain line that fits into a record."""
    try:
        line = " ".join(str(error).split())
    except BaseException:  # it cannot even tell what it is
        line = ""
    name = "" if isinstance(error, IllegalMove) else type(error).__name__
    words = ": ".join(filter(None, (name, line)))
    plain = "".join(letter if letter.isprintable() else "?" for letter in words)
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
