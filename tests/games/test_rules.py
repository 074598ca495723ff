"""The facts that the specification of the rules marks as checks, on topple's own rules."""

import itertools
import random
from collections import Counter
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

import topple
from tests.solvers.solver import winning_first_moves
from topple.boards.board import make_board
from topple.compiling.rng import make_rng
from topple.game.game import Game
from topple.game.position import Position
from topple.kernels.playout import playouts, random_game
from topple.rules import hex as hex_rules
from topple.rules.interface import STATUS, WON, playout, random_move
from topple.rules.spread_it.board import ON_BOARD, TOKENS

# Spread-It.


def triangle(**options: object) -> Game:
    return topple.load("spread-it", "cycle:3", **options)


def play_all(position: Position, moves: str) -> Position:
    for move in moves.split():
        position = position.play(move)
    return position


def test_spread_it_figure_1_ends_in_an_endless_cascade_that_black_wins() -> None:
    after_red = play_all(triangle().start(), "1 1")
    assert after_red.cells() == ("", "1r", "1r")
    end = after_red.play("3")
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (0, "an endless cascade")
    assert [step.text for step in after_red.steps("3")] == [
        "3 fires black", "2 fires black", "1 fires black",
    ]  # fmt: skip


def test_spread_it_figure_2_red_owns_three_vertices() -> None:
    graph = nx.Graph()
    graph.add_nodes_from(["v1", "v2", "v3", "v4"])
    graph.add_edges_from([("v1", "v3"), ("v1", "v4"), ("v3", "v4"), ("v2", "v3")])
    before = play_all(topple.load("spread-it", graph, loyalty="full").start(), "v2 v4 v1")
    assert before.cells()[1] == "B:"
    assert [step.text for step in before.steps("v1")] == [
        "v1 fires red", "v4 fires red", "v3 fires red",
    ]  # fmt: skip
    end = before.play("v1")
    assert end.outcome is not None
    assert (end.outcome.winner, end.scores) == (1, (1, 3))
    assert end.cells()[3] == "R:1r"


def test_spread_it_figure_8_the_first_token_starts_an_endless_cascade() -> None:
    board = make_board("triangle", [[1, 2], [0, 2], [0, 1]], thresholds=[1, 1, 1])
    end = topple.load("spread-it", board).start().play(0)
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (0, "an endless cascade")


@pytest.mark.parametrize("spec", ["cycle:7", "grid:3x4", "karate", "ba:n=20,m=3,seed=4"])
def test_fewer_than_m_tokens_settle_and_more_than_2m_minus_n_never_do(spec: str) -> None:
    """No cascade is endless before m tokens lie on the board; after 2m − n every one is."""
    game = topple.load("spread-it", spec, tokens=1000)
    n, m = game.board.n_vertices, game.board.n_edges
    for seed in range(30):
        rng, position, n_tokens = random.Random(seed), game.start(), 0
        while not position.is_over:
            assert n_tokens <= 2 * m - n
            position = position.play(rng.choice(position.legal_moves()))
            n_tokens += 1
            assert position.state[ON_BOARD : ON_BOARD + 2].sum() == n_tokens
        assert position.outcome is not None
        assert position.outcome.reason == "an endless cascade"
        assert m <= n_tokens <= 2 * m - n + 1


@pytest.mark.parametrize("spec", ["grid:3x4", "karate", "er:n=30,m=60,seed=2"])
def test_settled_token_counts_do_not_depend_on_the_firing_order(spec: str) -> None:
    """Only the colours do."""
    colours_differ = False
    for seed in range(40):
        rng = random.Random(seed)
        ends = [topple.load("spread-it", spec, order=o).start() for o in ("dominance", "index")]
        n = ends[0].game.board.n_vertices
        while not any(end.is_over for end in ends):
            move = rng.randrange(n)
            ends = [end.play(move) for end in ends]
            if any(end.is_over for end in ends):
                break
            black = [end.state[TOKENS : TOKENS + n] for end in ends]
            total = [
                b + end.state[TOKENS + n : TOKENS + 2 * n]
                for b, end in zip(black, ends, strict=True)
            ]
            assert np.array_equal(*total)
            colours_differ |= not np.array_equal(*black)
    assert colours_differ


