"""Findings: what was measured of a paper's items, and how it compares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from topple.papers.engine.scale import Scale
from topple.papers.paper import Cell, Claim, Games, Item, Paper, Why, under

# Of a cell: the last two where nothing is measured yet, and where nothing was published.
# Of an item: the first three, or OPEN, or OURS where the paper has neither number nor claim,
# or UNDECIDED_ITEM where nothing differs, but something is not measured or not decided yet.
AGREES, DIFFERS, EXPLAINED, OPEN, OURS = (
    "agrees", "differs", "differs, and here is why", "not measured yet", "ours",
)  # fmt: skip
UNDECIDED_ITEM = "undecided: play more"

# Of a claim: UNDECIDED where the intervals overlap.
HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"


class Measured(NamedTuple):
    """A measured value, with the ends of its 95% interval unless it is exact."""

    value: float | str | bool
    low: float | None = None
    high: float | None = None
    games: int = 0  # behind it


class JudgedCell(NamedTuple):
    """A cell with what was measured, under the settings of the item or under a choice."""

    cell: Cell
    choice: str | None  # its label
    measured: Measured | None
    verdict: str

    @property
    def place(self) -> tuple[str, str]:
        """Row and column, as checks name them."""
        column = self.cell.column
        return self.cell.row, column if self.choice is None else under(column, self.choice)


class JudgedClaim(NamedTuple):
    """A claim, and whether it holds."""

    claim: Claim
    verdict: str


class JudgedWhy(NamedTuple):
    """A reason, and whether what it rests on was measured and holds."""

    why: Why
    verdict: str


class Played(NamedTuple):
    """Games of one set that an item rests on: how many of them are there, and their cost."""

    games: Games
    agents: Mapping[str, str]  # those of the scale
    n_fields: int
    n_games: int  # in the store
    planned: int  # in all, at the scale
    full: int  # in all, of the paper
    seconds: float  # of one core, all moves of both sides
    n_forfeits: int = 0  # games lost by a crash, an illegal move or time: they count as lost


@dataclass(frozen=True)
class ItemFindings:
    """Everything that is known of one item."""

    item: Item
    cells: tuple[JudgedCell, ...]  # first those of the item itself, then choice by choice
    claims: tuple[JudgedClaim, ...]
    why: tuple[JudgedWhy, ...]
    verdict: str
    played: tuple[Played, ...]
    computed_seconds: float
    curves: Mapping[str, Any]  # computed facts that are drawn, by name
    command: str  # that repeats it

    @property
    def n_games(self) -> int:
        """The games that it rests on."""
        return sum(played.n_games for played in self.played)

    @property
    def seconds(self) -> float:
        """The computing time of one core behind it."""
        return self.computed_seconds + sum(played.seconds for played in self.played)


@dataclass(frozen=True)
class PaperFindings:
    """A paper with the findings on its items, or on those that were asked for."""

    paper: Paper
    scale: Scale
    items: tuple[ItemFindings, ...]
