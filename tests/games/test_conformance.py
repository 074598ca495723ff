"""The conformance suite over every registered game, with options and boards of all kinds."""

from types import ModuleType

import pytest

import topple
from tests.conftest import EXAMPLE
from topple import rules
from topple.testing import check_game, check_random_moves_are_uniform, random_play

CASES = [
    ("spread-it", "ba:n=12,m=2,seed=1"),
    ("spread-it:loyalty=full", "ba:n=12,m=2,seed=1"),
    ("spread-it:order=index", "grid:3x3"),
    ("spread-it:loyalty=full,order=index,tokens=7", "karate"),
    ("spread-it:players=3", "ba:n=12,m=2,seed=1"),
    ("spread-it:accept=0.7,refused=stay,players=4,tokens=6,turn=2", "grid:3x3"),
    ("spread-it:loyalty=2,tokens=9/5,sinks=drop,accept=0.8", "tree:n=2,c=2,copies=2"),
    ("chain-reaction", "grid:4x4"),
    ("chain-reaction:surplus=keep", "grid:3x3"),
    ("chain-reaction:players=3", "hex:3"),
    ("chain-reaction:players=8,surplus=keep", "torus:3x4"),
    ("infexion", "infexion:7"),
    ("infexion", "infexion:3"),
    ("hex", "hex:11"),
    ("hex:swap=true", "hex:4"),
    ("influence", "segment:5p+8"),
    ("influence:first=right", "tree:n=2,c=2,copies=2"),
    ("influence", "random-digraph:n=70,m=120,seed=2"),
]


def test_the_cases_cover_every_game() -> None:
    assert {spec.partition(":")[0] for spec, _ in CASES} == set(rules.game_names())


@pytest.mark.parametrize(("spec", "board"), CASES)
def test_conforms(spec: str, board: str) -> None:
    check_game(topple.load(spec, board))


@pytest.mark.parametrize("name", ["spread-it:loyalty=full", "chain-reaction", "infexion", "hex"])
def test_random_moves_are_uniform(name: str) -> None:
    game = topple.load(name)
    positions = list(random_play(game, 1))
    check_random_moves_are_uniform(game, positions[len(positions) // 2])


def test_a_game_from_outside_conforms(node_kayles: ModuleType) -> None:
    """Under 80 lines, and everything works on it."""
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 80
    assert "node-kayles" in rules.game_names()
    for board in ("grid:4x4", "karate"):
        check_game(topple.load("node-kayles", board))


def test_a_module_that_is_no_game_is_refused() -> None:
    module = ModuleType("nothing")
    with pytest.raises(TypeError, match="it lacks NAME"):
        topple.register(module)


def test_a_rule_without_the_kernel_mark_is_refused(node_kayles: ModuleType) -> None:
    broken = ModuleType("broken")
    broken.__dict__.update({**node_kayles.__dict__, "__name__": "broken", "step": lambda b, s: -1})
    with pytest.raises(TypeError, match=r"broken\.step needs the @kernel mark"):
        topple.register(broken)
