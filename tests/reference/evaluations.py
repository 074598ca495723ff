"""The evaluations, slow twins: docs/evaluations.md, definition by definition.

They see a position as people do: its cells and its text. Each is called with a position, the
name of an evaluation and a player.
"""

import heapq
import math
import re
from fractions import Fraction
from functools import cache

import networkx as nx
import numpy as np

import topple
from topple.game.position import Position

# Spread-It.


def spread_it(position: Position, name: str, player: int) -> float:
    """The value for Black, with its sign changed for Red; of `own-…` the player's own."""
    if name.startswith("own-"):
        return own_value(position, name.removeprefix("own-"), player)
    value = black_value(position, name)
    return value if player == 0 else -value


def black_value(position: Position, name: str) -> float:
    """One feature, or the weighted sum of all."""
    if name == "linear":
        weights = {"parity": 0.27, "stability": -0.08, "hubs": 0.315, "general": 0.495}
        return sum(weight * black_value(position, each) for each, weight in weights.items())
    if name == "hubs":
        ranks = pagerank(position.game.board)
        return sum(ranks[i] * v.leader * v.fill for i, v in enumerate(vertices(position)))
    exact = {"parity": parity, "stability": stability, "mobility": mobility, "general": general}
    return float(exact[name](position))


def own_value(position: Position, name: str, player: int) -> float:
    """What a feature counts for a player, whatever the other has."""
    board, sign = vertices(position), (1, -1)[player]
    if name == "stability":
        tokens = sum(v.tokens_not_due(player) for v in board)
        return tokens / sum(v.threshold for v in board)
    if name == "mobility":
        return sum(v.is_worth_a_token(player) for v in board) / len(board)
    if name == "hubs":
        ranks = pagerank(position.game.board)
        return sum(ranks[i] * v.fill for i, v in enumerate(board) if v.leader == sign)
    lead = 0.27 * black_value(position, "parity") + 0.495 * black_value(position, "general")
    stable, hubs = (own_value(position, each, player) for each in ("stability", "hubs"))
    return sign * lead - 0.08 * stable + 0.315 * hubs


@cache
def pagerank(board: topple.Board) -> dict[int, float]:
    """As networkx has it."""
    ranks: dict[int, float] = nx.pagerank(nx.Graph(board.edges()), alpha=0.85)
    return ranks


class Vertex:
    """What lies on a vertex, read from its cell: `2b1r`, `R:1r`."""

    def __init__(self, cell: str, threshold: int) -> None:
        owner, black, red = re.fullmatch(r"(?:([BR]):)?(?:(\d+)b)?(?:(\d+)r)?", cell).groups()
        self.owner = {"B": 1, "R": -1, None: 0}[owner]
        self.tokens = (int(black or 0), int(red or 0))
        self.threshold = threshold

    @property
    def missing(self) -> int:
        """The tokens that are missing until it fires."""
        return self.threshold - sum(self.tokens)

    @property
    def leader(self) -> int:
        """1 if Black owns or leads it, −1 if Red does."""
        black, red = self.tokens
        return self.owner or (black > red) - (red > black)

    @property
    def fill(self) -> Fraction:
        """How full it is; an owned vertex is full."""
        return Fraction(1) if self.owner else Fraction(sum(self.tokens), self.threshold)

    def stable_tokens(self, colour: int) -> int:
        """A colour's stable tokens less the unstable ones."""
        if self.owner:
            return self.threshold if self.owner == (1, -1)[colour] else 0
        own, other = self.tokens[colour], self.tokens[1 - colour]
        # What the other colour needs to fire the vertex in its own colour.
        can_be_turned = other + self.missing >= own
        if not can_be_turned or self.missing > 2:
            return own
        return -own if self.missing == 1 else 0

    def tokens_not_due(self, colour: int) -> int:
        """A colour's tokens: less where one more token fires, none where two do."""
        if self.owner:
            return self.threshold if self.owner == (1, -1)[colour] else 0
        return self.tokens[colour] * {1: -1, 2: 0}.get(self.missing, 1)

    def is_worth_a_token(self, colour: int) -> bool:
        """Whether one more token of a colour leads or wins."""
        if self.owner:
            return False
        own, other = self.tokens[colour] + 1, self.tokens[1 - colour]
        return own > other or (own == other and self.missing == 1)


