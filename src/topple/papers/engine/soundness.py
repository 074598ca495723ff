"""Soundness: whether a paper's data hold together, before anything is played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isfinite

from topple.core.errors import BadText, ToppleError, unknown
from topple.papers.engine.computing import fact_name
from topple.papers.engine.counts import COUNTS
from topple.papers.engine.needs import item_cells, item_checks, item_needs, parts_of
from topple.papers.engine.scale import FULL, QUICK, parse_scale
from topple.papers.paper import (
    BOTH,
    EVERYTHING,
    FIRST,
    SECOND,
    Between,
    Cell,
    Computed,
    Cost,
    Fact,
    Falling,
    Games,
    Item,
    MeanRate,
    Number,
    Paper,
    Rate,
    Share,
    Why,
    under,
)

KINDS = ("table", "figure", "section")
FORMS = ("", "bars", "stacked", "lines", "curves", "networks")
SEATS = (BOTH, FIRST, SECOND)
COSTS = ("simulations", "nodes", "seconds")
FIFTHS = ("top", "rest", "lowest")


def check_names(paper: Paper) -> None:
    """Refuse a paper in which something is named that is not there, or twice.

    Raises
    ------
    BadText
        That says where, and what is wrong.
    """
    with blaming(paper.name):
        _Names(paper).check()


@contextmanager
def blaming(what: str) -> Iterator[None]:
    """Say of what is wrong where it stands."""
    try:
        yield
    except ToppleError as error:
        raise BadText(f"{what}: {error}") from None


@dataclass
class _Names:
    """The names of a paper, to look others up among them."""

    paper: Paper
    games: dict[str, Games] = field(init=False)
    computed: dict[str, Computed] = field(init=False)

    def __post_init__(self) -> None:
        self.games = {each.name: each for each in self.paper.games}
        self.computed = {each.name: each for each in self.paper.computed}

    def check(self) -> None:
        paper = self.paper
        names = [games.name for games in paper.games]
        names += [computed.name for computed in paper.computed]
        _once("set of games or computed fact", names)
        _once("item", [item.name for item in paper.items])
        for games in paper.games:
            with blaming(f"games {games.name}"):
                _check_games(games)
        for computed in paper.computed:
            with blaming(f"computed fact {computed.name}"):
                _check_computed(computed)
        for item in paper.items:
            with blaming(item.name):
                self._check_item(item)
        self._check_all_are_used()

    def _check_all_are_used(self) -> None:
        needs = [item_needs(item) for item in self.paper.items]
        used = {name for need in needs for name in (*need.games, *need.computed)}
        if unused := [name for name in (*self.games, *self.computed) if name not in used]:
            raise BadText(f"no item rests on {unused[0]!r}: nothing would ever ask for it")

    def _check_item(self, item: Item) -> None:
        _one_of("kind of item", item.kind, KINDS)
        _one_of("form", item.form, FORMS)
        if not item.section and any(cell.published is not None for cell in item.cells):
            raise BadText("the section in which its numbers stand is not named")
        _once("cell", [f"{cell.row}, {cell.column}" for cell in item.cells])
        _once("choice", [choice.label for choice in item.choices])
        for name in item.curves:
            _one_of("computed fact", name, self.computed)
        self._check_choices(item)
        for label, cell in item_cells(item):
            with blaming(f"cell {_place(cell.row, cell.column, label)}"):
                self._check_cell(cell)
        self._check_checks(item)

    def _check_choices(self, item: Item) -> None:
        own = {name for cell in item.cells for name in _names(cell)}
        for choice in item.choices:
            with blaming(f"choice {choice.label}"):
                for name, other in choice.instead.items():
                    _one_of("name among its cells' games and computed facts", name, own)
                    known = self.games if name in self.games else self.computed
                    _one_of("stand-in", other, known)

    def _check_cell(self, cell: Cell) -> None:
        for part in parts_of(cell.measure):
            if isinstance(part, Fact):
                _one_of("computed fact", part.computed, self.computed)
            else:
                _one_of("set of games", part.games, self.games)
                _check_part(part, self.games[part.games])
        if isinstance(cell.measure, MeanRate):
            _check_mean(cell.measure)
        if isinstance(cell.published, Number):
            _check_number(cell, cell.published)

    def _check_checks(self, item: Item) -> None:
        said = [(claim.text, claim.checks) for claim in item.claims]
        said += [(why.text, why.checks) for why in item.why]
        for text, checks in said:
            if not checks:
                raise BadText(f"nothing shows {text[:40]!r}: it has no checks")
        places = {_place(cell.row, cell.column, label) for label, cell in item_cells(item)}
        for text, check in item_checks(item):
            with blaming(f"{text[:40]!r}"):
                if isinstance(check, Falling):
                    if len(check.cells) < 2:
                        raise BadText("values fall from one cell to another: name two or more")
                    for place in check.cells:
                        _one_of("cell", _place(*place), places)
                elif isinstance(check, Between):
                    _one_of("cell", _place(check.row, check.column), places)
                else:
                    _one_of("computed fact", check.fact.computed, self.computed)
        for why in item.why:
            with blaming(f"{why.text[:40]!r}"):
                _check_explained(why, item)


def _check_explained(why: Why, item: Item) -> None:
    known = [EVERYTHING, *(claim.text for claim in item.claims)]
    known += [label for cell in item.cells for label in (cell.row, cell.column)]
    for name in why.explains:
        _one_of("claim, row or column", name, dict.fromkeys(known))


def _names(cell: Cell) -> Iterator[str]:
    for part in parts_of(cell.measure):
        yield part.computed if isinstance(part, Fact) else part.games


def _place(row: str, column: str, label: str | None = None) -> str:
    return f"{row}, {column if label is None else under(column, label)}"


def _check_games(games: Games) -> None:
    for name in games.quick_agents or {}:
        _one_of("agent", name, games.agents)
    if not games.fields or (games.quick_fields is not None and games.quick_fields < 1):
        raise BadText("there is no field to play on")
    if games.quick > games.full:
        raise BadText(f"quick plays {games.quick:,} games, more than the {games.full:,} of full")
    for n in (games.quick, games.full):
        if n < 1:
            raise BadText(f"{n} games are none")


def _check_computed(computed: Computed) -> None:
    for scale in (QUICK, FULL):
        fact_name(computed, parse_scale(scale))


def _check_part(part: Rate | Share | Cost, games: Games) -> None:
    _one_of("agent", part.agent, games.agents)
    for name in part.opponents:
        _one_of("agent", name, games.agents)
        leader = next(iter(games.agents))
        if name == part.agent or (games.gauntlet and leader not in (name, part.agent)):
            raise BadText(f"{part.agent} and {name} do not meet in games {games.name}")
    boards = [each.board for each in games.fields]
    if isinstance(part, Cost):
        _one_of("cost", part.what, COSTS)
        return
    _one_of("seat", part.seat, SEATS)
    if isinstance(part, Rate):
        _one_of("count", part.counts, COUNTS)
        for board in part.boards:
            _one_of("board", board, boards)
        if not part.out_of > 0:
            raise BadText(f"out of {part.out_of} there is no share")
        return
    _one_of("board", part.board, boards)
    if isinstance(part.vertices, str):
        _one_of("fifth of the vertices", part.vertices, FIFTHS)
    elif not part.vertices:
        raise BadText("no vertex is named")


def _check_mean(mean: MeanRate) -> None:
    if not mean.rates:
        raise BadText("there is no mean of no rates")
    if len({rate.out_of for rate in mean.rates}) > 1:
        raise BadText("the rates of a mean are out of different numbers")


def _check_number(cell: Cell, number: Number) -> None:
    if not isfinite(number.value):
        raise BadText(f"{number.value} is no published number")
    if number.margin is not None and not 0 <= number.margin < float("inf"):
        raise BadText(f"the margin {number.margin} is none")
    if number.trials is None:
        return
    out_of = share_of(cell.measure)
    if out_of is None or not 0 <= number.value <= out_of:
        raise BadText(f"{number.value} is no share of {number.trials} trials")
    if number.trials < 1:
        raise BadText(f"{number.trials} trials are none")


def share_of(measure: object) -> float | None:
    """What a measure is a share of, such as 100 of percents; None if it is no share.

    Shares that are computed are in percent.
    """
    if isinstance(measure, MeanRate):
        return share_of(measure.rates[0])
    if isinstance(measure, Rate):
        return measure.out_of
    return 100.0 if isinstance(measure, Share | Fact) else None


def _one_of(what: str, name: str, known: Iterable[str]) -> None:
    known = list(known)
    if name not in known:
        raise BadText(unknown(what, name, known))


def _once(what: str, names: Sequence[str]) -> None:
    for name, n in Counter(names).items():
        if n > 1:
            raise BadText(f"{what} {name!r} is there {n} times")
