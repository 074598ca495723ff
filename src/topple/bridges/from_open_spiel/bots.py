"""OpenSpiel's own bots, made for a game, a seat and a seed."""

from collections.abc import Callable, Mapping
from typing import Any

from topple.bridges.from_open_spiel.library import load_pyspiel

SEEDS = 2**31  # OpenSpiel's seeds are below

Options = Mapping[str, Any]


def uniform(game: Any, player: int, seed: int, options: Options) -> Any:
    """A bot that draws any legal move."""
    return load_pyspiel().make_uniform_random_bot(player, seed % SEEDS)


def mcts(game: Any, player: int, seed: int, options: Options) -> Any:
    """Its tree search in C++.

    `MCTSBot.step` of OpenSpiel 2.0 lets go of Python's lock and then ends the process on a
    game that is written in Python. `mcts_search` does not, and is what `step` plays by.
    """
    pyspiel = load_pyspiel()
    seed %= SEEDS
    rollouts = pyspiel.RandomRolloutEvaluator(options["rollouts"], seed)
    search = pyspiel.MCTSBot(
        game, rollouts, options["c"], options["simulations"], options["memory"],
        options["solve"], seed, False,
    )  # fmt: skip
    return asked(lambda state: search.mcts_search(state).best_child().action)


def python_mcts(game: Any, player: int, seed: int, options: Options) -> Any:
    """Its tree search in Python."""
    import numpy as np
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

    random = np.random.RandomState(seed % SEEDS)
    rollouts = RandomRolloutEvaluator(options["rollouts"], random)
    return MCTSBot(game, options["c"], options["simulations"], rollouts,
                   solve=options["solve"], random_state=random)  # fmt: skip


def minimax(game: Any, player: int, seed: int, options: Options) -> Any:
    """Its alpha-beta search, for which every position at the end of its sight counts 0."""
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    def best(state: Any) -> int:
        _, move = alpha_beta_search(
            game, state=state, value_function=lambda _: 0.0, maximum_depth=options["depth"]
        )
        return int(move)

    return asked(best)


def asked(best: Callable[[Any], int]) -> Any:
    """A bot that keeps nothing: a function from states to moves."""
    pyspiel = load_pyspiel()

    class Asked(pyspiel.Bot):  # type: ignore[misc,name-defined]
        def step(self, state: Any) -> int:
            return best(state)

        def restart_at(self, state: Any) -> None:
            pass

    return Asked()


BOTS: Mapping[str, Callable[[Any, int, int, Options], Any]] = {
    "mcts": mcts, "python-mcts": python_mcts, "minimax": minimax, "random": uniform,
}  # fmt: skip
