"""The teacher: an agent whose games against itself are what a network learns from first.

A network that knows nothing plays aimless games, from which little can be learned. Some minutes
of a search's games teach it what the search sees; self-play goes on from there.
"""

from collections.abc import Generator
from contextlib import closing
from random import Random
from typing import NamedTuple

import numpy as np

from topple.agents import Agent
from topple.agents import agent as make_agent
from topple.core.processes import Done, as_they_come
from topple.game import Game
from topple.game.game import random_position
from topple.game.warm_up import prepare
from topple.kernels.self_play import UNIT
from topple.nets.interface import slot_of
from topple.nets.shelf import slots_of
from topple.rules.interface import State
from topple.training.lessons import End, Lesson, make_lesson
from topple.training.seats import Seat

OPENING = 8  # at most so many random plies before the teacher plays
SLIPS = 0.15  # the share of moves that are random, so that it also shows how to punish mistakes
TASK = 1500  # positions that a process plays at least, before it ends
MOST_TASKS = 1_000_000


class Task(NamedTuple):
    """What one process plays."""

    teacher: str
    seats: tuple[Seat, ...]
    seed: str
    longest: int


class Taught(NamedTuple):
    """A lesson with the seat that it is for and the board that it was played on."""

    lesson: Lesson
    seat: int
    board: str


def taught_lessons(
    teacher: str, seats: list[Seat], seed: str, longest: int, n_processes: int
) -> Generator[list[Taught], None, None]:
    """Lessons of the teacher's games, as they come, for ever; empty lists while none comes.

    Closing the generator ends the games.
    """
    game, agent = seats[0].draw(Random(0)), make_agent(teacher)
    prepare(game, agent)  # once, and not in every process
    play_lesson(game, agent, Random(0), 2)
    tasks = [Task(teacher, tuple(seats), f"{seed} {i}", longest) for i in range(MOST_TASKS)]
    with closing(as_they_come(play_task, tasks, n_processes, lambda part: None)) as coming:
        for answer in coming:
            yield answer[1] if answer else []


def play_task(task: Task, done: Done) -> list[Taught]:
    """Play games at all seats in turn, in a process of its own."""
    source, agent, taught, n = Random(task.seed), make_agent(task.teacher), [], 0
    while n < TASK:
        for i, seat in enumerate(task.seats):
            game = seat.draw(source)
            lesson = play_lesson(game, agent, source, task.longest)
            if lesson is not None:
                taught.append(Taught(lesson, i, game.board.spec))
                n += len(lesson.views)
    return taught


def play_lesson(game: Game, agent: Agent, source: Random, longest: int) -> Lesson | None:
    """Play one game; None if there was nothing to choose in it."""
    position = random_position(game, source.randint(0, OPENING), source.randrange(1 << 62))
    if position.is_over:
        position = game.start()
    players = [agent.begin(source.randrange(1 << 62)) for _ in range(game.n_players)]
    states: list[State] = []
    slots: list[int] = []
    for ply in range(longest):
        if position.is_over:
            break
        legal = position.legal_moves()
        move = players[position.player].choose(position, ply).move
        if len(legal) > 1:
            states.append(position.state)
            slots.append(int(game.run(slot_of, move)))
        if source.random() < SLIPS:
            move = source.choice(legal)
        position = position.play(move)
    if not states:
        return None
    policy = np.zeros((len(states), slots_of(game)), dtype=np.uint16)
    policy[np.arange(len(states)), slots] = UNIT
    n = game.n_players
    returns = position.returns() if position.is_over else np.zeros(n)
    scores = np.zeros(n) if position.scores is None else np.asarray(position.scores, float)
    end = End(((n - 1) * np.asarray(returns) + 1) / n, scores, game.scratch_state(position.state))
    return make_lesson(game, np.array(states), policy, end)
