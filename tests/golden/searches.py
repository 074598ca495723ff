"""Golden answers of every other search, and whole trees of UCT."""

from typing import Any

import topple
from topple.agents.tree_search import TreeSearch
from topple.kernels.uct import ROOT, UNEXPANDED, UctTree

GAMES = {
    "spread-it": "ba:n=9,m=2,seed=1",
    "chain-reaction": "grid:3x3",
    "infexion": "infexion:4",
    "hex": "hex:4",
    "influence": "segment:14",
}
SPECS = (
    "random", "greedy", "minimax:depth=2", "alphabeta:nodes=3000", "frontier:nodes=3000",
    "montecarlo:samples=20", "pruning:samples=20", "volatile:samples=5", "uct:iterations=300",
    "uct:iterations=300,rave=50", "uct:iterations=300,bias=0.5,fpu=0.6",
    "uct:iterations=300,threads=2",
)  # fmt: skip
TREES = ("uct:iterations=60", "uct:iterations=60,rave=20", "uct:iterations=60,solver=false")


def decisions() -> dict[str, Any]:
    """What each agent answers after two moves of each game."""
    answers: dict[str, Any] = {}
    for name, board in GAMES.items():
        game = topple.load(name, board)
        position = game.start().play(game.start().legal_moves()[2])
        for spec in SPECS:
            agent = topple.agent(spec)
            if spec.startswith("volatile") and name == "hex":
                continue
            decision = agent.choose(position, seed=4)
            answers[f"{spec} on {name}"] = [
                decision.move, round(decision.value, 9), list(decision.variation),
                decision.effort.simulations, decision.effort.nodes,
            ]  # fmt: skip
    return answers


def uct_trees() -> dict[str, Any]:
    """Every node that was visited: the moves to it, its visits, mean reward and proof."""
    trees: dict[str, Any] = {}
    position = topple.load("hex", "hex:3").start().play("b2")
    for spec in TREES:
        for seed in (1, 2):
            search = topple.agent(spec).search(position, seed)
            assert isinstance(search, TreeSearch)
            search.advance(1000)
            trees[f"{spec} seed {seed}"] = list(_nodes(search.trees[0], ROOT, []))
    return trees


def _nodes(tree: UctTree, node: int, path: list[int]) -> Any:
    mean = None if tree.mean[node] < 0 else round(float(tree.mean[node]), 9)
    yield [path, int(tree.visits[node]), mean, int(tree.proof[node])]
    first = int(tree.first[node])
    if first != UNEXPANDED:
        for child in range(first, first + int(tree.tried[node])):
            yield from _nodes(tree, child, [*path, int(tree.move[child])])
