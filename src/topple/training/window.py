"""The window: the latest positions of self-play, from which batches are drawn.

Positions of one shape are in one ring. A lattice's size is its shape; the networks of a family are
padded to one size, and each position knows the board that it was played on.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topple.boards.board import Board
from topple.kernels.self_play import UNIT
from topple.nets.net import Design
from topple.nets.sight import Sight
from topple.training.lessons import Lesson
from topple.training.twin import arc_matrices

LATTICES = ("hexes", "torus", "grid")


class SeenBoard(NamedTuple):
    """What the learner needs of a board, padded to the vertices of its ring."""

    fixed: NDArray[np.float16]  # shape (views, n, planes of the board)
    arcs: NDArray[np.uint8]  # shape (lists, n, n)
    n: int  # vertices without padding


class Batch(NamedTuple):
    """Positions of one shape to learn from at once."""

    planes: NDArray[np.float32]  # shape (positions, n, planes), with those of the board
    views: NDArray[np.int8]
    policy: NDArray[np.float32]  # shape (positions, slots)
    results: NDArray[np.float32]
    lead: NDArray[np.float32]
    fates: NDArray[np.float32]  # shape (positions, n)
    arcs: NDArray[np.uint8]  # shape (positions, lists, n, n)
    mask: NDArray[np.float32]  # shape (positions, n)


class Ring:
    """The latest positions of one shape."""

    def __init__(self, capacity: int, design: Design, extent: tuple[int, int]) -> None:
        """Make an empty ring; `extent` is rows and columns, or for networks (1, vertices)."""
        self.capacity, self.design, self.extent = capacity, design, extent
        self.n = extent[0] * extent[1]
        self.boards: list[SeenBoard] = []
        self.n_added = 0
        self.arrays: dict[str, NDArray[Any]] = {}

    @property
    def size(self) -> int:
        """The number of positions."""
        return min(self.n_added, self.capacity)

    def see(self, sight: Sight) -> int:
        """Take in a board; returns its number in this ring."""
        rows = ((0, 0), (0, self.n - sight.n), (0, 0))
        fixed = np.pad(sight.fixed[:, : sight.n], rows).astype(np.float16)
        arcs = arc_matrices(sight, self.n)
        self.boards.append(SeenBoard(fixed, arcs, sight.n))
        return len(self.boards) - 1

    def add(self, lesson: Lesson, board: int) -> None:
        """Add positions on a board, which replace the oldest ones if there is no room."""
        k = len(lesson.views)
        columns = {
            **lesson._asdict(),
            "planes": self._padded_planes(lesson.planes),
            "policy": self._padded_policy(lesson.policy),
            "fates": np.pad(lesson.fates, ((0, 0), (0, self.n - lesson.fates.shape[1]))),
            "board": np.full(k, board, dtype=np.int32),
        }
        places = (self.n_added + np.arange(k)) % self.capacity
        for name, column in columns.items():
            if name not in self.arrays:
                self.arrays[name] = np.zeros((self.capacity, *column.shape[1:]), column.dtype)
            self.arrays[name][places] = column
        self.n_added += k

    def _padded_planes(self, planes: NDArray[np.float16]) -> NDArray[np.float16]:
        return np.pad(planes, ((0, 0), (0, self.n - planes.shape[1]), (0, 0)))

    def _padded_policy(self, policy: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """The policy with room for the moves of vertices that are not there."""
        design = self.design
        own = policy.shape[1] - design.board_actions
        padded = np.zeros((len(policy), self.n * design.actions + design.board_actions), np.uint16)
        padded[:, :own] = policy[:, :own]
        padded[:, self.n * design.actions :] = policy[:, own:]
        return padded

    def batch(self, numbers: np.random.Generator, n: int) -> Batch:
        """Draw n positions."""
        drawn = numbers.integers(self.size, size=n)
        found = {name: column[drawn] for name, column in self.arrays.items()}
        boards = [self.boards[board] for board in found["board"].tolist()]
        views = found["views"]
        fixed = np.stack([board.fixed[view] for board, view in zip(boards, views, strict=True)])
        planes = np.zeros((n, self.n, self.design.planes), dtype=np.float32)
        n_dynamic = found["planes"].shape[2]
        planes[:, :, :n_dynamic] = found["planes"]
        planes[:, :, n_dynamic : n_dynamic + fixed.shape[2]] = fixed
        policy = found["policy"].astype(np.float32) / UNIT
        policy /= np.maximum(policy.sum(axis=1, keepdims=True), 1e-6)
        sizes = np.array([board.n for board in boards])
        mask = (np.arange(self.n) < sizes[:, None]).astype(np.float32)
        arcs = np.stack([board.arcs for board in boards])
        fates = found["fates"].astype(np.float32)
        if self.design.kind in LATTICES:
            self._mirror(planes, policy, fates, views == 1)
        return Batch(planes, views, policy, found["results"], found["lead"], fates, arcs, mask)

    def _mirror(
        self,
        planes: NDArray[np.float32],
        policy: NDArray[np.float32],
        fates: NDArray[np.float32],
        turned: NDArray[np.bool_],
    ) -> None:
        """Turn what the second view sees over to the first, in place: rows become columns."""
        order = mirrored_order(self.extent)
        planes[turned] = planes[turned][:, order]
        policy[turned] = policy[turned][:, slot_order(order, self.design)]
        fates[turned] = fates[turned][:, order]


def mirrored_order(extent: tuple[int, int]) -> NDArray[np.int64]:
    """The cells of a square lattice in the order in which its mirror image lists them."""
    return np.arange(extent[0] * extent[1]).reshape(extent).T.ravel()


def slot_order(order: NDArray[np.int64], design: Design) -> NDArray[np.int64]:
    """The slots in the order that an order of the vertices gives them."""
    slots = (order[:, None] * design.actions + np.arange(design.actions)).ravel()
    rest = len(order) * design.actions + np.arange(design.board_actions)
    return np.concatenate([slots, rest])


def extent_of(board: Board, kind: str, most: int) -> tuple[int, int]:
    """The extent of the ring for a board; `most` is the vertices of its family's largest one."""
    return (board.rows, board.columns) if kind in LATTICES else (1, most)
