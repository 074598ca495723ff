"""The agent for the course's referee: rules in whole numbers, the search, and its manners."""

import random
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import topple
from tests.core.test_layers import HEAVY
from topple.bridges.infexion import SECONDS, Agent, seconds_for
from topple.bridges.infexion import bit_position as plain
from topple.bridges.infexion import engine as infexion_engine
from topple.bridges.infexion.bit_position import EMPTY, BitPosition, Sets
from topple.bridges.infexion.course_agent_host import install_referee_package
from topple.bridges.infexion.engine import DECIDED, INFINITE, N_MOVES, Engine
from topple.bridges.infexion.evaluation import WEIGHTS, evaluate, features, look, reached
from topple.bridges.infexion.moves import WIDEST, RankedMove, after, ranked_moves
from topple.game.position import Position
from topple.rules.infexion import ACTIONS, CELLS

GAME = topple.load("infexion")


def sets_of(position: Position) -> BitPosition:
    """A position as sets of cells."""
    numbers, player = position.state[CELLS:].tolist(), position.player
    sets = [0] * 6
    for cell, stack in enumerate(numbers):
        side = 0 if stack & 1 == player else 3
        for digit in range(3):
            if stack >> 1 & 1 << digit:
                sets[side + digit] |= 1 << cell
    return BitPosition(*sets)


def moves_at(sets: Sets, depth: int = WIDEST) -> list[RankedMove]:
    return ranked_moves(sets, depth, [0] * N_MOVES)


def never() -> bool:
    return False


def agrees(position: Position, sets: BitPosition) -> None:
    """Hold one position against topple's own rules."""
    n_actions = int(position.state[ACTIONS])
    assert sets == sets_of(position)
    assert plain.is_over(sets, n_actions) == position.is_over
    if position.is_over:
        assert plain.result(sets) == position.returns()[position.player]
    else:
        assert tuple(plain.legal_moves(sets)) == position.legal_moves()
        moves = moves_at(sets)
        assert sorted(move[1] for move in moves) == list(position.legal_moves())
        assert all(after(sets, move) == plain.played(sets, move[1]) for move in moves)
        assert plain.played(sets, infexion_engine.safe_move(sets)) is not None


def play_out(position: Position, rng: random.Random, greed: float) -> Position:
    """Play at random to the end, now and then the move that takes most, on both boards."""
    sets = sets_of(position)
    agrees(position, sets)
    while not position.is_over:
        taking = rng.random() < greed
        move = infexion_engine.safe_move(sets) if taking else rng.choice(position.legal_moves())
        position, sets = position.play(move), plain.played(sets, move)
        agrees(position, sets)
    return position


def test_random_games_agree_with_topples_own_rules() -> None:
    rng, reasons = random.Random(5), Counter[str]()
    for greed in (0.0, 0.1, 0.5, 0.9):
        for _ in range(3):
            over = play_out(GAME.start(), rng, greed)
            assert over.outcome is not None
            reasons[over.outcome.reason] += 1
    assert reasons["a side has no power left"] >= 3
    assert reasons["343 actions have been played"] >= 2


@pytest.mark.parametrize(
    ("text", "move", "winner"),
    [
        ("r6,b1,10,b1,36 Blue 21", "SPREAD(0, 1, 0, -1)", None),  # 0–1 is a draw
        ("r6,b1,10,b2,36 Blue 21", "SPREAD(0, 1, 0, -1)", 1),
        ("b1,r1,47 Red 2", "SPREAD(0, 1, 0, -1)", 0),
        ("r6,b1,47 Blue 21", "SPREAD(0, 1, 0, -1)", None),  # nothing is left at all
        ("r3,5,b2,42 Red 342", "SPAWN(6, 6)", 0),
        ("r3,5,b3,42 Red 342", "SPAWN(6, 6)", None),
        ("r1,5,b5,42 Red 342", "SPAWN(6, 6)", 1),
    ],
)
def test_endings_agree(text: str, move: str, winner: int | None) -> None:
    before = GAME.position(text)
    after = before.play(move)
    assert after.outcome is not None
    assert after.outcome.winner == winner
    agrees(before, sets_of(before))
    agrees(after, plain.played(sets_of(before), before.check_move(move)))


def leaves(sets: BitPosition, n_actions: int, depth: int) -> int:
    if depth == 0:
        return 1
    if plain.is_over(sets, n_actions):
        return 0
    after = (plain.played(sets, move) for move in plain.legal_moves(sets))
    return sum(leaves(each, n_actions + 1, depth - 1) for each in after)


def test_perft_counts() -> None:
    assert [leaves(EMPTY, 0, depth) for depth in (1, 2, 3)] == [49, 2352, 124656]


