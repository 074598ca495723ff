"""Golden trees of stochastic diffusion search."""

from typing import Any

import topple
from topple.agents.sds import SdsSearch

SPECS = (
    "sds-root:agents=60,iterations=6",
    "sds-tree:agents=60,iterations=6",
    "sds-tree:agents=60,iterations=6,scattering=1,backscatter=root",
    "sds-tree:agents=20,iterations=6,allocation=layers,recruitment=active,relate=free",
    "sds-tree:agents=10,iterations=6,allocation=fixed,recruitment=dual,relate=sensitive",
)


def sds_trees() -> dict[str, Any]:
    """The populations of small searches on Hex, by agent and seed.

    Each population is written as the moves that lead to it and the agents that
    support each move.
    """
    position = topple.load("hex", board="hex:3").start()
    trees: dict[str, Any] = {}
    for spec in SPECS:
        for seed in (1, 2):
            search = topple.agent(spec).search(position, seed)
            assert isinstance(search, SdsSearch)
            search.advance(1_000_000)
            populations = search.populations().items()
            trees[f"{spec} seed {seed}"] = {
                "move": search.decision().move,
                "playouts": search.n_playouts,
                "populations": [[list(path), sorted(n.items())] for path, n in populations],
            }
    return trees