def vertices(position: Position) -> list[Vertex]:
    """All vertices with what lies on them."""
    thresholds = position.game.board.thresholds.tolist()
    return [Vertex(*each) for each in zip(position.cells(), thresholds, strict=True)]


def parity(position: Position) -> Fraction:
    """The lead in tokens, or in owned vertices, by the number of vertices."""
    board = vertices(position)
    if position.game.options["loyalty"] == "full":
        return Fraction(sum(v.owner for v in board), len(board))
    return Fraction(sum(v.tokens[0] - v.tokens[1] for v in board), len(board))


def stability(position: Position) -> Fraction:
    """Stable less unstable tokens, the lead in them by the sum of thresholds."""
    board = vertices(position)
    lead = sum(v.stable_tokens(0) - v.stable_tokens(1) for v in board)
    return Fraction(lead, sum(v.threshold for v in board))


def mobility(position: Position) -> Fraction:
    """Vertices worth a token, the lead in them by the number of vertices."""
    board = vertices(position)
    lead = sum(v.is_worth_a_token(0) - v.is_worth_a_token(1) for v in board)
    return Fraction(lead, len(board))


def general(position: Position) -> Fraction:
    """A third for leading, two thirds for how full a vertex is that one leads."""
    board = vertices(position)
    return sum(v.leader * (1 + 2 * v.fill) / 3 for v in board) / len(board)


# Chain Reaction.


def chain_reaction(position: Position, name: str, player: int) -> float:
    """Own pieces, and less the strongest other's unless only those are counted."""
    pieces = dict.fromkeys(position.game.players, 0)
    for cell in position.cells():
        if cell:
            pieces[cell[0]] += int(cell[1:])
    own = pieces.pop(position.game.players[player])
    return own if name == "own" else own - max(pieces.values())


# Infexion.

DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))


def stacks(position: Position) -> dict[tuple[int, int], tuple[int, int]]:
    """Colour and power of the stack on each cell (r, q) that has one."""
    size = position.game.board.rows
    cells = enumerate(position.cells())
    return {divmod(i, size): ("rb".index(cell[0]), int(cell[1:])) for i, cell in cells if cell}


def infexion(position: Position, name: str, player: int) -> float:
    """The ratio of powers and a millionth of own power."""
    power = [sum(p for c, p in stacks(position).values() if c == side) for side in (0, 1)]
    return float(
        Fraction(power[player], max(power[1 - player], 1)) + Fraction(power[player], 10**6)
    )


def infexion_moves(position: Position) -> list[int]:
    """Spreads before spawns, without single tokens that spread onto an empty cell."""
    board, size = stacks(position), position.game.board.rows
    spreads, spawns = [], []
    for move in position.legal_moves():
        name, r, q, *direction = re.findall(r"-?\w+", position.game.move_text(move))
        if name == "SPAWN":
            spawns.append(move)
            continue
        cell = int(r), int(q)
        target = tuple((a + int(b)) % size for a, b in zip(cell, direction, strict=True))
        if board[cell][1] > 1 or target in board:
            spreads.append(move)
    return spreads + spawns or list(position.legal_moves())


def infexion_greed(position: Position, move: int) -> float:
    """2 and the number of stacks taken; 2, 1 or 0 where none is taken."""
    own, before, after = position.player, stacks(position), stacks(position.play(move))
    others = {cell for cell, (colour, _) in before.items() if colour != own}
    n_left = sum(cell in after and after[cell][0] != own for cell in others)
    name, r, q, *_ = re.findall(r"-?\w+", position.game.move_text(move))
    if name == "SPREAD":
        return 2 + len(others) - n_left if n_left < len(others) else 0
    size = position.game.board.rows
    reached = {
        ((r0 + dr * far) % size, (q0 + dq * far) % size)
        for r0, q0 in others
        for dr, dq in DIRECTIONS
        for far in range(1, before[r0, q0][1] + 1)
    }
    beside = {((int(r) + dr) % size, (int(q) + dq) % size) for dr, dq in DIRECTIONS}
    has_own = any(before.get(cell, (None,))[0] == own for cell in beside)
    return 2 if has_own and (int(r), int(q)) not in reached else 1


# Hex.


