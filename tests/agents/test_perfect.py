"""The agent `perfect`: exact values, honest limits, and games that end as they must."""

import random
from types import ModuleType

import pytest

import topple
from tests.agents.small_positions import running_position
from tests.core.command_line import topple as topple_command
from tests.solvers.exact_values import Values
from topple.agents.perfect import PerfectSearch, proven_of
from topple.game.game import Game, load
from topple.game.position import Position
from topple.kernels.proof.search import prove
from topple.solvers import Bounds, Solver, find_solver, solver_for

BOARDS = [
    ("hex", "hex:3"), ("chain-reaction", "grid:2x4"), ("spread-it", "grid:2x3"),
    ("spread-it:loyalty=full", "complete:4"), ("influence", "segment:12"),
    ("infexion", "infexion:3"),
]  # fmt: skip


def early(game: Game) -> int:
    """Plies to begin with where a game is long."""
    return 16 if game.name == "infexion" else 0


WORDS = {1: "won", 0: "drawn", -1: "lost"}


@pytest.mark.parametrize(
    ("spec", "board"),
    [("hex", "hex:2"), ("chain-reaction", "cycle:5"), ("spread-it", "cycle:3")],
)
def test_its_moves_have_the_values_of_plain_recursion(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    values, agent = Values(game), topple.agent("perfect")
    for position, state in values.positions():
        truth = dict(zip(position.legal_moves(), values.of_moves(state), strict=True))
        decision = agent.choose(position)
        best = max(truth.values())
        assert decision.move == next(move for move, value in truth.items() if value == best)
        assert decision.value == best
        assert decision.proven == WORDS[best]
        for candidate in decision.candidates:
            assert candidate.value >= truth[candidate.move]
            assert candidate.exact is (candidate.value == truth[candidate.move]) or best == 1
            if candidate.proven:
                assert candidate.proven == WORDS[truth[candidate.move]]
        assert {c.move for c in decision.candidates if c.proven == WORDS[best]} >= {
            move for move, value in truth.items() if value == best
        }


@pytest.mark.parametrize(("spec", "board"), BOARDS)
def test_against_itself_it_gets_what_the_position_is_worth(spec: str, board: str) -> None:
    game = topple.load(spec, board)
    for n_plies in (0, 2):
        position = running_position(game, n_plies + early(game), 5)
        player = position.player
        value = topple.agent("perfect").choose(position).value
        end = played_out(position, ["perfect", "perfect"])
        lead = end.returns()[player]
        assert (lead > 0) - (lead < 0) == (value > 0) - (value < 0)


@pytest.mark.parametrize("other", ["random", "uct:iterations=300"])
@pytest.mark.parametrize(("spec", "board"), BOARDS)
def test_what_is_won_it_wins_and_what_is_drawn_it_does_not_lose(
    spec: str, board: str, other: str
) -> None:
    game = topple.load(spec, board)
    for seed in range(6):
        position = running_position(game, seed % 4 + early(game), seed)
        decision = topple.agent("perfect").choose(position)
        seats = ["perfect", other] if position.player == 0 else [other, "perfect"]
        end = played_out(position, seats, seed)
        least = {"won": 1, "drawn": 0, "lost": -1}[decision.proven or ""]
        assert end.returns()[position.player] >= least


def played_out(position: Position, agents: list[str], seed: int = 0) -> Position:
    players = [topple.agent(each).begin(seed + seat) for seat, each in enumerate(agents)]
    ply = 0
    while not position.is_over:
        position = position.play(players[position.player].choose(position, ply).move)
        ply += 1
    return position


def test_what_is_proven_is_kept_for_the_next_move() -> None:
    game = topple.load("chain-reaction", "grid:2x4")
    player, agent = topple.agent("perfect").begin(1), topple.agent("perfect")
    position = game.start()
    first = player.choose(position, 0)
    solver = player.memory
    position = position.play(first.move).play(game.start().legal_moves()[-1])
    second, anew = player.choose(position, 2), agent.choose(position)
    assert player.memory is solver
    assert second.effort.nodes < anew.effort.nodes / 2
    assert [c.move for c in second.candidates if c.proven == second.proven] == [
        c.move for c in anew.candidates if c.proven == anew.proven
    ]


def test_another_game_begins_with_nothing_remembered() -> None:
    player = topple.agent("perfect").begin(1)
    player.choose(topple.load("hex", "hex:2").start(), 0)
    before = player.memory
    game = topple.load("hex", "hex:3")
    assert player.choose(game.start(), 0).proven == "won"
    assert player.memory is not before
    assert isinstance(player.memory, Solver)
    assert player.memory.game == game


@pytest.mark.parametrize("nodes", [1, 5, 40, 1000])
def test_a_limit_of_nodes_claims_no_more_than_is_proven(nodes: int) -> None:
    position = topple.load("spread-it", "grid:2x4").start()
    truth = {c.move: c for c in topple.agent("perfect").choose(position).candidates}
    decision = topple.agent(f"perfect:nodes={nodes}").choose(position)
    assert decision.effort.nodes == nodes
    assert decision.proven is None
    for candidate in decision.candidates:
        assert candidate.value >= truth[candidate.move].value
        assert candidate.proven in (None, truth[candidate.move].proven)


def test_what_cannot_win_is_not_played_while_something_else_may() -> None:
    game = topple.load("spread-it:loyalty=full", "grid:2x5")
    search = topple.agent("perfect").search(game.start(), 0)
    while all(candidate.value == 1 for candidate in search.decision().candidates):
        search.advance(500)
    assert not search.is_done
    first, *_, last = search.decision().candidates
    assert (first.value, first.exact) == (1, False)
    assert (last.value, last.exact) == (0, False)


def test_a_full_memory_gives_an_answer_and_the_next_move_has_room_again() -> None:
    game = topple.load("spread-it", "grid:3x3")
    player = topple.agent("perfect:memory=1").begin(1)
    decision = player.choose(game.start(), 0)
    assert decision.proven is None
    assert decision.move in game.start().legal_moves()
    assert player.memory is None
    late = running_position(game, 8, 1)
    assert player.choose(late, 8).proven is not None
    assert player.memory is not None


def test_boards_that_are_too_large_need_a_limit() -> None:
    for name, board in [("spread-it", None), ("chain-reaction", None), ("infexion", None),
                        ("hex", "hex:7")]:  # fmt: skip
        game = topple.load(name, board)
        with pytest.raises(topple.Unsupported) as refused:
            topple.agent("perfect").choose(game.start())
        assert "\n" not in str(refused.value)
        decision = topple.agent("perfect:nodes=200").choose(game.start())
        assert decision.proven is None
    with pytest.raises(topple.Unsupported, match="121 empty cells"):
        topple.agent("perfect:nodes=200").check_game(topple.load("hex"))
    with pytest.raises(topple.Unsupported, match="perfect is for 2 players"):
        topple.agent("perfect:time=1").choose(topple.load("chain-reaction:players=3").start())


def test_a_game_from_outside_is_never_refused(node_kayles: ModuleType) -> None:
    game = topple.load("node-kayles", "path:7", compiled=False)
    topple.agent("perfect").check_game(topple.load("node-kayles", "grid:9x9"))
    assert topple.agent("perfect").choose(game.start()).proven == "won"


def test_it_runs_the_kernels_of_the_solver_that_suits() -> None:
    game = topple.load("chain-reaction", "grid:2x2")
    agent = topple.agent("perfect")
    assert agent.kernels(game) == find_solver(game).KERNELS
    assert prove in agent.kernels(game)
    agent.warm(game)
    assert set(agent.kernels(game)) <= game.kernels.called
    assert topple.agent("random").kernels(game) == topple.agent("random").KERNELS


def test_what_bounds_prove() -> None:
    assert proven_of(Bounds(1, 7)) == "won"
    assert proven_of(Bounds(-7, -1)) == "lost"
    assert proven_of(Bounds(0, 0)) == "drawn"
    for open_ in (Bounds(0, 1), Bounds(-1, 0), Bounds(-2, 2)):
        assert proven_of(open_) is None


def test_a_search_can_be_watched_while_it_goes_on() -> None:
    position = topple.load("hex", "hex:4").start()
    search = topple.agent("perfect").search(position, 0)
    assert isinstance(search, PerfectSearch)
    random_sizes = random.Random(1)
    while not search.is_done:
        decision = search.decision()
        assert decision.variation[0] == decision.move
        search.advance(random_sizes.randint(1, 60_000))
    assert search.decision().proven == "won"
    assert search.decision() == topple.agent("perfect").choose(position)
    assert solver_for(position.game).NAME == search.solver.NAME


def test_an_upper_bound_is_not_shown_as_a_value() -> None:
    board = ("analyse", "spread-it", "--board", "grid:2x4", "--agent")
    assert "plays a1: ≤ +1.000" in topple_command(*board, "perfect:nodes=20").out
    assert "perfect plays a1: drawn" in topple_command(*board, "perfect").out


def test_a_time_limit_is_a_limit_like_nodes() -> None:
    hex_11 = load("hex", "hex:11")
    chain = load("chain-reaction", "grid:5x5")
    for limit in ("time=0.01", "nodes=5"):
        topple.agent(f"perfect:{limit}").check_game(chain)
    for large in (chain, hex_11):
        with pytest.raises(topple.Unsupported):
            topple.agent("perfect").check_game(large)


def test_the_variation_begins_with_the_move_also_where_the_line_does_not() -> None:
    start = load("hex", "hex:3").start()
    search = topple.agent("perfect").search(start, 0)
    while not search.is_done:
        search.advance(1000)
    decision, solution = search.decision(), search.solving.solution()  # type: ignore[attr-defined]
    assert decision.move == solution.best_moves[0] != solution.line[0]
    assert decision.variation == (decision.move,)


def test_what_may_still_be_won_is_the_value_while_nothing_is_proven() -> None:
    start = load("chain-reaction", "grid:2x4").start()
    decision = topple.agent("perfect:nodes=1").choose(start)
    assert (decision.value, decision.proven) == (1.0, None)
    assert decision.value == decision.candidates[0].value
