"""Exact play in Spread-It's wider world: values, and what is refused."""

from functools import cache

import pytest

import topple
from tests.core.command_line import assert_one_line_refusal
from tests.core.command_line import topple as command
from tests.games.changing_boards import changing
from topple.boards import Board
from topple.boards.board import make_board
from topple.core.errors import Unsupported
from topple.game import Game, Position
from topple.solvers import advance_until, why_unsolvable
from topple.solvers.oracle import Oracle
from topple.solvers.proof.solver import ProofSolver, check_size

ARCS = make_board("arcs", [[1], [2], [0, 3], []], directed=True)  # the last one is a sink

# A path of four vertices that becomes a cycle after three tokens.
CHANGING = changing("path:4", (3, "cycle:4"))

CASES = [
    ("spread-it:turn=2,tokens=3", topple.load_board("star:4")),
    ("spread-it:tokens=4/2", topple.load_board("cycle:4")),
    ("spread-it:loyalty=2,tokens=3", topple.load_board("path:3")),
    ("spread-it:tokens=3", ARCS),
    ("spread-it:tokens=3,sinks=drop", ARCS),
    ("spread-it:tokens=3", CHANGING),
]


@pytest.mark.parametrize(("spec", "board"), CASES)
def test_values_are_those_of_plain_recursion(spec: str, board: Board) -> None:
    game = topple.load(spec, board, compiled=False)

    @cache
    def black_gets(position: Position) -> int:
        if position.is_over:
            return round(position.returns()[0])
        values = [black_gets(position.play(move)) for move in position.legal_moves()]
        return max(values) if position.player == 0 else min(values)

    first = game.start()
    after = [first.play(move) for move in first.legal_moves()]
    for position in (first, *(each for each in after if not each.is_over)):
        solving = ProofSolver(game, memory=8).begin(position, each=True)
        assert advance_until(solving)
        sign = 1 if position.player == 0 else -1
        for each in solving.solution().moves:
            truth = sign * black_gets(position.play(each.move))
            assert (each.value.least, each.value.most) == (truth, truth), position.text
    assert sum(not each.is_over for each in after) > 1


def test_large_boards_are_refused() -> None:
    for spec in ("spread-it:turn=2", "spread-it:loyalty=3"):
        with pytest.raises(Unsupported, match="can be solved"):
            check_size(topple.load(spec, "karate").start())


REFUSED = [
    ("spread-it:accept=0.5", "exact play is for games without chance, and spread-it:accept=0.5"),
    ("spread-it:players=3", "exact play is for 2 players, and spread-it:players=3 has 3"),
]


def hidden() -> Game:
    return topple.load("spread-it:foresight=none", CHANGING)


def test_what_hides_the_future_is_refused() -> None:
    with pytest.raises(Unsupported, match="leave out foresight=none"):
        topple.solve(hidden().start())
    with pytest.raises(Unsupported, match="leave out foresight=none"):
        topple.agent("perfect:nodes=10").check_game(hidden())
    assert why_unsolvable(topple.load("spread-it:foresight=none", "path:4")) is None


@pytest.mark.parametrize(("spec", "words"), REFUSED)
def test_chance_and_more_players_are_refused_in_one_line(spec: str, words: str) -> None:
    for arguments in (
        ("solve", spec, "--board", "path:5"),
        ("solve", spec, "--board", "path:5", "--time", "1"),
        ("analyse", spec, "--board", "path:5", "--agent", "random", "--oracle"),
    ):
        ran = command(*arguments)
        assert_one_line_refusal(ran)
        assert words in ran.err
    game = topple.load(spec, "path:5")
    with pytest.raises(Unsupported, match="exact play is for"):
        Oracle(game)
    with pytest.raises(Unsupported, match=r"for 2 players|chance"):
        topple.agent("perfect:nodes=10").check_game(game)
