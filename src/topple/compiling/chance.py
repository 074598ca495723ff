"""Chance in games: a generator that lies in the scratch space of a state.

The rules of a game with chance draw from it. Whoever plays a move sets it first: a game
that is played sets it from the move's own draw, which its record keeps, and a search sets it
from random numbers of its own. So a search cannot see what will be drawn in the game.

The generator is SplitMix64: one word, which each draw moves on by the same amount and
scrambles. The word is kept as four numbers of 16 bits, because the numbers of a state are
32 bits wide and not negative.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topple.compiling.specialise import kernel

WORDS = 4  # numbers of a state that the generator takes
SURE = np.uint64(1 << 53)  # a share of one: draws are below it

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BY_11, BY_27, BY_30, BY_31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)
BY_16, LOW_16 = np.uint64(16), np.uint64(0xFFFF)


@kernel
def read_chance(state: NDArray[np.int32], at: int) -> Any:
    """The generator's word, which begins at index `at` of a state."""
    word = np.uint64(0)
    for i in range(WORDS):
        word = (word << BY_16) | np.uint64(state[at + i])
    return word


@kernel
def write_chance(state: NDArray[np.int32], at: int, word: Any) -> None:
    """Write the generator's word into a state."""
    for i in range(WORDS):
        state[at + WORDS - 1 - i] = np.int32(word & LOW_16)
        word = word >> BY_16


@kernel
def drawn(word: Any) -> Any:
    """The number from 0 to 2⁵³ − 1 that is drawn when the generator has moved on to `word`."""
    z = (word ^ (word >> BY_30)) * FIRST
    z = (z ^ (z >> BY_27)) * SECOND
    return (z ^ (z >> BY_31)) >> BY_11


def share_of(probability: float) -> int:
    """A probability as a number of the same scale as `drawn`: an event happens below it.

    >>> share_of(1.0) == int(SURE), share_of(0.25) * 4 == int(SURE)
    (True, True)
    """
    return round(probability * int(SURE))
