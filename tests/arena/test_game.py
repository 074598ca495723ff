"""One game: whatever an agent does, it ends, and its score sheet says how and what it cost."""

from collections.abc import Callable
from math import inf

import pytest

from tests.arena.unruly import Once
from topple.agents import Agent, Decision, Effort, Search
from topple.arena.planning.plan import Fixture, Limits
from topple.arena.playing.game import MOST_PLIES, Costs, Scoresheet, play_fixture
from topple.arena.playing.shared_status import SharedStatus
from topple.compiling.rng import make_rng
from topple.core.errors import Unsupported
from topple.game.game import Game, load
from topple.game.position import Position
from topple.game.record import Ending


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def at_once() -> None:
    """Think no time at all."""


class Noting(Agent):
    """Plays the first legal move, and notes the seeds that it is given."""

    NAME, SUMMARY = "noting", "notes what it is given"

    def __init__(self, effort: Effort = Effort(), think: Callable[[], None] = at_once) -> None:  # noqa: B008
        super().__init__()
        self.effort, self.think_so_long = effort, think
        self.seeds: list[int] = []

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Decide at once, however long that takes."""
        self.seeds.append(seed)
        move = position.legal_moves()[0]
        self.think_so_long()
        return Once(lambda: Decision(move, 0.0, (), (move,), self.effort))

    def warm(self, game: Game) -> None:
        """There is nothing to compile."""


FIXTURE = Fixture("5" * 32, 0, 0, (0, 1), (8, 7), 3)


def hexes(board: str = "hex:3") -> Game:
    return load("hex", board, compiled=False)


def play(*agents: Agent, limits: Limits = Limits(), game: Game | None = None) -> Scoresheet:  # noqa: B008
    first, second = agents
    return play_fixture(game or hexes(), (first, second), FIXTURE, limits, SharedStatus(MOST_PLIES))


def test_every_move_has_a_seed_of_its_own_made_of_game_seat_and_ply() -> None:
    agents = Noting(), Noting()
    sheet = play(*agents)
    n = len(sheet.moves)
    for seat, agent in enumerate(agents):
        begun = int(make_rng(FIXTURE.seed, seat)[0])
        assert agent.seeds == [int(make_rng(begun, ply)[0]) for ply in range(2 + seat, n, 2)]


def test_each_seats_costs_are_those_of_its_own_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)

    def wait(seconds: float) -> Callable[[], None]:
        return lambda: setattr(clock, "now", clock.now + seconds)

    sheet = play(Noting(Effort(10, 3), wait(2.0)), Noting(Effort(7, 1), wait(0.5)))
    own = len(sheet.moves) - 2
    first, second = own - own // 2, own // 2
    assert sheet.costs == (
        Costs(first, 2.0 * first, 10 * first, 3 * first),
        Costs(second, 0.5 * second, 7 * second, second),
    )
    assert sheet.move_seconds == (2.0, 0.5) * second + (2.0,) * (first - second)
    assert sheet.seconds == 2.0 * first + 0.5 * second


@pytest.mark.parametrize("guilty", [0, 1])
@pytest.mark.parametrize(
    ("limits", "seconds", "n_moves", "detail"),
    [
        (Limits(1.0, 100.0), 1.2, 0, "no move within 1 s"),
        (Limits(1.0, 100.0), 1.05, None, ""),  # forgiven
        (Limits(60.0, 5.0), 2.0, 2, "no move within 1 s"),
        (Limits(60.0, 4.0), 2.0, 2, "no move within 0 s"),
        (Limits(60.0, 3.95), 2.0, 2, "no move within 0 s"),  # forgiven once, not twice
        (Limits(60.0), 50.0, None, ""),  # nobody adds them up
    ],
)
def test_clocks_run_for_a_move_and_for_the_game(
    guilty: int,
    limits: Limits,
    seconds: float,
    n_moves: int | None,
    detail: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)
    slow = Noting(think=lambda: setattr(clock, "now", clock.now + seconds))
    agents = (slow, Noting()) if guilty == 0 else (Noting(), slow)
    sheet = play(*agents, limits=limits, game=hexes("hex:4"))
    if n_moves is None:
        assert sheet.ending is None
        return
    assert sheet.ending == Ending("time", guilty, detail)
    assert sheet.result[guilty] == -1.0 == -sheet.result[1 - guilty]
    assert sheet.costs[guilty].moves == n_moves
    assert len(sheet.moves) == 2 + 2 * n_moves + guilty  # the late move is not played


def test_no_clock_runs_while_an_agent_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("topple.arena.playing.game.perf_counter", clock)

    class Heavy(Noting):
        """Takes its time to load, once."""

        is_loaded = False

        def warm(self, game: Game) -> None:
            """Load a large model."""
            clock.now += 0.0 if self.is_loaded else 100.0
            self.is_loaded = True

    sheet = play(Heavy(), Heavy(), limits=Limits(1.0, 5.0))
    assert sheet.ending is None
    assert [costs.seconds for costs in sheet.costs] == [0.0, 0.0]


def test_the_status_shows_the_game_under_way_and_no_other() -> None:
    status = SharedStatus(MOST_PLIES)
    seen: list[tuple[int, tuple[int, ...]]] = []

    def look() -> None:
        now = status.read()
        assert now is not None
        seen.append((now.seat, now.moves))

    for _ in range(2):
        seen.clear()
        sheet = play_fixture(
            hexes(), (Noting(think=look), Noting(think=look)), FIXTURE, Limits(), status
        )
        moves = tuple(map(hexes().parse_move, sheet.moves))
        assert seen == [(ply % 2, moves[:ply]) for ply in range(2, len(moves))]
        now = status.read()
        assert now is not None
        assert now.deadline == inf  # nobody is to move
    status.reset()
    assert status.read() is None


def test_a_game_without_end_is_cut_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topple.arena.playing.game.MOST_PLIES", 5)
    sheet = play(Noting(), Noting())
    assert sheet.ending == Ending("length", None, "not over after 5 plies")
    assert (len(sheet.moves), sheet.result) == (5, (0.0, 0.0))


def test_a_move_beyond_all_bounds_is_nobodys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    really = Position.play

    def bounded(self: Position, move: int | str, draw: int | None = None) -> Position:
        if len(self.legal_moves()) < 6:
            raise Unsupported("the cascade does not end")
        return really(self, move, draw)

    monkeypatch.setattr(Position, "play", bounded)
    sheet = play(Noting(), Noting())
    assert sheet.ending == Ending("length", None, "Unsupported: the cascade does not end")
    assert (len(sheet.moves), sheet.result) == (4, (0.0, 0.0))
