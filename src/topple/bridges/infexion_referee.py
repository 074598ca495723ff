"""A referee for Infexion between two of the course's agents, each under the course's limits.

`python -m topple.bridges.infexion_referee RED BLUE` plays a game in the current folder.
"""

import argparse
from typing import NamedTuple

from topple.bridges.infexion.bit_position import (
    EMPTY,
    is_over,
    lead,
    legal_moves,
    move_numbers,
    played,
    result,
)
from topple.bridges.infexion.course_agent import (
    CPU,
    MEMORY,
    WAIT,
    CourseAgent,
    CourseFault,
    CourseLimits,
)
from topple.core.errors import ToppleError

COLORS = ("Red", "Blue")


class CourseResult(NamedTuple):
    """The result of a game, with what each side used."""

    winner: int | None  # None for a draw
    reason: str
    moves: tuple[int, ...]
    cpu: tuple[float, float]  # seconds that each side has used
    peak: tuple[float | None, float | None]  # megabytes

    @property
    def text(self) -> str:
        """The result on one line."""
        name = "draw" if self.winner is None else f"{COLORS[self.winner]} wins"
        return f"{name} after {len(self.moves)} actions: {self.reason}"


class _Lost(Exception):
    """A side has lost the game by a fault."""

    def __init__(self, color: int, reason: str) -> None:
        super().__init__(reason)
        self.color, self.reason = color, reason


class CourseGame:
    """A game between two agents, each given as a folder and the name of a class in it."""

    def __init__(
        self, agents: tuple[tuple[str, str], tuple[str, str]], limits: CourseLimits, seed: int = 0
    ) -> None:
        self.names, self.limits, self.seed = agents, limits, seed
        self.agents: list[CourseAgent] = []
        self.moves: list[int] = []
        self.position = EMPTY

    def play(self) -> CourseResult:
        """Play to the end and close the agents; a fault loses the game."""
        try:
            for color, (folder, name) in enumerate(self.names):
                self._start(color, folder, name)
            while not is_over(self.position, len(self.moves)):
                self._turn(len(self.moves) % 2)
            return self._over()
        except _Lost as lost:
            return self._result(1 - lost.color, f"{COLORS[lost.color]} has lost: {lost.reason}")
        finally:
            for agent in self.agents:
                agent.close()

    def _start(self, color: int, folder: str, name: str) -> None:
        try:
            agent = CourseAgent(folder, name, color, self.limits, seed=self.seed + color)
        except CourseFault as fault:
            raise _Lost(color, str(fault)) from None
        self.agents.append(agent)

    def _turn(self, color: int) -> None:
        """Ask one side for its action and inform both."""
        try:
            move = self.agents[color].action()
        except CourseFault as fault:
            raise _Lost(color, str(fault)) from None
        if move not in legal_moves(self.position):
            raise _Lost(color, f"its action {action_text(move)} is not legal")
        self.position = played(self.position, move)
        self.moves.append(move)
        if is_over(self.position, len(self.moves)):
            return
        for listener, agent in enumerate(self.agents):
            try:
                agent.turn(color, move)
            except CourseFault as fault:
                raise _Lost(listener, str(fault)) from None

    def _over(self) -> CourseResult:
        """The result by the rules; the position is seen by the side that would move next."""
        next_color, points = len(self.moves) % 2, result(self.position)
        winner = None if points == 0 else next_color if points > 0 else 1 - next_color
        ahead = lead(self.position) if next_color == 0 else -lead(self.position)
        return self._result(winner, f"Red's power minus Blue's is {ahead}")

    def _result(self, winner: int | None, reason: str) -> CourseResult:
        cpu = [agent.cpu for agent in self.agents] + [0.0, 0.0]
        peak = [agent.peak for agent in self.agents] + [None, None]
        return CourseResult(winner, reason, tuple(self.moves), (cpu[0], cpu[1]), (peak[0], peak[1]))


def action_text(move: int) -> str:
    """A move as the text of its action.

    >>> action_text(8), action_text(49)
    ('SPAWN(1, 1)', 'SPREAD(0, 0, 0, 1)')
    """
    numbers = move_numbers(move)
    kind = "SPAWN" if len(numbers) == 2 else "SPREAD"
    return f"{kind}({', '.join(map(str, numbers))})"


def main(arguments: list[str] | None = None) -> int:
    """Play a game from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m topple.bridges.infexion_referee", description="Play a game of Infexion."
    )
    parser.add_argument("red", help="package or package:Class")
    parser.add_argument("blue", help="package or package:Class")
    parser.add_argument("--path", default=".", help="the folder that contains them")
    parser.add_argument("--cpu", type=float, default=CPU, help="seconds of CPU time a side")
    parser.add_argument("--memory", type=float, default=MEMORY, help="megabytes a side")
    parser.add_argument("--seed", type=int, default=0, help="for agents that use `random`")
    given = parser.parse_args(arguments)
    if not (given.cpu > 0 and given.memory > 0):
        parser.error("--cpu and --memory must be more than 0")
    limits = CourseLimits(given.cpu, given.memory, WAIT)
    agents = (given.path, given.red), (given.path, given.blue)
    try:
        game_result = CourseGame(agents, limits, given.seed).play()
    except (ToppleError, OSError) as error:
        parser.error(str(error))
    for number, move in enumerate(game_result.moves):
        print(f"{number + 1}. {COLORS[number % 2]} {action_text(move)}")
    for color, name in enumerate(COLORS):
        peak = game_result.peak[color]
        space = "memory not known" if peak is None else f"{peak:.1f} MB at most"
        print(f"{name}: {game_result.cpu[color]:.2f} s of CPU time, {space}")
    print(game_result.text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
