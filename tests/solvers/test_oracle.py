"""The oracle: what it remembers, and what stops it."""

from threading import Event

import pytest

import topple
from tests.solvers.recursive_solver import PlainSolver
from topple.game.game import load
from topple.solvers import oracle
from topple.solvers.oracle import Oracle
from topple.solvers.regret import review


def test_the_oracle_keeps_so_many_answers_and_forgets_the_oldest(
    plainly: type[PlainSolver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "MOST_SOLUTIONS", 2)
    start = load("hex", "hex:2").start()
    asked = Oracle(start.game)
    positions = [start.play(move) for move in start.legal_moves()]
    answers = [asked.judge(position) for position in positions]
    assert len(asked._known) == 2
    assert [asked.judge(position) is answer for position, answer in
            zip(positions[2:], answers[2:], strict=True)] == [True, True]  # fmt: skip
    assert asked.judge(positions[0]) == answers[0]


def test_without_a_time_limit_a_position_is_looked_at_before_it_is_searched() -> None:
    start, stop = load("chain-reaction", "grid:5x5").start(), Event()
    stop.set()
    with pytest.raises(topple.Unsupported, match="can be solved"):
        Oracle(start.game, memory=1).judge(start, stop)


def test_who_is_told_to_stop_does_not_blame_the_clock(plainly: type[PlainSolver]) -> None:
    start, stop = load("hex", "hex:2").start(), Event()
    stop.set()
    assert Oracle(start.game).judge(start, stop).limit is None
    assert Oracle(start.game, time=600.0).judge(start, stop).limit is None
    assert Oracle(start.game, time=0.0).judge(start, Event()).limit == "time"


def test_a_review_that_is_not_stopped_goes_on_past_what_cannot_be_solved(
    plainly: type[PlainSolver],
) -> None:
    plainly.most_moves = 3
    start = load("hex", "hex:2").start()
    turns, position = [], start
    for text in ("a1", "b2", "b1", "a2"):
        move = start.game.parse_move(text)
        turns.append((position, move))
        position = position.play(move)
    found = review(turns, Oracle(start.game), stop=Event())
    assert found.is_complete
    assert [(each.ply, each.is_judged) for each in found.moves] == [
        (1, False), (2, True), (3, True), (4, True),
    ]  # fmt: skip


def test_moves_that_do_not_end_the_game_have_no_result(plainly: type[PlainSolver]) -> None:
    start = load("hex", "hex:2").start()
    found = review([(start, 0)], Oracle(start.game))
    assert found.result is None
    assert found.summary(0).mistakes == 1
    assert found.summary(0).thrown is None
