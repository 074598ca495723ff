"""The facts marked **check** in RULES.md that the slow twins can show by themselves."""

import json
import random
from collections import deque
from functools import cache
from itertools import pairwise, product

import pytest

from .chain_reaction import ChainReaction
from .hex import Hex
from .hex import State as HexState
from .infexion import BLUE, RED, Infexion, power
from .influence import LEFT, Influence
from .perft import (
    PERFT_FOLDER,
    build,
    complete,
    cycle,
    finished,
    graph,
    grid,
    path,
    perft,
    segments,
)
from .spread_it import SpreadIt, one_colour_left, total


def replay(twin, moves):
    """The states from the start on, one more than there are moves."""
    states = [twin.start()]
    for move in moves:
        states.append(twin.play(states[-1], move))
    return states


def random_game(twin, seed):
    """The states of one game of uniformly random moves."""
    rng = random.Random(seed)
    states = [twin.start()]
    while not twin.is_over(states[-1]):
        states.append(twin.play(states[-1], rng.choice(twin.legal_moves(states[-1]))))
    return states


def random_connected_graph(rng):
    """A random tree of 3 to 8 vertices with random edges added."""
    n = rng.randrange(3, 9)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    edges |= {(u, v) for v in range(n) for u in range(v) if rng.random() < 0.25}
    return [sorted({u for e in edges if v in e for u in e if u != v}) for v in range(n)]


# -- every twin ------------------------------------------------------------------------------

TWINS = {
    "spread-it zero": SpreadIt(grid(3, 3)),
    "spread-it zero index": SpreadIt(grid(3, 3), order="index"),
    "spread-it full": SpreadIt(grid(3, 3), loyalty="full"),
    "chain-reaction 2": ChainReaction(grid(4, 4)),
    "chain-reaction 4": ChainReaction(grid(4, 4), players=4, surplus="keep"),
    "infexion": Infexion(4),
    "hex": Hex(4, swap=True),
    "influence": Influence(*segments("segment:9+6")),
}


@pytest.mark.parametrize("name", TWINS)
def test_random_games_end_and_their_returns_add_up_to_nothing(name):
    twin = TWINS[name]
    for seed in range(5):
        end = random_game(twin, seed)[-1]
        assert twin.legal_moves(end) == []
        assert len(twin.returns(end)) == twin.n_players
        assert sum(twin.returns(end)) == pytest.approx(0.0)
        assert hash(end) == hash(random_game(twin, seed)[-1])


@pytest.mark.parametrize("name", TWINS)
def test_an_illegal_move_is_refused(name):
    twin = TWINS[name]
    with pytest.raises(ValueError, match="illegal move"):
        twin.play(random_game(twin, 0)[-1], 0)


@pytest.mark.parametrize("game", ["spread-it", "chain-reaction", "infexion", "hex", "influence"])
def test_the_first_counts_of_the_perft_files_are_what_the_twins_give(game):
    for case in json.loads((PERFT_FOLDER / f"{game}.json").read_text()):
        twin = build(game, case["board"], case["options"] | cheaper(case))
        for depth, leaves in enumerate(case["leaves"][:3], start=1):
            if leaves < 3000:
                assert perft(twin, depth) == leaves
                assert finished(twin, depth) == case["finished"][depth - 1]


def cheaper(case):
    """A cascade that is cut anyway may be cut sooner: the test has little time."""
    return {"limit": 1000} if case["options"].get("thresholds") == [1, 1, 1] else {}


# -- Spread-It -------------------------------------------------------------------------------


def test_spread_it_figure_1_black_wins_by_an_endless_cascade():
    twin = SpreadIt(complete(3))
    assert twin.budgets() == (2, 1)
    start, first, second, end = replay(twin, [0, 0, 2])
    assert (first.black, first.red) == ((1, 0, 0), (0, 0, 0))
    assert (second.black, second.red) == ((0, 0, 0), (0, 1, 1))  # v1 fired red at a tie
    assert not twin.is_over(start)
    assert not twin.is_over(second)
    assert end.endless
    assert sum(end.red) == 0
    assert twin.returns(end) == (1.0, -1.0)


