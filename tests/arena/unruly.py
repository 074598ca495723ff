"""Agents that misbehave in every way that an arena must bear."""

import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from topple import Agent, register_agent
from topple.agents import Decision, Effort, Player, Search
from topple.game.game import Game
from topple.game.position import Position


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


class Raises(Unruly):
    """Has a bug."""

    NAME, SUMMARY = "raises", "divides by zero"

    def misbehave(self, position: Position) -> object:
        return 1 // (position.player * 0)


class Exits(Unruly):
    """Leaves."""

    NAME, SUMMARY = "exits", "leaves the program"

    def misbehave(self, position: Position) -> object:
        sys.exit("I leave")


class Dies(Unruly):
    """Takes its process down, as a fault in compiled code would."""

    NAME, SUMMARY = "dies", "ends its own process"

    def misbehave(self, position: Position) -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return None


class Hangs(Unruly):
    """Never answers."""

    NAME, SUMMARY = "hangs", "never answers"

    def misbehave(self, position: Position) -> object:
        while True:
            time.sleep(1)


class Dawdles(Unruly):
    """Answers, but late."""

    NAME, SUMMARY = "dawdles", "answers late"

    def misbehave(self, position: Position) -> object:
        time.sleep(1.5)
        return first_move(position)


class Cheats(Unruly):
    """Plays where a piece stands."""

    NAME, SUMMARY = "cheats", "plays where a piece stands"

    def misbehave(self, position: Position) -> object:
        taken = set(range(position.game.board.n_vertices)) - set(position.legal_moves())
        return Decision(min(taken), 0.0, (), (), Effort())


class Babbles(Unruly):
    """Answers with something that is no decision."""

    NAME, SUMMARY = "babbles", "answers nonsense"

    def misbehave(self, position: Position) -> object:
        return Decision("nowhere", 0.0, (), (), Effort())  # type: ignore[arg-type]


class FailsToWarm(Unruly):
    """Cannot even be loaded."""

    NAME, SUMMARY = "fails-to-warm", "fails when it is loaded"

    def warm(self, game: Game) -> None:
        """Fail."""
        raise RuntimeError("no model\nfile")


class FailsToBegin(Unruly):
    """Will not sit down."""

    NAME, SUMMARY = "fails-to-begin", "fails when a game begins"

    def begin(self, seed: int = 0) -> Player:
        """Fail."""
        raise LookupError("no chair")


class Interrupts(Unruly):
    """Raises what is no ordinary error."""

    NAME, SUMMARY = "interrupts", "raises KeyboardInterrupt"

    def misbehave(self, position: Position) -> object:
        raise KeyboardInterrupt


class Unspeakable(Exception):
    """An error that cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError("not even this")


class Mumbles(Unruly):
    """Raises an error that cannot be told."""

    NAME, SUMMARY = "mumbles", "raises an error without words"

    def misbehave(self, position: Position) -> object:
        raise Unspeakable


class Boasts(Unruly):
    """Claims more work than can be counted."""

    NAME, SUMMARY = "boasts", "claims endless effort"

    def misbehave(self, position: Position) -> object:
        move = position.legal_moves()[0]
        return Decision(move, 0.0, (), (move,), Effort(nodes=2**70))


class Dreams(Unruly):
    """Claims work that is no number."""

    NAME, SUMMARY = "dreams", "claims an effort that is no number"

    def misbehave(self, position: Position) -> object:
        move = position.legal_moves()[0]
        nodes: Any = float("nan")
        return Decision(move, 0.0, (), (move,), Effort(nodes=nodes))


class LeavesAChild(Unruly):
    """Dies, but leaves a process behind that holds all that it had open."""

    NAME, SUMMARY = "leaves-a-child", "dies and leaves a child process"

    def misbehave(self, position: Position) -> object:
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        os._exit(3)


class Chatters(Unruly):
    """Prints, which must not reach the results."""

    NAME, SUMMARY = "chatters", "prints a lot"

    def misbehave(self, position: Position) -> object:
        print("printed", flush=True)
        os.write(1, b"written")
        return first_move(position)


class Splits(Unruly):
    """Goes on in two processes, which both answer."""

    NAME, SUMMARY = "splits", "forks, and returns in both processes"

    def misbehave(self, position: Position) -> object:
        os.fork()
        return first_move(position)


class ClosesAll(Unruly):
    """Closes all that it finds open, its own process's pipe with it."""

    NAME, SUMMARY = "closes-all", "closes every file of its process"

    def misbehave(self, position: Position) -> object:
        os.closerange(3, 256)
        return first_move(position)


class Shrinks(Unruly):
    """Leaves no room for anybody's calls."""

    NAME, SUMMARY = "shrinks", "lowers the limit of recursion"

    def misbehave(self, position: Position) -> object:
        sys.setrecursionlimit(60)
        return first_move(position)


class Creeps(Unruly):
    """Takes a little less than is forgiven, at every move."""

    NAME, SUMMARY = "creeps", "takes a little time for every move"

    def misbehave(self, position: Position) -> object:
        time.sleep(0.09)
        return first_move(position)


AGENTS: dict[str, type[Agent]] = {
    kind.NAME: kind
    for kind in list(vars().values())
    if isinstance(kind, type) and issubclass(kind, Unruly) and kind is not Unruly
}

if __name__ == "unruly":  # imported from outside, as agents of one's own are
    for unruly in AGENTS.values():
        register_agent(unruly)
