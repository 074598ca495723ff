"""Speed of the OpenSpiel bridge, beside OpenSpiel's own games in C++.

    python -m benchmarks.open_spiel

Whatever slows the machine slows both sides: only the ratios mean something.
"""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

import pyspiel

import topple
from topple.bridges.open_spiel import load

SECONDS = 1.0  # for each figure
ROUNDS = 3  # of which the best counts


def rate(work: Callable[[], int]) -> float:
    """How many a second, in the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        began, n = perf_counter(), 0
        while perf_counter() - began < SECONDS / ROUNDS:
            n += work()
        best = max(best, n / (perf_counter() - began))
    return best


def random_play(game: Any) -> Callable[[], int]:
    """A random game: legal actions and a move, so many times."""
    random = Random(1)

    def play() -> int:
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            n += 1
        return n

    return play


def copying(game: Any) -> Callable[[], int]:
    """Copies of a state in the middle of a game."""
    random, state = Random(1), game.new_initial_state()
    for _ in range(20):
        state.apply_action(random.choice(state.legal_actions()))

    def copy() -> int:
        for _ in range(100):
            state.clone()
        return 100

    return copy


def listing(game: Any) -> Callable[[], int]:
    """The legal actions of one state, again and again."""
    state = game.new_initial_state()

    def list_them() -> int:
        for _ in range(100):
            state.legal_actions()
        return 100

    return list_them


def observing(game: Any) -> Callable[[], int]:
    """What a player sees of one state."""
    state = game.new_initial_state()

    def observe() -> int:
        state.observation_tensor(0)
        return 1

    return observe


def searching(game: Any) -> Callable[[], int]:
    """Simulations of OpenSpiel's tree search in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 20, 1000, False, 1, False)

    def search() -> int:
        bot.mcts_search(game.new_initial_state())
        return 20

    return search


def uct(game: topple.Game) -> Callable[[], int]:
    """Iterations of topple's tree search."""
    agent = topple.agent("uct:iterations=50")

    def search() -> int:
        return agent.choose(game.start(), seed=1).effort.simulations

    return search


def compare(what: str, ours: float, theirs: float) -> None:
    """One line: both figures and how many times one goes into the other."""
    print(f"{what:34} {ours:12,.0f} {theirs:12,.0f} {theirs / ours:8.1f}")


def main() -> None:
    """Measure and print."""
    ours, theirs = load("hex", "hex:11"), pyspiel.load_game("hex(board_size=11)")
    print(f"{'a second, on 11×11 Hex':34} {'topple_hex':>12} {'C++ hex':>12} {'ratio':>8}")
    for what, make in {
        "legal actions and a move": random_play,
        "legal actions": listing,
        "copies": copying,
        "observations": observing,
        "simulations of the C++ search": searching,
    }.items():
        compare(what, rate(make(ours)), rate(make(theirs)))
    print(f"\n{'uct, iterations a second':34} {'OpenSpiel':>12} {'topple':>12} {'ratio':>8}")
    there = topple.load('open-spiel:game="hex(board_size=11)"')
    compare("11×11 Hex", rate(uct(there)), rate(uct(topple.load("hex", "hex:11"))))
    for name in ("tic_tac_toe", "connect_four"):
        figure = rate(uct(topple.load("open-spiel", game=name)))
        print(f"{name:34} {figure:12,.0f}")


if __name__ == "__main__":
    main()
