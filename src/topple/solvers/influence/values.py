"""Values, in Milnor's universe, of INFLUENCE positions.

By section 3 of the INFLUENCE paper, once forced vertices are counted as points (section 2.2),
the game is dicot and has no zugzwang (Corollary 12), and it is the sum of its components.
"""

from topple.core.errors import Unsupported
from topple.core.text import one_line
from topple.game import Game, Position
from topple.rules import influence
from topple.solvers.influence.reach import Digraph, members
from topple.solvers.scoring import Value, value_of

MOST_ON_BOARD = 1024  # vertices for which reach is computed
MOST_VERTICES = 48  # that are not forced; a segment of so many takes some seconds
MOST_POSITIONS = 20_000  # connected ones to evaluate

Graph = tuple[int, int]  # Left's lead, and the set of remaining vertices, one bit for each


def value_of_position(position: Position) -> Value:
    """The value for Left of what is on the board, whoever is to move.

    Its stops are Ls and Rs of the remaining vertices. Vertices taken before are not
    counted.

    Raises
    ------
    Unsupported
        If the game is not INFLUENCE, or the board is too large.

    Examples
    --------
    >>> import topple
    >>> start = topple.load("influence", "segment:4").start()
    >>> print(value_of_position(start), value_of_position(start.play("2")))
    {4|-4} 1
    >>> seven = value_of_position(topple.load("influence", "segment:7").start())
    >>> print(seven, seven.mean, seven.temperature)
    {3|{-1|-7}} -1/2 7/2
    """
    game = position.game
    if game.rules is not influence:
        raise Unsupported(f"values are for INFLUENCE, and this is a position of {game.spec}")
    if game.board.n_vertices > MOST_ON_BOARD:
        raise _too_large(game)
    digraph = Digraph(game.board)
    graphs = _Graphs(digraph)
    start = graphs.relevant(0, digraph.there(position))
    if start[1].bit_count() > MOST_VERTICES:
        raise _too_large(game)
    try:
        return value_of(
            start,
            graphs.left_options,
            graphs.right_options,
            lambda graph: graph[0],
            split=graphs.split,
            most=MOST_POSITIONS,
        )
    except Unsupported:
        raise _too_large(game) from None


def _too_large(game: Game) -> Unsupported:
    return Unsupported(
        f"{one_line(game.board.spec, 60)} is too large for its value: up to {MOST_VERTICES} "
        "vertices that are not forced are feasible, fewer if many arcs join them; Ls and Rs "
        "alone can be found on larger boards"
    )


class _Graphs:
    """The graphs that play on a board can lead to."""

    def __init__(self, digraph: Digraph) -> None:
        self.digraph = digraph

    def split(self, graph: Graph) -> tuple[int, list[Graph]]:
        """The points of forced vertices (section 2.2), and the components (Corollary 14)."""
        points, there = self.relevant(*graph)
        components = []
        while there:
            component, new = 0, there & -there
            while new:
                component |= new
                near = 0
                for vertex in members(new):
                    near |= self.digraph.own[vertex]
                new = near & there & ~component
            components.append((0, component))
            there &= ~component
        return points, components

    def relevant(self, points: int, there: int) -> Graph:
        """Give forced vertices to their owners (Definition 6)."""
        relevant, lead = self.digraph.relevant(there)
        return points + lead, relevant

    def left_options(self, graph: Graph) -> list[Graph]:
        return self.options(graph, 0)

    def right_options(self, graph: Graph) -> list[Graph]:
        return self.options(graph, 1)

    def options(self, graph: Graph, side: int) -> list[Graph]:
        """The graphs after each move, without moves that others include (Corollary 13)."""
        points, there = graph
        options: list[Graph] = []
        for vertex in members(there & self.digraph.labelled[side]):
            taken = self.digraph.own[vertex] & there
            gain = taken.bit_count() if side == 0 else -taken.bit_count()
            new = self.relevant(points + gain, there & ~taken)
            if not any(other[1] & new[1] == other[1] for other in options):
                options = [other for other in options if other[1] & new[1] != new[1]]
                options.append(new)
        return options
