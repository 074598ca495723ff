"""Play one game. Whatever an agent does, the game ends, and the score sheet says how."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import index
from time import perf_counter
from typing import NamedTuple

from topple.agents import Agent, Decision, Effort, Player
from topple.arena.planning.plan import Fixture, Limits
from topple.arena.playing.shared_status import GameStatus, SharedStatus
from topple.compiling.rng import make_rng
from topple.core.errors import BadModule, IllegalMove, Resigned, ToppleError
from topple.game.game import Game
from topple.game.record import CRASH, ILLEGAL, LENGTH, LONGEST_NAME, RESIGNATION, TIME, Ending

MOST_PLIES = 10_000
TOLERANCE = 0.1  # seconds by which a limit may be exceeded
LOADING = 600.0  # seconds for an agent to load; more if a move may take longer
MOST_EFFORT = 2**62  # simulations or nodes of a move


class Costs(NamedTuple):
    """What all moves of one player have cost."""

    moves: int = 0
    seconds: float = 0.0
    simulations: int = 0
    nodes: int = 0

    def with_move(self, seconds: float, simulations: int, nodes: int) -> "Costs":
        """These costs and those of one more move."""
        return Costs(
            self.moves + 1,
            self.seconds + seconds,
            self.simulations + simulations,
            self.nodes + nodes,
        )


class Scoresheet(NamedTuple):
    """How a fixture went: what a worker reports."""

    moves: tuple[str, ...]
    result: tuple[float, ...]
    reason: str
    ending: Ending | None
    costs: tuple[Costs, ...]  # in the order of the seats
    began: str  # UTC
    seconds: float
    move_seconds: tuple[float, ...]


Sheets = list[tuple[Fixture, Scoresheet]]  # of games that have ended


class EndedEarly(Exception):
    """Ends a game before its rules do."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.detail)
        self.ending = ending


@dataclass
class Seat:
    """A seat at the board: its agent, and what the agent's moves have cost."""

    number: int
    agent: Agent
    costs: Costs = field(default_factory=Costs)
    player: Player | None = None  # once the agent is loaded


def play_fixture(
    game: Game,
    agents: Sequence[Agent],
    fixture: Fixture,
    limits: Limits,
    status: SharedStatus,
    *,
    is_contained: bool = True,
) -> Scoresheet:
    """Play a game to its end; an agent that fails loses it.

    The agents are in the order of the seats. `status` changes in place as the game goes on.
    `is_contained` says that the process is a worker, which no Ctrl-C of a user reaches.
    """
    run = _GameRun(game, fixture, agents, limits, status, is_contained=is_contained)
    began, start = now(), perf_counter()
    ending = run.play()
    return run.sheet(ending, began, perf_counter() - start)


