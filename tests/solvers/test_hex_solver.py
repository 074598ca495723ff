"""Exact play of Hex: its values are plain minimax's, its carriers hold, and no cut changes it."""

import itertools
import random
from functools import cache

import numpy as np
import pytest

import topple
from tests.reference import hex as twin
from tests.solvers.samples import few_of
from tests.solvers.solver import LOSS, TABLE, WIN, value_of
from topple.core.errors import BadText, Unsupported
from topple.game.game import Game, load, random_position
from topple.game.position import Position
from topple.solvers import RESULT, Bounds, Solution, advance_until, solve, solver_for
from topple.solvers.hex.bits import count, first, moved
from topple.solvers.hex.connections import EVERYTHING, NONE, join
from topple.solvers.hex.fill import NOBODY, fill_in, find_dead, link
from topple.solvers.hex.frame import Frame, colours
from topple.solvers.hex.memory import ENTRY_BYTES, GROWING, most_entries
from topple.solvers.hex.search import DONE, FULL, IS_LEAVING, PLY, search
from topple.solvers.hex.solver import HexSolver, HexSolving
from topple.solvers.hex.table import FACTOR, FOLD, MOVER_WINS, OTHER_WINS

GAMES = {n: topple.load("hex", f"hex:{n}") for n in range(1, 10)}
WITH_SWAP = {n: topple.load("hex:swap=true", f"hex:{n}") for n in range(1, 6)}


def finish(solving: HexSolving, n: int = 10_000) -> Solution:
    while not solving.is_done:
        solving.advance(n)
    return solving.solution()


def names(game: Game, moves: tuple[int, ...]) -> str:
    return " ".join(game.move_text(move) for move in moves)


class Plain:
    """Plain minimax of tests/solver.py with a table that is kept between positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.keys = np.zeros(TABLE, dtype=np.uint64)
        self.values = np.zeros(TABLE, dtype=np.int32)

    def wins(self, position: Position) -> bool:
        """Whether the player to move wins."""
        game, depth = self.game, self.game.board.n_vertices + 1
        states = game.scratch_states(depth + 1)
        states[depth, : game.sizes.state] = position.state
        moves = np.zeros((depth, game.sizes.moves), dtype=np.int32)
        value = game.run(value_of, states, game.sizes.state, moves, depth, self.keys, self.values)
        assert value in (LOSS, WIN)
        return bool(value == WIN)


def running_positions(game: Game, n: int, plies: range, seed: int) -> list[Position]:
    """Different random positions that are not over."""
    found: dict[Position, None] = {}
    for i in itertools.count():
        position = random_position(game, plies[i % len(plies)], seed + i)
        if not position.is_over:
            found[position] = None
        if len(found) == n:
            return list(found)
    raise AssertionError


def check_against_plain(solution: Solution, plain: Plain) -> None:
    """Every move has plain minimax's value, and the line comes to the end that is proven."""
    position = solution.position
    assert {each.move for each in solution.moves} == set(position.legal_moves())
    for move, value in solution.moves:
        after = position.play(move)
        wins = after.is_over or not plain.wins(after)
        assert value == (Bounds(1, 1) if wins else Bounds(-1, -1)), position.play(move).text
    check_line(solution)


def check_line(solution: Solution) -> None:
    position = solution.position
    assert solution.is_exact
    assert solution.line[0] in solution.best_moves
    winner = position.player if solution.value == Bounds(1, 1) else 1 - position.player
    for move in solution.line:
        assert not position.is_over
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner == winner


# RULES.md, section 4. For 6×6: J. van Rijswijck's Queenbee and the tests of the University of
# Alberta's solver (benzene, solve-6x6).
OPENINGS = {
    1: "a1",
    2: "b1 a2",
    3: "c1 a2 b2 c2 a3",
    4: "d1 c2 b3 a4",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
}


