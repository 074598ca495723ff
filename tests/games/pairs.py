"""Random games set up twice: as topple plays them, and as their slow twins do."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx

import topple
from tests.reference.chain_reaction import ChainReaction
from tests.reference.hex import Hex
from tests.reference.infexion import Infexion
from tests.reference.influence import Influence
from tests.reference.spread_it import SpreadIt
from topple.boards.board import make_board
from topple.game.game import Game
from topple.game.position import Position
from topple.rules import chain_reaction, influence
from topple.rules.spread_it import rules as spread_it
from topple.rules.spread_it.board import TOKENS

GAMES = ("spread-it", "chain-reaction", "infexion", "hex", "influence")


@dataclass
class Pair:
    """A game and its twin, with the twin's words for topple's moves and positions."""

    game: Game
    twin: Any
    twin_move: Callable[[int], Any]  # topple's move as the twin writes it
    view: Callable[[Position], Any]  # what can be compared with `twin_view`
    twin_view: Callable[[Any], Any]


def random_pair(name: str, rng: random.Random, *, compiled: bool = True) -> Pair:
    """Draw a board and options and set the game up twice."""
    makers = {
        "spread-it": spread_it_pair,
        "chain-reaction": chain_reaction_pair,
        "infexion": infexion_pair,
        "hex": hex_pair,
        "influence": influence_pair,
    }
    return makers[name](rng, compiled)


def play_both(pair: Pair, rng: random.Random) -> int:
    """Play one random game to its end on both, comparing every ply; returns their number."""
    position, state = pair.game.start(), pair.twin.start()
    n_plies = 0
    while True:
        compare(pair, position, state)
        if position.is_over:
            return n_plies
        move = rng.choice(position.legal_moves())
        position = position.play(move)
        state = pair.twin.play(state, pair.twin_move(move))
        n_plies += 1


def compare(pair: Pair, position: Position, state: Any) -> None:
    """Assert that both see the same position: moves, board, mover, outcome."""
    twin, here = pair.twin, f"{pair.game!r} {position.text}"
    assert position.is_over == twin.is_over(state), here
    assert [pair.twin_move(m) for m in position.legal_moves()] == twin.legal_moves(state), here
    if position.is_over:
        assert position.returns() == twin.returns(state), here
    else:
        assert position.player == twin.player(state), here
        assert position.returns() == (0.0,) * twin.n_players
    if not drawn_without_end(position):
        assert pair.view(position) == pair.twin_view(state), here
    else:
        assert pair.view(position) in configurations_to_come(pair, state), here


def drawn_without_end(position: Position) -> bool:
    """Whether an endless cascade has been drawn: any configuration of its cycle will do."""
    outcome = position.outcome
    return outcome is not None and outcome.winner is None and "endless" in outcome.reason


def configurations_to_come(pair: Pair, state: Any) -> list[Any]:
    """The configurations that an endless cascade of the Spread-It twin runs through."""
    twin: SpreadIt = pair.twin
    cascade = state.__class__(**{**state.__dict__, "mover": 1 - state.mover})
    seen: list[Any] = []
    while (cascade.black, cascade.red, cascade.last) not in [s[:3] for s in seen]:
        seen.append((cascade.black, cascade.red, cascade.last, cascade))
        if len(seen) > twin.limit:
            break
        cascade = twin.fire(cascade, twin.next_to_fire(cascade))
    return [pair.twin_view(s[3].__class__(**{**s[3].__dict__, "mover": state.mover})) for s in seen]


# Boards.


def random_connected_graph(rng: random.Random, n_least: int, n_most: int) -> list[list[int]]:
    """Neighbours of each vertex, in random order: a random tree and some more edges."""
    n = rng.randint(n_least, n_most)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    for _ in range(rng.randint(0, 2 * n)):
        u, v = sorted(rng.sample(range(n), 2))
        edges.add((u, v))
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for u, v in sorted(edges):
        neighbours[u].append(v)
        neighbours[v].append(u)
    for each in neighbours:
        rng.shuffle(each)
    return neighbours


def spread_it_pair(rng: random.Random, compiled: bool) -> Pair:
    """Spread-It on a small network; sometimes with thresholds that are not the degrees."""
    graph = random_connected_graph(rng, 3, rng.choice([6, 12, 24]))
    degrees = [len(each) for each in graph]
    thresholds = list(degrees)
    kind = rng.choice(["degree", "degree", "degree", "below", "above", "any"])
    if kind == "below":
        thresholds = [rng.randint(1, degree) for degree in degrees]
    elif kind == "above":
        thresholds = [degree + rng.randint(0, 2) for degree in degrees]
    elif kind == "any":
        thresholds = [rng.randint(1, degree + 2) for degree in degrees]
    options: dict[str, Any] = {
        "loyalty": rng.choice(["zero", "full"]),
        "order": rng.choice(["dominance", "index"]),
    }
    if sum(degrees) - len(graph) < 1 or rng.random() < 0.3:
        options["tokens"] = rng.randint(1, 3 * len(graph))
    # The twin counts firings on every board, topple only where it must.
    cut = 100_000 if thresholds == degrees else 400
    twin = SpreadIt(graph, thresholds, **options, limit=cut)
    board = make_board("graph", graph, thresholds=thresholds)
    game = topple.load("spread-it", board, compiled=compiled, firings=cut, **options)
    n = board.n_vertices

    def view(position: Position) -> Any:
        state = position.state
        owner = [None] * n
        if options["loyalty"] == "full":
            owner = [None if o == 0 else int(o) - 1 for o in state[TOKENS + 2 * n :]]
        black, red = state[TOKENS : TOKENS + n], state[TOKENS + n : TOKENS + 2 * n]
        left = tuple(state[spread_it.LEFT : spread_it.LEFT + 2].tolist())
        return black.tolist(), red.tolist(), owner, left, position.scores

    def twin_view(state: Any) -> Any:
        scores = twin.scores(state)
        return list(state.black), list(state.red), list(state.owner), state.left, scores

    return Pair(game, twin, int, view, twin_view)


def chain_reaction_pair(rng: random.Random, compiled: bool) -> Pair:
    """Chain Reaction on a grid or a small network."""
    options = {"players": rng.choice([2, 2, 2, 3, 4, 8]), "surplus": rng.choice(["drop", "keep"])}
    least = max(4, options["players"] + 1)
    kind = rng.random()
    if kind < 0.1:
        knot = nx.barbell_graph(rng.randint(6, 9), rng.randint(0, 3))
        board = make_board("graph", [sorted(knot[vertex]) for vertex in knot])
    elif kind < 0.5:
        board = topple.load_board(
            f"grid:{rng.randint(2, 5)}x{rng.randint(max(2, -(-least // 2)), 5)}"
        )
    else:
        board = make_board("graph", random_connected_graph(rng, least, 14))
    graph = [board.neighbours(v) for v in range(board.n_vertices)]
    twin = ChainReaction(graph, **options)
    game = topple.load("chain-reaction", board, compiled=compiled, **options)
    n = board.n_vertices

    def view(position: Position) -> Any:
        cells = position.state[chain_reaction.CELLS :]
        colours = [None if colour == 0 else int(colour) - 1 for colour in cells[:n]]
        return cells[n : 2 * n].tolist(), colours

    return Pair(game, twin, int, view, lambda state: (list(state.pieces), list(state.colour)))


def infexion_pair(rng: random.Random, compiled: bool) -> Pair:
    """Infexion on 7×7, sometimes smaller."""
    size = rng.choice([3, 4, 5, 7, 7])
    game = topple.load("infexion", f"infexion:{size}", compiled=compiled)

    def twin_move(move: int) -> Any:
        name, _, numbers = game.move_text(move).rstrip(")").partition("(")
        return (name, *map(int, numbers.split(",")))

    def view(position: Position) -> Any:
        cells = [(("rb".index(c[0])), int(c[1:])) if c else None for c in position.cells()]
        return cells, int(position.text.split()[-1])

    return Pair(game, Infexion(size), twin_move, view, lambda s: (list(s.cells), s.actions))


def hex_pair(rng: random.Random, compiled: bool) -> Pair:
    """Hex up to 11×11, with and without the swap."""
    size, swap = rng.choice([1, 2, 3, 4, 5, 6, 7, 11]), rng.random() < 0.5
    game = topple.load("hex", f"hex:{size}", compiled=compiled, swap=swap)

    def twin_move(move: int) -> Any:
        return "swap-pieces" if move == size * size else divmod(move, size)

    def view(position: Position) -> Any:
        return [cell or "." for cell in position.cells()], position.text.endswith("swapped")

    return Pair(game, Hex(size, swap=swap), twin_move, view, lambda s: (list(s.stones), s.swapped))


def influence_pair(rng: random.Random, compiled: bool) -> Pair:
    """INFLUENCE on a random digraph."""
    n = rng.randint(1, rng.choice([8, 16, 32]))
    arcs = (
        {tuple(rng.sample(range(n), 2)) for _ in range(rng.randint(0, 2 * n))} if n > 1 else set()
    )
    successors = [sorted(v for u, v in arcs if u == w) for w in range(n)]
    sides = "".join(rng.choice("LR") for _ in range(n))
    first = rng.choice(["left", "right"])
    board = make_board("graph", successors, directed=True, sides=sides)
    game = topple.load("influence", board, compiled=compiled, first=first)

    def view(position: Position) -> Any:
        taken = position.state[influence.TAKEN :]
        return {v for v in range(n) if not taken[v]}, position.scores

    return Pair(
        game, Influence(successors, sides, first=first), int, view,
        lambda state: (set(state.alive), state.points),
    )  # fmt: skip
