"""`python -m benchmarks.infexion_referee`: the course's agent of topple's, under its limits.

It plays with 180 seconds of CPU time and 250 megabytes a game, in a process of its own that
measures and enforces both, against agents of topple's without any limits, from the empty
board with colours swapped. Options play more games in less time.
"""

import argparse
import sys
from dataclasses import dataclass
from typing import NamedTuple

import topple
from topple.bridges.infexion.course_agent import CourseFault
from topple.bridges.infexion.referee_agent import CourseOpponent, RefereeAgent
from topple.game.game import Game

OURS = "topple.bridges.infexion:Agent"
OPPONENTS = ("greedy", "minimax", "minimax:depth=3", "frontier:game_time=180,resolve=minimax")


class Sheet(NamedTuple):
    """What came of one game."""

    points: float  # 1, 0 or −1
    cpu: float
    peak: float
    plies: int
    fault: str | None = None


@dataclass
class Row:
    """All games against one opponent."""

    opponent: str
    sheets: list[Sheet]

    def line(self) -> str:
        """The row of the table."""
        n = len(self.sheets)
        counts = [sum(sheet.points == points for sheet in self.sheets) for points in (1, 0, -1)]
        faults = sum(sheet.fault is not None for sheet in self.sheets)
        cpu, peak = (max(sheet[place] for sheet in self.sheets) for place in (1, 2))
        plies = sum(sheet.plies for sheet in self.sheets) / n
        won = "/".join(map(str, counts))
        return (f"{self.opponent:40} {n:5} {won:>9} {100 * counts[0] / n:5.0f}% {faults:6} "
                f"{plies:6.0f} {cpu:9.1f} {peak:8.1f}")  # fmt: skip


HEADER = (f"{'opponent':40} {'games':>5} {'w/d/l':>9} {'won':>6} {'faults':>6} {'plies':>6} "
          f"{'most CPU s':>9} {'peak MB':>8}")  # fmt: skip


def play(game: Game, opponent: str, color: int, cpu: float, seed: int) -> Sheet:
    """Play one game, with ours as Red (0) or Blue (1)."""
    agent = topple.agent(f"referee:path=.,agent={OURS},cpu={cpu:g}")
    assert isinstance(agent, RefereeAgent)
    ours, other = agent.begin(seed), topple.agent(opponent).begin(seed)
    position, moves = game.start(), []
    ours.line = moves
    used, peak = 0.0, 0.0
    while not position.is_over:
        player = ours if position.player == color else other
        try:
            move = player.choose(position, len(moves)).move
        except CourseFault as fault:
            return Sheet(-1.0, used, peak, len(moves), str(fault))
        if isinstance(ours.memory, CourseOpponent):
            used, peak = ours.memory.agent.cpu, ours.memory.agent.peak or 0.0
        moves.append(position.check_move(move))
        position = position.play(move)
    return Sheet(position.returns()[color], used, peak, len(moves))


def main() -> None:
    """Play, game by game, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.infexion_referee")
    parser.add_argument("--games", type=int, default=4, help="against each opponent")
    parser.add_argument("--cpu", type=float, default=180.0, help="seconds of our side for a game")
    parser.add_argument("--opponent", action="append", help="an agent; may be given again")
    given = parser.parse_args()
    game, rows = topple.load("infexion"), []
    for opponent in given.opponent or OPPONENTS:
        rows.append(Row(opponent, []))
        for number in range(given.games):
            sheet = play(game, opponent, number % 2, given.cpu, number)
            rows[-1].sheets.append(sheet)
            print(f"{opponent}, game {number + 1}: {sheet}", file=sys.stderr)
    print(f"{given.cpu:g} s of CPU time a game\n{HEADER}")
    for row in rows:
        print(row.line())


if __name__ == "__main__":
    main()
