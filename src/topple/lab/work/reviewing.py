"""Reviewing a game: a short look at every position, then a long one where a move is in doubt."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from typing_extensions import TypedDict

from topple.agents import Agent, Candidate, Decision
from topple.core.stopping import Stop
from topple.game import Game, Position
from topple.lab.data.mistakes import (
    LEAST_LOSS,
    Loss,
    MistakeResult,
    MoveValue,
    grade_of,
    loss_between,
    mistake_data,
    together,
    value_of,
)
from topple.lab.data.search_results import Unit, number, unit_of, value_for_first

FIRST_SHARE = 0.4  # of the time, for the look at every position
LEAST_LOOK = 0.02  # seconds for a position
PERFECT = "perfect"  # its values are exact: there is nothing to look at again

Send = Callable[["ReviewResult"], None]


class ReviewResult(TypedDict):
    """What an agent says about the positions of a game, the first `done` of them so far."""

    values: list[float | None]  # for player 0
    mistakes: list[MistakeResult]
    unit: Unit
    done: int
    of: int
    weighed: int  # of the moves in doubt that were looked at again
    doubts: int


@dataclass
class Doubt:
    """A move that may be a mistake."""

    ply: int  # the number of the move, from 1
    position: Position  # before the move
    played: int
    best: int
    first_loss: float | None  # at the short look; None if the move was not among the candidates
    loss: Loss | None = None  # when it has been weighed
    best_value: float = 0.0
    is_proven: bool = False  # the loss is exact

    def mistake(self, unit: Unit) -> MistakeResult | None:
        """The mistake, if it is one even in the best case for whoever made it."""
        if self.loss is None or not isfinite(self.loss.value):
            return None
        grade = grade_of(self.loss.low, self.best_value, unit)
        if grade is None:
            return None
        return mistake_data(
            self.position,
            self.ply,
            played=self.played,
            best=self.best,
            loss=self.loss,
            grade=grade,
        )


class Review:
    """An agent's review of a game.

    Every position gets a short look. Where a move seems to have given something away, it and the
    best one are searched by themselves, each as long as the other, and where that finds a loss
    once more with another seed. A move is marked only if both searches are sure of a loss.
    """

    def __init__(
        self, game: Game, agent: Agent, moves: Sequence[int | str], seed: int, stop: Stop
    ) -> None:
        self.game, self.agent, self.moves, self.seed, self.stop = game, agent, moves, seed, stop
        self.unit = unit_of(agent, game)
        self.values: list[float | None] = [None] * (len(moves) + 1)
        self.doubts: list[Doubt] = []
        self.n_done = self.n_weighed = 0

    def result(self) -> ReviewResult:
        """What has been found so far."""
        mistakes = [each.mistake(self.unit) for each in self.doubts]
        return {
            "values": self.values,
            "mistakes": [each for each in mistakes if each is not None],
            "unit": self.unit,
            "done": self.n_done,
            "of": len(self.values),
            "weighed": self.n_weighed,
            "doubts": len(self.doubts),
        }

    def run(self, seconds: float, send: Send) -> None:
        """Review the game; the last result sent counts."""
        end = time.monotonic() + seconds
        first = 1.0 if self.agent.NAME == PERFECT else FIRST_SHARE
        share = max(LEAST_LOOK, first * seconds / len(self.values))
        for ply, position in enumerate(line_positions(self.game, self.moves)):
            if self.stop.is_set():
                return
            self._look(ply, position, share)
            self.n_done += 1
            send(self.result())
        self._weigh(end, send)
        send(self.result())

    def _look(self, ply: int, position: Position, seconds: float) -> None:
        if position.is_over:
            self.values[ply] = number(position.returns()[0])
            return
        decision = self._decide(position, seconds, self.seed)
        self.values[ply] = value_for_first(position, decision.value)
        if ply == len(self.moves):
            return
        played = position.check_move(self.moves[ply])
        if self.agent.NAME == PERFECT:
            doubt = _proven_loss(position, decision, played, ply + 1)
        else:
            doubt = _doubt(position, decision, played, ply + 1)
        if doubt is not None:
            self.doubts.append(doubt)

    def _decide(self, position: Position, seconds: float, seed: int) -> Decision:
        return list(self.agent.think(position, seed, Deadline(self.stop, seconds)))[-1]

    def _weigh(self, end: float, send: Send) -> None:
        """Look at the moves in doubt again, and once more, by other random games, at the worst."""
        for look in (1, 2):
            open_ones = [each for each in self.doubts if self._is_open(each)]
            self.n_weighed = len(self.doubts) - len(open_ones)
            left = (end - time.monotonic()) * look / 2
            for doubt in open_ones:
                if self.stop.is_set():
                    return
                self._weigh_one(doubt, max(LEAST_LOOK, left / len(open_ones)), self.seed + look)
                self.n_weighed += 1
                send(self.result())

    def _is_open(self, doubt: Doubt) -> bool:
        """Whether a move may be a mistake and that is not proven."""
        if doubt.loss is None:
            return True
        may_count = grade_of(doubt.loss.high, doubt.best_value, self.unit) is not None
        return may_count and not doubt.is_proven

    def _weigh_one(self, doubt: Doubt, seconds: float, seed: int) -> None:
        position = doubt.position
        if self.game.n_players == 2 and not self.game.has_chance:
            best = self._value_after(position, doubt.best, seconds / 2, seed)
            played = self._value_after(position, doubt.played, seconds / 2, seed)
        else:  # the next position says nothing of this player's return, or has only one draw
            decision = self._decide(position, seconds, seed)
            found = {each.move: value_of(each) for each in decision.candidates}
            if doubt.played not in found or doubt.best not in found:
                return
            best, played = found[doubt.best], found[doubt.played]
        loss = loss_between(best, played)
        before = doubt.loss.value if doubt.loss is not None else doubt.first_loss
        if doubt.loss is not None:
            loss = together(doubt.loss, loss)
        elif loss.low == loss.high and before is not None:  # without intervals two looks must agree
            loss = together(Loss(before, before, before), loss)
        doubt.loss, doubt.best_value = loss, best.value

    def _value_after(self, position: Position, move: int, seconds: float, seed: int) -> MoveValue:
        """What a move is worth to its player, by a search of the position behind it."""
        after = position.play(move)
        if after.is_over:
            value = after.returns()[position.player]
            return MoveValue(value, value, value)
        decision = self._decide(after, seconds, seed)
        found = _candidate(decision, decision.move)
        value, low, high = (
            value_of(found) if found is not None else MoveValue(*[decision.value] * 3)
        )
        same = after.player == position.player
        return MoveValue(value, low, high) if same else MoveValue(-value, -high, -low)


def _doubt(position: Position, decision: Decision, played: int, ply: int) -> Doubt | None:
    """The move as one in doubt; None if it seems to have given little away."""
    if played == decision.move:
        return None
    best, own = _candidate(decision, decision.move), _candidate(decision, played)
    is_guess = own is not None and own.prior is not None and not own.visits  # it has no own value
    if best is None or own is None or is_guess:
        return Doubt(ply, position, played, decision.move, None)
    loss = loss_between(value_of(best), value_of(own))
    if not isfinite(loss.value) or loss.high < LEAST_LOSS:
        return None
    doubt = Doubt(ply, position, played, decision.move, loss.value)
    if best.proven is not None and own.proven is not None:
        doubt.loss, doubt.best_value, doubt.is_proven = loss, best.value, True
    return doubt


def _proven_loss(position: Position, decision: Decision, played: int, ply: int) -> Doubt | None:
    """What a move gave away by exact values; None if one of them is not known."""
    best, own = _candidate(decision, decision.move), _candidate(decision, played)
    if best is None or own is None or not (best.exact and own.exact):
        return None
    loss = loss_between(value_of(best), value_of(own))
    return Doubt(ply, position, played, decision.move, loss.value, loss, best.value, True)


def _candidate(decision: Decision, move: int) -> Candidate | None:
    return next((each for each in decision.candidates if each.move == move), None)


def line_positions(game: Game, moves: Sequence[int | str]) -> Iterator[Position]:
    """Every position of a line, from the first to the last."""
    position = game.start()
    yield position
    for move in moves:
        position = position.play(move)
        yield position


class Deadline:
    """A stop sign that is also set when the time is over."""

    def __init__(self, stop: Stop, seconds: float) -> None:
        self._stop, self._end = stop, time.monotonic() + seconds

    def is_set(self) -> bool:
        """Whether to stop."""
        return self._stop.is_set() or time.monotonic() >= self._end
