"""Judging: published values, claims and reasons compared with what was measured."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot, inf, isclose
from shlex import quote

from topple.arena.statistics.rates import wilson
from topple.arena.store.store import Store
from topple.papers.engine.findings import (
    AGREES,
    DIFFERS,
    EXPLAINED,
    FAILS,
    HOLDS,
    OPEN,
    OURS,
    UNDECIDED,
    UNDECIDED_ITEM,
    GamesSummary,
    ItemFindings,
    JudgedCell,
    JudgedClaim,
    JudgedWhy,
    Measured,
    PaperFindings,
)
from topple.papers.engine.measuring import Measurer
from topple.papers.engine.plans import Scale, ScaledPaper
from topple.papers.paper import (
    EVERYTHING,
    Between,
    Check,
    Fact,
    Falling,
    Item,
    ItemCell,
    MeanRate,
    Measure,
    Number,
    Paper,
    Rate,
    Share,
    Why,
)

Values = Mapping[tuple[str, str], Measured | None]  # by row and column
MeasureFact = Callable[[Fact], Measured | None]


def judge_items(scaled: ScaledPaper, items: Iterable[Item], store: Store) -> PaperFindings:
    """Measure and judge items of a paper from what a store has at a scale.

    Raises
    ------
    StoreError
        If the store is damaged.
    BadText
        If a computed fact has no value where one is looked for.
    """
    with store.snapshot():
        measurer = Measurer(scaled, store)
        judged = tuple(_judge_item(item, measurer) for item in items)
        return PaperFindings(scaled.paper, scaled.scale, judged)


def _judge_item(item: Item, measurer: Measurer) -> ItemFindings:
    cells = []
    for label, cell in item.all_cells():
        measured = measurer.measure(cell.measure)
        cells.append(JudgedCell(cell, label, measured, cell_verdict(cell, measured)))
    values = {each.place: each.measured for each in cells}

    def judge(stated: Iterable[Check]) -> str:
        return judge_checks(stated, values, measurer.measure)

    claims = tuple(JudgedClaim(claim, judge(claim.checks)) for claim in item.claims)
    why = tuple(JudgedWhy(why, judge(why.checks)) for why in item.why)
    needed = item.sources()
    facts = {name: found for name in needed.computed if (found := measurer.fact(name)) is not None}
    claim_is_measured = any(
        is_measured(check, values, measurer.measure)
        for claim in item.claims
        for check in claim.checks
    )
    has_curves = any(name in facts for name in item.curves)
    scaled = measurer.scaled
    return ItemFindings(
        item=item,
        cells=tuple(cells),
        claims=claims,
        why=why,
        verdict=_item_verdict(cells, claims, why, claim_is_measured, has_curves),
        played=tuple(_summary(name, measurer) for name in needed.games),
        computed_seconds=sum(fact.seconds for fact in facts.values()),
        curves={name: facts[name].data for name in item.curves if name in facts},
        command=command(scaled.paper, item, scaled.scale),
    )


def _summary(name: str, measurer: Measurer) -> GamesSummary:
    stored = measurer.stored(name)
    return GamesSummary(
        games=stored.games,
        agents=stored.agents,
        n_fields=len(stored.fields),
        n_games=stored.n_games,
        planned=stored.plan.n_fixtures,
        full=stored.games.n_full,
        seconds=stored.seconds,
        n_forfeits=stored.n_forfeits,
    )


def command(paper: Paper, item: Item, scale: Scale) -> str:
    """The command that repeats an item.

    >>> from topple.papers.engine.plans import parse_scale
    >>> paper = Paper("spread-it", "", "", "", "spread-it", ())
    >>> command(paper, Item("table", "I", "", "V"), parse_scale("full"))
    'topple reproduce spread-it --table I --scale full'
    """
    return f"topple reproduce {paper.name} --{item.kind} {quote(item.number)} --scale {scale.text}"


# -- cells -------------------------------------------------------------------------------------


def cell_verdict(cell: ItemCell, measured: Measured | None) -> str:
    """Whether a measured value agrees with the published one.

    Exact values must be equal. Estimates may differ by the root of the sum of squares
    of both margins, each taken on the side of the other value.
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
        published_margin(cell, published, measured.value), measured.margin_towards(published.value)
    )
    difference = abs(published.value - measured.value)
    is_near = difference <= allowed or isclose(published.value, measured.value, rel_tol=1e-9)
    return AGREES if is_near else DIFFERS


