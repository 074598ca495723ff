"""Mistakes of a game: what a move gave away, how sure that is, and how bad."""

from math import hypot
from typing import Literal, NamedTuple

from topple.agents import Candidate
from topple.game import Position
from topple.lab.data.search_results import EVALUATION, SCORE, Unit, number
from topple.lab.data.views import PlaceReply, place_data

Grade = Literal["slip", "mistake", "blunder"]

# The loss from which each grade is given: of a return, or of an evaluation relative to its size.
GRADES: tuple[tuple[float, Grade], ...] = ((0.5, "blunder"), (0.25, "mistake"), (0.1, "slip"))
POINTS: tuple[tuple[float, Grade], ...] = ((3.0, "mistake"), (1.0, "slip"))
LEAST_LOSS = GRADES[-1][0]


class MoveValue(NamedTuple):
    """What a move is worth to whoever makes it, and between what that lies."""

    value: float
    low: float
    high: float


class Loss(NamedTuple):
    """What a move gave away, and between what that lies."""

    value: float
    low: float
    high: float


class MistakeResult(PlaceReply):
    """A move of a game that gave something away beyond doubt, by an agent's judgement."""

    ply: int
    player: int
    best: int
    best_text: str
    best_vertex: int | None
    loss: float | None
    interval: list[float | None]  # where the loss lies
    grade: Grade


def value_of(candidate: Candidate) -> MoveValue:
    """What an agent says of a move; without an interval it is taken as it is."""
    low, high = candidate.interval or (candidate.value, candidate.value)
    if candidate.proven is not None:
        low = high = candidate.value
    return MoveValue(candidate.value, low, high)


def loss_between(best: MoveValue, played: MoveValue) -> Loss:
    """What a move gave away against another one that was looked at by itself.

    Examples
    --------
    >>> loss_between(MoveValue(0.5, 0.4, 0.6), MoveValue(0.0, 0.0, 0.0))
    Loss(value=0.5, low=0.4, high=0.6)
    """
    value = best.value - played.value
    below = hypot(best.value - best.low, played.high - played.value)
    above = hypot(best.high - best.value, played.value - played.low)
    return Loss(value, value - below, value + above)


def grade_of(loss: float, best: float, unit: Unit) -> Grade | None:
    """How bad a loss is, against a best move of some value; None if it is little.

    Examples
    --------
    >>> [grade_of(loss, 0.0, "return") for loss in (0.05, 0.1, 0.3)]
    [None, 'slip', 'mistake']
    >>> grade_of(1, 1, "score")
    'blunder'
    """
    if (unit == SCORE and best > 0 >= best - loss) or (unit == SCORE and best == 0 > -loss):
        return "blunder"  # the result is another one
    scale = 1 + abs(best) if unit == EVALUATION else 1.0
    grades = POINTS if unit == SCORE else GRADES
    return next((grade for least, grade in grades if loss >= least * scale), None)


def together(first: Loss, second: Loss) -> Loss:
    """Two measurements of one loss: it lies between the ends of both.

    Examples
    --------
    >>> together(Loss(0.5, 0.4, 0.6), Loss(0.25, 0.2, 0.3))
    Loss(value=0.375, low=0.2, high=0.6)
    """
    value = (first.value + second.value) / 2
    return Loss(value, min(first.low, second.low), max(first.high, second.high))


def mistake_data(
    position: Position, ply: int, *, played: int, best: int, loss: Loss, grade: Grade
) -> MistakeResult:
    """A mistake as plain data; `ply` is the number of the move, from 1."""
    game = position.game
    better = place_data(game, best)
    return {
        **place_data(game, played),
        "ply": ply,
        "player": position.player,
        "best": best,
        "best_text": better["text"],
        "best_vertex": better["vertex"],
        "loss": number(loss.value),
        "interval": [number(loss.low), number(loss.high)],
        "grade": grade,
    }
