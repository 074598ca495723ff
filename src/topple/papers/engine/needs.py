"""Needs: which games and computed facts an item rests on, cell by cell."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from topple.papers.paper import (
    Cell,
    Check,
    Choice,
    Cost,
    Fact,
    Holds,
    Item,
    MeanRate,
    Measure,
    Rate,
    Ratio,
    Share,
)


class Needs(NamedTuple):
    """Names of games and of computed facts, each once, in the order in which they are met."""

    games: tuple[str, ...]
    computed: tuple[str, ...]


def item_needs(item: Item) -> Needs:
    """All that an item rests on: its own cells, its choices, its checks and its curves.

    >>> cell = Cell("uct", "wins", Rate("I", "uct"))
    >>> item_needs(Item("table", "I", "", "", (cell,), choices=(Choice("draws", {"I": "II"}),)))
    Needs(games=('I', 'II'), computed=())
    """
    games: dict[str, None] = {}
    computed: dict[str, None] = dict.fromkeys(item.curves)
    for part in [*_parts_of_cells(item), *_facts_of_checks(item)]:
        if isinstance(part, Fact):
            computed.setdefault(part.computed)
        else:
            games.setdefault(part.games)
    return Needs(tuple(games), tuple(computed))


def item_cells(item: Item) -> Iterator[tuple[str | None, Cell]]:
    """The cells of an item, each with the label of its choice: first its own, labelled None.

    Under a choice a cell's measure is the one that stands in for its own.
    """
    for cell in item.cells:
        yield None, cell
    for choice in item.choices:
        for cell in item.cells:
            if touches(choice, cell.measure):
                yield choice.label, replace(cell, measure=instead_of(cell.measure, choice.instead))


def parts_of(measure: Measure) -> Iterator[Rate | Share | Cost | Fact]:
    """What a measure is made of, down to those that name games or a computed fact."""
    if isinstance(measure, MeanRate):
        yield from measure.rates
    elif isinstance(measure, Ratio):
        yield from parts_of(measure.over)
        yield from parts_of(measure.under)
    else:
        yield measure


def touches(choice: Choice, measure: Measure) -> bool:
    """Whether a measure is another one under a choice."""
    return any(_name(part) in choice.instead for part in parts_of(measure))


def instead_of(measure: Measure, instead: Mapping[str, str]) -> Measure:
    """A measure with other games and computed facts in the place of some."""
    if isinstance(measure, MeanRate):
        return MeanRate(
            tuple(replace(r, games=instead.get(r.games, r.games)) for r in measure.rates)
        )
    if isinstance(measure, Ratio):
        over, under = (instead_of(each, instead) for each in (measure.over, measure.under))
        return replace(measure, over=over, under=under)
    name = instead.get(_name(measure), _name(measure))
    if isinstance(measure, Fact):
        return replace(measure, computed=name)
    return replace(measure, games=name)


def item_checks(item: Item) -> Iterator[tuple[str, Check]]:
    """Every check of an item, with what it is for."""
    for claim in item.claims:
        yield from ((claim.text, check) for check in claim.checks)
    for why in item.why:
        yield from ((why.text, check) for check in why.checks)


def _parts_of_cells(item: Item) -> Iterator[Rate | Share | Cost | Fact]:
    for _, cell in item_cells(item):
        yield from parts_of(cell.measure)


def _facts_of_checks(item: Item) -> Iterator[Fact]:
    for _, check in item_checks(item):
        if isinstance(check, Holds):
            yield check.fact


def _name(part: Rate | Share | Cost | Fact) -> str:
    return part.computed if isinstance(part, Fact) else part.games