class _GameRun:
    """A game under way."""

    def __init__(
        self,
        game: Game,
        fixture: Fixture,
        agents: Sequence[Agent],
        limits: Limits,
        status: SharedStatus,
        *,
        is_contained: bool,
    ) -> None:
        self.is_contained = is_contained
        self.game, self.fixture, self.limits, self.status = game, fixture, limits, status
        self.seats = [Seat(number, agent) for number, agent in enumerate(agents)]
        self.position = game.start()
        self.moves: list[int] = []
        self.move_seconds: list[float] = []

    def play(self) -> Ending | None:
        """Play until the game is over; returns what ended it early, if anything did."""
        fixture = self.fixture
        self.status.reset()
        try:
            for move in fixture.opening:
                self._play(move)
            for seat in self.seats:
                self._load(seat, int(make_rng(fixture.seed, seat.number)[0]))
            while not self.position.is_over:
                if len(self.moves) >= MOST_PLIES:
                    raise EndedEarly(Ending(LENGTH, None, f"not over after {MOST_PLIES:,} plies"))
                self._turn(self.seats[self.position.player])
        except EndedEarly as early:
            return early.ending
        finally:
            self.status.stop_clock()
        return None

    @contextmanager
    def _blaming(self, seat: Seat, limit: float) -> Iterator[None]:
        """Blame the agent in a seat for whatever goes wrong or takes too long in this context."""
        self.status.start_clock(seat.number, limit)
        try:
            yield
        except Resigned:
            raise EndedEarly(Ending(RESIGNATION, seat.number)) from None
        except BaseException as error:  # including sys.exit and the like
            if isinstance(error, KeyboardInterrupt) and not self.is_contained:
                raise
            by = ILLEGAL if isinstance(error, IllegalMove) else CRASH
            raise EndedEarly(Ending(by, seat.number, error_text(error))) from None
        finally:
            self.status.stop_clock()

    def _load(self, seat: Seat, seed: int) -> None:
        """Load an agent's code, before its clock starts."""
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
            raise EndedEarly(Ending(TIME, seat.number, late_text(limit)))
        move = self._check(seat, decision)
        seat.costs = seat.costs.with_move(seconds, *effort)
        self.move_seconds.append(round(seconds, 6))
        self._play(move)

    def _seconds_left(self, seat: Seat) -> float:
        """How long the next move may take."""
        if self.limits.game_seconds is None:
            return self.limits.move_seconds
        left = self.limits.game_seconds - seat.costs.seconds
        return max(0.0, min(self.limits.move_seconds, left))

    def _is_late(self, seat: Seat, seconds: float) -> bool:
        """Whether a move took too long. For the time of a game the tolerance counts once."""
        limits = self.limits
        total = seat.costs.seconds + seconds
        return seconds > limits.move_seconds + TOLERANCE or (
            limits.game_seconds is not None and total > limits.game_seconds + TOLERANCE
        )

    def _check(self, seat: Seat, decision: Decision) -> int:
        """The decision's move as a number, if it is legal."""
        try:
            return self.position.check_move(decision.move)
        except ToppleError as error:
            raise EndedEarly(Ending(ILLEGAL, seat.number, error_text(error))) from None

    def _play(self, move: int) -> None:
        try:
            self.position = self.position.play(move, self.fixture.draw(len(self.moves)))
        except ToppleError as error:  # a cascade without end, for which no player is to blame
            raise EndedEarly(Ending(LENGTH, None, error_text(error))) from None
        self.moves.append(move)
        self.status.add_move(move)

    def _reason(self, ending: Ending | None) -> str:
        """Why the game ended as it did, in words."""
        if ending is not None:
            return ending.reason(self.game.players)
        assert self.position.outcome is not None
        return self.position.outcome.reason

    def sheet(self, ending: Ending | None, began: str, seconds: float) -> Scoresheet:
        """The score sheet of the game."""
        return Scoresheet(
            moves=self.fixture.move_texts(self.game, self.moves),
            result=self.position.returns() if ending is None else ending.returns(len(self.seats)),
            reason=self._reason(ending),
            ending=ending,
            costs=tuple(seat.costs for seat in self.seats),
            began=began,
            seconds=seconds,
            move_seconds=tuple(self.move_seconds),
        )


def sheet_of_lost_game(
    game: Game,
    fixture: Fixture,
    status: GameStatus,
    ending: Ending,
    began: str,
    seconds: float,
) -> Scoresheet:
    """The score sheet of a game whose worker was killed, made from its last status.

    What the moves cost is not known, except that a late move has cost its limit.
    """
    cost = status.limit if ending.by == TIME else 0.0
    seats = range(game.n_players)
    return Scoresheet(
        moves=fixture.move_texts(game, status.moves),
        result=ending.returns(game.n_players),
        reason=ending.reason(game.players),
        ending=ending,
        costs=tuple(Costs(seconds=cost if seat == status.seat else 0.0) for seat in seats),
        began=began,
        seconds=seconds,
        move_seconds=(),
    )


def counted_effort(decision: Decision) -> tuple[int, int]:
    """The simulations and nodes of a decision.

    Raises
    ------
    TypeError
        If an agent's answer is not a decision, or its effort is not a proper one.
    """
    if not isinstance(decision, Decision):
        raise TypeError(f"it answered {type(decision).__name__}, not a Decision")
    effort = decision.effort
    if not isinstance(effort, Effort):
        raise TypeError(f"its effort is {type(effort).__name__}, not an Effort")
    simulations, nodes = index(effort.simulations), index(effort.nodes)
    if not (0 <= simulations < MOST_EFFORT and 0 <= nodes < MOST_EFFORT):
        raise TypeError("its effort is below 0 or too large")
    return simulations, nodes


def now() -> str:
    """The time, as a record has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def late_text(limit: float) -> str:
    """What a record says of a move that took too long."""
    return f"no move within {limit:g} s"


def error_text(error: BaseException) -> str:
    """An error as one plain line that fits into a record."""
    try:
        line = " ".join(str(error).split())
    except BaseException:  # even its message fails
        line = ""
    name = "" if isinstance(error, BadModule | IllegalMove) else type(error).__name__
    words = ": ".join(filter(None, (name, line)))
    plain = "".join(letter if letter.isprintable() else "?" for letter in words)
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
