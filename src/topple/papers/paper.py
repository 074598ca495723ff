"""Paper: what a publication reports, item by item, and the settings that repeat it.

Everything here is data. A paper's file says which games are played and what is
computed, which numbers were published and where they stand, and what measured
value each of them is set beside. How it is played, measured and judged is the
business of `topple.reproduction`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BOTH, FIRST, SECOND = "both", "first", "second"  # the seats whose games count
EVERYTHING = "*"  # a reason explains all that differs


class Field(NamedTuple):
    """What is played on: a game with its options, and a board.

    `thresholds` replaces those of single vertices, by number.
    """

    game: str
    board: str
    thresholds: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Games:
    """Games that are played in the arena: every agent against every other, on every field.

    Numbers of games are those of a pairing on a field, half of them with seats
    swapped. `quick` may play fewer, on the first `quick_fields` fields only, and
    with other agents under the same names where the paper's settings take hours.
    """

    name: str  # within the paper
    fields: tuple[Field, ...]
    agents: Mapping[str, str]  # the paper's name of each agent, and its text
    full: int  # the paper's own number of games
    quick: int
    gauntlet: bool = False  # the first agent against each of the others only
    plies: int = 0  # of random opening
    seed: int = 1
    game_time: float | None = None  # seconds of each side for a game
    quick_fields: int | None = None
    quick_agents: Mapping[str, str] | None = None
    quick_game_time: float | None = None
    about: str = ""  # which of the settings are ours, and why


@dataclass(frozen=True)
class Computed:
    """A fact that is computed, not played: the name of a computation and what it is given.

    Its result is plain data: numbers, texts, lists and mappings of these.
    """

    name: str  # within the paper
    computation: str  # one of `topple.papers.engine.computations`
    full: Mapping[str, Any] = field(default_factory=dict)
    quick: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""


# -- what is measured --------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """A share of an agent's games, in percent unless `out_of` says otherwise.

    `counts` is `win`, `draw`, `loss`, `score` (a draw is half a win) or
    `win-loss` (wins out of the games that were not drawn). Without opponents
    those against all others count, without boards those on all fields. Where a
    `reason` is given, only games that ended for it, in the game's words, are hits.
    """

    games: str
    agent: str
    opponents: tuple[str, ...] = ()
    seat: str = BOTH
    counts: str = "win"
    boards: tuple[str, ...] = ()
    out_of: float = 100.0
    reason: str = ""


@dataclass(frozen=True)
class MeanRate:
    """The mean of rates from several sets of games, each weighing the same."""

    rates: tuple[Rate, ...]


@dataclass(frozen=True)
class Share:
    """The share, in percent, of an agent's moves that went to some vertices of a board.

    `vertices` is `top`, `rest` or `lowest` (fifths by degree), or numbers of
    vertices; opponents as in `Rate`.
    """

    games: str
    agent: str
    board: str
    vertices: str | tuple[int, ...]
    opponents: tuple[str, ...] = ()
    seat: str = BOTH
    won: bool = False  # only the games that the agent won


@dataclass(frozen=True)
class Cost:
    """What an agent's moves cost on average: `simulations`, `nodes` or `seconds` for a move."""

    games: str
    agent: str
    what: str
    opponents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ratio:
    """One measure by another, and how much that is less than 1 in percent where `saved`."""

    over: "Measure"
    under: "Measure"
    saved: bool = False


@dataclass(frozen=True)
class Fact:
    """A number or text out of a computed fact: the keys and places that lead to it.

    What stands there is a number, a text, a truth, or a mapping with `value`, `low`
    and `high` where it is an estimate.
    """

    computed: str
    path: tuple[str | int, ...] = ()


Measure = Rate | MeanRate | Share | Cost | Ratio | Fact


# -- what was published ------------------------------------------------------------------------


class Number(NamedTuple):
    """A published number as it is printed, with its ± where one is printed.

    `trials` is the number of games behind it where that is known and no ± is
    printed: the interval then follows from it.
    """

    value: float
    margin: float | None = None
    trials: int | None = None


@dataclass(frozen=True)
class Cell:
    """One value of a table or figure: where it stands, what was published, what measures it."""

    row: str
    column: str
    measure: Measure
    published: Number | str | bool | None = None  # None: shown in a picture only, or ours


# -- what the paper says in words --------------------------------------------------------------


@dataclass(frozen=True)
class Falling:
    """Cells, each as (row, column), whose values fall from the first to the last."""

    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Between:
    """A cell whose value lies between two numbers; None: no bound."""

    row: str
    column: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Holds:
    """A fact that is true."""

    fact: Fact


Check = Falling | Between | Holds


class Claim(NamedTuple):
    """Something the paper says, in our words, with what shows it."""

    text: str
    checks: tuple[Check, ...]
    section: str = ""


class Choice(NamedTuple):
    """The same cells under another choice of a rule or setting that the paper leaves open.

    `instead` names, for each of the item's games (or computed facts) that change,
    the ones that stand in for it; cells that use none of them are not repeated.
    """

    label: str
    instead: Mapping[str, str]
    about: str = ""


def under(column: str, choice: str) -> str:
    """How checks name a column under a choice."""
    return f"{column} [{choice}]"


class Why(NamedTuple):
    """Why an item differs: a reason, and the checks that must hold for it to count.

    The checks look at cells by (row, column); a column of a choice is written
    `COLUMN [LABEL]`. `explains` names what differs for this reason: texts of claims,
    and rows or columns of cells; nothing, or `*`, stands for all of the item.
    """

    text: str
    checks: tuple[Check, ...]
    explains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One table, figure or section of a paper.

    `form` says how its values are drawn: `bars` (a group for each row, a bar for each
    column), `stacked` (a stack for each row, the columns are its parts), `lines` (a
    line for each row, the columns are numbers along the axis), `curves` (of a computed
    fact, see `curves`), `networks`, or nothing.
    """

    kind: str  # table, figure or section
    number: str  # as printed
    title: str
    section: str  # where it stands
    cells: tuple[Cell, ...] = ()
    claims: tuple[Claim, ...] = ()
    choices: tuple[Choice, ...] = ()
    why: tuple[Why, ...] = ()
    notes: tuple[str, ...] = ()
    form: str = ""
    axes: tuple[str, str] = ("", "")  # what the axes of a figure are called
    curves: tuple[str, ...] = ()  # computed facts with `x` and `series`, by name

    @property
    def name(self) -> str:
        """As people call it.

        >>> Item("table", "IV", "Full loyalty", "V.D").name
        'table IV'
        """
        return f"{self.kind} {self.number}"


@dataclass(frozen=True)
class Paper:
    """A publication: its items, and the games and computations that they are measured by."""

    name: str  # what people type
    title: str
    authors: str
    source: str  # where it was published
    game: str
    items: tuple[Item, ...]
    games: tuple[Games, ...] = ()
    computed: tuple[Computed, ...] = ()
    about: str = ""  # settings that hold for all items and are ours
