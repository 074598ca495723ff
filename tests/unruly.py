"""Agents that misbehave in every way that an arena must bear."""

import os
import signal
import sys
import time
from collections.abc import Callable

from topple import Agent, register_agent
from topple.agents import Decision, Effort, Search
from topple.game import Game
from topple.position import Position


class Once(Search):
    """A search whose answer is a call away."""

    is_done = True

    def __init__(self, answer: Callable[[], object]) -> None:
        self.answer = answer

    def advance(self, n: int) -> None:
        """Nothing is left to do."""

    def decision(self) -> Decision:
        """Whatever the call gives."""
        return self.answer()  # type: ignore[return-value]


def first_move(position: Position) -> Decision:
    """A decision for the first legal move."""
    move = position.legal_moves()[0]
    return Decision(move, 0.0, (), (move,), Effort(nodes=1))


class Unruly(Agent):
    """Plays the first legal move, and misbehaves in its third turn."""

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Count the vertices that are taken: one's own third turn has four or five."""
        taken = position.game.board.n_vertices - len(position.legal_moves())
        if taken < 4:
            return Once(lambda: first_move(position))
        return Once(lambda: self.misbehave(position))

    def misbehave(self, position: Position) -> object:
        """What must not happen."""
        raise NotImplementedError

    def warm(self, game: Game) -> None:
        """There is nothing to compile."""


@register_agent
class Raises(Unruly):
    """Has a bug."""

    NAME, SUMMARY = "raises", "divides by zero"

    def misbehave(self, position: Position) -> object:
        return 1 // (position.player * 0)


@register_agent
class Exits(Unruly):
    """Leaves."""

    NAME, SUMMARY = "exits", "leaves the program"

    def misbehave(self, position: Position) -> object:
        sys.exit("I leave")


@register_agent
class Dies(Unruly):
    """Takes its process down, as a fault in compiled code would."""

    NAME, SUMMARY = "dies", "ends its own process"

    def misbehave(self, position: Position) -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return None


@register_agent
class Hangs(Unruly):
    """Never answers."""

    NAME, SUMMARY = "hangs", "never answers"

    def misbehave(self, position: Position) -> object:
        while True:
            time.sleep(1)


@register_agent
class Dawdles(Unruly):
    """Answers, but late."""

    NAME, SUMMARY = "dawdles", "answers late"

    def misbehave(self, position: Position) -> object:
        time.sleep(0.5)
        return first_move(position)


@register_agent
class Cheats(Unruly):
    """Plays where a piece stands."""

    NAME, SUMMARY = "cheats", "plays where a piece stands"

    def misbehave(self, position: Position) -> object:
        taken = set(range(position.game.board.n_vertices)) - set(position.legal_moves())
        return Decision(min(taken), 0.0, (), (), Effort())


@register_agent
class Babbles(Unruly):
    """Answers with something that is no decision."""

    NAME, SUMMARY = "babbles", "answers nonsense"

    def misbehave(self, position: Position) -> object:
        return Decision("nowhere", 0.0, (), (), Effort())  # type: ignore[arg-type]


@register_agent
class FailsToWarm(Unruly):
    """Cannot even be loaded."""

    NAME, SUMMARY = "fails-to-warm", "fails when it is loaded"

    def warm(self, game: Game) -> None:
        """Fail."""
        raise RuntimeError("no model\nfile")
