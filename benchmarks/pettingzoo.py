"""How quickly topple's PettingZoo environments step and copy, beside PettingZoo's own.

    python -m benchmarks.pettingzoo [--seconds 1]

Random games are played, each step as a learner takes it: `last`, a sampled legal
action, `step`. Copies are taken in the midst of a game. A `deepcopy` of PettingZoo's
own games is a new environment that has forgotten the game, so beside it stands what
gives the position back: a new environment, `reset`, and all actions once more.
Connect Four and chess need `pip install 'pettingzoo[classic]'` and are left out without it.
"""

import argparse
import copy
import pickle
import time
import warnings
from collections.abc import Callable
from typing import Any

from topple.bridges import pettingzoo as bridge

PLIES = 12  # of the game that is copied

Maker = Callable[[], Any]

OURS: dict[str, Maker] = {
    "spread-it on karate": lambda: bridge.spread_it_v0.env("karate"),
    "chain-reaction on grid:5x5": lambda: bridge.chain_reaction_v0.env("grid:5x5"),
    "infexion on infexion:7": bridge.infexion_v0.env,
    "hex on hex:5": lambda: bridge.hex_v0.env("hex:5"),
    "hex on hex:11": lambda: bridge.hex_v0.env("hex:11"),
    "influence on segment:41": bridge.influence_v0.env,
}


def theirs() -> dict[str, Maker]:
    """PettingZoo's own board games, as far as what they need is installed."""
    found: dict[str, Maker] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the way they are imported
        try:
            from pettingzoo.classic import connect_four_v3

            found["Connect Four"] = connect_four_v3.env
            from pettingzoo.classic import chess_v6

            found["chess"] = chess_v6.env
        except ImportError as error:
            print(f"left out: {error}; pip install 'pettingzoo[classic]'\n")
    return found


def act(env: Any) -> Any:
    """Take a random step; a game that is over begins anew. The action, or None."""
    observation, _, ended, cut, _ = env.last()
    if ended or cut:
        env.reset()
        return None
    action = env.action_space(env.agent_selection).sample(observation["action_mask"])
    env.step(action)
    return action


def in_midgame(make: Maker) -> tuple[Any, list[Any]]:
    """An environment in the midst of a game that is not over, and the actions that led there."""
    for seed in range(100):
        env, actions = make(), []
        env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        while len(actions) < PLIES and not any(env.terminations.values()):
            actions.append(act(env))
        if not any(env.terminations.values()):
            return env, actions
    raise AssertionError("every game was over too soon")


def replayed(make: Maker, actions: list[Any]) -> Any:
    """A new environment, and all actions once more."""
    env = make()
    env.reset()
    for action in actions:
        env.step(action)
    return env


def rate(work: Callable[[], object], seconds: float) -> float:
    """How often a second something can be done, by the time of this process alone."""
    work()
    n, begin = 0, time.process_time()
    while (passed := time.process_time() - begin) < seconds:
        work()
        n += 1
    return n / passed


def measured(make: Maker, seconds: float) -> list[float]:
    """Steps, copies, copies of the bare environment, pickles and replays a second."""
    running = make()
    running.reset(seed=1)
    env, actions = in_midgame(make)
    bare = env.unwrapped
    return [
        rate(lambda: act(running), seconds),
        rate(lambda: copy.deepcopy(env), seconds),
        rate(lambda: copy.deepcopy(bare), seconds),
        rate(lambda: pickle.loads(pickle.dumps(env)), seconds),
        rate(lambda: replayed(make, actions), seconds),
    ]


def keeps_the_game(make: Maker) -> bool:
    """Whether a deepcopy stands where the original does."""
    env, _ = in_midgame(make)
    try:
        twin = copy.deepcopy(env)
        ours, copied = (each.observe(env.agent_selection)["observation"] for each in (env, twin))
        return bool((ours == copied).all())
    except Exception:  # it is asked for what only `reset` makes
        return False


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each number")
    seconds = parser.parse_args().seconds
    print(f"a second, in the midst of a game (after {PLIES} plies)\n")
    print(f"{'':27}{'steps':>9}{'deepcopy':>10}{'bare':>9}{'pickle':>9}{'replay':>9}  kept")
    for name, make in {**OURS, **theirs()}.items():
        numbers = measured(make, seconds)
        kept = "yes" if keeps_the_game(make) else "no"
        widths = zip(numbers, (9, 10, 9, 9, 9), strict=True)
        print(f"{name:27}{''.join(f'{n:>{width},.0f}' for n, width in widths)}  {kept}")


if __name__ == "__main__":
    main()
