"""Judging: published beside measured, cell by cell, and what that says of an item."""

from collections.abc import Iterable, Sequence
from math import hypot, isclose
from shlex import quote

from topple.arena.statistics.rates import wilson
from topple.arena.store.store import Store
from topple.papers.engine.checks import is_measured, judge_checks, margin_towards
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED_ITEM,
    ItemFindings,
    JudgedCell,
    JudgedClaim,
    JudgedWhy,
    Measured,
    PaperFindings,
    Played,
)
from topple.papers.engine.measuring import Measuring
from topple.papers.engine.needs import item_cells, item_needs
from topple.papers.engine.plans import Plans, n_full
from topple.papers.engine.scale import Scale
from topple.papers.engine.soundness import share_of
from topple.papers.paper import EVERYTHING, Cell, Item, Number, Paper, Why


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
    looks_at = [check for claim in item.claims for check in claim.checks]
    is_looked_at = any(is_measured(check, values, measuring.measure) for check in looks_at)
    is_drawn = any(name in kept for name in item.curves)
    return ItemFindings(
        item=item,
        cells=cells,
        claims=claims,
        why=why,
        verdict=_verdict(cells, claims, why, is_looked_at, is_drawn),
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
    together allow, each on the side of the other value.
    """
    published = cell.published
    if measured is None or published is None:
        return OPEN if measured is None else OURS
    if not isinstance(published, Number):
        is_same = type(published) is type(measured.value) and published == measured.value
        return AGREES if is_same else DIFFERS
    if isinstance(measured.value, str | bool):
        return DIFFERS
    allowed = hypot(
        published_margin(cell, published, measured.value),
        margin_towards(measured, published.value),
    )
    difference = abs(published.value - measured.value)
    is_near = difference <= allowed or isclose(published.value, measured.value, rel_tol=1e-9)
    return AGREES if is_near else DIFFERS


def published_margin(cell: Cell, published: Number, towards: float) -> float:
    """The ± of a published number on the side of another one.

    As printed, or Wilson's where the trials are known, or 0.
    """
    out_of = share_of(cell.measure)
    if published.margin is not None or published.trials is None or out_of is None:
        return published.margin or 0.0
    share = wilson(published.value / out_of, published.trials)
    value, low, high = (out_of * each for each in share)
    return margin_towards(Measured(value, low, high), towards)


def _verdict(
    cells: Iterable[JudgedCell],
    claims: Sequence[JudgedClaim],
    why: Iterable[JudgedWhy],
    is_looked_at: bool,
    is_drawn: bool,
) -> str:
    """The verdict on an item: that of its own published numbers and claims, choices left aside.

    `is_looked_at` says whether anything is measured that its claims look at,
    `is_drawn` whether a curve is there: that is something, but no evidence.
    """
    own = [each for each in cells if each.choice is None]
    published = [each for each in own if each.cell.published is not None]
    if not published and not claims:
        return OURS if is_drawn or any(each.measured is not None for each in own) else OPEN
    if not is_looked_at and all(each.measured is None for each in published):
        return OPEN
    amiss = [(each.cell.row, each.cell.column) for each in published if each.verdict == DIFFERS]
    failing = [(each.claim.text,) for each in claims if each.verdict == FAILS]
    if amiss or failing:
        reasons = [each.why for each in why if each.verdict == HOLDS]
        is_explained = all(any(explains(w, each) for w in reasons) for each in [*amiss, *failing])
        return EXPLAINED if is_explained else DIFFERS
    agrees = all(each.verdict == AGREES for each in published)
    return AGREES if agrees and all(each.verdict == HOLDS for each in claims) else UNDECIDED_ITEM


def explains(why: Why, labels: Iterable[str]) -> bool:
    """Whether a reason is one for what goes by some labels: row and column, or a claim's text."""
    return not why.explains or EVERYTHING in why.explains or any(
        label in why.explains for label in labels
    )  # fmt: skip


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
        n_forfeits=ledger.n_forfeits,
    )


def command(paper: Paper, item: Item, scale: Scale) -> str:
    """What repeats an item.

    >>> from topple.papers.engine.scale import parse_scale
    >>> paper = Paper("spread-it", "", "", "", "spread-it", ())
    >>> command(paper, Item("table", "I", "", "V"), parse_scale("full"))
    'topple reproduce spread-it --table I --scale full'
    """
    return f"topple reproduce {paper.name} --{item.kind} {quote(item.number)} --scale {scale.text}"
