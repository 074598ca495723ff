"""INFLUENCE by plain recursion: Remark 1 of the paper (004_5138168074a2dbdc.txt), move by move.

Sets of vertices are whole numbers, one bit for each vertex. Nothing is merged, forced, left out
or split: every vertex of the own label is a move, and what it takes is found by walking.
"""

from collections.abc import Iterable, Sequence


class Remark1:
    """s_1 and s_2 of Left on every set of vertices that play leads to."""

    def __init__(self, n: int, arcs: Iterable[tuple[int, int]], labels: Sequence[str]) -> None:
        self.all = (1 << n) - 1
        self.heads, self.tails = [0] * n, [0] * n
        for tail, head in arcs:
            self.heads[tail] |= 1 << head
            self.tails[head] |= 1 << tail
        self.left = [v for v in range(n) if labels[v] == "L"]
        self.right = [v for v in range(n) if labels[v] == "R"]
        self.firsts: dict[int, int] = {}
        self.seconds: dict[int, int] = {}

    def succ(self, alive: int, vertex: int) -> int:
        """Succ(G, vertex)."""
        return walk(self.heads, alive, vertex)

    def pred(self, alive: int, vertex: int) -> int:
        """Pred(G, vertex)."""
        return walk(self.tails, alive, vertex)

    def first(self, alive: int) -> int:
        """s_1^L: Left starts."""
        if alive not in self.firsts:
            own = [v for v in self.left if alive >> v & 1]
            taken = [self.succ(alive, v) for v in own]
            self.firsts[alive] = max((t.bit_count() + self.second(alive & ~t) for t in taken),
                                     default=0)  # fmt: skip
        return self.firsts[alive]

    def second(self, alive: int) -> int:
        """s_2^L: Right starts; where Right has no vertex, Left takes the rest."""
        if alive not in self.seconds:
            taken = [self.pred(alive, v) for v in self.right if alive >> v & 1]
            self.seconds[alive] = min((self.first(alive & ~t) for t in taken),
                                      default=alive.bit_count())  # fmt: skip
        return self.seconds[alive]

    def left_score(self, alive: int) -> int:
        """Definition 2: Ls, with s_2^R = |V| - s_1^L."""
        return 2 * self.first(alive) - alive.bit_count()

    def right_score(self, alive: int) -> int:
        """Definition 2: Rs, with s_1^R = |V| - s_2^L."""
        return 2 * self.second(alive) - alive.bit_count()


def walk(arcs: list[int], alive: int, vertex: int) -> int:
    """All that can be reached along arcs among those alive."""
    reached = front = 1 << vertex
    while front:
        vertex = front.bit_length() - 1
        new = arcs[vertex] & alive & ~reached
        reached |= new
        front = front & ~(1 << vertex) | new
    return reached
