"""The teacher: its games are legal, its choices are what is learned, and training goes on after."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

import topple
from tests.training.tiny import Never, tiny, trained
from topple.core.errors import Unsupported
from topple.kernels.self_play import UNIT
from topple.training.run import Training
from topple.training.seats import seats_of
from topple.training.teacher import Task, play_lesson, play_task


def test_a_lesson_has_the_teachers_choices() -> None:
    game, agent = topple.load("hex", "hex:3"), topple.agent("alphabeta:depth=20")
    n_positions = 0
    for seed in range(12):
        lesson = play_lesson(game, agent, Random(seed), 100)
        if lesson is None:
            continue
        assert lesson.views.shape == (len(lesson.planes),)
        for k in range(len(lesson.views)):
            assert lesson.policy[k].max() == UNIT == lesson.policy[k].sum()
            assert lesson.planes[k, lesson.policy[k].argmax(), 2] == 1  # an empty cell
            n_positions += 1
        assert (lesson.results.sum(axis=1) == 1).all()
    assert n_positions > 20


def test_a_teacher_that_sees_the_end_wins_what_is_won() -> None:
    """Hex 3×3 in the middle is won: without slips its games would all be lessons of wins."""
    game, agent = topple.load("hex", "hex:3"), topple.agent("alphabeta:depth=20")
    lessons = [play_lesson(game, agent, Random(seed), 100) for seed in range(40)]
    first = [lesson.results[0] for lesson in lessons if lesson is not None]
    decided = np.mean([result[0] == 1 for result in first])
    assert decided > 0.6  # the mover of the first position has most of them in hand


def test_all_seats_are_taught_and_a_seed_fixes_the_games() -> None:
    seats = tuple(seats_of(tiny(games=("hex", "hex:swap=true"), boards=("hex:2", "hex:3"))))
    task = Task("alphabeta:depth=1", seats, "7 0", 100)
    taught, again = (play_task(task, lambda part: None) for _ in range(2))
    assert {each.seat for each in taught} == {0, 1, 2, 3}
    assert {each.board for each in taught} == {"hex:2", "hex:3"}
    assert len(taught) == len(again)
    for own, other in zip(taught, again, strict=True):
        assert all((a == b).all() for a, b in zip(own.lesson, other.lesson, strict=True))
    other = play_task(task._replace(seed="7 1"), lambda part: None)
    assert [len(each.lesson.views) for each in other] != [len(each.lesson.views) for each in taught]


def test_training_follows_the_teacher_first_and_then_plays_itself(tmp_path: Path) -> None:
    settings = tiny(teacher="alphabeta:depth=2", taught=400, positions=2500, batch=64)
    training = trained(settings, tmp_path)
    assert training.positions >= 2500
    assert training.points[0]["positions"] <= training.positions
    later = Training(settings, tmp_path)  # a finished one has nothing to learn from a teacher
    later.run(Never(), lambda: None)
    assert later.positions == training.positions
    later.close()


def test_a_teacher_that_cannot_play_the_game_is_refused(tmp_path: Path) -> None:
    settings = tiny(
        games=("chain-reaction:players=3",), boards=("grid:2x2",), teacher="alphabeta", taught=10
    )
    training = Training(settings, tmp_path)
    with pytest.raises(Unsupported, match="alphabeta"):
        training.run(Never(), lambda: None)
    training.close()
