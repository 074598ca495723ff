"""referee: an agent written for the course's Infexion referee, as an agent in topple."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from topple.agents.search import Search
from topple.bridges.external_program import ExternalSearch, ProgramAgent, moves_between
from topple.bridges.infexion.bit_position import SIZE
from topple.bridges.infexion.course_agent import (
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
from topple.game import Game, Position
from topple.rules.infexion import ACTIONS

__all__ = ["CourseFault", "RefereeAgent"]


class RefereeAgent(ProgramAgent):
    """An agent of the course, started for each game under the course's limits."""

    NAME = "referee"
    SUMMARY = "ask an agent that was written for the course's Infexion referee"
    OPTIONS = (
        Option("path", None, str, "the folder that contains its package"),
        Option("agent", "agent:Agent", str, "its package and class"),
        Option("cpu", CPU, float, "seconds of CPU time for a game", least=0.1, most=86_400),
        Option(
            "memory",
            MEMORY,
            float,
            "megabytes for a game, beyond the interpreter's own",
            least=1,
            most=1_000_000,
        ),
        Option("wait", WAIT, float, "seconds of real time for each answer", least=0.1, most=86_400),
        Option("prints", False, bool, "show what it prints, on stderr"),
    )
    MOST_PLAYERS = 2

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        if self.options["path"] is None:
            raise BadText(
                "referee needs the folder of an agent: write "
                "referee:path=FOLDER,agent=PACKAGE:CLASS"
            )
        split_name(self.options["agent"])

    def check_game(self, game: Game) -> None:
        """Refuse everything but Infexion on the course's board, and a missing folder."""
        if game.name != "infexion" or game.tables.size != SIZE:
            raise Unsupported(
                f"referee only plays Infexion on infexion:{SIZE}, not {game.spec} on "
                f"{game.board.spec}"
            )
        if not Path(self.options["path"]).is_dir():
            raise Unsupported(f"there is no folder {self.options['path']!r:.80} with an agent")

    def question(
        self, position: Position, seed: int, memory: object, moves: Sequence[int] | None
    ) -> Search:
        """Ask the agent that has played the game so far, or start one and replay the game."""
        opponent = self.opponent(position, seed, memory, moves)
        return ExternalSearch(opponent, partial(opponent.choose, position))

    def opponent(
        self, position: Position, seed: int, memory: object, moves: Sequence[int] | None
    ) -> "CourseOpponent":
        """A running agent that knows all moves up to a position.

        Raises
        ------
        Unsupported
            If the moves that led to the position are not known.
        CourseFault
            If the agent fails.
        """
        opponent = memory if isinstance(memory, CourseOpponent) and memory.agent.is_alive else None
        known = opponent.moves if opponent else []
        moves = inferred_moves(position, known) if moves is None else list(moves)
        if opponent is None or moves[: len(known)] != known:
            opponent = CourseOpponent(self._start(position.player, seed))
        opponent.inform(moves[len(opponent.moves) :])
        return opponent

    def _start(self, color: int, seed: int) -> CourseAgent:
        chosen = self.options
        limits = CourseLimits(chosen["cpu"], chosen["memory"], chosen["wait"])
        return CourseAgent(
            chosen["path"], chosen["agent"], color, limits, seed=seed, prints=chosen["prints"]
        )


class CourseOpponent:
    """A running agent, and the moves that it has been informed of."""

    def __init__(self, agent: CourseAgent) -> None:
        self.agent = agent
        self.moves: list[int] = []

    def inform(self, moves: Sequence[int]) -> None:
        """Inform it of further moves, by either side."""
        for move in moves:
            self.agent.turn(len(self.moves) % 2, move)
            self.moves.append(move)

    def choose(self, position: Position) -> int:
        """Its move. The agent is closed after an illegal move and after the last one."""
        move = self.agent.action()
        if move not in position.legal_moves() or position.play(move).is_over:
            self.agent.close()
        return move


def inferred_moves(position: Position, known: list[int]) -> list[int]:
    """The moves of a game up to a position, from those known and a search for the rest.

    Raises
    ------
    Unsupported
        If too many moves are missing, or none lead there.
    """
    n_actions = int(position.state[ACTIONS])
    for moves in (known, []):
        reached = position.game.start()
        for move in moves:
            reached = reached.play(move)
        missing = moves_between(reached, position, n_actions - len(moves))
        if missing is not None:
            return [*moves, *missing]
    raise Unsupported(
        "an agent of the course must be informed of all moves of its game, and those that led "
        "to this position are not known"
    )