def test_spread_it_figure_2_red_owns_v1_v4_v3_and_wins():
    adjacency = [[2, 3], [2], [0, 1, 3], [0, 2]]  # v1v3, v1v4, v3v4, v2v3
    twin = SpreadIt(adjacency, loyalty="full")
    assert twin.budgets() == (2, 2)
    states = replay(twin, [1, 3, 0])
    assert states[1].owner == (None, 0, None, None)
    cascade = [twin.put(states[3], 0)]
    while twin.ready(cascade[-1]):
        cascade.append(twin.fire(cascade[-1], twin.next_to_fire(cascade[-1])))
    assert [state.owner for state in cascade] == [
        (None, 0, None, None),
        (1, 0, None, None),
        (1, 0, None, 1),
        (1, 0, 1, 1),
    ]
    assert [total(cascade[2], vertex) for vertex in range(4)] == [0, 0, 3, 1]
    end = twin.play(states[3], 0)
    assert total(end, 3) == 1
    assert twin.is_over(end)
    assert twin.scores(end) == (1, 3)
    assert twin.returns(end) == (-1.0, 1.0)


@pytest.mark.parametrize("order", ["dominance", "index"])
def test_spread_it_figure_8_the_first_token_starts_an_endless_cascade(order):
    twin = SpreadIt(complete(3), [1, 1, 1], order=order, limit=1000)
    for vertex in range(3):
        end = twin.play(twin.start(), vertex)
        assert end.endless
        assert twin.returns(end) == (1.0, -1.0)


def test_spread_it_index_order_may_starve_a_vertex_so_that_only_the_limit_ends_the_cascade():
    end = SpreadIt(complete(3), [1, 1, 1], order="index", limit=1000).play(
        SpreadIt(complete(3), [1, 1, 1]).start(), 0
    )
    assert sum(end.black) == 1001  # each firing adds one token, and the third vertex never fires
    assert end.black[2] == 1000


def test_spread_it_an_endless_cascade_of_two_colours_is_a_draw():
    twin = SpreadIt(grid(2, 3), order="index")
    end = replay(twin, [3, 2, 2, 5, 1, 5, 3, 2])[-1]
    assert end.endless
    assert not one_colour_left(end)
    assert twin.returns(end) == (0.0, 0.0)
    again = end
    for _ in range(1000):  # the configuration left on the board really comes back
        again = twin.fire(again, twin.next_to_fire(again))
        if (again.black, again.red, again.last) == (end.black, end.red, end.last):
            return
    raise AssertionError("the configuration does not recur")


def test_spread_it_thresholds_above_the_degree_destroy_tokens():
    twin = SpreadIt(path(3), [2, 2, 2], tokens=5)
    state = replay(twin, [0, 0])[-1]
    assert (state.black, state.red) == ((0, 0, 0), (0, 1, 0))


def test_spread_it_full_loyalty_keeps_back_the_token_of_each_owned_neighbour():
    twin = SpreadIt(path(3), [1, 1, 1], loyalty="full", tokens=3)
    end = twin.play(twin.start(), 1)  # the middle fires, then each end, whose token stays on it
    assert (end.black, end.owner) == ((1, 0, 1), (0, 0, 0))


def test_spread_it_budgets_spent_more_tokens_or_vertices_win():
    zero = SpreadIt(grid(2, 2), tokens=1)
    assert zero.returns(replay(zero, [0, 3])[-1]) == (0.0, 0.0)
    assert zero.returns(replay(zero, [0, 0])[-1]) == (-1.0, 1.0)
    full = SpreadIt(grid(2, 2), tokens=1, loyalty="full")
    assert full.returns(replay(full, [0, 0])[-1]) == (-1.0, 1.0)


def test_spread_it_fewer_than_m_tokens_settle_and_more_than_2m_minus_n_never_do():
    for seed in range(60):
        rng = random.Random(seed)
        adjacency = random_connected_graph(rng)
        m, n = sum(map(len, adjacency)) // 2, len(adjacency)
        for order in ("dominance", "index"):
            states = random_game(SpreadIt(adjacency, order=order, tokens=2 * m), seed)
            for n_tokens, state in enumerate(states):
                assert sum(state.black) + sum(state.red) == n_tokens
                if n_tokens < m:
                    assert not state.endless
                if n_tokens > 2 * m - n:
                    assert state.endless


class SpreadItInAnyOrder(SpreadIt):
    """Fires the ready vertices in a random order."""

    def __init__(self, adjacency, seed):
        super().__init__(adjacency)
        self.rng = random.Random(seed)

    def next_to_fire(self, state):
        return self.rng.choice(self.ready(state))


def test_spread_it_totals_after_a_settled_cascade_do_not_depend_on_the_firing_order():
    n_settled = 0
    for seed in range(60):
        rng = random.Random(seed)
        adjacency = random_connected_graph(rng)
        twins = [
            SpreadIt(adjacency),
            SpreadIt(adjacency, order="index"),
            SpreadItInAnyOrder(adjacency, seed),
        ]
        states = [twin.start() for twin in twins]
        while not twins[0].is_over(states[0]):
            move = rng.choice(twins[0].legal_moves(states[0]))
            states = [twin.play(state, move) for twin, state in zip(twins, states, strict=True)]
            assert len({state.endless for state in states}) == 1
            if not states[0].endless:
                totals = {tuple(total(s, v) for v in range(len(adjacency))) for s in states}
                assert len(totals) == 1
                n_settled += 1
    assert n_settled > 100


