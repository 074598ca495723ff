"""Whole random games on random boards, topple beside its slow twins."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pairs import GAMES, play_both, random_pair

WHOLE_GAMES = 300


@pytest.mark.parametrize("name", GAMES)
def test_compiled_rules_agree_with_the_twin(name: str) -> None:
    """Legal moves, successors and outcomes agree at every ply of 300 whole games."""

    @settings(max_examples=WHOLE_GAMES, deadline=None, database=None, derandomize=True)
    @given(st.integers(0, 2**63))
    def agrees(seed: int) -> None:
        rng = random.Random(seed)
        assert play_both(random_pair(name, rng), rng) > 0

    agrees()


@pytest.mark.parametrize("name", GAMES)
def test_uncompiled_rules_agree_with_the_twin(name: str) -> None:
    """So do the same functions run as plain Python."""
    for seed in range(25):
        rng = random.Random(seed)
        play_both(random_pair(name, rng, compiled=False), rng)
