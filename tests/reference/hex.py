"""Hex, the slow twin: RULES.md section 4, rule by rule.

X joins top and bottom and has the first stone, O joins left and right. Player 0 is X and player 1
is O unless the players have swapped.
"""

from dataclasses import dataclass

EMPTY = "."
SWAP = "swap-pieces"
NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))

Cell = tuple[int, int]


@dataclass(frozen=True)
class State:
    """RULES.md 4, Board: 'X', 'O' or '.' per cell, (r, c) at r * size + c."""

    stones: tuple[str, ...]
    mover: int
    swapped: bool = False  # player 1 has taken X


class Hex:
    """RULES.md 4: put down stones in turn; who joins his two sides has won."""

    n_players = 2

    def __init__(self, size: int = 11, *, swap: bool = False) -> None:
        if size < 1:
            raise ValueError(f"size must be at least 1, not {size}")
        self.size = size
        self.swap = swap

    # -- the common interface ----------------------------------------------------------------

    def start(self) -> State:
        """RULES.md 4, Board: an empty rhombus, player 0 (X) to move."""
        return State((EMPTY,) * (self.size * self.size), 0)

    def player(self, state: State) -> int:
        """RULES.md 4: the players alternate; a swap is a move too."""
        return state.mover

    def is_over(self, state: State) -> bool:
        """RULES.md 4: play stops at connection."""
        return self.joined(state.stones, "X") or self.joined(state.stones, "O")

    def legal_moves(self, state: State) -> list[Cell | str]:
        """RULES.md 4: every empty cell; after the first stone, under `swap`, also swap-pieces."""
        if self.is_over(state):
            return []
        empty = [cell for cell in self.cells() if self.at(state.stones, cell) == EMPTY]
        return empty + ([SWAP] if self.may_swap(state) else [])

    def play(self, state: State, move: Cell | str) -> State:
        """RULES.md 4: a stone on an empty cell, or swap-pieces."""
        if move not in self.legal_moves(state):
            raise ValueError(f"illegal move {move!r} in {state}")
        if move == SWAP:
            return self.swap_sides(state)
        return self.put(state, move)

    def returns(self, state: State) -> tuple[float, ...]:
        """RULES.md 4: +1 for the player whose present side is joined, -1 for the other."""
        player_0_won = self.joined(state.stones, side_of(state, 0))
        return (1.0, -1.0) if player_0_won else (-1.0, 1.0)

    # -- the moves ---------------------------------------------------------------------------

    def put(self, state: State, cell: Cell) -> State:
        """RULES.md 4: the mover puts a stone of his side on the cell."""
        r, c = cell
        stones = list(state.stones)
        stones[r * self.size + c] = side_of(state, state.mover)
        return State(tuple(stones), 1 - state.mover, state.swapped)

    def may_swap(self, state: State) -> bool:
        """RULES.md 4, Option swap: only the answer to the first stone."""
        n_stones = len(state.stones) - state.stones.count(EMPTY)
        return self.swap and n_stones == 1 and not state.swapped

    def swap_sides(self, state: State) -> State:
        """RULES.md 4, Option swap: the stone stays an X; player 1 is X now, player 0 plays O."""
        return State(state.stones, 1 - state.mover, True)

    # -- the end -----------------------------------------------------------------------------

    def joined(self, stones: tuple[str, ...], side: str) -> bool:
        """RULES.md 4, Board: X joins top and bottom, O left and right; flood from one edge."""
        reached = {
            cell
            for cell in self.cells()
            if distance_from_home(cell, side) == 0 and self.at(stones, cell) == side
        }
        frontier = list(reached)
        while frontier:
            for neighbour in self.neighbours(frontier.pop()):
                if neighbour not in reached and self.at(stones, neighbour) == side:
                    reached.add(neighbour)
                    frontier.append(neighbour)
        return any(distance_from_home(cell, side) == self.size - 1 for cell in reached)

    # -- the board ---------------------------------------------------------------------------

    def cells(self) -> list[Cell]:
        """All (r, c), row by row."""
        return [(r, c) for r in range(self.size) for c in range(self.size)]

    def at(self, stones: tuple[str, ...], cell: Cell) -> str:
        """What lies on the cell."""
        r, c = cell
        return stones[r * self.size + c]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """RULES.md 4, Board: the up to six cells that (r, c) touches."""
        r, c = cell
        touching = [(r + dr, c + dc) for dr, dc in NEIGHBOURS]
        return [(a, b) for a, b in touching if 0 <= a < self.size and 0 <= b < self.size]


def side_of(state: State, player: int) -> str:
    """RULES.md 4, Option swap: the stones that the player has at present."""
    plays_x = (player == 0) != state.swapped
    return "X" if plays_x else "O"


def distance_from_home(cell: Cell, side: str) -> int:
    """Rows below the top edge for X, columns right of the left edge for O."""
    r, c = cell
    return r if side == "X" else c
