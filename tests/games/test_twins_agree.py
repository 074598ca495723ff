"""Whole random games on random boards, topple beside its slow twins."""

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.games.pairs import GAMES, play_both, random_pair

WHOLE_GAMES = 300


@pytest.mark.parametrize("name", GAMES)
def test_compiled_rules_agree_with_the_twin(name: str) -> None:
    """Legal moves, successors and outcomes agree at every ply of 300 whole games."""

    # A smaller seed is not a smaller game: there is nothing to shrink.
    no_shrinking = (Phase.explicit, Phase.generate)

    @settings(
        max_examples=WHOLE_GAMES,
        phases=no_shrinking,
        deadline=None,
        database=None,
        derandomize=True,
    )
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
