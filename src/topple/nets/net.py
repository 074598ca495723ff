"""Net: the weights of a graph network, with the design that gives them their shapes.

The stem and each layer of a block compute a vertex's numbers from its taps (`topple.nets.sight`).
A block has two layers: between them the mean and the maximum over the board are fed back to
every vertex, and its result is added to its input. From the last block come the logits of the
moves on each vertex and, from mean and maximum over the board, those of moves without a vertex,
the chances of the results and the expected lead.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.nets.sight import KINDS

Weights = NDArray[np.float32]

WIDTHS = ("channels", "policy")  # of a design, multiples of `products.LANES`
WIN, DRAW, LOSS = range(3)  # the results of two players, for the player to move


@dataclass(frozen=True)
class Design:
    """What fixes the shapes of a network's weights.

    `results` counts win, draw and loss with two players; with more, who wins, from the player
    to move on.
    """

    kind: str  # of boards
    planes: int
    actions: int  # moves that each vertex has
    board_actions: int  # moves without a vertex
    players: int = 2
    channels: int = 64
    blocks: int = 6
    policy: int = 32  # channels of the head that chooses moves
    value: int = 64  # channels of the head that foretells the result

    @property
    def taps(self) -> int:
        """The rows that a vertex's new numbers are computed from."""
        return KINDS[self.kind]

    @property
    def results(self) -> int:
        """How many ways a game can end."""
        return 3 if self.players == 2 else self.players

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array of weights, by its name in `Net`."""
        c, taps = self.channels, self.taps
        return {
            "stem": (taps * self.planes, c),
            "stem_bias": (c,),
            "mix": (2 * self.blocks, taps * c, c),
            "mix_bias": (2 * self.blocks, c),
            "pool": (self.blocks, 2 * c, c),
            "policy": (c, self.policy),
            "policy_pool": (2 * c, self.policy),
            "policy_bias": (self.policy,),
            "move": (self.policy, self.actions),
            "move_bias": (self.actions,),
            "board_move": (2 * c, self.board_actions),
            "board_move_bias": (self.board_actions,),
            "value": (2 * c, self.value),
            "value_bias": (self.value,),
            "result": (self.value, self.results + 1),
            "result_bias": (self.results + 1,),
        }

    def as_numbers(self) -> dict[str, int | str]:
        """The design as plain data."""
        return asdict(self)


class Net(NamedTuple):
    """The weights of a network, float32, as the forward pass takes them."""

    stem: Weights
    stem_bias: Weights
    mix: Weights  # the two layers of each block, one after the other
    mix_bias: Weights
    pool: Weights  # what mean and maximum add to a block's second layer
    policy: Weights
    policy_pool: Weights
    policy_bias: Weights
    move: Weights
    move_bias: Weights
    board_move: Weights
    board_move_bias: Weights
    value: Weights
    value_bias: Weights
    result: Weights  # one column for each result, and one for the lead
    result_bias: Weights


def make_net(weights: dict[str, NDArray[np.floating]]) -> Net:
    """A network of arrays of the right shapes; they become read-only float32."""
    arrays = {}
    for name in Net._fields:
        array = np.ascontiguousarray(weights[name], dtype=np.float32)
        array.setflags(write=False)
        arrays[name] = array
    return Net(**arrays)


def random_net(design: Design, seed: int, scale: float = 1.0) -> Net:
    """A network of random weights, for tests and benchmarks."""
    numbers = np.random.default_rng(seed)

    def arrays() -> Iterator[tuple[str, NDArray[np.floating]]]:
        for name, shape in design.shapes().items():
            spread = scale / np.sqrt(max(shape[-2], 1)) if len(shape) > 1 else 0.1
            yield name, numbers.normal(0.0, spread, shape)

    return make_net(dict(arrays()))
