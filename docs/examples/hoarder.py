"""hoarder: an agent in forty lines. It plays the move after which its score is largest."""

from topple.agents import Agent, Candidate, Decision, Effort, Search, register_agent
from topple.core.errors import Unsupported
from topple.game.game import Game
from topple.game.position import Position


class Hoarder(Agent):
    """Looks at the score after each move, and no further."""

    NAME = "hoarder"
    SUMMARY = "play the move after which the own score is largest"

    def check_game(self, game: Game) -> None:
        """Refuse a game without a score."""
        if game.start().scores is None:
            raise Unsupported(f"hoarder needs a score, and {game.name} has none")

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Begin a search."""
        return HoarderSearch(position)


class HoarderSearch(Search):
    """A look at one move after the other."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.waiting = list(reversed(position.legal_moves()))
        self.found: list[Candidate] = []

    @property
    def is_done(self) -> bool:
        """Whether every move has been looked at."""
        return not self.waiting

    def advance(self, n: int) -> None:
        """Look at n more moves."""
        for move in [self.waiting.pop() for _ in range(min(n, len(self.waiting)))]:
            scores = self.position.play(move).scores or ()
            self.found.append(Candidate(move, float(scores[self.position.player]), visits=1))

    def decision(self) -> Decision:
        """The best so far; the first of equals."""
        ranked = sorted(self.found, key=lambda candidate: -candidate.value)
        best = ranked[0]
        effort = Effort(nodes=len(ranked), depth=1)
        return Decision(best.move, best.value, tuple(ranked), (best.move,), effort)


register_agent(Hoarder)