# -- Chain Reaction --------------------------------------------------------------------------


def test_chain_reaction_a_capture_worked_by_hand():
    twin = ChainReaction(grid(3, 3))
    #  a a .      a explodes at the corner: the b to its right turns and has two,
    #  . . .  ->  the square below has one; b lives on at the lower right
    state = replay(twin, [0, 1, 2, 8, 0])[-1]
    assert state.pieces == (0, 2, 1, 1, 0, 0, 0, 0, 1)
    assert state.colour == (None, 0, 0, 0, None, None, None, None, 1)
    assert not twin.is_over(state)
    assert twin.player(state) == 1


def test_chain_reaction_stops_in_the_middle_of_the_cascade():
    twin = ChainReaction(grid(2, 2))
    end = replay(twin, [0, 1, 0])[-1]
    assert end.pieces == (0, 2, 1, 0)  # the second square is full and would explode
    assert twin.is_over(end)
    assert twin.returns(end) == (1.0, -1.0)


def test_chain_reaction_nobody_is_out_before_the_first_round_is_over():
    twin = ChainReaction(path(5), players=3)
    states = replay(twin, [1, 0])  # player 1 explodes at the end and takes the only piece
    assert set(states[-1].colour) == {None, 1}
    assert not twin.is_over(states[-1])
    assert twin.player(states[-1]) == 2
    after = twin.play(states[-1], 3)
    assert twin.player(after) == 1  # player 0 has no pieces and is skipped
    assert 0 not in {twin.player(state) for state in random_from(twin, after)}


def random_from(twin, state):
    """The states before each move of a random game from here."""
    rng = random.Random(1)
    states = []
    while not twin.is_over(state):
        states.append(state)
        state = twin.play(state, rng.choice(twin.legal_moves(state)))
    return states


def test_chain_reaction_each_loser_gets_an_equal_share():
    twin = ChainReaction(grid(3, 3), players=3)
    assert sorted(twin.returns(random_game(twin, 3)[-1])) == [-0.5, -0.5, 1.0]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["grid:3x3", "grid:4x4", "cycle:6", "complete:5"])
def test_chain_reaction_keeps_pieces_under_keep_and_loses_them_under_drop(board, players):
    n_lost = 0
    for seed in range(12):
        for state in random_game(
            ChainReaction(graph(board), players=players, surplus="keep"), seed
        ):
            assert sum(state.pieces) == state.turns
        for state in random_game(ChainReaction(graph(board), players=players), seed):
            assert sum(state.pieces) <= state.turns
            n_lost += state.turns - sum(state.pieces)
    assert n_lost > 0 or board != "grid:4x4"


def test_chain_reaction_a_settled_board_has_no_full_square():
    for surplus in ("drop", "keep"):
        twin = ChainReaction(grid(4, 4), players=3, surplus=surplus)
        for seed in range(20):
            for state in random_game(twin, seed)[:-1]:
                assert all(state.pieces[v] < twin.capacity(v) for v in twin.squares)


def test_chain_reaction_refuses_a_cascade_the_rules_do_not_end():
    twin = ChainReaction(path(2))
    with pytest.raises(ValueError, match="how this cascade ends"):
        twin.play(twin.start(), 0)


# -- Infexion --------------------------------------------------------------------------------


def test_infexion_perft_and_the_294_finished_positions():
    twin = Infexion()
    assert [perft(twin, depth) for depth in (1, 2, 3)] == [49, 2352, 124656]
    n_over = 0
    for first in twin.legal_moves(twin.start())[:1]:  # all first moves are alike on a torus
        one = twin.play(twin.start(), first)
        for second in twin.legal_moves(one):
            two = twin.play(one, second)
            for third in twin.spreads(two):  # a spawn ends nothing
                n_over += twin.is_over(twin.play(two, third))
    assert 49 * n_over == 294


def test_infexion_the_example_ends_at_action_5_with_red_3_to_0():
    twin = Infexion()
    moves = [
        ("SPAWN", 4, 0),
        ("SPAWN", 4, 5),
        ("SPAWN", 4, 6),
        ("SPREAD", 4, 5, 0, 1),
        ("SPREAD", 4, 0, 0, -1),
    ]
    states = replay(twin, moves)
    assert [twin.is_over(state) for state in states] == [False] * 5 + [True]
    end = states[-1]
    assert end.actions == 5
    assert (power(end, RED), power(end, BLUE)) == (3, 0)
    assert twin.returns(end) == (1.0, -1.0)