def published_margin(cell: ItemCell, published: Number, towards: float) -> float:
    """The ± of a published number on the side of another number.

    It is the printed one, else that of Wilson's interval if the trials are known, else 0.
    """
    out_of = share_base(cell.measure)
    if published.margin is not None or published.trials is None or out_of is None:
        return published.margin or 0.0
    share = wilson(published.value / out_of, published.trials)
    value, low, high = (out_of * each for each in share)
    return Measured(value, low, high).margin_towards(towards)


def share_base(measure: Measure) -> float | None:
    """What a measure is a share of, such as 100 for percentages; None if it is no share.

    Shares that are computed facts are percentages.
    """
    if isinstance(measure, MeanRate):
        return measure.rates[0].out_of
    if isinstance(measure, Rate):
        return measure.out_of
    return 100.0 if isinstance(measure, Share | Fact) else None


# -- checks ------------------------------------------------------------------------------------


def judge_checks(checks: Iterable[Check], values: Values, measure_fact: MeasureFact) -> str:
    """The verdict on checks that must all hold: FAILS if one fails, else UNDECIDED if one is."""
    return _all(_judge_check(check, values, measure_fact) for check in checks)


def _judge_check(check: Check, values: Values, measure_fact: MeasureFact) -> str:
    """Whether a check holds; UNDECIDED if intervals leave it open or a value is missing."""
    if isinstance(check, Falling):
        found = [values.get(place) for place in check.cells]
        return _all(map(_falls, found[:-1], found[1:]))
    if isinstance(check, Between):
        return _lies_between(values.get((check.row, check.column)), check.low, check.high)
    truth = measure_fact(check.fact)
    if truth is None:
        return UNDECIDED
    return HOLDS if truth.value is True else FAILS


def is_measured(check: Check, values: Values, measure_fact: MeasureFact) -> bool:
    """Whether any of the values that a check needs is measured."""
    if isinstance(check, Falling):
        return any(values.get(place) is not None for place in check.cells)
    if isinstance(check, Between):
        return values.get((check.row, check.column)) is not None
    return measure_fact(check.fact) is not None


def _all(verdicts: Iterable[str]) -> str:
    given = set(verdicts)
    return FAILS if FAILS in given else UNDECIDED if UNDECIDED in given else HOLDS


def _falls(before: Measured | None, after: Measured | None) -> str:
    """Whether the second value is below the first, with intervals that do not overlap."""
    if before is None or after is None:
        return UNDECIDED
    first, second = before.interval, after.interval
    if first is None or second is None:  # texts have no order
        return FAILS
    if first[0] > second[1]:
        return HOLDS
    is_exact = first[0] == first[1] and second[0] == second[1]
    return FAILS if first[1] < second[0] or is_exact else UNDECIDED


def _lies_between(measured: Measured | None, low: float | None, high: float | None) -> str:
    """Whether the whole interval of a value lies between two bounds."""
    if measured is None:
        return UNDECIDED
    if measured.interval is None:
        return FAILS
    bottom, top = measured.interval
    least, most = -inf if low is None else low, inf if high is None else high
    if least <= bottom and top <= most:
        return HOLDS
    return FAILS if top < least or bottom > most else UNDECIDED


# -- items -------------------------------------------------------------------------------------


def _item_verdict(
    cells: Iterable[JudgedCell],
    claims: Sequence[JudgedClaim],
    why: Iterable[JudgedWhy],
    claim_is_measured: bool,
    has_curves: bool,
) -> str:
    """The verdict on an item, from its own published numbers and claims; choices do not count.

    `claim_is_measured` says whether any value behind its claims is measured,
    `has_curves` whether a curve can be drawn, which is a result but no evidence.
    """
    own = [each for each in cells if each.choice is None]
    published = [each for each in own if each.cell.published is not None]
    if not published and not claims:
        return OURS if has_curves or any(each.measured is not None for each in own) else OPEN
    if not claim_is_measured and all(each.measured is None for each in published):
        return OPEN
    differing = [(each.cell.row, each.cell.column) for each in published if each.verdict == DIFFERS]
    failing = [(each.claim.text,) for each in claims if each.verdict == FAILS]
    if differing or failing:
        reasons = [each.why for each in why if each.verdict == HOLDS]
        is_explained = all(
            any(explains(reason, labels) for reason in reasons) for labels in [*differing, *failing]
        )
        return EXPLAINED if is_explained else DIFFERS
    agrees = all(each.verdict == AGREES for each in published)
    return AGREES if agrees and all(each.verdict == HOLDS for each in claims) else UNDECIDED_ITEM


def explains(why: Why, labels: Iterable[str]) -> bool:
    """Whether a reason covers a difference: a cell, by row and column, or a claim, by its text."""
    if not why.explains or EVERYTHING in why.explains:
        return True
    return any(label in why.explains for label in labels)
