"""Random games of Spread-It's wider world, as topple plays them and as their slow twin does."""

import random
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

import topple
from tests.games.pairs import random_connected_graph
from tests.reference.spread_it_wide import Game as Twin
from tests.reference.spread_it_wide import Network, Rules
from topple.boards.board import Board, Stage, make_board
from topple.game.game import Game

# What each kind of game has beyond the game for two: one thing, several of those that meet
# within a cascade, or most of everything.
SINGLE = ("players", "directed", "uncertain", "changing", "campaign", "loyalty")
MEETING = ("players", "loyalty", "directed", "uncertain")
KINDS = (
    *SINGLE,
    *("+".join(some) for size in (2, 3, 4) for some in combinations(MEETING, size)),
    "everything",
)
LOYALTIES = {"zero": 0, "full": 1, "2": 2, "3": 3}


@dataclass
class WidePair:
    """A game and its twin at the start."""

    game: Game
    twin: Twin


def wide_pair(kind: str, rng: random.Random, *, compiled: bool = True) -> WidePair:
    """Draw a board and options of a kind, and set the game up twice."""

    def has(what: str) -> bool:
        return what in kind.split("+") or (kind == "everything" and rng.random() < 0.7)

    most = rng.choice([4, 8, 8, 40]) if kind in SINGLE else 10
    directed, uncertain = has("directed"), has("uncertain")
    n = rng.randint(3, most)
    n_networks = rng.randint(2, 4) if has("changing") else 1
    networks, ply = [], 0
    for _ in range(n_networks):
        networks.append(random_network(rng, n, ply, directed=directed, uncertain=uncertain))
        ply += rng.randint(1, 4)
    n_players = rng.choice([3, 3, 4, 8]) if has("players") else 2
    loyalty = rng.choice(["2", "3"]) if has("loyalty") else rng.choice(["zero", "full"])
    options: dict[str, Any] = {
        "players": n_players,
        "loyalty": loyalty,
        "order": rng.choice(["dominance", "dominance", "index"]),
        "firings": None if (directed or uncertain) and n <= 4 else rng.choice([20, 200, 500]),
        "sinks": rng.choice(["keep", "drop"]),
        "refused": rng.choice(["lost", "stay"]),
    }
    # Budgets written one by one are of the wider world, whatever the other options are.
    budgets: tuple[int, ...] | None = (rng.randint(1, 3 * n // 2),) * n_players
    if has("campaign"):
        options["turn"] = rng.randint(1, 3)
        budgets = tuple(rng.randint(1, 2 * n) for _ in range(n_players))
    elif kind in ("players", "directed", "changing") and rng.random() < 0.5:
        budgets = None if networks[0].default_budget >= n_players else budgets
    if budgets is not None:
        options["tokens"] = "/".join(map(str, budgets))
    seeds = random_seeds(rng, networks[0], n_players, LOYALTIES[loyalty]) if has("campaign") else {}
    if seeds:
        options["seeds"] = " ".join(f"{vertex + 1}={cell}" for vertex, cell in seeds.items())
    twin = Twin(
        [network.twin for network in networks],
        Rules(
            players=n_players,
            loyalty=LOYALTIES[loyalty],
            order=options["order"],
            sinks=options["sinks"],
            refused=options["refused"],
            tokens=budgets,
            turn=options.get("turn", 1),
            firings=options["firings"],
            directed=networks[0].directed,
            seeds=seeds,
        ),
    )
    game = topple.load("spread-it", board_of(networks), compiled=compiled, **options)
    return WidePair(game, twin)


@dataclass
class RandomNetwork:
    """A network as lists, from which both sides are made."""

    twin: Network
    directed: bool

    @property
    def default_budget(self) -> int:
        return sum(len(each) - 1 for each in self.twin.successors if each)


def random_network(
    rng: random.Random, n: int, ply: int, *, directed: bool, uncertain: bool
) -> RandomNetwork:
    """A network on n vertices; directed ones may have sinks and be in parts."""
    if directed:
        share = rng.choice([0.15, 0.3, 0.6])
        successors = [[u for u in range(n) if u != v and rng.random() < share] for v in range(n)]
        if rng.random() < 0.5:  # Eulerian, so that the argument for endless cascades applies
            order = rng.sample(range(n), n)
            steps = rng.sample(range(1, n), rng.randint(1, min(3, n - 1)))
            successors = [[] for _ in range(n)]
            for place, vertex in enumerate(order):
                successors[vertex] = [order[(place + step) % n] for step in steps]
        for each in successors:
            rng.shuffle(each)
    else:
        successors = random_connected_graph(rng, n, n)
    degrees = [len(each) for each in successors]
    thresholds: list[int | None] = [None] * n
    kind = rng.random()
    if kind < 0.2:
        thresholds = [max(1, rng.randint(degree - 1, degree + 1)) for degree in degrees]
    accept = None
    if uncertain:
        accept = tuple(
            tuple(rng.choice([0.0, 0.3, 0.9, 1.0, 1.0]) for _ in each) for each in successors
        )
    network = Network(ply, tuple(map(tuple, successors)), tuple(thresholds), accept)
    return RandomNetwork(network, directed)


def board_of(networks: list[RandomNetwork]) -> Board:
    """The board of a list of networks."""
    boards = []
    for each in networks:
        successors = each.twin.successors
        thresholds = [each.twin.threshold(v) for v in range(len(successors))]
        board = make_board("graph", successors, directed=each.directed, thresholds=thresholds)
        if each.twin.accept is not None:
            board = replace(board, accept=np.array([p for row in each.twin.accept for p in row]))
        boards.append(board)
    stages = [
        replace_ply(board, each.twin.ply) for board, each in zip(boards, networks, strict=True)
    ]
    return replace(boards[0], stages=tuple(stages[1:]))


def replace_ply(board: Board, ply: int) -> Stage:
    """A board's network, to begin at a ply."""
    return board.networks[0]._replace(ply=ply)


def random_seeds(
    rng: random.Random, network: RandomNetwork, n_players: int, loyalty: int
) -> dict[int, str]:
    """A few vertices with tokens below their thresholds, and colours where there is loyalty."""
    seeds = {}
    for vertex, successors in enumerate(network.twin.successors):
        space = network.twin.threshold(vertex) - 1 if successors else 3
        colours = rng.sample(range(n_players), min(n_players, space, rng.randint(0, 2)))
        cell = "".join(f"1{'brgyvotp'[colour]}" for colour in colours)
        if loyalty and rng.random() < 0.2:
            letter = rng.choice("BRGYVOTP"[:n_players])
            cell = f"{letter}{rng.randint(1, loyalty) if loyalty > 1 else ''}:{cell}"
        if cell and rng.random() < 0.5:
            seeds[vertex] = cell
    return seeds


def play_both_wide(pair: WidePair, rng: random.Random, *, most: int = 80) -> int:
    """Play one random game on both, comparing every ply; returns their number."""
    game, twin, position = pair.game, pair.twin, pair.game.start()
    n_plies = 0
    while True:
        here = f"{game!r} {position.text}"
        assert position.text == twin.text(), here
        assert list(position.legal_moves()) == twin.legal_moves(), here
        assert position.is_over == twin.is_over, here
        assert np.allclose(position.returns(), twin.returns, atol=1e-12), here
        assert position.scores == tuple(twin.scores), here
        assert game.position(position.text) == position, here
        if position.is_over or n_plies == most:
            return n_plies
        move, draw = rng.choice(position.legal_moves()), rng.getrandbits(32)
        written = game.move_text(move, draw if game.has_chance else None)
        twin.play(move, draw)
        if n_plies % 7 == 0:  # step by step, too
            fired = [step.vertex for step in position.steps(written)]
            assert fired == twin.fired + twin.fired_at_change, here
        position = position.play(written)
        n_plies += 1