def test_infexion_a_cell_that_would_reach_the_size_becomes_empty():
    twin = Infexion(2)
    moves = [("SPAWN", 0, 0), ("SPAWN", 0, 1), ("SPREAD", 0, 0, 0, 1)]
    end = replay(twin, moves)[-1]
    assert end.cells == (None,) * 4
    assert twin.is_over(end)
    assert twin.returns(end) == (0.0, 0.0)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_infexion_a_side_to_move_always_has_an_action_and_power_stays_in_bounds(size):
    twin = Infexion(size)
    for seed in range(5):
        for state in random_game(twin, seed):
            assert twin.is_over(state) or twin.legal_moves(state)
            assert all(cell is None or 1 <= cell[1] < size for cell in state.cells)
            assert power(state, RED) + power(state, BLUE) <= size * size
            assert state.actions <= size**3


# -- Hex -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3])
def test_hex_every_full_board_has_one_winner_and_half_of_them_join_top_and_bottom(size):
    twin = Hex(size)
    n_boards = n_joined = 0
    for stones in product("XO", repeat=size * size):
        x, o = twin.joined(stones, "X"), twin.joined(stones, "O")
        assert x != o
        n_boards += 1
        n_joined += x
    assert 2 * n_joined == n_boards


def test_hex_figure_5_3_is_a_win_for_blue():
    rows = ["O.OXO", "XOOX.", ".XXO.", "XOO.O", "X..X."]
    twin = Hex(5)
    stones = tuple("".join(rows))
    assert twin.joined(stones, "X")
    assert not twin.joined(stones, "O")


