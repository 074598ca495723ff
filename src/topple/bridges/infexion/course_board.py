"""The course's board, for agents that use the referee's own and come without it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from topple.bridges.infexion.course_types import (
    BOARD_N,
    MAX_CELL_POWER,
    MAX_TOTAL_POWER,
    MAX_TURNS,
    WIN_POWER_DIFF,
    Action,
    HexPos,
    IllegalActionException,
    PlayerColor,
    SpawnAction,
    SpreadAction,
)


@dataclass(frozen=True, slots=True)
class CellState:
    """What is on a cell: whose stack, and its power; nobody's, and too much, is nothing."""

    player: PlayerColor | None = None
    power: int = 0

    def __post_init__(self) -> None:
        if self.player is None or self.power > MAX_CELL_POWER:
            object.__setattr__(self, "player", None)
            object.__setattr__(self, "power", 0)

    def __iter__(self) -> Iterator[Any]:
        yield self.player
        yield self.power

    def __str__(self) -> str:
        return f"CellState({self.player}, {self.power})"


@dataclass(frozen=True, slots=True)
class CellMutation:
    """What an action has changed on a cell."""

    cell: HexPos
    prev: CellState
    next: CellState


@dataclass(frozen=True, slots=True)
class BoardMutation:
    """What an action has changed."""

    action: Action
    cell_mutations: set[CellMutation]


EMPTY = CellState()
Cells = dict[HexPos, CellState]


class Board:
    """The state of a game, changed by its actions and changed back.

    Agents look into it: the names that begin with a line are the course's own too.
    """

    def __init__(self, initial_state: Cells | None = None) -> None:
        self._state: Cells = defaultdict(CellState, initial_state or {})
        self._turn_color = PlayerColor.RED
        self._history: list[BoardMutation] = []

    def __getitem__(self, cell: HexPos) -> CellState:
        if not self._within_bounds(cell):
            raise IndexError(f"{cell} is off the board")
        return self._state[cell]

    @property
    def turn_color(self) -> PlayerColor:
        """Who is to move."""
        return self._turn_color

    @property
    def turn_count(self) -> int:
        """How many actions have been played."""
        return len(self._history)

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""
        powers = [self._color_power(color) for color in PlayerColor]
        return self.turn_count >= 2 and (self.turn_count >= MAX_TURNS or not all(powers))

    @property
    def winner_color(self) -> PlayerColor | None:
        """Who has won; None before the end, and in a draw."""
        red, blue = (self._color_power(color) for color in PlayerColor)
        if not self.game_over or abs(red - blue) < WIN_POWER_DIFF:
            return None
        return PlayerColor.RED if red > blue else PlayerColor.BLUE

    @property
    def _total_power(self) -> int:
        return sum(cell.power for cell in self._state.values())

    def _player_cells(self, color: PlayerColor) -> list[CellState]:
        return [cell for cell in self._state.values() if cell.player == color]

    def _color_power(self, color: PlayerColor) -> int:
        return sum(cell.power for cell in self._player_cells(color))

    def _within_bounds(self, cell: HexPos) -> bool:
        r, q = cell
        return 0 <= r < BOARD_N and 0 <= q < BOARD_N

    def _cell_occupied(self, cell: HexPos) -> bool:
        return self._state[cell].power > 0

    def apply_action(self, action: Action) -> None:
        """Play an action.

        Raises
        ------
        IllegalActionException
            If it may not be played.
        """
        match action:
            case SpawnAction(cell):
                changes = self._spawn(cell)
            case SpreadAction(cell, _):
                changes = self._spread(action)
            case _:
                raise self._illegal(f"{action} is no action")
        mutations = {CellMutation(cell, self._state[cell], new) for cell, new in changes.items()}
        self._history.append(BoardMutation(action, mutations))
        self._state.update(changes)
        self._turn_color = self._turn_color.opponent

    def undo_action(self) -> None:
        """Take back the last action.

        Raises
        ------
        IndexError
            If there is none.
        """
        if not self._history:
            raise IndexError("there is no action to take back")
        for mutation in self._history.pop().cell_mutations:
            self._state[mutation.cell] = mutation.prev
        self._turn_color = self._turn_color.opponent

    def _spawn(self, cell: HexPos) -> Cells:
        if self._total_power >= MAX_TOTAL_POWER:
            raise self._illegal("the board bears no more power")
        if self._cell_occupied(cell):
            raise self._illegal(f"{cell} is not empty")
        return {cell: CellState(self._turn_color, 1)}

    def _spread(self, action: SpreadAction) -> Cells:
        stack = self._state[action.cell]
        if stack.player != self._turn_color:
            raise self._illegal(f"{action.cell} holds no stack of {self._turn_color}'s")
        changes, cell = {action.cell: EMPTY}, action.cell
        for _ in range(stack.power):
            cell = cell + action.direction
            changes[cell] = CellState(self._turn_color, self._state[cell].power + 1)
        return changes

    def _illegal(self, why: str) -> IllegalActionException:
        return IllegalActionException(why, self._turn_color)

    def render(self, use_color: bool = False, use_unicode: bool = False) -> str:
        """The board as text: a rhombus that stands on its corner, (0, 0) at the left."""
        lines = []
        for across in range(1 - BOARD_N, BOARD_N):  # q less r, the same all along a line
            starts = max(0, -across)
            cells = [HexPos(r, r + across) for r in range(starts, starts + BOARD_N - abs(across))]
            texts = [f"{self._text(cell, use_color)}    " for cell in cells]
            lines.append("    " * abs(across) + "".join(texts) + "\n")
        return "".join(lines)

    def _text(self, cell: HexPos, use_color: bool) -> str:
        player, power = self._state[cell]
        if player is None:
            return " .. "
        text = f"{str(player)[0].lower()}{power}".center(4)
        if not use_color:
            return text
        return f"\033[{31 if player == PlayerColor.RED else 34}m{text}\033[0m"
