"""Infexion, the slow twin: RULES.md section 3, rule by rule.

Red is player 0 and moves first, Blue is player 1. For a board of size n read n for 7, n * n for 49
and n ** 3 for 343.
"""

from dataclasses import dataclass

RED, BLUE = 0, 1
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))

Spawn = tuple[str, int, int]
Spread = tuple[str, int, int, int, int]
Stack = tuple[int, int]  # (colour, power)


@dataclass(frozen=True)
class State:
    """RULES.md 3, Board: a stack or None per cell, (r, q) at r * size + q."""

    cells: tuple[Stack | None, ...]
    actions: int  # actions played so far


class Infexion:
    """RULES.md 3: spawn and spread on a torus of hexagons; be ahead in power at the end."""

    n_players = 2

    def __init__(self, size: int = 7) -> None:
        if size < 2:
            raise ValueError(f"size must be at least 2, not {size}")
        self.size = size

    # -- the common interface ----------------------------------------------------------------

    def start(self) -> State:
        """RULES.md 3, Board: all cells empty."""
        return State((None,) * (self.size * self.size), 0)

    def player(self, state: State) -> int:
        """RULES.md 3, Board: Red moves first; no passing."""
        return RED if state.actions % 2 == 0 else BLUE

    def is_over(self, state: State) -> bool:
        """RULES.md 3, The end: once two actions have been played, no power or 343 actions."""
        if state.actions < 2:
            return False
        eliminated = power(state, RED) == 0 or power(state, BLUE) == 0
        return eliminated or state.actions >= self.size**3

    def legal_moves(self, state: State) -> list[Spawn | Spread]:
        """RULES.md 3: every SPAWN, then every SPREAD."""
        if self.is_over(state):
            return []
        return self.spawns(state) + self.spreads(state)

    def play(self, state: State, move: Spawn | Spread) -> State:
        """RULES.md 3: one action of the side to move."""
        if move not in self.legal_moves(state):
            raise ValueError(f"illegal move {move!r} in {state}")
        name, *where = move
        cells = self.spawn(state, *where) if name == "SPAWN" else self.spread(state, *where)
        return State(cells, state.actions + 1)

    def returns(self, state: State) -> tuple[float, ...]:
        """RULES.md 3, The end: the side ahead by at least 2 power wins, otherwise a draw."""
        lead = power(state, RED) - power(state, BLUE)
        if abs(lead) < 2:
            return (0.0, 0.0)
        return (1.0, -1.0) if lead > 0 else (-1.0, 1.0)

    # -- which actions there are -------------------------------------------------------------

    def spawns(self, state: State) -> list[Spawn]:
        """RULES.md 3, SPAWN: on an empty cell, only while the total power is below 49."""
        if power(state, RED) + power(state, BLUE) >= self.size * self.size:
            return []
        return [("SPAWN", r, q) for r, q in self.places() if self.at(state, r, q) is None]

    def spreads(self, state: State) -> list[Spread]:
        """RULES.md 3, SPREAD: an own stack in one of six directions."""
        return [
            ("SPREAD", r, q, dr, dq)
            for r, q in self.places()
            if self.is_own(state, r, q)
            for dr, dq in DIRECTIONS
        ]

    # -- what they do ------------------------------------------------------------------------

    def spawn(self, state: State, r: int, q: int) -> tuple[Stack | None, ...]:
        """RULES.md 3, SPAWN: a stack of power 1."""
        cells = list(state.cells)
        cells[self.index(r, q)] = (self.player(state), 1)
        return tuple(cells)

    def spread(self, state: State, r: int, q: int, dr: int, dq: int) -> tuple[Stack | None, ...]:
        """RULES.md 3, SPREAD: the stack leaves, the next k cells gain one power and turn."""
        _, stack_power = self.at(state, r, q)
        cells = list(state.cells)
        cells[self.index(r, q)] = None
        for step in range(1, stack_power + 1):
            target = self.index(r + step * dr, q + step * dq)
            cells[target] = self.infect(cells[target], self.player(state))
        return tuple(cells)

    def infect(self, cell: Stack | None, colour: int) -> Stack | None:
        """RULES.md 3, SPREAD: one power more, in this colour; at 7 the cell becomes empty."""
        grown = 1 if cell is None else cell[1] + 1
        return None if grown == self.size else (colour, grown)

    # -- the board ---------------------------------------------------------------------------

    def places(self) -> list[tuple[int, int]]:
        """All (r, q), row by row."""
        return [(r, q) for r in range(self.size) for q in range(self.size)]

    def index(self, r: int, q: int) -> int:
        """RULES.md 3, Board: where (r, q) is kept; both coordinates wrap."""
        return (r % self.size) * self.size + q % self.size

    def at(self, state: State, r: int, q: int) -> Stack | None:
        """The stack on (r, q), or None."""
        return state.cells[self.index(r, q)]

    def is_own(self, state: State, r: int, q: int) -> bool:
        """Whether a stack of the side to move stands on (r, q)."""
        cell = self.at(state, r, q)
        return cell is not None and cell[0] == self.player(state)


def power(state: State, colour: int) -> int:
    """The total power of one side."""
    return sum(cell[1] for cell in state.cells if cell is not None and cell[0] == colour)
