"""Does advice help? Its first choice and the degree baseline's, played on by strong players.

    python -m benchmarks.advise --games 200 --workers 2

From several positions on one network, under both loyalties, the first choice of
`topple.advise` and the vertex that the degree baseline takes are each played, and the
game goes on between players much stronger than those that advice is based on:
alpha-beta looks three moves ahead, and one move in ten is UCT's, so that no two games
are the same. Both choices meet the same seeds. Positions come from games of UCT
against itself and are not picked by what comes out.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

import topple
from topple.advice.result import difference, win_probability
from topple.agents import agent
from topple.arena.statistics.rates import Estimate
from topple.compiling.rng import below, make_rng
from topple.core.processes import Done, in_processes
from topple.game.position import Position

STRONG, OTHER, WHO_MADE_IT = (
    "alphabeta:depth=3,memory=1",
    "uct:iterations=100",
    "uct:iterations=100",
)
ONE_IN = 10  # moves that are the other player's
PLIES = (0, 10, 20, 30, 40, 50, 60, 66)
LOYALTIES = ("zero", "full")


class Task(NamedTuple):
    """One position under one loyalty."""

    board: str
    loyalty: str
    plies: int
    games: int
    seed: int


def position_after(task: Task) -> Position | None:
    """The position after so many plies of self-play; None where the game is over by then."""
    position = topple.load("spread-it", board=task.board, loyalty=task.loyalty).start()
    player = agent(WHO_MADE_IT).begin(task.seed + task.plies)
    for ply in range(task.plies):
        if position.is_over:
            return None
        position = position.play(player.choose(position, ply).move)
    return None if position.is_over else position


def strong_game(position: Position, seed: int) -> int:
    """How a game between strong players ends for Black."""
    rng, players = make_rng(seed), [agent(STRONG).begin(seed), agent(OTHER).begin(seed)]
    ply = 0
    while not position.is_over:
        with np.errstate(over="ignore"):
            is_other = int(below(rng, ONE_IN) == 0)
        position = position.play(players[is_other].choose(position, ply).move)
        ply += 1
    return int(position.returns()[0])


def measure(task: Task, done: Done) -> dict[str, object] | None:
    """Advise, play both choices on, and tell what came of it."""
    position = position_after(task)
    if position is None:
        done("over")
        return None
    advice = topple.advise(position, workers=1)
    degree = advice.baselines[0]
    sign = 1 if position.player == 0 else -1
    choices = {"first": advice.first.vertex, "degree": degree.choice.vertex}
    results = {
        name: np.array([
            sign * strong_game(position.play(move), int(make_rng(task.seed, game)[0]))
            for game in range(task.games if choices["first"] != choices["degree"] else 0)
        ], dtype=np.int8)
        for name, move in choices.items()
    }  # fmt: skip
    done("measured")
    return {
        **task._asdict(),
        "player": position.game.players[position.player],
        "choices": {name: position.game.move_text(move) for name, move in choices.items()},
        "advised": {"first": advice.first.wins, "degree": degree.choice.wins, "gap": degree.loss},
        "results": {name: found.tolist() for name, found in results.items()},
    }


def percent(found: Estimate) -> str:
    return f"{100 * found.value:5.1f} ({100 * found.low:5.1f} to {100 * found.high:5.1f})"


def show(rows: list[dict[str, object]]) -> None:
    """One line for each position, and one for each loyalty."""
    for loyalty in LOYALTIES:
        print(f"\n{loyalty}: plies, first choice, degree's; wins of both, gap | gap as advised")
        gaps: list[tuple[np.ndarray, np.ndarray]] = []
        for row in rows:
            if row["loyalty"] != loyalty:
                continue
            choices, results, advised = row["choices"], row["results"], row["advised"]
            line = f"{row['plies']:3} {choices['first']:>4} {choices['degree']:>4}"  # type: ignore[index]
            if choices["first"] == choices["degree"]:  # type: ignore[index]
                print(f"{line}  the same")
                continue
            first, degree = (np.array(results[name]) for name in ("first", "degree"))  # type: ignore[index]
            gaps.append((first, degree))
            told = [win_probability(first), win_probability(degree), difference(first, degree)]
            print(line, *map(percent, told), "|", percent(Estimate(*advised["gap"])))  # type: ignore[index]
        if gaps:
            first, degree = (np.concatenate(side) for side in zip(*gaps, strict=True))
            print("all", " " * 8, percent(win_probability(first)), percent(win_probability(degree)),
                  percent(difference(first, degree)))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="karate")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, nargs="+", default=PLIES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    tasks = [
        Task(chosen.board, loyalty, plies, chosen.games, chosen.seed)
        for loyalty in LOYALTIES
        for plies in chosen.plies
    ]
    found = in_processes(measure, tasks, chosen.workers, lambda part: print(part, file=sys.stderr))
    rows = [row for row in found if row is not None]
    if chosen.out is not None:
        chosen.out.write_text(json.dumps(rows), "utf-8")
    show(rows)


if __name__ == "__main__":
    main()
