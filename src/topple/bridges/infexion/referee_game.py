"""A replacement for the course's package `referee.game`, for agents that come without it.

Written from the course's documented interface: the same names mean the same, so an agent can
say `from referee.game import HexPos`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

BOARD_N = 7
NUM_PLAYERS = 2
GAME_NAME = "Infexion"
MAX_TOTAL_POWER = BOARD_N * BOARD_N
MAX_CELL_POWER = BOARD_N - 1
MAX_TURNS = BOARD_N**3
WIN_POWER_DIFF = 2


class PlayerException(Exception):
    """A player has done something that ends the game."""


class IllegalActionException(PlayerException):
    """An illegal action."""


class PlayerColor(Enum):
    """A side; Red begins."""

    RED = 0
    BLUE = 1

    @property
    def opponent(self) -> "PlayerColor":
        """The other side."""
        return PlayerColor(1 - self.value)

    def __index__(self) -> int:
        return int(self.value)

    def __int__(self) -> int:
        return -1 if self is PlayerColor.BLUE else 1

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class HexVec:
    """A vector on the board: r points up and q down to the right."""

    r: int
    q: int

    def __add__(self, other: "HexVec | HexDir") -> Self:
        return type(self)(self.r + other.r, self.q + other.q)

    def __sub__(self, other: "HexVec | HexDir") -> Self:
        return type(self)(self.r - other.r, self.q - other.q)

    def __neg__(self) -> Self:
        return type(self)(-self.r, -self.q)

    def __mul__(self, times: int) -> Self:
        return type(self)(times * self.r, times * self.q)

    def __iter__(self) -> Iterator[int]:
        return iter((self.r, self.q))


class HexDir(Enum):
    """One of the six directions."""

    DownRight = HexVec(0, 1)
    Down = HexVec(-1, 1)
    DownLeft = HexVec(-1, 0)
    UpLeft = HexVec(0, -1)
    Up = HexVec(1, -1)
    UpRight = HexVec(1, 0)

    @property
    def r(self) -> int:
        """The component r."""
        return self.value.r

    @property
    def q(self) -> int:
        """The component q."""
        return self.value.q

    @classmethod
    def _missing_(cls, value: object) -> "HexDir":
        """Find a direction by any pair of its numbers."""
        if isinstance(value, Iterable):
            numbers = tuple(value)
            for direction in cls:
                if (direction.r, direction.q) == numbers:
                    return direction
        raise ValueError(f"{value} is not a direction of Infexion")

    def __neg__(self) -> "HexDir":
        return HexDir(-self.value)

    def __mul__(self, times: int) -> HexVec:
        return self.value * times

    def __str__(self) -> str:
        return f"[{ARROWS[self.name]}]"


ARROWS = {"DownRight": "↘", "Down": "↓", "DownLeft": "↙", "UpLeft": "↖", "Up": "↑", "UpRight": "↗"}


@dataclass(frozen=True, order=True)
class HexPos(HexVec):
    """A cell; sums and differences wrap around the board."""

    def __post_init__(self) -> None:
        if not (0 <= self.r < BOARD_N and 0 <= self.q < BOARD_N):
            raise ValueError(f"({self.r}, {self.q}) is off the board")

    def __add__(self, other: HexVec | HexDir) -> Self:
        return type(self)((self.r + other.r) % BOARD_N, (self.q + other.q) % BOARD_N)

    def __sub__(self, other: HexVec | HexDir) -> Self:
        return type(self)((self.r - other.r) % BOARD_N, (self.q - other.q) % BOARD_N)

    def __str__(self) -> str:
        return f"{self.r}-{self.q}"


@dataclass(frozen=True, slots=True)
class SpawnAction:
    """Place a stack of power 1 on an empty cell."""

    cell: HexPos

    def __str__(self) -> str:
        return f"SPAWN({self.cell.r}, {self.cell.q})"


@dataclass(frozen=True, slots=True)
class SpreadAction:
    """Spread an own stack in a direction."""

    cell: HexPos
    direction: HexDir

    def __str__(self) -> str:
        return f"SPREAD({self.cell.r}, {self.cell.q}, {self.direction.r}, {self.direction.q})"


Action = SpawnAction | SpreadAction


@dataclass(frozen=True, slots=True)
class CellState:
    """A cell's owner and power; unowned or overfull cells count as empty."""

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
    """The change of one cell by an action."""

    cell: HexPos
    prev: CellState
    next: CellState


@dataclass(frozen=True, slots=True)
class BoardMutation:
    """All changes by an action."""

    action: Action
    cell_mutations: set[CellMutation]


EMPTY = CellState()
Cells = dict[HexPos, CellState]


class Board:
    """The state of a game, which actions change and undo.

    The attributes that begin with an underscore are the course's too, because agents use them.
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
        """The number of actions played."""
        return len(self._history)

    @property
    def game_over(self) -> bool:
        """Whether the game is over."""
        powers = [self._color_power(color) for color in PlayerColor]
        return self.turn_count >= 2 and (self.turn_count >= MAX_TURNS or not all(powers))

    @property
    def winner_color(self) -> PlayerColor | None:
        """The winner; None before the end and in a draw."""
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
            If it is not legal.
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
            raise self._illegal("the board is at its total power limit")
        if self._cell_occupied(cell):
            raise self._illegal(f"{cell} is not empty")
        return {cell: CellState(self._turn_color, 1)}

    def _spread(self, action: SpreadAction) -> Cells:
        stack = self._state[action.cell]
        if stack.player != self._turn_color:
            raise self._illegal(f"{action.cell} holds no stack of {self._turn_color}")
        changes, cell = {action.cell: EMPTY}, action.cell
        for _ in range(stack.power):
            cell = cell + action.direction
            changes[cell] = CellState(self._turn_color, self._state[cell].power + 1)
        return changes

    def _illegal(self, why: str) -> IllegalActionException:
        return IllegalActionException(why, self._turn_color)

    def render(self, use_color: bool = False, use_unicode: bool = False) -> str:
        """The board as text: a rhombus standing on its corner, with (0, 0) at the left."""
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