@pytest.mark.parametrize("size", few_of(OPENINGS, 1, 2, 3, 4))
def test_winning_openings_are_those_published(size: int) -> None:
    game = GAMES[size]
    solution = solve(game.start())
    assert solution.unit == RESULT
    assert solution.value == Bounds(1, 1)
    assert names(game, solution.best_moves) == OPENINGS[size]
    assert all(each.value.is_exact for each in solution.moves)
    check_line(solution)


def test_openings_of_5x5_have_the_symmetry_of_the_board() -> None:
    game = GAMES[5]
    solution = solve(game.start(), each=True)
    values = dict(solution.moves)
    assert solution.value == Bounds(1, 1)
    assert all(values[move] == values[24 - move] for move in range(25))
    check_line(solution)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_second_player_wins_with_swap(size: int) -> None:
    game = WITH_SWAP[size]
    solution = solve(game.start())
    assert solution.value == Bounds(-1, -1)
    assert solution.best_moves == game.start().legal_moves()
    check_line(solution)


def test_swap_is_best_after_a_winning_stone_alone() -> None:
    game = WITH_SWAP[4]
    for move in range(16):
        solution = solve(game.start().play(move))
        assert solution.value == Bounds(1, 1)
        swaps = game.parse_move("swap-pieces") in solution.best_moves
        assert swaps == (game.move_text(move) in OPENINGS[4].split())
        if swaps:
            assert len(solution.best_moves) == 1
        check_line(solution)


def test_swap_on_one_cell_comes_too_late() -> None:
    assert solve(WITH_SWAP[1].start()).value == Bounds(1, 1)


@pytest.mark.prove
def test_every_position_of_3x3_has_the_twins_value() -> None:
    game, rules = GAMES[3], twin.Hex(3)
    solver = HexSolver(game)

    @cache
    def wins(state: twin.State) -> bool:
        children = [rules.play(state, move) for move in rules.legal_moves(state)]
        return any(rules.is_over(child) or not wins(child) for child in children)

    seen, waiting = {game.start(): rules.start()}, [game.start()]
    n_over = 0
    while waiting:
        position = waiting.pop()
        state = seen[position]
        if position.is_over:
            n_over += 1
            continue
        values = dict(finish(solver.begin(position)).moves)
        for move in position.legal_moves():
            after, child = position.play(move), rules.play(state, divmod(move, 3))
            is_won = rules.is_over(child) or not wins(child)
            assert values[move] == (Bounds(1, 1) if is_won else Bounds(-1, -1)), after.text
            if after not in seen:
                seen[after] = child
                waiting.append(after)
    assert (len(seen), n_over) == (5514, 994)


@pytest.mark.parametrize(
    ("spec", "size", "n", "plies"),
    [
        ("hex", 4, 1000, range(6, 14)),
        ("hex:swap=true", 3, 200, range(9)),
        ("hex:swap=true", 4, 200, range(6, 13)),
        ("hex", 5, 300, range(14, 22)),
        ("hex", 6, 150, range(26, 33)),
        ("hex", 7, 100, range(39, 46)),
        ("hex", 8, 60, range(54, 61)),
        ("hex", 9, 60, range(71, 78)),
    ],
)
def test_random_positions_have_plain_minimaxs_values(
    spec: str, size: int, n: int, plies: range
) -> None:
    game = topple.load(spec, f"hex:{size}")
    solver, plain = HexSolver(game), Plain(game)
    for position in running_positions(game, n, plies, seed=size):
        check_against_plain(finish(solver.begin(position)), plain)


