"""The vocabulary in which a publication is written down as data.

A module of `topple.papers.data` says which games are played and what is computed,
which numbers were published and where, and which measured value each number is
compared with. `topple.papers.engine` plays, measures and judges it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

BOTH, FIRST, SECOND = "both", "first", "second"  # the seats whose games count
EVERYTHING = "*"  # in `Why.explains`: the reason explains every difference


class GameField(NamedTuple):
    """A game with its options, and the board that it is played on.

    `thresholds` gives some vertices, by number, another threshold.
    """

    game: str
    board: str
    thresholds: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class GameSet:
    """A set of arena games: every agent against every other, on every field.

    `full` and `quick` are numbers of games for each pairing on each field, half of
    them with seats swapped. The quick scale may use only the first `quick_fields`
    fields, and other agents under the same names where the paper's take hours.
    """

    name: str  # within the paper
    fields: tuple[GameField, ...]
    agents: Mapping[str, str]  # the paper's name of each agent, and its spec
    full: int  # the paper's own number of games
    quick: int
    gauntlet: bool = False  # only the first agent against each of the others
    plies: int = 0  # of random opening
    seed: int = 1
    game_time: float | None = None  # seconds for each side and game
    quick_fields: int | None = None
    quick_agents: Mapping[str, str] | None = None
    quick_game_time: float | None = None
    about: str = ""  # which of the settings are ours, and why

    @property
    def n_full(self) -> int:
        """The number of games that the paper itself played."""
        n = len(self.agents)
        pairings = n - 1 if self.gauntlet else n * (n - 1) // 2
        return len(self.fields) * pairings * self.full


@dataclass(frozen=True)
class Computed:
    """A fact that is computed, not played: a computation and its arguments.

    The result is plain JSON data.
    """

    name: str  # within the paper
    computation: str  # a key of `topple.papers.engine.computations.COMPUTATIONS`
    full: Mapping[str, Any] = field(default_factory=dict)
    quick: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""


# -- what is measured --------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """A share of an agent's games, out of `out_of` (100: in percent).

    `counts` is `win`, `draw`, `loss`, `score` (a draw is half a win) or
    `win-loss` (wins out of the games that were not drawn). Empty `opponents` means
    all of them, empty `boards` all fields. With a `reason`, only games that the
    rules ended for that reason are hits.
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
    """The unweighted mean of rates from several sets of games."""

    rates: tuple[Rate, ...]


@dataclass(frozen=True)
class Share:
    """The percentage of an agent's moves that went to some vertices of a board.

    `vertices` is `top` (the fifth with the highest degrees), `lowest`, `rest` (the
    other three fifths), or vertex numbers. `opponents` is as in `Rate`.
    """

    games: str
    agent: str
    board: str
    vertices: str | tuple[int, ...]
    opponents: tuple[str, ...] = ()
    seat: str = BOTH
    won: bool = False  # count only the games that the agent won


@dataclass(frozen=True)
class Cost:
    """The mean number of `simulations`, `nodes` or `seconds` for a move of an agent."""

    games: str
    agent: str
    what: str
    opponents: tuple[str, ...] = ()


@dataclass(frozen=True)
class MeasureRatio:
    """One measure divided by another; with `saved`, by how many percent that is below 1."""

    over: "Measure"
    under: "Measure"
    saved: bool = False


@dataclass(frozen=True)
class Fact:
    """A value inside a computed fact, found by following keys and list positions.

    The value is a number, a text or a bool, or for an estimate a mapping with
    `value`, `low` and `high`.
    """

    computed: str
    path: tuple[str | int, ...] = ()


SimpleMeasure = Rate | Share | Cost | Fact  # names one set of games, or one computed fact
Measure = SimpleMeasure | MeanRate | MeasureRatio


def simple_measures(measure: Measure) -> Iterator[SimpleMeasure]:
    """The measures of single sets of games or computed facts that a measure is made of."""
    if isinstance(measure, MeanRate):
        yield from measure.rates
    elif isinstance(measure, MeasureRatio):
        yield from simple_measures(measure.over)
        yield from simple_measures(measure.under)
    else:
        yield measure


def source_name(measure: SimpleMeasure) -> str:
    """The name of the games or the computed fact that a simple measure is taken from."""
    return measure.computed if isinstance(measure, Fact) else measure.games


def replace_sources(measure: Measure, instead: Mapping[str, str]) -> Measure:
    """A measure with some of its sets of games and computed facts replaced by others."""
    if isinstance(measure, MeanRate):
        rates = (replace(rate, games=instead.get(rate.games, rate.games)) for rate in measure.rates)
        return MeanRate(tuple(rates))
    if isinstance(measure, MeasureRatio):
        over, under = (replace_sources(each, instead) for each in (measure.over, measure.under))
        return replace(measure, over=over, under=under)
    name = instead.get(source_name(measure), source_name(measure))
    if isinstance(measure, Fact):
        return replace(measure, computed=name)
    return replace(measure, games=name)


# -- what was published ------------------------------------------------------------------------