def test_the_odd_token_is_blacks() -> None:
    assert triangle().start().text == "3 Black 2-1"
    assert triangle(tokens=4).start().text == "3 Black 4-4"


def test_the_budgets_end_the_game_by_tokens_on_the_board() -> None:
    game = topple.load("spread-it", "star:6", tokens=1)
    end = play_all(game.start(), "1 1")
    assert end.outcome is not None
    assert (end.outcome.winner, end.outcome.reason) == (None, "the budgets are spent")


# Chain Reaction.


def test_chain_reaction_a_capture_worked_by_hand() -> None:
    """A fills the corner: it explodes over b1, which B holds with two pieces, and over a2."""
    game = topple.load("chain-reaction", "grid:3x3")
    before = play_all(game.start(), "a1 b1 c3 b1 a3 c2")
    assert before.draw() == "    a  b  c\n 1  A1 B2 ·\n 2  ·  ·  B1\n 3  A1 ·  A1"
    # a1 holds 2 of 2. It explodes: b1 turns to A with 3 of 3, a2 gains one. b1 explodes: a1, c1
    # and b2 gain one each, and none of them is full.
    assert [step.text for step in before.steps("a1")] == ["a1 explodes", "b1 explodes"]
    after = before.play("a1")
    assert after.draw() == "    a  b  c\n 1  A1 ·  A1\n 2  A1 A1 B1\n 3  A1 ·  A1"
    assert (after.player, after.is_over) == (1, False)


def test_chain_reaction_stops_in_the_middle_of_a_cascade_that_wins() -> None:
    before = play_all(topple.load("chain-reaction", "grid:3x3").start(), "a1 b1 c3 b1")
    after = before.play("a1")
    assert after.outcome is not None
    assert after.outcome.winner == 0
    assert after.cells()[:2] == ("", "A3"), "b1 is full and has not exploded"


@pytest.mark.parametrize("surplus", ["drop", "keep"])
@pytest.mark.parametrize(
    "spec", ["path:3", "grid:2x2", "grid:5x5", "cycle:9", "karate", "torus:4x4"]
)
def test_chain_reaction_ends_and_pieces_are_kept_under_keep(spec: str, surplus: str) -> None:
    game = topple.load("chain-reaction", spec, surplus=surplus)
    for seed in range(25):
        rng, position, n_plies = random.Random(seed), game.start(), 0
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
            n_plies += 1
            pieces = sum(position.scores)
            assert pieces == n_plies if surplus == "keep" else pieces <= n_plies
        assert position.outcome is not None
        assert position.outcome.winner is not None


def test_chain_reaction_skips_who_is_out() -> None:
    game = topple.load("chain-reaction", "grid:2x3", players=3)
    before = game.position("A1,B1,3,C1 A 3")
    after = before.play("a1")
    assert after.scores[1] == 0
    assert after.player == 2
    assert not after.is_over


# Infexion.


def test_infexion_294_positions_are_over_at_ply_3() -> None:
    start = topple.load("infexion").start()
    over = sum(
        third.is_over
        for first in start.legal_moves()
        for second in [start.play(first)]
        for answer in second.legal_moves()
        for before in [second.play(answer)]
        for spread in before.legal_moves()
        if spread >= 49  # a spawn never removes power
        for third in [before.play(spread)]
    )
    assert over == 294


def test_infexion_the_example_ends_at_action_5_with_red_3_0() -> None:
    moves = "SPAWN(4,0) SPAWN(4,5) SPAWN(4,6) SPREAD(4,5,0,1) SPREAD(4,0,0,-1)"
    position = topple.load("infexion").start()
    for ply, move in enumerate(moves.split(), start=1):
        assert not position.is_over
        position = position.play(move)
        assert position.is_over == (ply == 5)
    assert position.outcome is not None
    assert (position.outcome.winner, position.scores) == (0, (3, 0))


