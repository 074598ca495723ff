"""The agent for the course's referee: rules in whole numbers, the search, and its manners."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import topple
from tests.core.test_layers import HEAVY
from topple.bridges.infexion import SECONDS, Agent, seconds_for
from topple.bridges.infexion import bit_position as plain
from topple.bridges.infexion import engine as infexion_engine
from topple.bridges.infexion.bit_position import EMPTY, BitPosition
from topple.bridges.infexion.course_agent_host import install_referee_package
from topple.bridges.infexion.engine import DECIDED, INFINITE, Engine, all_moves, promising_moves
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
        assert {move.number for move in all_moves(sets)} == set(position.legal_moves())
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


def test_the_most_power_that_can_be_captured_is_counted_right() -> None:
    rng = random.Random(8)
    for _ in range(30):
        sets = EMPTY
        for _ in range(40):
            sets = plain.played(sets, rng.choice(plain.legal_moves(sets)))
        before = plain.total(*sets[3:])
        most = max(before - plain.total(*plain.played(sets, m)[:3])
                   for m in plain.legal_moves(sets))  # fmt: skip
        assert infexion_engine.most_taken(*sets[:3], sets[3:]) == most


def value(sets: BitPosition, n_actions: int, depth: int) -> int:
    """Plain minimax over the same moves."""
    if plain.is_over(sets, n_actions):
        return plain.result(sets) * (DECIDED - n_actions)
    if depth == 0:
        return infexion_engine.evaluate(sets)
    options = promising_moves(sets, depth)
    return max(-value(option.after, n_actions + 1, depth - 1) for option in options)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("plies", [2, 6, 9])
def test_the_search_has_the_value_of_plain_minimax(depth: int, plies: int) -> None:
    rng, sets = random.Random(plies), EMPTY
    for _ in range(plies):
        sets = plain.played(sets, rng.choice(plain.legal_moves(sets)))
    best = max(-value(option.after, plies + 1, depth - 1) for option in all_moves(sets))
    engine = Engine()
    found = engine.choose(sets, plies, never, deepest=depth)
    assert found.value == best
    assert found.move in plain.legal_moves(sets)
    assert abs(best) < INFINITE


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
