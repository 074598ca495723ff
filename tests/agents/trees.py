"""Walks through the trees of searches."""

from collections.abc import Iterator

from topple.kernels.uct import UNEXPANDED, UctTree


def nodes_below(tree: UctTree, node: int) -> Iterator[tuple[int, range]]:
    """Every expanded node with its block of children, from a node on."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if tree.first[node] != UNEXPANDED:
            block = range(tree.first[node], tree.first[node] + tree.n_children[node])
            yield node, block
            waiting.extend(block)
