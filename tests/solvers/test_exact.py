"""Exact play from end to end: what `topple solve` says, beside plain negamax."""

import json

import pytest

from tests.core.command_line import assert_fits_80_columns, topple
from tests.solvers.plain_solver import reference
from topple.game.game import load
from topple.solvers import find_solver

# Games, boards, and whose word it is.
CASES = [
    ("hex", "hex:3", "hex"),
    ("hex:swap=true", "hex:2", "hex"),
    ("chain-reaction", "grid:2x2", "proof"),
    ("chain-reaction:surplus=keep", "grid:2x2", "proof"),
    ("spread-it", "complete:3", "proof"),
    ("spread-it:loyalty=full", "complete:4", "proof"),
    ("influence", "segment:9", "segments"),
    ("influence:first=right", "segment:5p+4", "segments"),
    ("influence", "ring:8", "segments"),
    ("influence", "tree:n=1,c=2", "influence"),
    ("influence", "random-digraph:n=8,m=9,seed=3", "influence"),
]


@pytest.mark.parametrize(("game", "board", "solver"), CASES)
def test_the_command_says_what_plain_negamax_says(game: str, board: str, solver: str) -> None:
    position = load(game, board).start()
    assert solver == find_solver(position.game).NAME
    expected = reference(position)
    ran = topple("solve", game, "--board", board, "--each", "--json")
    assert ran.status == 0, ran
    found = json.loads(ran.out)
    text = position.game.move_text
    assert found["value"] == expected.value.least
    assert found["best_moves"] == [text(move) for move in expected.best_moves]
    assert found["moves"] == {text(each.move): each.value.least for each in expected.moves}
    if expected.scores is not None:
        scores = expected.scores.left.least, expected.scores.right.least
        assert (found["Ls"], found["Rs"]) == scores
    for move in found["line"]:
        position = position.play(move)
    assert reference_result(position) == expected.value.least


def reference_result(position) -> int:
    """The result of a finished game for who moved first in it."""
    outcome = position.outcome
    first = position.game.start().player
    if position.game.name == "influence":
        return outcome.leads[first]
    return 0 if outcome.winner is None else 1 if outcome.winner == first else -1


@pytest.mark.parametrize(("game", "board", "solver"), CASES)
def test_the_answer_fits_a_terminal(game: str, board: str, solver: str) -> None:
    ran = topple("solve", game, "--board", board, "--each")
    assert ran.status == 0, ran
    assert_fits_80_columns(ran.out)
