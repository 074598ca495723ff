"""referee: an agent written for the course's Infexion referee, as an agent of topple's."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from topple.agents.agent import Agent, Player
from topple.agents.search import Search
from topple.bridges.external_search import Question
from topple.bridges.inferred_moves import moves_between
from topple.bridges.infexion.board import SIZE
from topple.bridges.infexion.course_process import (
    CPU,
    MEMORY,
    WAIT,
    CourseAgent,
    CourseFault,
    CourseLimits,
    split_name,
)
from topple.core.errors import BadText, Unsupported
from topple.core.spec import Option
from topple.game.game import Game
from topple.game.position import Position
from topple.rules.infexion import ACTIONS

__all__ = ["CourseFault", "RefereeAgent"]


class RefereeAgent(Agent):
    """An agent of somebody else's, started for each game under the course's limits."""

    NAME = "referee"
    SUMMARY = "ask an agent that was written for the course's Infexion referee"
    OPTIONS = (
        Option("path", None, str, "the folder that its package lies in"),
        Option("agent", "agent:Agent", str, "its package and class"),
        Option("cpu", CPU, float, "seconds of CPU time that it has for a game",
               least=0.1, most=86_400),
        Option("memory", MEMORY, float, "megabytes that it has, beyond the interpreter's own",
               least=1, most=1_000_000),
        Option("wait", WAIT, float, "seconds by the clock on the wall for each answer",
               least=0.1, most=86_400),
        Option("prints", False, bool, "let what it prints through, to stderr"),
    )  # fmt: skip
    MOST_PLAYERS = 2
    RUNS_PROGRAMS = True

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        if self.options["path"] is None:
            raise BadText("referee needs the folder of an agent: write "
                          "referee:path=FOLDER,agent=PACKAGE:CLASS")  # fmt: skip
        split_name(self.options["agent"])

    def check_game(self, game: Game) -> None:
        """Refuse all but Infexion on the course's board, and a folder that is not there."""
        if game.name != "infexion" or game.tables.size != SIZE:
            raise Unsupported(f"referee plays Infexion on infexion:{SIZE} alone, not "
                              f"{game.spec} on {game.board.spec}")  # fmt: skip
        if not Path(self.options["path"]).is_dir():
            raise Unsupported(f"there is no folder {self.options['path']!r:.80} to find an "
                              "agent in")  # fmt: skip

    def begin(self, seed: int = 0) -> "RefereePlayer":
        """Sit down to a game."""
        return RefereePlayer(self, seed)

    def search(self, position: Position, seed: int, memory: object = None) -> Search:
        """Ask the agent that has played so far, or start one that is told all."""
        return self.question(position, seed, memory, None)

    def question(
        self, position: Position, seed: int, memory: object, line: Sequence[int] | None
    ) -> Search:
        """Ask whoever is to be asked."""
        opponent = self.opponent(position, seed, memory, line)
        return Question(opponent, partial(opponent.choose, position))

    def opponent(
        self, position: Position, seed: int, memory: object, line: Sequence[int] | None
    ) -> "Opponent":
        """Who is to be asked for a move.

        Raises
        ------
        Unsupported
            If the moves that led to the position are not known.
        CourseFault
            If the agent fails.
        """
        known = memory if isinstance(memory, Opponent) and memory.agent.is_alive else None
        moves = known.moves if known else []
        line = guessed_line(position, moves) if line is None else list(line)
        if known is None or line[: len(known.moves)] != known.moves:
            known = Opponent(self._start(position.player, seed))
        known.tell(line[len(known.moves) :])
        return known

    def _start(self, color: int, seed: int) -> CourseAgent:
        chosen = self.options
        limits = CourseLimits(chosen["cpu"], chosen["memory"], chosen["wait"])
        return CourseAgent(
            chosen["path"], chosen["agent"], color, limits, seed=seed, prints=chosen["prints"]
        )


class RefereePlayer(Player):
    """A player who knows the moves of its game, where somebody keeps them."""

    agent: RefereeAgent

    def _begin_search(self, position: Position, seed: int, memory: object) -> Search:
        return self.agent.question(position, self.seed, memory, self.line)


class Opponent:
    """A running agent, and the moves that it has been told."""

    def __init__(self, agent: CourseAgent) -> None:
        self.agent = agent
        self.moves: list[int] = []

    def tell(self, moves: Sequence[int]) -> None:
        """Tell it what was played, by either side."""
        for move in moves:
            self.agent.turn(len(self.moves) % 2, move)
            self.moves.append(move)

    def choose(self, position: Position) -> int:
        """Its move. Nobody asks any more after the last one, nor after an illegal one."""
        move = self.agent.action()
        if move not in position.legal_moves() or position.play(move).is_over:
            self.agent.close()
        return move


def guessed_line(position: Position, known: list[int]) -> list[int]:
    """The moves of a game so far, guessed from a position of it and the moves before.

    Raises
    ------
    Unsupported
        If too many moves are missing, or none lead there.
    """
    n_actions = int(position.state[ACTIONS])
    for line in (known, []):
        reached = position.game.start()
        for move in line:
            reached = reached.play(move)
        missing = moves_between(reached, position, n_actions - len(line))
        if missing is not None:
            return [*line, *missing]
    raise Unsupported("an agent of the course's must be told all moves of its game, and those "
                      "that led to this position are not known")  # fmt: skip
