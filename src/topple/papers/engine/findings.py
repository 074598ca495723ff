"""Findings: what was measured of a paper's items, and how it compares with the published values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from topple.papers.engine.plans import Scale
from topple.papers.paper import Claim, GameSet, Item, ItemCell, Paper, Why, under

# Verdicts on a cell: AGREES, DIFFERS, OPEN (not measured yet) or OURS (nothing was published).
# Verdicts on an item: these, with OURS where the paper has neither a number nor a claim, EXPLAINED
# where reasons that hold cover every difference, and UNDECIDED_ITEM where nothing differs but
# something is not measured or decided yet.
AGREES = "agrees"
DIFFERS = "differs"
EXPLAINED = "differs, and here is why"
OPEN = "not measured yet"
OURS = "ours"
UNDECIDED_ITEM = "undecided: play more"

# Verdicts on a claim; UNDECIDED where intervals overlap.
HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"


class Measured(NamedTuple):
    """A measured value, with the ends of its 95% interval unless it is exact."""

    value: float | str | bool
    low: float | None = None
    high: float | None = None
    games: int = 0  # that it was measured from

    @property
    def is_exact(self) -> bool:
        """Whether it has no interval."""
        return self.low is None and self.high is None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of its interval, both the value itself if it is exact; None for texts."""
        if isinstance(self.value, str | bool):
            return None
        low = self.value if self.low is None else self.low
        return low, self.value if self.high is None else self.high

    def margin_towards(self, other: float) -> float:
        """How far the interval reaches from the value in the direction of another number.

        >>> none_of_27 = Measured(0.0, 0.0, 12.46)
        >>> none_of_27.margin_towards(7.0), none_of_27.margin_towards(-7.0)
        (12.46, 0.0)
        """
        if self.interval is None or isinstance(self.value, str):
            return 0.0
        low, high = self.interval
        return high - self.value if other > self.value else self.value - low


class JudgedCell(NamedTuple):
    """A cell with its measured value, under the item's own settings or under a choice."""

    cell: ItemCell
    choice: str | None  # the label of the choice
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
    """A reason, and whether its checks hold."""

    why: Why
    verdict: str


class GamesSummary(NamedTuple):
    """How many games of a set a store has, and what they cost."""

    games: GameSet
    agents: Mapping[str, str]  # at the scale
    n_fields: int
    n_games: int  # in the store
    planned: int  # at the scale
    full: int  # that the paper played
    seconds: float  # core time of all moves
    n_forfeits: int = 0  # lost by a crash, an illegal move or time; they count as lost


@dataclass(frozen=True)
class ItemFindings:
    """Everything that is known of one item."""

    item: Item
    cells: tuple[JudgedCell, ...]  # first the item's own, then choice by choice
    claims: tuple[JudgedClaim, ...]
    why: tuple[JudgedWhy, ...]
    verdict: str
    played: tuple[GamesSummary, ...]
    computed_seconds: float
    curves: Mapping[str, Any]  # the computed facts that are drawn, by name
    command: str  # that repeats it

    @property
    def n_games(self) -> int:
        """The number of games behind it."""
        return sum(summary.n_games for summary in self.played)

    @property
    def seconds(self) -> float:
        """The core time behind it."""
        return self.computed_seconds + sum(summary.seconds for summary in self.played)


@dataclass(frozen=True)
class PaperFindings:
    """The findings on the selected items of a paper."""

    paper: Paper
    scale: Scale
    items: tuple[ItemFindings, ...]

    @property
    def citation(self) -> str:
        """Authors and source, in one sentence."""
        named = (text.rstrip(".") for text in (self.paper.authors, self.paper.source) if text)
        return f"{'. '.join(named)}."