def test_infexion_one_to_nothing_is_a_draw() -> None:
    game = topple.load("infexion")
    end = play_all(game.start(), "SPAWN(0,0) SPAWN(0,1)")
    assert not end.is_over
    # Two tokens: one falls on a six, which empties, the other makes a stack of one.
    narrow = game.position("r2,b6,47 Red 8").play("SPREAD(0,0,0,1)")
    assert (narrow.is_over, narrow.scores, narrow.outcome.winner) == (True, (1, 0), None)
    stack = game.position("r6,b6,47 Red 12")  # a spread onto a six empties the cell
    assert stack.play("SPREAD(0,0,1,0)").scores == (6, 6)
    onto = game.position("r1,b6,47 Red 8").play("SPREAD(0,0,0,1)")
    assert (onto.is_over, onto.scores, onto.outcome.winner) == (True, (0, 0), None)
    last = game.position("r1,b1,47 Red 2").play("SPREAD(0,0,0,1)")
    assert (last.scores, last.outcome.winner) == ((2, 0), 0)
    short = game.position("r1,5,b6,42 Red 8").play("SPREAD(0,0,0,-1)")
    assert (short.scores, short.is_over) == ((0, 0), True)


# Hex.


def union_find_winner(rows: tuple[int, ...], size: int) -> str:
    """Who has joined the own sides of a full board, by merging neighbours."""
    parent = {cell: cell for cell in range(size * size + 4)}
    top, bottom, left, right = range(size * size, size * size + 4)

    def find(cell: int) -> int:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for r, c in itertools.product(range(size), repeat=2):
        mine = rows[r] >> c & 1
        for near, edge in ((r == 0, top), (r == size - 1, bottom)):
            if near and mine:
                parent[find(r * size + c)] = find(edge)
        for near, edge in ((c == 0, left), (c == size - 1, right)):
            if near and not mine:
                parent[find(r * size + c)] = find(edge)
        for dr, dc in ((0, 1), (1, 0), (1, -1)):
            if r + dr < size and 0 <= c + dc < size and rows[r + dr] >> (c + dc) & 1 == mine:
                parent[find(r * size + c)] = find((r + dr) * size + c + dc)
    winners = [w for w, a, b in (("X", top, bottom), ("O", left, right)) if find(a) == find(b)]
    assert len(winners) == 1, "exactly one side is joined"
    return winners[0]


def gales_tour_winner(rows: tuple[int, ...], size: int) -> str:
    """Who has joined the own sides, by walking between the colours from the upper-left corner.

    The board is framed by a row of X above and below and a column of O left and
    right; the walk keeps X on one hand and O on the other and leaves the board
    at the lower left if X is joined, at the upper right if O is.
    """

    def is_x(r: int, c: int) -> bool:
        if r in (-1, size):
            return True
        if c in (-1, size):
            return False
        return bool(rows[r] >> c & 1)

    # The walk stands on an edge between two touching cells, one X, one O; of the two cells
    # that touch both, one is behind it and one ahead.
    x_cell, o_cell, cell = (-1, 0), (0, -1), (0, 0)
    exits = {(size, -1): "X", (-1, size): "O"}
    while cell not in exits:
        behind = x_cell if is_x(*cell) else o_cell
        if is_x(*cell):
            x_cell = cell
        else:
            o_cell = cell
        (cell,) = (near for near in common_neighbours(x_cell, o_cell) if near != behind)
    return exits[cell]