def random_sets(rng: random.Random, plies: int) -> BitPosition:
    """A position after random moves, in a game that goes on."""
    while True:
        sets = EMPTY
        for n_actions in range(plies):
            if plain.is_over(sets, n_actions):
                break
            sets = plain.played(sets, rng.choice(plain.legal_moves(sets)))
        if not plain.is_over(sets, plies):
            return sets


def test_what_spreads_reach_and_capture_is_counted_right() -> None:
    rng = random.Random(8)
    for plies in range(2, 62, 2):
        sets = random_sets(rng, plies)
        before, cells, most = plain.total(*sets[3:]), 0, 0
        for move in plain.legal_moves(sets):
            next_sets = plain.played(sets, move)
            most = max(most, before - plain.total(*next_sets[:3]))
            if move >= plain.FIRST_SPREAD:
                cell, direction = divmod(move - plain.FIRST_SPREAD, plain.N_DIRECTIONS)
                cells |= plain.ray(cell, direction, plain.power_at(sets, cell))
        assert look(*sets) == (cells, most)
        assert reached(*sets[:3]) == cells


def test_the_evaluation_is_the_weighted_sum_of_its_features() -> None:
    rng = random.Random(9)
    for plies in range(2, 82):
        sets = random_sets(rng, plies)
        power = plain.total(*sets[:3]) + plain.total(*sets[3:])
        weighed = zip(features(sets), WEIGHTS[power], strict=True)
        assert evaluate(sets) == sum(feature * weight for feature, weight in weighed)


def test_the_evaluation_knows_what_counts() -> None:
    def worth(text: str) -> int:
        return evaluate(sets_of(GAME.position(text)))

    assert worth("r3,20,b2,27 Red 20") > worth("r2,20,b3,27 Red 20")  # power
    assert worth("r2,48 Red 20") > worth("r1,r1,47 Red 20")  # the same power in fewer stacks
    assert worth("r1,b3,20,r2,26 Red 20") > worth(
        "r1,10,b3,10,r2,26 Red 20"
    )  # something to capture


def test_the_best_move_known_is_tried_first_and_captures_early() -> None:
    sets = sets_of(GAME.position("r3,2,b2,20,r1,b1,23 Red 20"))
    first = moves_at(sets, 3)[0]
    assert first[3] & (sets[3] | sets[4] | sets[5])
    other = moves_at(sets, 3)[-1][1]
    assert ranked_moves(sets, 3, [0] * N_MOVES, hint=other)[0][1] == other
    captures = {move[1] for move in moves_at(sets, 1) if move[3]}
    assert captures == {
        move[1] for move in moves_at(sets) if move[3] & (sets[3] | sets[4] | sets[5])
    }


def value(sets: Sets, n_actions: int, depth: int) -> int:
    """Plain minimax over the same moves."""
    if plain.is_over(BitPosition(*sets), n_actions):
        return plain.result(BitPosition(*sets)) * (DECIDED - n_actions)
    if depth == 0:
        return evaluate(sets)
    options = moves_at(sets, depth)
    return max(-value(after(sets, option), n_actions + 1, depth - 1) for option in options)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("plies", [2, 6, 9])
def test_the_full_search_has_the_value_of_plain_minimax(depth: int, plies: int) -> None:
    rng = random.Random(plies)
    sets = random_sets(rng, plies)
    best = max(-value(after(sets, option), plies + 1, depth - 1) for option in moves_at(sets))
    found = Engine(selective=False).choose(sets, plies, never, deepest=depth)
    assert found.value == best
    assert found.move in plain.legal_moves(sets)
    assert abs(best) < INFINITE


def test_the_selective_search_finds_wins_that_the_full_one_finds() -> None:
    rng, wins = random.Random(4), 0
    for _ in range(30):
        a, b, c, x, y = (1 << cell for cell in rng.sample(range(plain.N_CELLS), 5))
        sets = BitPosition(a | b, b | c, c | y, x, 0, 0)
        full = Engine(selective=False).choose(sets, 20, never, deepest=3)
        if full.value > DECIDED // 2:
            wins += 1
            assert Engine().choose(sets, 20, never, deepest=5).value == full.value
    assert wins > 9


def test_the_table_counts_the_end_from_the_position() -> None:
    rng, lost, engine = random.Random(4), 0, Engine()
    for _ in range(20):
        first, *cells = (1 << cell for cell in rng.sample(range(plain.N_CELLS), 9))
        sixes = sum(cells)
        sets = BitPosition(first, 0, 0, 0, sixes, sixes)  # the board is full: no spawns
        for n_actions in (21, 61):
            found = engine.choose(sets, n_actions, never, deepest=3).value
            assert found == Engine().choose(sets, n_actions, never, deepest=3).value
            lost += found < -DECIDED // 2
    assert lost > 9


