"""INFLUENCE, the slow twin: RULES.md section 5, rule by rule.

Left is player 0 and Right is player 1, whoever moves first. The scores Ls and Rs follow the paper
(004_5138168074a2dbdc.txt), Remark 1 and Definition 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LEFT, RIGHT = 0, 1

Vertices = frozenset[int]


@dataclass(frozen=True)
class State:
    """RULES.md 5: the vertices still on the board, the points of Left and Right, the mover."""

    alive: Vertices
    points: tuple[int, int]
    mover: int


class Influence:
    """RULES.md 5: Left takes what an L vertex reaches, Right takes what reaches an R vertex."""

    n_players = 2

    def __init__(
        self,
        successors: Sequence[Sequence[int]],
        labels: str | Sequence[str],
        *,
        first: str = "left",
    ) -> None:
        if first not in ("left", "right"):
            raise ValueError(f"first must be left or right, not {first!r}")
        if len(labels) != len(successors) or not set(labels) <= {"L", "R"}:
            raise ValueError(f"one label L or R per vertex is needed, not {labels!r}")
        self.labels = tuple(labels)
        self.successors = tuple(tuple(heads) for heads in successors)
        self.predecessors = tuple(
            tuple(tail for tail, heads in enumerate(self.successors) if vertex in heads)
            for vertex in range(len(self.successors))
        )
        self.first = LEFT if first == "left" else RIGHT

    # -- the common interface ----------------------------------------------------------------

    def start(self) -> State:
        """RULES.md 5, Board: nothing taken; `first` moves first if he has a vertex."""
        alive = frozenset(range(len(self.labels)))
        return State(alive, (0, 0), self.first if self.own(alive, self.first) else 1 - self.first)

    def player(self, state: State) -> int:
        """RULES.md 5, A turn: the players alternate, but who has no own vertex waits."""
        return state.mover

    def is_over(self, state: State) -> bool:
        """RULES.md 5, A turn: the rest has been taken."""
        return not state.alive

    def legal_moves(self, state: State) -> list[int]:
        """RULES.md 5, A turn: the vertices of the mover's own label."""
        return self.own(state.alive, state.mover)

    def play(self, state: State, move: int) -> State:
        """RULES.md 5, A turn: take the vertices, one point each."""
        if move not in self.legal_moves(state):
            raise ValueError(f"illegal move {move!r} in {state}")
        taken = self.taken(state.alive, state.mover, move)
        alive = state.alive - taken
        left, right = state.points
        gain = len(taken)
        points = (left + gain, right) if state.mover == LEFT else (left, right + gain)
        return State(alive, points, self.next_player(alive, state.mover))

    def returns(self, state: State) -> tuple[float, ...]:
        """RULES.md 5, A turn: more points wins."""
        left, right = state.points
        if left == right:
            return (0.0, 0.0)
        return (1.0, -1.0) if left > right else (-1.0, 1.0)

    # -- a turn ------------------------------------------------------------------------------

    def own(self, alive: Vertices, player: int) -> list[int]:
        """RULES.md 5, Board: the player's vertices that are still there, in ascending order."""
        label = "L" if player == LEFT else "R"
        return [vertex for vertex in sorted(alive) if self.labels[vertex] == label]

    def taken(self, alive: Vertices, player: int, vertex: int) -> Vertices:
        """RULES.md 5, A turn: Left takes Succ(G, vertex), Right takes Pred(G, vertex)."""
        arcs = self.successors if player == LEFT else self.predecessors
        return reach(arcs, alive, vertex)

    def next_player(self, alive: Vertices, mover: int) -> int:
        """RULES.md 5, A turn: a player with no own vertex waits while the other takes the rest."""
        return 1 - mover if self.own(alive, 1 - mover) else mover

    # -- the scores of the paper -------------------------------------------------------------

    def left_score(self, alive: Vertices | None = None) -> int:
        """Definition 2: Ls(G), Left's points minus Right's when Left starts."""
        if alive is None:
            alive = self.start().alive
        return self.s1(alive, LEFT) - self.s2(alive, RIGHT)

    def right_score(self, alive: Vertices | None = None) -> int:
        """Definition 2: Rs(G), Left's points minus Right's when Right starts."""
        if alive is None:
            alive = self.start().alive
        return self.s2(alive, LEFT) - self.s1(alive, RIGHT)

    def s1(self, alive: Vertices, player: int) -> int:
        """Remark 1: the most points the player gets when he starts."""
        if not self.own(alive, player):
            return 0
        moves = [self.taken(alive, player, vertex) for vertex in self.own(alive, player)]
        return max(len(taken) + self.s2(alive - taken, player) for taken in moves)

    def s2(self, alive: Vertices, player: int) -> int:
        """Remark 1: the most points the player gets when the other starts.

        Remark 1 leaves out the case that only the other has no vertex: the player takes the rest.
        """
        other = 1 - player
        if not self.own(alive, player):
            return 0
        if not self.own(alive, other):
            return len(alive)
        moves = [self.taken(alive, other, vertex) for vertex in self.own(alive, other)]
        return min(self.s1(alive - taken, player) for taken in moves)


def reach(arcs: tuple[tuple[int, ...], ...], alive: Vertices, vertex: int) -> Vertices:
    """The vertex and all that can be reached from it along the arcs among the alive."""
    reached = {vertex}
    frontier = [vertex]
    while frontier:
        for neighbour in arcs[frontier.pop()]:
            if neighbour in alive and neighbour not in reached:
                reached.add(neighbour)
                frontier.append(neighbour)
    return frozenset(reached)
