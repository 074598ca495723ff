"""ProofSolver against plain recursion, and what every solver promises."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from graphlib import TopologicalSorter
from types import ModuleType

import numpy as np
import pytest

import topple
from tests.games import wandering
from tests.solvers.exact_values import Values
from topple import rules
from topple.boards.board import make_board
from topple.game.game import load, random_position
from topple.game.position import Position
from topple.kernels.proof.table import find, store
from topple.rules.game_tree import board_from_tree
from topple.rules.spread_it.board import LEFT
from topple.solvers import RESULT, Bounds, Solution, Solver, advance_until
from topple.solvers.proof import solver as proof_solver
from topple.solvers.proof.memory import ProofMemory, make_table, most_entries_in
from topple.solvers.proof.solver import ProofSolver, check_size

TINY = [
    ("hex", "hex:2"), ("hex:swap=true", "hex:2"),
    ("chain-reaction", "grid:2x3"), ("chain-reaction", "complete:4"), ("chain-reaction", "cycle:5"),
    ("chain-reaction:surplus=keep", "grid:2x3"), ("chain-reaction:surplus=keep", "complete:4"),
    ("chain-reaction", "path:5"), ("chain-reaction", "star:5"),
    ("spread-it", "cycle:3"), ("spread-it", "grid:2x2"), ("spread-it", "star:4"),
    ("spread-it:tokens=2", "path:3"), ("spread-it:order=index,tokens=2", "grid:2x2"),
    ("spread-it:loyalty=full", "cycle:3"), ("spread-it:loyalty=full", "grid:2x2"),
    ("spread-it:loyalty=full", "path:5"),
    ("influence", "segment:7"), ("influence:first=right", "segment:3+3"),
    ("influence", "random-digraph:n=8,m=6,seed=3"), ("influence", "tree:n=1,c=2"),
]  # fmt: skip


def solution_of(solver: Solver, position: Position, *, each: bool = True) -> Solution:
    solving = solver.begin(position, each=each)
    assert advance_until(solving)
    return solving.solution()


def exact(value: int) -> Bounds:
    return Bounds(value, value)


@pytest.mark.parametrize(("spec", "board"), TINY)
def test_every_position_of_a_tiny_board_has_the_value_of_plain_recursion(
    spec: str, board: str
) -> None:
    game = topple.load(spec, board)
    values, shared = Values(game), ProofSolver(game, memory=8)
    n_met = 0
    for position, state in values.positions():
        truth = dict(zip(position.legal_moves(), values.of_moves(state), strict=True))
        found = solution_of(shared, position)
        assert found.unit == RESULT
        assert {each.move: each.value for each in found.moves} == {
            move: exact(value) for move, value in truth.items()
        }, position.text
        assert found.value == exact(max(truth.values()))
        ordered = [(-each.value.least, each.move) for each in found.moves]
        assert ordered == sorted(ordered)
        n_met += 1
    assert n_met > 1


@pytest.mark.parametrize(("spec", "board"), TINY)
def test_all_best_moves_are_found_without_asking_for_each(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    values = Values(game)
    for position, state in itertools.islice(values.positions(), 0, None, 7):
        truth = values.of_moves(state)
        found = solution_of(ProofSolver(game, memory=1), position, each=False)
        best = [m for m, v in zip(position.legal_moves(), truth, strict=True) if v == max(truth)]
        assert list(found.best_moves) == best
        for each, value in zip(sorted(found.moves), truth, strict=True):
            assert each.value.least <= value <= each.value.most


@pytest.mark.parametrize("seed", range(6))
def test_late_positions_of_infexion_have_the_value_of_plain_recursion(seed: int) -> None:
    game = topple.load("infexion", "infexion:3")
    values, solver = Values(game), ProofSolver(game, memory=8)
    rng, position, moves = np.random.default_rng(seed), game.start(), []
    while len(moves) < 24:
        move = int(rng.choice(position.legal_moves()))
        child = position.play(move)
        if child.is_over:
            position, moves = game.start(), []
        else:
            position, moves = child, [*moves, move]
    truth = values.of_moves(values.follow(moves))
    found = solution_of(solver, position)
    assert [each.value for each in sorted(found.moves)] == [exact(value) for value in truth]


def test_hex_is_won_by_the_published_openings() -> None:
    """RULES.md, section 4; who may swap wins, and a first stone wins without the swap."""
    openings = {2: "b1 a2", 3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4"}
    for size, winning in openings.items():
        game = topple.load("hex", f"hex:{size}")
        found = solution_of(ProofSolver(game), game.start())
        assert found.value == exact(1)
        assert " ".join(game.move_text(move) for move in found.best_moves) == winning
        swap = topple.load("hex:swap=true", f"hex:{size}")
        assert solution_of(ProofSolver(swap), swap.start(), each=False).value == exact(-1)


@pytest.mark.parametrize(("spec", "board"), [*TINY, ("infexion", "infexion:3"), ("hex", "hex:3")])
def test_a_line_of_best_play_ends_as_the_value_says(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    for n_plies in range(3):
        position = random_position(game, n_plies, seed=n_plies)
        if position.is_over:
            continue
        found = solution_of(ProofSolver(game), position, each=False)
        assert found.line[0] == found.best_moves[0]
        end = position
        for move in found.line:
            end = end.play(move)
        assert end.is_over
        assert end.returns()[position.player] == found.value.least


def cut_solution(solver: Solver, position: Position, sizes: tuple[int, ...]) -> Solution:
    solving = solver.begin(position, each=True)
    for n in itertools.cycle(sizes):
        if solving.is_done:
            return solving.solution()
        before = solving.solution()
        solving.advance(n)
        after = solving.solution()
        assert before.n_nodes <= after.n_nodes <= before.n_nodes + n
        assert before.value.least <= after.value.least <= after.value.most <= before.value.most
    raise AssertionError


@pytest.mark.parametrize(
    ("spec", "board"),
    [("hex", "hex:3"), ("chain-reaction", "grid:2x4"), ("spread-it", "grid:2x3"),
     ("influence", "segment:14")],
)  # fmt: skip
def test_cutting_the_work_changes_nothing(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    whole = solution_of(ProofSolver(game), game.start())
    for sizes in ((1, 7, 100), (1000,), (3,)):
        assert cut_solution(ProofSolver(game), game.start(), sizes) == whole


@pytest.mark.parametrize(
    ("spec", "board"),
    [("hex", "hex:2"), ("chain-reaction", "grid:2x3"), ("spread-it", "cycle:3"),
     ("influence", "segment:7")],
)  # fmt: skip
def test_plain_python_gives_the_same_solution(spec: str, board: str) -> None:
    game, plain = topple.load(spec, board), topple.load(spec, board, compiled=False)
    compiled = solution_of(ProofSolver(game), game.start())
    uncompiled = solution_of(ProofSolver(plain), plain.start())
    assert replace(uncompiled, position=game.start()) == compiled


# Memory.


def test_a_full_memory_ends_the_search_with_bounds_that_hold() -> None:
    game = topple.load("hex", "hex:4")
    truth = {each.move: each.value for each in solution_of(ProofSolver(game), game.start()).moves}
    small = ProofSolver(game, memory=1)
    solving = small.begin(game.start(), each=True)
    advance_until(solving)
    found = solving.solution()
    assert solving.is_done
    assert found.limit == "memory"
    assert not found.is_exact
    assert found.best_moves == ()
    assert found.line == ()
    assert found.n_positions == most_entries_in(small.proven.most_places)
    for each in found.moves:
        assert each.value.least <= truth[each.move].least <= each.value.most
    held = sum(part.nbytes for part in small.proven.table) + sum(
        part.nbytes for part in solving.stack
    )
    assert held <= 1 << 20


def test_growing_keeps_every_entry() -> None:
    game = topple.load("chain-reaction", "grid:2x4")
    small, large = (ProofSolver(game, symmetric=False) for _ in range(2))
    while large.proven.grow() and len(large.proven.table.keys) < 1 << 18:
        pass
    assert solution_of(small, game.start()) == solution_of(large, game.start())
    assert len(small.proven.table.keys) < len(large.proven.table.keys)
    tables = [solver.table() for solver in (small, large)]
    entries = [set(zip(*(part.tolist() for part in each.values()), strict=True)) for each in tables]
    assert entries[0] == entries[1]


def test_what_was_restored_is_not_searched_again() -> None:
    game = topple.load("spread-it", "grid:3x3")
    whole = ProofSolver(game).begin(game.start())
    advance_until(whole)
    first = ProofSolver(game)
    begun = first.begin(game.start())
    begun.advance(whole.n_nodes // 2)
    second = ProofSolver(game)
    second.restore(first.table())
    rest = second.begin(game.start())
    advance_until(rest)
    assert rest.solution().moves == whole.solution().moves
    assert rest.n_nodes < 2 / 3 * whole.n_nodes  # half was left; the order of moves is forgotten
    third = ProofSolver(game)
    third.restore(second.table())
    again = third.begin(game.start())
    advance_until(again)
    assert again.n_nodes <= 2 * len(again.moves)
    assert again.solution().moves == whole.solution().moves


def test_one_solver_serves_many_positions_and_remembers() -> None:
    game = topple.load("chain-reaction", "grid:2x4")
    solver = ProofSolver(game)
    first = solution_of(solver, game.start())
    child = game.start().play(0)
    known = solution_of(solver, child)
    fresh = solution_of(ProofSolver(game), child)
    assert known.moves == fresh.moves
    assert known.n_nodes < fresh.n_nodes / 2
    assert solution_of(solver, game.start()).moves == first.moves


def test_two_searches_of_one_solver_do_not_disturb_each_other() -> None:
    game = topple.load("hex", "hex:3")
    solver = ProofSolver(game)
    searches = [solver.begin(game.start().play(move)) for move in range(9)]
    while not all(search.is_done for search in searches):
        for search in searches:
            search.advance(3)
    for move, search in enumerate(searches):
        alone = solution_of(ProofSolver(game), game.start().play(move), each=False)
        assert search.solution().moves == alone.moves


def wrong_tables() -> dict[str, dict[str, object]]:
    keys, checks = np.arange(1, 4, dtype=np.uint64), np.zeros(3, dtype=np.uint32)
    facts = np.full(3, 12, dtype=np.int32)
    good: dict[str, object] = {"keys": keys, "checks": checks, "facts": facts}
    crowd = np.arange(3000, dtype=np.uint64) << np.uint64(40)
    return {
        "nothing": {},
        "one missing": {"keys": keys, "facts": facts},
        "one too many": {**good, "more": keys},
        "no array": {**good, "keys": [1, 2, 3]},
        "wrong kind": {**good, "facts": facts.astype(np.float64)},
        "wider": {**good, "checks": checks.astype(np.uint64)},
        "lengths": {**good, "checks": checks[:2]},
        "a table of tables": {name: part.reshape(3, 1) for name, part in
                              (("keys", keys), ("checks", checks), ("facts", facts))},
        "negative": {**good, "facts": np.array([-12, 12, 12], dtype=np.int32)},
        "empty": {**good, "facts": np.array([0, 12, 12], dtype=np.int32)},
        "least above most": {**good, "facts": np.array([6, 12, 12], dtype=np.int32)},
        "no such result": {**good, "facts": np.array([3, 12, 12], dtype=np.int32)},
        "no such move": {**good, "facts": np.array([12 + 16 * 10, 12, 12], dtype=np.int32)},
        "a far move": {**good, "facts": np.full(3, 12 + 16 * (1 << 26), dtype=np.int32)},
        "too many": {"keys": np.arange(30_000, dtype=np.uint64),
                     "checks": np.zeros(30_000, dtype=np.uint32),
                     "facts": np.full(30_000, 12, dtype=np.int32)},
        "no hashes": {"keys": crowd, "checks": np.zeros(3000, dtype=np.uint32),
                      "facts": np.full(3000, 12, dtype=np.int32)},
    }  # fmt: skip


@pytest.mark.parametrize("what", wrong_tables())
def test_what_is_no_table_is_refused_in_one_line(what: str) -> None:
    solver = ProofSolver(topple.load("hex", "hex:3"), memory=1)
    before = solution_of(solver, solver.game.start())
    with pytest.raises(topple.BadText, match="the table") as refused:
        solver.restore(wrong_tables()[what])  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
    assert solution_of(solver, solver.game.start()).moves == before.moves


def test_a_table_of_lies_breaks_nothing() -> None:
    """Entries that are well formed but wrong give wrong values, and no more than that."""
    game = topple.load("hex", "hex:3")
    solver = ProofSolver(game)
    solution_of(solver, game.start())
    table = solver.table()
    rng = np.random.default_rng(1)
    lies = np.array([4, 8, 12, 9, 13, 14], dtype=np.int32)
    table["facts"] = rng.choice(lies, len(table["facts"])) + np.int32(16) * rng.integers(
        0, 10, len(table["facts"]), dtype=np.int32
    )
    solver.restore(table)
    found = solution_of(solver, game.start())
    position = game.start()
    for move in found.line:
        position = position.play(move)
    assert found.value.least <= found.value.most


def test_read_only_arrays_are_welcome() -> None:
    game = topple.load("hex", "hex:3")
    solver = ProofSolver(game)
    found = solution_of(solver, game.start())
    table = solver.table()
    for part in table.values():
        part.setflags(write=False)
    again = ProofSolver(game)
    again.restore(table)
    assert solution_of(again, game.start()).moves == found.moves


# What cannot be solved.


def test_more_than_two_players_are_refused() -> None:
    game = topple.load("chain-reaction:players=3", "grid:2x3")
    solver = ProofSolver(game)
    for ask in (solver.check, solver.begin):
        with pytest.raises(topple.Unsupported, match="exact play is for 2 players, and"):
            ask(game.start())


def test_a_finished_game_has_nothing_to_solve() -> None:
    over = topple.load("chain-reaction", "grid:2x2").position("A1,2,A2 A 2")
    with pytest.raises(topple.IllegalMove, match="the game is over: A wins"):
        ProofSolver(over.game).begin(over)


@pytest.fixture
def wandering_game() -> Iterator[ModuleType]:
    """A game whose positions recur, registered while a test runs."""
    rules.register(wandering)
    yield wandering
    del rules._modules["wandering"]


def test_a_game_that_need_not_end_is_refused_or_solved_but_never_wrong(
    wandering_game: ModuleType,
) -> None:
    near = topple.load("wandering", "path:2", compiled=False)
    assert solution_of(ProofSolver(near), near.start()).value == exact(1)
    far = topple.load("wandering", "path:4", compiled=False)
    solving = ProofSolver(far).begin(far.start())
    with pytest.raises(topple.Unsupported, match="positions of wandering can recur"):
        advance_until(solving)
    assert solving.solution().value == Bounds(-1, 1)


def test_lines_that_are_too_long_for_the_memory_end_the_search() -> None:
    """A million tokens each: no line is over before two million moves."""
    high = make_board("graph", [[1], [0, 2], [1]], thresholds=[10**7] * 3)
    game = topple.load("spread-it:tokens=1000000", high)
    solving = ProofSolver(game, memory=1).begin(game.start())
    advance_until(solving)
    assert solving.solution().limit == "memory"
    assert solving.solution().value == Bounds(-1, 1)


@pytest.mark.parametrize("board", ["grid:2x3", "complete:4", "cycle:5", "path:6", "star:5"])
@pytest.mark.parametrize("surplus", ["drop", "keep"])
def test_no_position_of_chain_reaction_recurs_on_small_boards(board: str, surplus: str) -> None:
    game = topple.load("chain-reaction", board, surplus=surplus)
    after = {
        position: {position.play(move) for move in position.legal_moves()}
        for position, _ in Values(game).positions()
    }
    order = list(TopologicalSorter(after).static_order())  # refuses a cycle
    assert order[-1] == game.start()


# Games from outside.


def test_a_game_tree_of_draws_and_doubles_is_solved() -> None:
    tree = board_from_tree([[0, 1], [1, [1, [0, 1]]], 1])
    game = topple.load("game-tree", tree, compiled=False)
    found = solution_of(ProofSolver(game), game.start())
    worth = {game.move_text(each.move): each.value.least for each in found.moves}
    # First: Min picks the lost leaf. Second: Min picks [1, [0, 1]], where Max picks 1.
    assert worth == {"1": -1, "2": 1, "3": 1}


def test_node_kayles_is_won_as_its_nimbers_say(node_kayles: ModuleType) -> None:
    """On a path, taking a vertex leaves two paths: the first player loses where the nimber is 0."""
    nimbers = [0, 1]
    for n in range(2, 12):
        options = {nimbers[max(i - 1, 0)] ^ nimbers[max(n - i - 2, 0)] for i in range(n)}
        nimbers.append(next(k for k in itertools.count() if k not in options))
    for n in range(2, 12):
        game = topple.load("node-kayles", f"path:{n}", compiled=False)
        found = solution_of(ProofSolver(game), game.start(), each=False)
        assert found.value == exact(1 if nimbers[n] else -1)


def test_a_square_without_neighbours_counts_no_positions() -> None:
    board = make_board("a path, and one alone", [[1], [0, 2], [1], []], structural=False)
    check_size(topple.load("chain-reaction", board).start())


@pytest.mark.parametrize("name", ["chain-reaction", "spread-it", "infexion", "hex"])
def test_what_a_refusal_names_as_feasible_is_not_refused(name: str) -> None:
    with pytest.raises(topple.Unsupported) as refused:
        check_size(load(name).start())
    (example,) = re.findall(r"such as ([a-z]+:[0-9x]+)\)", str(refused.value))
    check_size(load(name, example).start())


def test_a_large_board_with_little_left_to_play_is_not_refused() -> None:
    game = load("spread-it", "grid:5x5", compiled=False)
    start = game.start()
    with pytest.raises(topple.Unsupported):
        check_size(start)
    for n_left, fits in ((6, True), (7, False)):
        late = start.state.copy()
        late[LEFT], late[LEFT + 1] = n_left - n_left // 2, n_left // 2
        position = topple.Position(game, late)
        if fits:
            check_size(position)
        else:
            with pytest.raises(topple.Unsupported):
                check_size(position)


@pytest.mark.parametrize("loyalty", ["zero", "full"])
@pytest.mark.parametrize("board", ["path:5", "star:5", "cycle:3", "cycle:5"])
def test_there_are_no_more_positions_than_the_bound_says(board: str, loyalty: str) -> None:
    start = load("spread-it", board, loyalty=loyalty, compiled=False).start()
    seen, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        if not position.is_over:
            new = {position.play(move) for move in position.legal_moves()} - seen
            seen |= new
            waiting += new
    cells = {tuple(position.cells()) for position in seen if not position.is_over}
    assert len(cells) <= 10 ** proof_solver._in_spread_it(start) + 1e-6


def test_a_full_table_takes_no_more_than_it_has_room_for() -> None:
    start = load("hex", "hex:3", compiled=False).start()
    memory = ProofMemory(start.game, 1, symmetric=False)
    memory.most_places, memory.table = 4, make_table(4)
    after = [start.play(move) for move in start.legal_moves()[:4]]
    for position in after:
        memory.store(position, Bounds(-1, -1))
    assert (
        memory.n_entries == most_entries_in(4) == 3
    )  # one place stays free, where every search ends
    assert [memory.known(each) for each in after] == [Bounds(-1, -1)] * 3 + [Bounds(-1, 1)]


def test_positions_that_share_a_key_are_told_apart_by_the_check() -> None:
    table = make_table(4)
    key = np.uint64(2)
    for check, facts in ((5, 12), (6, 4)):
        store(table, key, check, facts)
    assert [int(table.facts[find(table, key, check)]) for check in (5, 6, 7)] == [12, 4, 0]
    assert table.used[0] == 2


def wins_now(position: topple.Position) -> bool:
    """Whether the player to move has a move that wins at once."""
    after = [position.play(move) for move in position.legal_moves()]
    return any(each.is_over and each.returns()[position.player] > 0 for each in after)


def test_a_line_ends_as_soon_as_the_winner_can_end_it() -> None:
    start = load("hex", "hex:3").start()
    solver = ProofSolver(start.game)
    ended = put_off = 0
    for first in start.legal_moves():
        for second in start.play(first).legal_moves():
            position = start.play(first).play(second)
            work = solver.begin(position)
            advance_until(work)
            found = work.solution()
            position = position.play(found.line[0])
            for ply, move in enumerate(found.line[1:], 2):
                after = position.play(move)
                if wins_now(position):
                    assert after.is_over
                    assert ply == len(found.line)
                    ended += 1
                elif any(
                    not each.is_over and not wins_now(each)
                    for each in map(position.play, position.legal_moves())
                ) and (ply % 2 == 1) == (found.value.least < 0):
                    assert not wins_now(after)
                    put_off += 1
                position = after
    assert ended
    assert put_off