class Sets:
    """Plain search on sets of cells, for positions with any number of stones."""

    def __init__(self, size: int) -> None:
        self.size, self.all = size, (1 << size * size) - 1
        self.game = GAMES[size]
        self.network = Frame(size, np.zeros(size * size, dtype=np.int8)).network
        self.touching = [
            sum(
                1 << (row + down) * size + column + right
                for down, right in twin.NEIGHBOURS
                if 0 <= row + down < size and 0 <= column + right < size
            )
            for row in range(size)
            for column in range(size)
        ]
        top = (1 << size) - 1
        left = sum(1 << size * row for row in range(size))
        self.edges = ((top, top << size * (size - 1)), (left, left << size - 1))
        self.joined = cache(self._joined)
        self.winner = cache(self._winner)

    def _joined(self, stones: int, side: int) -> bool:
        start, end = self.edges[side]
        group = stones & start
        while True:
            wider = group
            for cell in range(self.size**2):
                if group >> cell & 1:
                    wider |= self.touching[cell] & stones
            if wider == group:
                return bool(group & end)
            group = wider

    def _winner(self, x: int, o: int, side: int) -> int:
        """The side that wins when `side` is to move."""
        for each, stones in enumerate((x, o)):
            if self.joined(stones, each):
                return each
        for cell in range(self.size**2):
            if not (x | o) >> cell & 1:
                after = (x | 1 << cell, o) if side == 0 else (x, o | 1 << cell)
                if self.winner(*after, 1 - side) == side:
                    return side
        return 1 - side

    def is_carrier(self, x: int, o: int, side: int, winner: int, carrier: int) -> bool:
        """Whether the winner wins even if the loser owns all cells outside the carrier."""
        outside = self.all & ~(x | o | carrier)
        owned = (x, o | outside) if winner == 0 else (x | outside, o)
        return carrier & (x | o) == 0 and self.winner(*owned, side) == winner

    def every_position(self) -> list[tuple[int, int]]:
        """All colourings where nobody is joined yet, whatever the number of stones."""
        return [
            (x, o)
            for x in range(self.all + 1)
            for o in range(self.all + 1)
            if not (x & o or self.joined(x, 0) or self.joined(o, 1))
        ]

    def some_positions(self, n: int, most_empty: int) -> list[tuple[int, int]]:
        """N random ones."""
        rng, found = random.Random(n), set()
        while len(found) < n:
            n_empty = rng.randint(2, most_empty)
            cells = rng.sample(range(self.size**2), self.size**2)[n_empty:]
            x = sum(1 << cell for cell in cells if rng.random() < 0.5)
            o = sum(1 << cell for cell in cells) & ~x
            if not self.joined(x, 0) and not self.joined(o, 1):
                found.add((x, o))
        return sorted(found)


SETS = {n: Sets(n) for n in (2, 3, 4)}


def positions_of(size: int) -> list[tuple[int, int]]:
    return SETS[size].every_position() if size < 4 else SETS[4].some_positions(1500, 8)


@pytest.mark.parametrize("size", SETS)
def test_the_winner_wins_though_the_loser_owns_all_outside_the_carrier(size: int) -> None:
    sets = SETS[size]
    solving = HexSolver(sets.game).begin(sets.game.start())
    stack, memory = solving.stack, solving.memory
    for x, o in positions_of(size):
        for side in (0, 1):
            stack.stones[0], stack.side[0] = (x, o), side
            stack.counts[PLY] = stack.counts[IS_LEAVING] = 0
            status = sets.game.run(
                search, sets.network, stack, solving.scratch, memory.table, side, 1 << 40
            )
            while status == FULL:
                assert memory.grow()
                status = sets.game.run(
                    search, sets.network, stack, solving.scratch, memory.table, side, 1 << 40
                )
            assert status == DONE
            winner, carrier = int(stack.winner[0]), int(stack.carrier[0])
            assert winner == sets.winner(x, o, side)
            assert sets.is_carrier(x, o, side, winner, carrier), (x, o, side, carrier)