def test_hex_3x3_has_5514_positions_994_of_them_over():
    twin = Hex(3)
    seen = {twin.start()}
    waiting = deque(seen)
    while waiting:
        state = waiting.popleft()
        for move in twin.legal_moves(state):
            after = twin.play(state, move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len(seen) == 5514
    assert sum(twin.is_over(state) for state in seen) == 994


def test_hex_3x3_has_257760_games_of_which_the_first_player_wins_165600():
    twin = Hex(3)

    @cache
    def games(state):
        if twin.is_over(state):
            return (1, 0) if twin.returns(state)[0] > 0 else (0, 1)
        counts = [games(twin.play(state, move)) for move in twin.legal_moves(state)]
        return tuple(map(sum, zip(*counts, strict=True)))

    assert games(twin.start()) == (165600, 257760 - 165600)


@pytest.mark.parametrize(("size", "stones"), [(2, "b1 a2"), (3, "c1 a2 b2 c2 a3")])
def test_hex_winning_first_stones(size, stones):
    twin = Hex(size)

    @cache
    def value(state):
        """What the first player gets."""
        if twin.is_over(state):
            return twin.returns(state)[0]
        best = max if twin.player(state) == 0 else min
        return best(value(twin.play(state, move)) for move in twin.legal_moves(state))

    won = [m for m in twin.legal_moves(twin.start()) if value(twin.play(twin.start(), m)) > 0]
    assert " ".join(f"{'abc'[c]}{r + 1}" for r, c in won) == stones


def test_hex_swap_exchanges_the_sides_and_leaves_the_stone():
    twin = Hex(2, swap=True)
    assert "swap-pieces" not in twin.legal_moves(twin.start())
    states = replay(twin, [(0, 0), "swap-pieces", (0, 1), (1, 0)])
    assert states[2] == HexState(("X", ".", ".", "."), 0, True)
    assert "swap-pieces" not in twin.legal_moves(states[2])
    assert "swap-pieces" not in twin.legal_moves(states[3])
    assert states[3].stones == ("X", "O", ".", ".")
    assert states[4].stones == ("X", "O", "X", ".")
    assert twin.is_over(states[4])
    assert twin.returns(states[4]) == (-1.0, 1.0)
    plain = replay(twin, [(0, 0), (0, 1)])[-1]
    assert "swap-pieces" not in twin.legal_moves(plain)


# -- INFLUENCE -------------------------------------------------------------------------------

U, V, W, X, Y, Z = range(6)
FIGURE_1 = [[W], [W], [Y, Z], [V], [], []], "LRLRRR"

TABLE_1 = {  # n: (Ls, Rs)
    1: (-1, -1),
    2: (2, -2),
    3: (3, -3),
    4: (4, -4),
    5: (1, -5),
    6: (2, -2),
    7: (3, -1),
    8: (2, -2),
    9: (1, -3),
    10: (2, -2),
    11: (3, -1),
    12: (2, -2),
    13: (1, -3),
}


def scores(board):
    """Ls and Rs of a sum of segments."""
    twin = Influence(*segments(board))
    return twin.left_score(), twin.right_score()


def test_influence_figure_1_left_score_2_right_score_minus_6():
    twin = Influence(*FIGURE_1)
    assert (twin.left_score(), twin.right_score()) == (2, -6)
    end = replay(twin, [U, V])[-1]
    assert end.points == (4, 2)
    assert twin.returns(end) == (1.0, -1.0)


def test_influence_who_has_no_vertex_left_waits():
    twin = Influence(*FIGURE_1, first="right")
    states = replay(twin, [Y, Z])
    assert states[1].alive == {Z}
    assert [twin.player(state) for state in states[:2]] == [1, 1]
    assert states[2].points == (0, 6)
    only_right = Influence([[], []], "RR")
    assert only_right.player(only_right.start()) == 1


@pytest.mark.parametrize("n", TABLE_1)
def test_influence_table_1(n):
    assert scores(f"segment:{n}") == TABLE_1[n]


@pytest.mark.parametrize("board", ["segment:7", "segment:8", "segment:4+3p", "segment:2+3+4"])
def test_influence_the_scores_are_those_of_best_play(board):
    def difference(twin, state):
        """Left's points minus Right's under best play of the game itself."""
        if twin.is_over(state):
            return state.points[0] - state.points[1]
        best = max if twin.player(state) == LEFT else min
        return best(difference(twin, twin.play(state, m)) for m in twin.legal_moves(state))

    for first, score in zip(("left", "right"), scores(board), strict=True):
        twin = Influence(*segments(board), first=first)
        assert difference(twin, twin.start()) == score


def test_influence_lemma_23():
    for k in (1, 2):
        assert scores(f"segment:{2 * k}+{2 * k}")[1] == 0
        assert scores(f"segment:{2 * k + 1}+{2 * k + 1}p")[1] == 0
        assert scores(f"segment:{2 * k}+{2 * k + 2}")[1] == -2
        assert scores(f"segment:{2 * k}+{2 * k + 1}p")[1] == -1
        assert scores(f"segment:{2 * k + 2}+{2 * k + 1}p")[1] >= -1


def test_influence_theorem_20():
    for n in range(2, 12, 2):
        left_score, right_score = scores(f"segment:{n}")
        assert left_score in (2, 4)
        assert right_score in (-2, -4)
    for n in range(3, 12, 2):
        left_score, right_score = scores(f"segment:{n}")
        assert left_score in ((3,) if n % 4 == 3 else (1, 3))  # 3 if |L| is odd
        assert right_score in (-1, -3, -5)
        assert scores(f"segment:{n}p") == (-right_score, -left_score)  # C_+ is the negative of C_-


def alternating_cycle(n):
    """C^cycle of the paper: L and R in turn around a cycle, all arcs from L to R."""
    return [heads if v % 2 == 0 else [] for v, heads in enumerate(cycle(n))], "LR" * (n // 2)


def test_influence_corollary_24_on_cycles():
    for n in (6, 8, 10, 12):
        left_score = Influence(*alternating_cycle(n)).left_score()
        assert left_score in (0, 2)
        if (n // 2) % 2 == 1:
            assert left_score == 0


def test_influence_corollary_24_does_not_hold_on_the_cycle_of_four():
    # The first move leaves a single vertex, which is no segment (Definition 16): Left has all.
    assert Influence(*alternating_cycle(4)).left_score() == 4


# -- boards ----------------------------------------------------------------------------------


def test_boards_are_symmetric_and_grids_list_left_right_up_down():
    assert grid(3, 3)[4] == [3, 5, 1, 7]
    for board in ("grid:2x5", "path:6", "cycle:7", "complete:5"):
        adjacency = graph(board)
        for v, neighbours in enumerate(adjacency):
            assert len(set(neighbours)) == len(neighbours)
            assert all(v in adjacency[u] and u != v for u in neighbours)


def test_segments_alternate_and_their_arcs_go_from_left_to_right():
    assert segments("segment:4")[1] == "LRLR"
    assert segments("segment:5")[1] == "RLRLR"
    assert segments("segment:5p")[1] == "LRLRL"
    successors, labels = segments("segment:4+5")
    assert labels == "LRLRRLRLR"
    assert successors == [[1], [], [1, 3], [], [], [4, 6], [], [6, 8], []]
    assert all(a != b for a, b in pairwise(labels[:4]))