def common_neighbours(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells that touch both of two touching cells."""
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
    near = [{(r + dr, c + dc) for dr, dc in steps} for r, c in (a, b)]
    return sorted(near[0] & near[1])


def flood_winner(game: Game, rows: tuple[int, ...]) -> str:
    """Who has joined the own sides, by topple's own flood."""
    state = game.scratch_state()
    state[hex_rules.ROWS : hex_rules.ROWS + len(rows)] = rows
    joined = game.kernels(hex_rules.top_meets_bottom)(state, len(rows))
    return "X" if joined else "O"


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_full_hex_board_has_one_winner_and_half_of_them_join_top_and_bottom(
    size: int,
) -> None:
    """Gale's tour, union-find and flood fill agree on every colouring (4×4: on every seventh)."""
    game = topple.load("hex", f"hex:{size}")
    wins = Counter()
    for i, rows in enumerate(itertools.product(range(1 << size), repeat=size)):
        winner = flood_winner(game, rows)
        wins[winner] += 1
        if size < 4 or i % 7 == 0:
            assert winner == union_find_winner(rows, size) == gales_tour_winner(rows, size)
    assert wins["X"] == wins["O"]


def test_large_full_hex_boards_have_one_winner() -> None:
    rng = random.Random(1)
    for size in (7, 11, 19, 26):
        game = topple.load("hex", f"hex:{size}")
        for _ in range(60):
            rows = tuple(rng.getrandbits(size) for _ in range(size))
            winner = flood_winner(game, rows)
            assert winner == union_find_winner(rows, size) == gales_tour_winner(rows, size)


def test_hex_figure_5_3_is_a_win_for_blue() -> None:
    """The matrix with an acute upper-left corner."""
    rows = ["O.OXO", "XOOX.", ".XXO.", "XOO.O", "X..X."]
    text = "/".join(rows)
    n_x, n_o = text.count("X"), text.count("O")
    assert (n_x, n_o) == (8, 9)  # Red has moved first there: exchange sides to set it up
    state = topple.load("hex", "hex:5").scratch_state()
    stones = np.array([[cell == "X" for cell in row] for row in rows])
    for r, c in itertools.product(range(5), repeat=2):
        state[hex_rules.ROWS + r] |= int(stones[r, c]) << c
    assert hex_rules.top_meets_bottom(state, 5)


def test_hex_3x3_positions_and_games() -> None:
    """5,514 positions, 994 of them over; 257,760 games, 165,600 won by the first player."""
    start = topple.load("hex", "hex:3").start()
    n_games: dict[Position, tuple[int, int]] = {}

    def count(position: Position) -> tuple[int, int]:
        if position not in n_games:
            if position.is_over:
                n_games[position] = (1, int(position.outcome.winner == 0))
            else:
                below = [count(position.play(move)) for move in position.legal_moves()]
                n_games[position] = (sum(b[0] for b in below), sum(b[1] for b in below))
        return n_games[position]

    assert count(start) == (257_760, 165_600)
    assert len(n_games) == 5_514
    assert sum(position.is_over for position in n_games) == 994


@pytest.mark.parametrize(
    ("size", "stones"), [(2, "b1 a2"), (3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")]
)
def test_hex_winning_first_stones(size: int, stones: str) -> None:
    start = topple.load("hex", f"hex:{size}").start()
    assert winning_first_moves(start, size * size) == set(stones.split())


@pytest.mark.parametrize(("size", "share", "length"), [(7, 0.546, 42.3), (11, 0.529, 107.5)])
def test_hex_random_games(size: int, share: float, length: float) -> None:
    """The first player's share of random games and their mean length, about as specified."""
    game = topple.load("hex", f"hex:{size}")
    n_games = 20_000
    wins, plies = plain_random_games(game, game.start(), n_games, seed=5)
    assert abs(wins / n_games - share) < 0.012
    assert abs(plies / n_games - length) < 0.2


# Playouts that take a shortcut.


def plain_random_games(game: Game, root: Position, n_games: int, seed: int) -> tuple[int, int]:
    """The first player's wins and the plies in all, move by move."""
    played, rng, moves = np.zeros(1000, dtype=np.int32), make_rng(seed), game.scratch_moves()
    wins = plies = 0
    for _ in range(n_games):
        state = game.scratch_state(root.state)
        plies += game.run(random_game, state, rng, moves, played)
        wins += state[STATUS] == WON
    return wins, plies


@pytest.mark.parametrize(
    ("spec", "board", "plies"),
    [
        ("hex", "hex:5", 0),
        ("hex", "hex:6", 9),
        ("hex:swap=true", "hex:4", 0),
        ("hex:swap=true", "hex:4", 1),
        ("hex:swap=true", "hex:2", 0),
        ("hex:swap=true", "hex:2", 1),
        ("influence", "segment:17", 0),
        ("influence:first=right", "segment:9p+12", 3),
        ("influence", "random-digraph:n=70,m=90,seed=3", 2),
    ],
)
def test_shortcut_playouts_are_equal_in_distribution(spec: str, board: str, plies: int) -> None:
    """The endings of 20,000 shortcut playouts beside 20,000 games played move by move."""
    game = topple.load(spec, board)
    root, rng, moves = game.start(), make_rng(2), game.scratch_moves()
    for _ in range(plies):
        root = root.play(int(game.run(random_move, game.scratch_state(root.state), rng, moves)))
    assert not root.is_over
    endings = [endings_of(game, root, kernel, 20_000) for kernel in (playout, random_game)]
    for status in endings[0] | endings[1]:
        counts = [each[status] for each in endings]
        assert abs(counts[0] - counts[1]) < 4.5 * sum(counts) ** 0.5, endings


def test_playouts_after_a_swap_are_equal_in_distribution() -> None:
    game = topple.load("hex:swap=true", "hex:4")
    root = play_all(game.start(), "b2 swap-pieces")
    endings = [endings_of(game, root, kernel, 20_000) for kernel in (playout, random_game)]
    for status in endings[0] | endings[1]:
        counts = [each[status] for each in endings]
        assert abs(counts[0] - counts[1]) < 4.5 * sum(counts) ** 0.5, endings


def endings_of(
    game: Game, root: Position, kernel: Callable[..., int], n_games: int
) -> Counter[int]:
    """How random games from a position end, by shortcut or move by move."""
    rng, moves = make_rng(len(kernel.__name__)), game.scratch_moves()
    rest = () if kernel is playout else (np.zeros(1000, dtype=np.int32),)
    endings: Counter[int] = Counter()
    for _ in range(n_games):
        state = game.scratch_state(root.state)
        game.run(kernel, state, rng, moves, *rest)
        endings[int(state[STATUS])] += 1
    return endings


def test_the_queue_is_long_enough_for_long_chain_reactions() -> None:
    """Two knots joined by a path need the most: about 1.4 explosions waiting for each edge."""
    game = topple.load("chain-reaction", nx.barbell_graph(20, 5), surplus="keep")
    assert (
        game.run(
            playouts,
            game.scratch_state(game.start().state),
            game.scratch_state(),
            game.sizes.state,
            make_rng(1),
            game.scratch_moves(),
            np.zeros(2),
            np.zeros(2),
            400,
        )
        > 0
    )


def test_a_cascade_longer_than_its_queue_is_refused_not_misjudged() -> None:
    game = topple.load("chain-reaction", nx.barbell_graph(20, 5), surplus="keep")
    game.tables = game.tables._replace(ring=3)
    with pytest.raises(topple.Unsupported, match="too large to follow"):
        game.run(
            playouts,
            game.scratch_state(game.start().state),
            game.scratch_state(),
            game.sizes.state,
            make_rng(1),
            game.scratch_moves(),
            np.zeros(2),
            np.zeros(2),
            400,
        )


def test_scores_and_leads() -> None:
    end = play_all(topple.load("influence", "segment:5").start(), "2 5")
    assert (end.scores, end.outcome) != (None, None)
    assert end.outcome.leads == (1, -1)
    assert topple.load("hex", "hex:1").start().play("a1").outcome.leads is None