@pytest.mark.parametrize("size", SETS)
def test_filling_changes_no_value_and_rests_on_what_was_captured(size: int) -> None:
    sets = SETS[size]
    captured, links = np.zeros(2, dtype=np.int64), np.zeros((2, 64), dtype=np.int64)
    fill, n_filled = sets.game.kernels(fill_in), 0
    for x, o in positions_of(size):
        for dead_to in (0, 1):
            stones = np.array([x, o], dtype=np.int64)
            won = fill(sets.network, stones, captured, links, dead_to)
            full = tuple(stones.tolist())
            n_filled += full != (x, o)
            for side in (0, 1):
                winner = sets.winner(x, o, side)
                assert sets.winner(*full, side) == winner
                assert won in (NOBODY, winner)
            if won != NOBODY:
                assert sets.is_carrier(x, o, 1 - won, won, int(captured[won]))
    assert n_filled > 100 or size == 2


@pytest.mark.parametrize("size", SETS)
def test_dead_cells_may_have_any_colour(size: int) -> None:
    sets, game = SETS[size], GAMES[size]
    links, n_dead = np.zeros(64, dtype=np.int64), 0
    link_of, dead_of = game.kernels(link), game.kernels(find_dead)
    for x, o in positions_of(size):
        empty = sets.all & ~(x | o)
        for seen_by, stones in enumerate((x, o)):
            assert not link_of(sets.network.near[seen_by], stones, empty, links)
            dead = int(dead_of(links, empty))
            for cell in (cell for cell in range(size * size) if dead >> cell & 1):
                n_dead += 1
                for side in (0, 1):
                    with_x = sets.winner(x | 1 << cell, o, side)
                    assert with_x == sets.winner(x, o | 1 << cell, side)
    assert n_dead > 0


@pytest.mark.parametrize("size", SETS)
def test_connections_hold_inside_their_carriers(size: int) -> None:
    sets = SETS[size]
    room, found = np.zeros((3, 64), dtype=np.int64), np.zeros(4, dtype=np.int64)
    joins = sets.game.kernels(join)
    n_safe = n_threats = 0
    for x, o in positions_of(size):
        for side, stones in enumerate((x, o)):
            joins(sets.network.near[side], stones, sets.all & ~(x | o), room, found)
            common, union, move, smallest = found.tolist()
            if common == 0:
                n_safe += 1
                assert sets.is_carrier(x, o, 1 - side, side, union)
            if move != NONE:
                n_threats += 1
                assert smallest >> move & 1
                assert sets.is_carrier(x, o, side, side, smallest)
            if 0 < common < EVERYTHING:  # every other answer misses one of the threats
                for cell in range(size * size):
                    if not (x | o | common) >> cell & 1:
                        after = (x, o | 1 << cell) if side == 0 else (x | 1 << cell, o)
                        assert sets.winner(*after, side) == side
    assert n_safe > 0
    assert n_threats > 0


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_however_the_work_is_cut_the_answer_is_the_same(step: int) -> None:
    whole = finish(HexSolver(GAMES[5]).begin(GAMES[5].start()), 1 << 40)
    assert finish(HexSolver(GAMES[5]).begin(GAMES[5].start()), step) == whole
    assert whole.n_nodes > whole.n_positions > 100


def test_what_is_proven_is_honest_at_every_moment() -> None:
    game = GAMES[5]
    final = dict(solve(game.start()).moves)
    solving = HexSolver(game).begin(game.start())
    before = -1
    while not solving.is_done:
        solving.advance(50)
        solution, progress = solving.solution(), solving.progress()
        for move, value in solution.moves:
            assert value in (final[move], Bounds(-1, 1))
        assert solution.value in (Bounds(1, 1), Bounds(-1, 1))
        assert before <= progress.done <= progress.total == 25
        assert progress.what
        before = progress.done
    assert before == 25


def test_positions_of_one_game_share_what_is_remembered() -> None:
    game = GAMES[5]
    solver = HexSolver(game)
    first_time = finish(solver.begin(game.start()))
    again = finish(solver.begin(game.start()))
    assert again.moves == first_time.moves
    assert again.n_nodes < first_time.n_nodes / 5
    assert again.n_positions == first_time.n_positions


