"""Whole random games on random boards, topple beside its slow twins."""

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.games.pairs import GAMES, play_both, random_pair

WHOLE_GAMES = 300
SLOWEST = "infexion"  # its twin takes as long as those of the other games together


@pytest.mark.parametrize(
    ("name", "n_games"),
    [
        *((name, WHOLE_GAMES // 3 if name == SLOWEST else WHOLE_GAMES) for name in GAMES),
        pytest.param(SLOWEST, WHOLE_GAMES, marks=pytest.mark.prove),
    ],
)
def test_compiled_rules_agree_with_the_twin(name: str, n_games: int) -> None:
    """Legal moves, successors and outcomes agree at every ply of whole games."""

    # A smaller seed is not a smaller game: there is nothing to shrink.
    no_shrinking = (Phase.explicit, Phase.generate)

    @settings(
        max_examples=n_games,
        phases=no_shrinking,
        deadline=None,
        database=None,
        derandomize=True,
    )
    @given(st.integers(0, 2**63))
    def agrees(seed: int) -> None:
        rng = random.Random(seed)
        n_plies.append(play_both(random_pair(name, rng), rng))

    n_plies: list[int] = []
    agrees()
    assert len(n_plies) >= n_games
    assert min(n_plies) > 0


@pytest.mark.parametrize("name", GAMES)
def test_uncompiled_rules_agree_with_the_twin(name: str) -> None:
    """So do the same functions as plain Python, in 25 games of several plies on average."""
    n_plies = []
    for seed in range(25):
        rng = random.Random(seed)
        pair = random_pair(name, rng, compiled=False)
        assert not pair.game.kernels.compiled
        n_plies.append(play_both(pair, rng))
    assert min(n_plies) > 0
    assert sum(n_plies) > 3 * len(n_plies)
