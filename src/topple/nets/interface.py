"""The contract between the encodings of games and the networks that look at them.

A game's module under `topple.nets.encodings` defines

    DYNAMIC                the names of the planes of the position, as its player to move sees it
    ACTIONS                how many moves each vertex has
    net_name(game)         the name of the shipped network for the game
    board_actions(game)    how many moves have no vertex
    sight(game)            the `Sight` of the game's board and its kind; raises Unsupported for
                           a board that no network can see
    encode (below)

and may define the other kernels below, which have working defaults. The logits of a network are
one vector: the actions of vertex 0, those of vertex 1, …, then the moves without a vertex.
"""

from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.compiling.specialise import contract, kernel
from topple.rules.interface import Sizes, State

Planes = NDArray[np.float32]  # shape (rows, planes): one row for each vertex


class SeenGame(Protocol):
    """The attributes of a game that its encoding may use."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def options(self) -> dict[str, Any]:
        """The game's options."""

    @property
    def tables(self) -> Any:
        """What the kernels know of the board."""

    @property
    def sizes(self) -> Sizes:
        """The lengths of the game's vectors."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""

    @property
    def spec(self) -> str:
        """The text that names the game."""


@contract
def encode(board: Any, state: State, planes: Planes, aside: State) -> None:
    """Write the planes of a position that is not over, one number for each vertex and plane.

    They are the first planes; each of their numbers is written, and nothing else. `aside` is
    another state, in which moves may be tried; its scratch space is zero before and after.
    """
    raise NotImplementedError


@contract
def view_of(board: Any, state: State) -> int:
    """Which view of the board the player to move has."""
    return 0


@contract
def slot_of(board: Any, move: int) -> int:
    """The place of a move among the logits."""
    return move


@contract
def fate_of(board: Any, state: State, vertex: int) -> float:
    """Whose a vertex is at the end of a game for two: 1 the first player's, −1 the second's.

    A network in training learns it beside the result; 0 where it says no more than the result.
    """
    return 0.0


CONTRACT = (encode, view_of, slot_of, fate_of)


def check_encoding(module: ModuleType) -> None:
    """Refuse a module that does not keep the contract, naming what is missing.

    Raises
    ------
    TypeError
        If a required name is missing or a contract function is not a kernel.
    """
    required = ("DYNAMIC", "ACTIONS", "net_name", "board_actions", "sight", "encode")
    missing = [name for name in required if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} is no encoding: it lacks {', '.join(missing)}")
    for function in CONTRACT:
        own = getattr(module, function.__name__, function)
        if "is_kernel" not in own.__dict__:
            raise TypeError(f"{module.__name__}.{function.__name__} needs the @kernel mark")


@kernel
def put_constant(planes: Planes, n: int, at: int, value: float) -> None:
    """Write one number for all n vertices into the plane `at`."""
    for vertex in range(n):
        planes[vertex, at] = value