def test_two_searches_of_one_solver_do_not_disturb_each_other() -> None:
    game = GAMES[8]
    solver, plain = HexSolver(game), Plain(game)
    positions = running_positions(game, 6, range(54, 57), seed=3)
    searches = [solver.begin(position) for position in positions]
    while not all(solving.is_done for solving in searches):
        for solving in searches:
            solving.advance(1)
    for solving in searches:
        check_against_plain(solving.solution(), plain)


def test_a_full_memory_ends_the_search_with_honest_bounds() -> None:
    game = GAMES[6]
    solver = HexSolver(game, memory=1)
    solution = finish(solver.begin(game.start()))
    assert solution.limit == "memory"
    assert solution.n_positions * ENTRY_BYTES * GROWING <= 1_000_000
    final = set(OPENINGS[6].split())
    n_open = 0
    for move, value in solution.moves:
        n_open += not value.is_exact
        wins = game.move_text(move) in final
        assert value in (Bounds(-1, 1), Bounds(1, 1) if wins else Bounds(-1, -1))
    assert n_open > 0
    assert solution.line == ()
    # What is left of the memory is no burden to what comes later.
    assert len(solver.table()["own"]) == solution.n_positions
    later = finish(solver.begin(game.start().play("d3").play("b2")))
    assert later.limit is None
    check_line(later)