def hex_game(position: Position, name: str, player: int) -> float:
    """The other side's number less one's own, or the logarithm of their ratio."""
    rows, _, *swapped = position.text.split()
    stones = rows.replace("/", "")
    own = "XO"[player ^ bool(swapped)]
    measure = {"connection": stones_needed, "resistance": resistance}[name]
    board = position.game.board
    mine, others = measure(board, stones, own), measure(board, stones, "XO".replace(own, ""))
    return others - mine if name == "connection" else math.log(others / mine)


def edges_of(board: topple.Board, side: str) -> tuple[list[int], list[int]]:
    """The cells on a side's two edges: X top and bottom, O left and right."""
    size = board.rows
    by_row = [range(size), range(size * (size - 1), size * size)]
    by_column = [range(0, size * size, size), range(size - 1, size * size, size)]
    first, last = by_row if side == "X" else by_column
    return list(first), list(last)


@cache
def stones_needed(board: topple.Board, stones: str, side: str) -> float:
    """Dijkstra's shortest path from edge to edge; an empty cell costs 1, a stone nothing."""
    first, last = edges_of(board, side)
    cost = {cell: (stone != side) for cell, stone in enumerate(stones) if stone in (side, ".")}
    waiting = [(int(cost[cell]), cell) for cell in first if cell in cost]
    heapq.heapify(waiting)
    done: dict[int, int] = {}
    while waiting:
        distance, cell = heapq.heappop(waiting)
        if cell not in done:
            done[cell] = distance
            for other in board.neighbours(cell):
                if other in cost:
                    heapq.heappush(waiting, (distance + cost[other], other))
    return min((done[cell] for cell in last if cell in done), default=len(stones))


@cache
def resistance(board: topple.Board, stones: str, side: str) -> float:
    """Between the edges; stones that touch, or touch an edge, are one perfect conductor."""
    first, last = edges_of(board, side)
    cells = [cell for cell, stone in enumerate(stones) if stone in (side, ".")]
    graph = nx.Graph([pair for pair in board.edges() if set(pair) <= set(cells)])
    graph.add_nodes_from([*cells, "first", "last"])
    graph.add_edges_from([("first", cell) for cell in first if cell in cells])
    graph.add_edges_from([("last", cell) for cell in last if cell in cells])
    conducts = ["first", "last", *(cell for cell in cells if stones[cell] == side)]
    wire = {}
    for group in nx.connected_components(graph.subgraph(conducts)):
        wire.update(dict.fromkeys(group, min(map(str, group))))
    circuit = nx.Graph()
    for pair in graph.edges:
        a, b = (str(wire.get(v, v)) for v in pair)
        before = circuit.get_edge_data(a, b, {"weight": 0})["weight"]
        circuit.add_edge(a, b, weight=before + 1 / max(sum(v not in wire for v in pair), 1))
    return between(circuit, str(wire["first"]), str(wire["last"]))


def between(circuit: nx.Graph, first: str, last: str) -> float:
    """The resistance between two nodes, whose links have conductances: Kirchhoff's laws."""
    nodes = [v for v in nx.node_connected_component(circuit, first) if v != last]
    laplacian = nx.laplacian_matrix(circuit, [*nodes, last]).toarray()[:-1, :-1]
    flows_in = np.array([float(v == first) for v in nodes])
    return float(np.linalg.solve(laplacian, flows_in)[nodes.index(first)])


# INFLUENCE.


def influence(position: Position, name: str, player: int) -> float:
    """The lead in points, or in the largest taking."""
    points = [int(number) for number in position.text.split()[-1].split("-")]
    numbers = points if name == "score" else [largest_taking(position, p) for p in (0, 1)]
    return numbers[player] - numbers[1 - player]


def largest_taking(position: Position, player: int) -> int:
    """The most vertices still there that one move of a player would take."""
    there = [vertex for vertex, cell in enumerate(position.cells()) if cell]
    graph = nx.DiGraph(position.game.board.edges())
    graph.add_nodes_from(there)
    graph = graph.subgraph(there)
    takes = nx.descendants if player == 0 else nx.ancestors
    own = [v for v in there if position.game.board.sides[v] == "LR"[player]]
    return max((1 + len(takes(graph, vertex)) for vertex in own), default=0)


TWINS = {
    "spread-it": spread_it,
    "chain-reaction": chain_reaction,
    "infexion": infexion,
    "hex": hex_game,
    "influence": influence,
}
