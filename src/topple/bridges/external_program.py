"""Agents that ask another program for its moves."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.interface import Agent, Player
from topple.agents.search import Search
from topple.game.position import Position

MOST_INFERRED = 2  # moves between two positions that are searched for


class ProgramAgent(Agent):
    """An agent that runs or asks another program.

    Subclasses implement `question`, which may use the moves of the game so far.
    """

    RUNS_PROGRAMS = True

    def begin(self, seed: int = 0) -> Player:
        """Start a game; the program is told its moves where they are recorded."""
        return ProgramPlayer(self, seed)

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Ask the program about a position whose earlier moves are not recorded."""
        return self.question(position, seed, memory, None)

    @abstractmethod
    def question(
        self, position: Position, seed: int, memory: object, moves: Sequence[int] | None
    ) -> Search:
        """A question to the program.

        `memory` is the opponent left by the previous search of the game; `moves` are all moves
        of the game so far, or None if they are not recorded.
        """


class ProgramPlayer(Player):
    """A player that hands the recorded moves of its game to a program."""

    agent: ProgramAgent

    def _begin_search(self, position: Position, seed: int, memory: object) -> Search:
        seen = position.seen()
        line = self.line if seen is position else None  # it was played on networks of its time
        return self.agent.question(seen, self.seed, memory, line)


class ExternalSearch(Search):
    """A single question to a program, which answers with a move and nothing else."""

    def __init__(self, opponent: object, choose: Callable[[], int]) -> None:
        """`opponent` is kept as the memory for the next move; `choose` returns the answer."""
        self._opponent = opponent
        self._choose = choose
        self._move: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether the program has answered."""
        return self._move is not None

    def advance(self, n: int) -> None:
        """Wait for the answer."""
        self._move = self._choose()

    def decision(self) -> Decision:
        """The program's move; its value is unknown and given as 0."""
        if self._move is None:  # the clock stopped the search before it began
            self.advance(1)
        assert self._move is not None
        move = self._move
        return Decision(move, 0.0, (Candidate(move, 0.0),), (move,), Effort())

    def memory(self) -> object:
        """The opponent that was asked."""
        return self._opponent


def moves_between(before: Position, after: Position, n: int) -> list[int] | None:
    """Find n moves that lead from one position to another.

    Returns None if there are none, or if n is more than MOST_INFERRED.

    >>> import topple
    >>> first = topple.load("hex", board="hex:3").start()
    >>> moves_between(first, first.play("b2").play("a1"), 2), moves_between(first, first, 1)
    ([4, 0], None)
    """
    if n == 0:
        return [] if before == after else None
    if not 0 < n <= MOST_INFERRED:
        return None
    for move in before.legal_moves():
        rest = moves_between(before.play(move), after, n - 1)
        if rest is not None:
            return [move, *rest]
    return None