@pytest.mark.parametrize("megabytes", [1, 2, 3, 1000])
def test_a_table_and_the_one_it_grows_from_fit_the_memory(megabytes: int) -> None:
    largest = most_entries(megabytes)
    assert (largest + largest // 2) * ENTRY_BYTES <= megabytes * 1_000_000
    assert (2 * largest + largest) * ENTRY_BYTES > megabytes * 1_000_000


def test_a_search_goes_on_from_a_table() -> None:
    game = GAMES[5]
    cut = HexSolver(game)
    solving = cut.begin(game.start())
    solving.advance(1500)
    assert not solving.is_done
    fresh = HexSolver(game)
    fresh.restore(cut.table())
    assert fresh.begin(game.start()).solution().n_positions == solving.solution().n_positions > 0
    resumed = finish(fresh.begin(game.start()))
    whole = finish(HexSolver(game).begin(game.start()))
    assert resumed.moves == whole.moves
    assert resumed.n_nodes < whole.n_nodes - 1000
    check_line(resumed)


def test_a_table_of_a_large_board_goes_with_its_position() -> None:
    game = GAMES[9]
    position = running_positions(game, 1, range(28, 29), seed=2)[0]
    solver = HexSolver(game)
    whole = finish(solver.begin(position))
    fresh = HexSolver(game)
    fresh.restore(solver.table())
    again = finish(fresh.begin(position))
    assert again.moves == whole.moves
    assert again.n_nodes < whole.n_nodes
    assert again.n_positions == whole.n_positions > 0


@pytest.mark.parametrize("size", [5, 9])
def test_an_untouched_table_can_be_restored(size: int) -> None:
    game = GAMES[size]
    fresh = HexSolver(game)
    fresh.restore(HexSolver(game).table())
    assert len(fresh.table()["results"]) == 0


def damaged() -> list[dict[str, object]]:
    """What a file might hold in place of one of the arrays."""
    n = len(solved_table()["own"])
    numbers = np.zeros(n, dtype=np.int64)
    return [
        {"own": numbers.astype(np.int32)},
        {"own": numbers[:-1]},
        {"other": numbers.reshape(-1, 1)},
        {"results": numbers},  # nobody wins
        {"results": numbers - 1},  # both win, with a carrier beyond the board
        {"own": numbers - 1},
        {"own": numbers + (1 << 25)},
        {"other": solved_table()["own"]},
        {"results": numbers + ((1 << 61) | (1 << 25))},
        {"board": np.zeros(24, dtype=np.int8)},
        {"board": np.ones(25, dtype=np.int8)},
        {"board": np.full(25, -1, dtype=np.int8)},
        {"board": np.zeros(25, dtype=np.int64)},
        {"board": [0] * 25},
        {"own": np.array(0)},
        {"own": None},
        {"more": numbers},
    ]


@cache
def solved_table() -> dict[str, np.ndarray]:
    solver = HexSolver(GAMES[5])
    finish(solver.begin(GAMES[5].start()))
    return solver.table()


@pytest.mark.parametrize("change", damaged(), ids=lambda change: str(next(iter(change))))
def test_a_damaged_table_is_refused(change: dict[str, object]) -> None:
    solver = HexSolver(GAMES[5])
    with pytest.raises(BadText):
        solver.restore({**solved_table(), **change})  # type: ignore[arg-type]
    assert len(solver.table()["own"]) == 0


def test_a_table_without_an_array_or_of_another_board_is_refused() -> None:
    arrays = solved_table()
    for name in arrays:
        with pytest.raises(BadText):
            HexSolver(GAMES[5]).restore({k: v for k, v in arrays.items() if k != name})
    for size in (4, 6, 9):
        with pytest.raises(BadText):
            HexSolver(GAMES[size]).restore(arrays)


def test_a_table_that_needs_more_memory_is_refused() -> None:
    solver = HexSolver(GAMES[6])
    finish(solver.begin(GAMES[6].start()))
    assert len(solver.table()["own"]) > most_entries(1)
    with pytest.raises(BadText, match="memory"):
        HexSolver(GAMES[6], memory=1).restore(solver.table())


def test_false_entries_of_the_right_form_break_nothing() -> None:
    game = GAMES[5]
    rng = np.random.default_rng(1)
    own = rng.integers(0, 1 << 25, 3000)
    other = rng.integers(0, 1 << 25, 3000) & ~own
    carriers = rng.integers(0, 1 << 25, 3000) & ~(own | other)
    real = solved_table()
    lies = real["results"] ^ (3 << 61)  # the other side wins, it says
    solver = HexSolver(game)
    solver.restore({
        "board": real["board"],
        "own": np.concatenate([own, real["own"]]),
        "other": np.concatenate([other, real["other"]]),
        "results": np.concatenate([carriers | 1 << 61, lies]),
    })  # fmt: skip
    for position in [game.start(), *running_positions(game, 50, range(1, 12), seed=5)]:
        after = position
        for move in finish(solver.begin(position)).line:
            after = after.play(move)
        assert after.is_over


def test_too_many_empty_cells_are_refused_with_advice() -> None:
    for size, told in ((8, "the first player wins"), (11, "uct")):
        game = topple.load("hex", f"hex:{size}")
        with pytest.raises(Unsupported, match=told):
            solver_for(game).check(game.start())
        with pytest.raises(Unsupported):
            HexSolver(game).begin(game.start())
    game = topple.load("hex:swap=true", "hex:11")
    with pytest.raises(Unsupported, match="the second player wins"):
        solve(game.start())
    nearly_empty = GAMES[8].start().play("d4").play("e4").play("d5")
    with pytest.raises(Unsupported, match="61 empty cells"):
        HexSolver(GAMES[8]).check(nearly_empty)
    assert not HexSolver(GAMES[8]).begin(nearly_empty).is_done
    HexSolver(GAMES[6]).check(GAMES[6].start())


def test_large_boards_are_solved_once_half_full() -> None:
    game = topple.load("hex", "hex:11")
    for position in running_positions(game, 5, range(61, 70), seed=1):
        check_line(solve(position))


@pytest.mark.parametrize(("spec", "size"), [("hex", 2), ("hex", 3), ("hex:swap=true", 3)])
def test_uncompiled_it_is_the_same(spec: str, size: int) -> None:
    board = f"hex:{size}"
    slow, quick = topple.load(spec, board, compiled=False), topple.load(spec, board)
    for moves in ((), ("a1",), ("a1", "b2")):
        starts = [slow.start(), quick.start()]
        for move in moves:
            starts = [start.play(move) for start in starts]
        slowly, quickly = (finish(HexSolver(start.game).begin(start), 1) for start in starts)
        assert slowly.moves == quickly.moves
        assert slowly.line == quickly.line
        assert (slowly.n_nodes, slowly.n_positions) == (quickly.n_nodes, quickly.n_positions)


def test_it_suits_hex_alone() -> None:
    assert HexSolver.suits(GAMES[3])
    assert HexSolver.suits(WITH_SWAP[3])
    assert not HexSolver.suits(topple.load("chain-reaction", "grid:2x2"))
    assert isinstance(solver_for(GAMES[3]), HexSolver)


def test_warming_up_calls_every_kernel() -> None:
    for game in (GAMES[4], GAMES[9]):
        solver = HexSolver(game)
        solver.rehearse()
        assert set(HexSolver.KERNELS) <= game.kernels.called
        assert len(solver.table()["own"]) == 0


def test_sets_of_cells() -> None:
    rng = random.Random(1)
    places = np.array([*rng.sample(range(61), 61), 61, 62, 63], dtype=np.int64)
    counted, lowest, shifted = (GAMES[3].kernels(each) for each in (count, first, moved))
    for _ in range(200):
        cells = rng.getrandbits(63)
        assert counted(cells) == cells.bit_count()
        if cells:
            assert lowest(cells) == (cells & -cells).bit_length() - 1
        bits = [bit for bit in range(63) if cells >> bit & 1]
        assert shifted(cells, places) == sum(1 << int(places[bit]) for bit in bits)


def test_stones_become_links_in_a_frame() -> None:
    game = GAMES[3]
    frame = Frame(3, colours(game.position("X.O/.XO/... Blue")))
    assert [game.move_text(vertex) for vertex in frame.vertices] == ["b1", "a2", "a3", "b3", "c3"]
    b1, a2, a3, b3, c3, top, bottom = (1 << bit for bit in (0, 1, 2, 3, 4, 61, 62))
    # For X: the corner joins b1 and a2 to the top, the centre joins them to a3 and b3.
    assert frame.network.near[0, :5].tolist() == [
        a2 | a3 | b3 | top, b1 | a3 | b3 | top, b1 | a2 | b3 | bottom, b1 | a2 | a3 | c3 | bottom,
        b3 | bottom,
    ]  # fmt: skip
    assert frame.network.symmetric[0] == 0


def test_a_table_whose_entries_crowd_together_is_refused() -> None:
    game = topple.load("hex", "hex:6")
    solver = HexSolver(game)
    solver.begin(game.start())
    table = solver.table()
    own = np.arange(1, 1 << 19, dtype=np.int64)
    own = own[[home < 1 << 11 for home in homes(own)]]
    results = np.full(len(own), MOVER_WINS | 1 << 30, dtype=np.int64)
    crowd = {**table, "own": own, "other": np.zeros_like(own), "results": results}
    assert len(own) > 10_000
    with pytest.raises(BadText, match="crowd together"):
        HexSolver(game).restore(crowd)


def homes(own: np.ndarray) -> list[int]:
    """Where positions without stones of the other side belong in a table of 2^16."""
    word = own.astype(np.uint64) * FACTOR
    word ^= word >> FOLD
    word *= FACTOR
    word ^= word >> FOLD
    return (word & np.uint64((1 << 16) - 1)).tolist()


def test_proofs_that_rest_on_nothing_are_refused_when_they_are_met() -> None:
    game = topple.load("hex", "hex:5")
    known = HexSolver(game)
    advance_until(known.begin(game.start()))
    table = known.table()
    liar = HexSolver(game)
    winners = MOVER_WINS | OTHER_WINS
    liar.restore({**table, "results": table["results"] & winners ^ winners})
    with pytest.raises(BadText, match="the restored table contradicts itself"):
        advance_until(liar.begin(game.start()))


@pytest.mark.parametrize("swap", [False, True])
def test_who_wins_from_the_empty_board_is_known_before_any_search(swap: bool) -> None:
    game = topple.load("hex", "hex:6", swap=swap)
    solution = HexSolver(game).begin(game.start()).solution()
    assert solution.value == (Bounds(-1, -1) if swap else Bounds(1, 1))
    assert solution.best_moves == ()
    assert not solution.has_all_best


def test_a_hex_table_of_a_board_with_too_many_empty_cells_is_refused() -> None:
    hex_9 = load("hex", "hex:9", compiled=False)
    nothing = np.zeros(0, dtype=np.int64)
    arrays = {"own": nothing, "other": nothing, "results": nothing}
    for n_empty, fits in ((61, True), (62, False), (81, False)):
        board = np.ones(81, dtype=np.int8)
        board[:n_empty] = 0
        if fits:
            HexSolver(hex_9).restore({"board": board, **arrays})
        else:
            with pytest.raises(BadText, match="number of stones"):
                HexSolver(hex_9).restore({"board": board, **arrays})


class Searching:
    """The search of any position of a Hex board, with one table for all."""

    def __init__(self, sets, network):
        self.sets, self.network = sets, network
        self.solving = HexSolver(sets.game).begin(sets.game.start())

    def result(self, x, o, side, look):
        """The winner and the carrier."""
        solving = self.solving
        stack, status = solving.stack, FULL
        stack.stones[0], stack.side[0] = (x, o), side
        stack.counts[PLY] = stack.counts[IS_LEAVING] = 0
        while status == FULL:
            status = self.sets.game.run(
                search, self.network, stack, solving.scratch, solving.memory.table, look, 1 << 40
            )
            assert status == DONE or solving.memory.grow()
        return int(stack.winner[0]), int(stack.carrier[0])


def check_result(sets, x, o, side, result):
    winner, carrier = result
    assert winner == sets.winner(x, o, side), (x, o, side)
    assert sets.is_carrier(x, o, side, winner, carrier), (x, o, side, carrier)


@pytest.mark.parametrize("size", [3, 4])
def test_in_a_frame_without_symmetry_the_sides_are_told_apart(size):
    sets = SETS[size]
    network = sets.network._replace(symmetric=np.zeros(1, dtype=np.int64))
    searching = Searching(sets, network)
    positions = sets.every_position() if size == 3 else sets.some_positions(150, 10)
    for x, o in positions:
        for side in (0, 1):
            check_result(sets, x, o, side, searching.result(x, o, side, look=1))
            # The same stones in the other colours, on which the other side moves.
            if size == 4 and not (sets.joined(o, 0) or sets.joined(x, 1)):
                check_result(sets, o, x, 1 - side, searching.result(o, x, 1 - side, look=1))


def test_what_the_table_tells_has_a_carrier_too():
    sets = SETS[4]
    searching = Searching(sets, sets.network)
    for x, o in sets.some_positions(400, 11):
        for side in (0, 1):
            first = searching.result(x, o, side, look=0)
            check_result(sets, x, o, side, first)
            check_result(sets, x, o, side, searching.result(x, o, side, look=1))


def test_no_cell_is_filled_for_both_sides():
    sets = SETS[4]
    fill = sets.game.kernels(fill_in)
    captured, links = np.zeros(2, dtype=np.int64), np.zeros((2, 64), dtype=np.int64)
    for x, o in sets.some_positions(2000, 11):
        stones = np.array([x, o], dtype=np.int64)
        fill(sets.network, stones, captured, links, 0)
        assert stones[0] & stones[1] == captured[0] & captured[1] == 0, (x, o)
