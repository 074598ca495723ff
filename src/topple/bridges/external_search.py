"""Question: a search that asks a program of somebody else's for its move."""

from collections.abc import Callable

from topple.agents.decision import Candidate, Decision, Effort
from topple.agents.search import Search


class Question(Search):
    """A question to a program, which cannot be asked for the best move so far."""

    def __init__(self, asked: object, ask: Callable[[], int]) -> None:
        self.asked = asked  # who is asked, and remembered for the next move of the game
        self._ask = ask
        self.move: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether it has answered."""
        return self.move is not None

    def advance(self, n: int) -> None:
        """Wait for the answer."""
        self.move = self._ask()

    def decision(self) -> Decision:
        """The program's move; what it thinks of it is not known."""
        if self.move is None:  # the clock has stopped the search before it began
            self.advance(1)
        assert self.move is not None
        move = self.move
        return Decision(move, 0.0, (Candidate(move, 0.0),), (move,), Effort())

    def memory(self) -> object:
        """Who was asked."""
        return self.asked
