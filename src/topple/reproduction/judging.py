"""Judging: published beside measured, cell by cell, and what that says of an item."""

from collections.abc import Iterable, Sequence
from math import hypot, isclose
from shlex import quote

from topple.arena.statistics import NORMAL_QUANTILE, Ratio
from topple.arena.store import Store
from topple.papers.paper import Cell, Claim, Holds, Item, Number, Paper
from topple.reproduction.checks import judge_checks
from topple.reproduction.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    ItemFindings,
    JudgedCell,
    JudgedClaim,
    JudgedWhy,
    Measured,
    PaperFindings,
    Played,
)
from topple.reproduction.measuring import Measuring, half_width
from topple.reproduction.needs import item_cells, item_needs
from topple.reproduction.plans import Plans, n_full
from topple.reproduction.scale import Scale
from topple.reproduction.soundness import share_of


def judge_items(plans: Plans, items: Iterable[Item], store: Store) -> PaperFindings:
    """What a store says of items of a paper, at the scale of its plans.

    Raises
    ------
    StoreError
        If the store is damaged.
    BadText
        If a computed fact has no value where one is looked for.
    """
    with store.snapshot():
        measuring = Measuring(plans, store)
        judged = tuple(judge_item(item, measuring) for item in items)
        return PaperFindings(plans.paper, plans.scale, judged)


def judge_item(item: Item, measuring: Measuring) -> ItemFindings:
    """Measure and judge one item."""
    cells = tuple(_judged_cell(label, cell, measuring) for label, cell in item_cells(item))
    values = {each.place: each.measured for each in cells}
    claims = tuple(
        JudgedClaim(claim, judge_checks(claim.checks, values, measuring.measure))
        for claim in item.claims
    )
    why = tuple(
        JudgedWhy(each, judge_checks(each.checks, values, measuring.measure)) for each in item.why
    )
    needs = item_needs(item)
    kept = {name: fact for name in needs.computed if (fact := measuring.fact(name)) is not None}
    has_facts = any(_fact_is_there(claim, measuring) for claim in item.claims)
    return ItemFindings(
        item=item,
        cells=cells,
        claims=claims,
        why=why,
        verdict=_verdict(cells, claims, why, has_facts or any(n in kept for n in item.curves)),
        played=tuple(_played(name, measuring) for name in needs.games),
        computed_seconds=sum(fact.seconds for fact in kept.values()),
        curves={name: kept[name].data for name in item.curves if name in kept},
        command=command(measuring.plans.paper, item, measuring.plans.scale),
    )


def _judged_cell(label: str | None, cell: Cell, measuring: Measuring) -> JudgedCell:
    measured = measuring.measure(cell.measure)
    return JudgedCell(cell, label, measured, cell_verdict(cell, measured))


def cell_verdict(cell: Cell, measured: Measured | None) -> str:
    """Whether a measured value agrees with the published one.

    Exact values must be equal; estimates may differ by as much as both intervals
    together allow.
    """
    published = cell.published
    if measured is None or published is None:
        return OPEN if measured is None else OURS
    if not isinstance(published, Number):
        is_same = type(published) is type(measured.value) and published == measured.value
        return AGREES if is_same else DIFFERS
    if isinstance(measured.value, str | bool):
        return DIFFERS
    allowed = hypot(published_margin(cell, published), half_width(measured))
    difference = abs(published.value - measured.value)
    is_near = difference <= allowed or isclose(published.value, measured.value, rel_tol=1e-9)
    return AGREES if is_near else DIFFERS


def published_margin(cell: Cell, published: Number) -> float:
    """The ± of a published number: as printed, or Wilson's where the trials are known, or 0."""
    out_of = share_of(cell.measure)
    if published.margin is not None or published.trials is None or out_of is None:
        return published.margin or 0.0
    share = Ratio(published.value / out_of, NORMAL_QUANTILE**2 / published.trials).estimate()
    return out_of * (share.high - share.low) / 2


def _verdict(
    cells: Iterable[JudgedCell],
    claims: Sequence[JudgedClaim],
    why: Iterable[JudgedWhy],
    has_facts: bool,
) -> str:
    """The verdict on an item: that of its own cells and claims, choices left aside."""
    own = [each for each in cells if each.choice is None]
    if not has_facts and all(each.measured is None for each in own):
        return OPEN
    published = [each for each in own if each.cell.published is not None]
    if not claims and all(each.measured is None for each in published):
        return OPEN if published else OURS
    differs = any(each.verdict == DIFFERS for each in own)
    if not differs and all(each.verdict != FAILS for each in claims):
        return AGREES
    return EXPLAINED if any(each.verdict == HOLDS for each in why) else DIFFERS


def _fact_is_there(claim: Claim, measuring: Measuring) -> bool:
    facts = (check.fact for check in claim.checks if isinstance(check, Holds))
    return any(measuring.measure(fact) is not None for fact in facts)


def _played(name: str, measuring: Measuring) -> Played:
    ledger = measuring.ledger(name)
    return Played(
        games=ledger.games,
        agents=ledger.agents,
        n_fields=len(ledger.fields),
        n_games=ledger.n_games,
        planned=ledger.plan.n_fixtures,
        full=n_full(ledger.games),
        seconds=ledger.seconds,
        forfeits=ledger.forfeits,
    )


def command(paper: Paper, item: Item, scale: Scale) -> str:
    """What repeats an item.

    >>> from topple.reproduction.scale import parse_scale
    >>> paper = Paper("spread-it", "", "", "", "spread-it", ())
    >>> command(paper, Item("table", "I", "", "V"), parse_scale("full"))
    'topple reproduce spread-it --table I --scale full'
    """
    return f"topple reproduce {paper.name} --{item.kind} {quote(item.number)} --scale {scale.text}"
