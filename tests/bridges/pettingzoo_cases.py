"""Environments of every game for the tests of the PettingZoo bridge, and random steps in them."""

from typing import Any

from topple.bridges import pettingzoo as bridge

GAMES = {
    "hex_v0": {"board": "hex:4"},
    "spread_it_v0": {"board": "karate"},
    "chain_reaction_v0": {"board": "grid:3x3"},
    "infexion_v0": {"board": "infexion:3"},
    "influence_v0": {"board": "segment:12"},
}
CASES: dict[str, dict[str, Any]] = {
    **{name: {"version": name, **given} for name, given in GAMES.items()},
    "swap": {"version": "hex_v0", "board": "hex:3", "swap": True},
    "loyal": {"version": "spread_it_v0", "board": "ba:n=12,m=2,seed=1", "loyalty": "full"},
    "three": {"version": "chain_reaction_v0", "board": "grid:3x3", "players": 3},
    "eight": {"version": "chain_reaction_v0", "board": "grid:4x4", "players": 8},
    "right": {"version": "influence_v0", "board": "segment:9", "first": "right"},
    "chance": {
        "version": "spread_it_v0",
        "board": "cycle:6",
        "players": 3,
        "accept": 0.6,
        "tokens": 6,
    },
    "changing": {
        "version": "spread_it_v0",
        "board": 'rewiring:base="random-digraph:n=6,m=12,seed=2",every=2,share=0.3,changes=3',
        "players": 3,
        "accept": 0.8,
        "tokens": 3,
    },
    "arcs": {
        "version": "spread_it_v0",
        "board": "random-digraph:n=12,m=24,seed=1",
        "players": 8,
        "tokens": 3,
        "sinks": "drop",
        "loyalty": 2,
        "turn": 2,
    },
}


def make(case: str, kind: str = "env", **more: Any) -> Any:
    """The environment of a case: `env`, or `raw_env`."""
    given = CASES[case] | more
    return getattr(getattr(bridge, given.pop("version")), kind)(**given)


def sampled(env: Any) -> Any:
    """A random legal action of the agent to move, or None if it has ended."""
    observation, _, ended, cut, _ = env.last()
    if ended or cut:
        return None
    return env.action_space(env.agent_selection).sample(observation["action_mask"])


def played(env: Any, n_steps: int, seed: int) -> Any:
    """The environment after so many random steps, fewer if nobody is left."""
    env.reset(seed=seed)
    for _ in range(n_steps):
        if not env.agents:
            break
        env.step(sampled(env))
    return env