class Number(NamedTuple):
    """A published number as it is printed, with its ± if one is printed.

    `trials` is the number of games behind a number that is printed without ±; its
    interval is computed from it.
    """

    value: float
    margin: float | None = None
    trials: int | None = None


@dataclass(frozen=True)
class ItemCell:
    """One value of a table or figure: its place, how to measure it, and what was published."""

    row: str
    column: str
    measure: Measure
    published: Number | str | bool | None = None  # None: only in a picture, or our own addition


# -- what the paper says in words --------------------------------------------------------------


@dataclass(frozen=True)
class Falling:
    """Cells, each as (row, column), whose values decrease from the first to the last."""

    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Between:
    """A cell whose value lies between two bounds; None means unbounded."""

    row: str
    column: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Holds:
    """A computed fact that must be true."""

    fact: Fact


Check = Falling | Between | Holds


class Claim(NamedTuple):
    """A statement of the paper, in our words, with the checks that test it."""

    text: str
    checks: tuple[Check, ...]
    section: str = ""


class ItemChoice(NamedTuple):
    """The same cells under another reading of a rule or setting that the paper leaves open.

    `instead` maps the item's sets of games (or computed facts) that change to their
    replacements; cells that use none of them are not repeated.
    """

    label: str
    instead: Mapping[str, str]
    about: str = ""


def under(column: str, choice: str) -> str:
    """The name of a column under a choice, as checks use it."""
    return f"{column} [{choice}]"


class Why(NamedTuple):
    """A reason why an item differs; it counts only while its checks hold.

    The checks name cells by (row, column); a column under a choice is written
    `COLUMN [LABEL]`. `explains` names the differences that the reason covers: texts of
    claims, and rows or columns of cells. Empty, or containing `*`, it covers the item.
    """

    text: str
    checks: tuple[Check, ...]
    explains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One table, figure or section of a paper.

    `form` selects its chart: `bars` (a group for each row, a bar for each column),
    `stacked` (a stack for each row, whose parts are the columns), `lines` (a line for
    each row over columns that are numbers), `curves` (of the computed facts in
    `curves`), `networks`, or empty for none.
    """

    kind: str  # table, figure or section
    number: str  # as printed
    title: str
    section: str  # of the paper
    cells: tuple[ItemCell, ...] = ()
    claims: tuple[Claim, ...] = ()
    choices: tuple[ItemChoice, ...] = ()
    why: tuple[Why, ...] = ()
    notes: tuple[str, ...] = ()
    form: str = ""
    axes: tuple[str, str] = ("", "")  # labels of the horizontal and the vertical axis
    curves: tuple[str, ...] = ()  # names of computed facts that have `x` and `series`

    @property
    def name(self) -> str:
        """What people call it.

        >>> Item("table", "IV", "Full loyalty", "V.D").name
        'table IV'
        """
        return f"{self.kind} {self.number}"

    def all_cells(self) -> Iterator[tuple[str | None, ItemCell]]:
        """The item's own cells, labelled None, then those of each choice with its label.

        The cells of a choice have the measures that apply under the choice.
        """
        for cell in self.cells:
            yield None, cell
        for choice in self.choices:
            for cell in self.cells:
                measure = replace_sources(cell.measure, choice.instead)
                if measure != cell.measure:
                    yield choice.label, replace(cell, measure=measure)

    def all_checks(self) -> Iterator[tuple[str, Check]]:
        """The checks of all claims and reasons, each with the text that it tests."""
        stated: list[Claim | Why] = [*self.claims, *self.why]
        for each in stated:
            for check in each.checks:
                yield each.text, check

    def sources(self) -> "Sources":
        """The games and computed facts that its values, checks and curves need.

        >>> cell = ItemCell("uct", "wins", Rate("I", "uct"))
        >>> choice = ItemChoice("draws", {"I": "II"})
        >>> Item("table", "I", "", "", (cell,), choices=(choice,)).sources()
        Sources(games=('I', 'II'), computed=())
        """
        games: dict[str, None] = {}
        computed: dict[str, None] = dict.fromkeys(self.curves)
        for _, cell in self.all_cells():
            for part in simple_measures(cell.measure):
                (computed if isinstance(part, Fact) else games).setdefault(source_name(part))
        for _, check in self.all_checks():
            if isinstance(check, Holds):
                computed.setdefault(check.fact.computed)
        return Sources(tuple(games), tuple(computed))


class Sources(NamedTuple):
    """Names of sets of games and of computed facts, each once, in order of first use."""

    games: tuple[str, ...]
    computed: tuple[str, ...]


@dataclass(frozen=True)
class Paper:
    """A publication: its items, and the games and computations that they need."""

    name: str  # what users type
    title: str
    authors: str
    source: str  # where it was published
    game: str
    items: tuple[Item, ...]
    games: tuple[GameSet, ...] = ()
    computed: tuple[Computed, ...] = ()
    about: str = ""  # settings of ours that apply to all items

    @property
    def tasks(self) -> dict[str, GameSet | Computed]:
        """Its sets of games and computed facts by name."""
        tasks: list[GameSet | Computed] = [*self.games, *self.computed]
        return {each.name: each for each in tasks}
