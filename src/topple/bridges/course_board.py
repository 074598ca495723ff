"""The course's board, for agents that use the referee's own and come without it."""

from dataclasses import dataclass

from topple.bridges.course_types import (
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
    """What is on a cell: whose stack, and its power."""

    player: PlayerColor | None = None
    power: int = 0


EMPTY = CellState()
Cells = dict[HexPos, CellState]


class Board:
    """The state of a game, changed by its actions and changed back."""

    def __init__(self, initial_state: Cells | None = None) -> None:
        self._state: Cells = {
            HexPos(r, q): EMPTY for r in range(BOARD_N) for q in range(BOARD_N)
        }  # fmt: skip
        self._state |= initial_state or {}
        self._turn_color = PlayerColor.RED
        self._before: list[Cells] = []  # of each action, what it has changed

    def __getitem__(self, pos: HexPos) -> CellState:
        return self._state[pos]

    @property
    def turn_color(self) -> PlayerColor:
        """Who is to move."""
        return self._turn_color

    @property
    def turn_count(self) -> int:
        """How many actions have been played."""
        return len(self._before)

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

    def _color_power(self, color: PlayerColor) -> int:
        return sum(cell.power for cell in self._state.values() if cell.player == color)

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
        self._before.append({cell: self._state[cell] for cell in changes})
        self._state |= changes
        self._turn_color = self._turn_color.opponent

    def undo_action(self) -> None:
        """Take back the last action.

        Raises
        ------
        IndexError
            If there is none.
        """
        self._state |= self._before.pop()
        self._turn_color = self._turn_color.opponent

    def _spawn(self, cell: HexPos) -> Cells:
        if self._total_power >= MAX_TOTAL_POWER:
            raise self._illegal("the board bears no more power")
        if self._state[cell].power:
            raise self._illegal(f"{cell} is not empty")
        return {cell: CellState(self._turn_color, 1)}

    def _spread(self, action: SpreadAction) -> Cells:
        stack = self._state[action.cell]
        if stack.player != self._turn_color:
            raise self._illegal(f"{action.cell} holds no stack of {self._turn_color}'s")
        changes, cell = {action.cell: EMPTY}, action.cell
        for _ in range(stack.power):
            cell = cell + action.direction
            power = self._state[cell].power + 1
            changes[cell] = CellState(self._turn_color, power) if power <= MAX_CELL_POWER else EMPTY
        return changes

    def _illegal(self, why: str) -> IllegalActionException:
        return IllegalActionException(why, self._turn_color)

    def render(self, use_color: bool = False, use_unicode: bool = False) -> str:
        """The board as text, row by row."""
        rows = []
        for r in reversed(range(BOARD_N)):
            stacks = [self._state[HexPos(r, q)] for q in range(BOARD_N)]
            texts = [f"{str(s.player)[0].lower()}{s.power}" if s.power else ".." for s in stacks]
            rows.append("  " * (BOARD_N - 1 - r) + "  ".join(texts))
        return "\n".join(rows)
