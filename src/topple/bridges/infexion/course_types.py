"""Infexion's words as the course's referee has them, for agents that come without it.

Written from the course's interface: the same names mean the same, so that an agent that
says `from referee.game import HexPos` finds here what it looks for there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Self

BOARD_N = 7
NUM_PLAYERS = 2
GAME_NAME = "Infexion"
MAX_TOTAL_POWER = BOARD_N * BOARD_N
MAX_CELL_POWER = BOARD_N - 1
MAX_TURNS = BOARD_N**3
WIN_POWER_DIFF = 2


class PlayerException(Exception):
    """A player has done what ends the game."""


class IllegalActionException(PlayerException):
    """An action that may not be played."""


class PlayerColor(Enum):
    """A side: Red begins."""

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
    """A step on the board, r up and q down to the right."""

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
        """How far up it goes."""
        return self.value.r

    @property
    def q(self) -> int:
        """How far down to the right it goes."""
        return self.value.q

    @classmethod
    def _missing_(cls, value: object) -> "HexDir":
        """A pair of numbers names a direction too."""
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
    """A cell. What is added to it wraps around the board."""

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
    """A stack of power 1 on an empty cell."""

    cell: HexPos

    def __str__(self) -> str:
        return f"SPAWN({self.cell.r}, {self.cell.q})"


@dataclass(frozen=True, slots=True)
class SpreadAction:
    """An own stack spreads."""

    cell: HexPos
    direction: HexDir

    def __str__(self) -> str:
        return f"SPREAD({self.cell.r}, {self.cell.q}, {self.direction.r}, {self.direction.q})"


Action = SpawnAction | SpreadAction