def test_a_win_is_taken_and_a_loss_avoided() -> None:
    winning = GAME.start().play("SPAWN(3, 3)").play("SPAWN(3, 4)")
    found = Engine().choose(sets_of(winning), 2, never, deepest=3)
    assert winning.play(found.move).is_over
    assert found.value == DECIDED - 3
    threatened = GAME.start().play("SPAWN(3, 3)")
    for seed in range(5):
        random.seed(seed)
        move = Engine().choose(sets_of(threatened), 1, never, deepest=2).move
        after = threatened.play(move)
        assert not any(after.play(reply).is_over for reply in after.legal_moves())


def test_the_clock_ends_a_search_at_any_moment() -> None:
    sets = sets_of(GAME.start().play("SPAWN(3, 3)").play("SPAWN(0, 0)"))
    assert Engine().choose(sets, 2, lambda: True).nodes == 0
    for most in (1, 2, 5, 40):
        looks = iter([False] * most + [True] * 1000)
        found = Engine().choose(sets, 2, lambda looks=looks: next(looks))  # type: ignore[misc]
        assert found.move in plain.legal_moves(sets)
        assert found.nodes <= most * infexion_engine.CLOCK_INTERVAL


def test_the_transposition_table_is_bounded() -> None:
    engine = Engine(table_limit=50)
    engine.choose(sets_of(GAME.start().play("SPAWN(3, 3)").play("SPAWN(0, 0)")), 2, never, 4)
    assert 0 < len(engine.table) <= 50
    assert len(engine.older) <= 50


def test_a_full_table_leaves_most_of_the_memory() -> None:
    engine, sets = Engine(table_limit=1500), sets_of(GAME.position("r3,8,b3,8,r2,8,b2,21 Red 20"))
    tracemalloc.start()
    try:
        while not engine.older:
            sets = plain.played(sets, engine.choose(sets, 20, never, deepest=6).move)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    each = taken / (len(engine.table) + len(engine.older))
    assert 2 * infexion_engine.TABLE_LIMIT * each < 100e6  # bytes


@pytest.mark.parametrize("granted", [180.0, 20.0, 1.0])
def test_the_time_lasts_for_the_longest_game(granted: float) -> None:
    remaining = granted
    for n_actions in range(0, plain.MOST_ACTIONS, 2):
        remaining -= 1.02 * seconds_for(remaining, n_actions, granted)
        assert remaining > 0.02 * granted
    assert remaining < 0.2 * granted  # and is used


# -- under a referee ------------------------------------------------------------------------------


@pytest.fixture
def types() -> Iterator[Any]:
    """`referee.game`, as the course has it."""
    before = set(sys.modules)
    yield install_referee_package()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def limits(seconds: float = 3.0, space: float = 240.0) -> dict[str, float]:
    return {"time_remaining": seconds, "space_remaining": space, "space_limit": 250.0}


def test_two_agents_play_a_game_with_the_referees_actions(types: Any) -> None:
    random.seed(2)
    colors = (types.PlayerColor.RED, types.PlayerColor.BLUE)
    agents = [Agent(color, **limits()) for color in colors]
    position, board = GAME.start(), types.Board()
    while not position.is_over and int(position.state[ACTIONS]) < 60:
        color = colors[position.player]
        action = agents[position.player].action(**limits(0.5))
        assert type(action) in (types.SpawnAction, types.SpreadAction)
        position = position.play(str(action))
        board.apply_action(action)
        for agent in agents:
            agent.turn(color, action, **limits())
            assert agent.position == sets_of(position)
        assert board.game_over == position.is_over


def test_a_fault_in_the_search_still_gives_a_legal_action(
    types: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Agent(types.PlayerColor.BLUE)

    def fail(*given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(agent.engine, "choose", fail)
    for text in ("49 Red 0", "r1,48 Blue 1", "r1,b1,47 Red 2", "r6,b6,r6,b6,45 Blue 99"):
        position = GAME.position(text)
        agent.position = sets_of(position)
        position.check_move(str(agent.action()))


def test_a_referee_without_limits_is_fine(types: Any) -> None:
    agent = Agent(
        types.PlayerColor.RED, time_remaining=None, space_remaining=None, space_limit=None
    )
    agent._used = SECONDS  # nothing is left of the time that it gives itself
    assert str(agent.action(time_remaining=None, space_remaining=-3.0, space_limit=None))
    assert agent.engine.table_limit == infexion_engine.TABLE_LIMIT


def test_the_table_shrinks_when_memory_runs_short(types: Any) -> None:
    agent = Agent(types.PlayerColor.RED, **limits())
    agent.action(**limits(0.0, space=10.0))
    assert agent.engine.table_limit == infexion_engine.TABLE_LIMIT // 2


def test_it_imports_nothing_beyond_the_standard_library() -> None:
    program = (
        "import sys, topple.bridges.infexion\n"
        f"print([name for name in {(*HEAVY, 'numpy', 'multiprocessing')!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
