"""Checks that a paper's data is consistent and its games can be played; used by tests only."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf, isfinite

from topple.arena.planning.plan import Plan
from topple.core.errors import BadText, ToppleError, unknown
from topple.papers.engine.computing import fact_name
from topple.papers.engine.judging import share_base
from topple.papers.engine.measuring import COUNTS
from topple.papers.engine.plans import FULL, QUICK, ScaledPaper, field_board, parse_scale
from topple.papers.paper import (
    BOTH,
    EVERYTHING,
    FIRST,
    SECOND,
    Between,
    Cost,
    Fact,
    Falling,
    GameSet,
    Item,
    ItemCell,
    MeanRate,
    Number,
    Paper,
    Rate,
    Share,
    SimpleMeasure,
    Why,
    simple_measures,
    source_name,
    under,
)

KINDS = ("table", "figure", "section")
FORMS = ("", "bars", "stacked", "lines", "curves", "networks")
SEATS = (BOTH, FIRST, SECOND)
COSTS = ("simulations", "nodes", "seconds")
FIFTHS = ("top", "rest", "lowest")


def check_paper(paper: Paper) -> None:
    """Refuse a paper that names something missing or twice, or whose games cannot be played.

    Raises
    ------
    BadText
        In one line that says what is wrong and where.
    """
    with blaming(paper.name):
        _check_names(paper)
        plans = [ScaledPaper(paper, parse_scale(text)) for text in (QUICK, FULL)]
        limits: dict[object, tuple[str, float | None]] = {}
        for games in paper.games:
            with blaming(f"games {games.name}"):
                for each in plans:
                    _check_limits(games.name, each.plan(games.name), limits)
        for item in paper.items:
            with blaming(item.name):
                for _, cell in item.all_cells():
                    for part in simple_measures(cell.measure):
                        if isinstance(part, Share):
                            _check_vertices(part, plans[1])
                        if isinstance(part, Rate) and part.reason:
                            _check_reason(part, plans[1])


@contextmanager
def blaming(where: str) -> Iterator[None]:
    """Put the place of an error before its message."""
    try:
        yield
    except ToppleError as error:
        raise BadText(f"{where}: {error}") from None


def _check_names(paper: Paper) -> None:
    _once("set of games or computed fact", [each.name for each in (*paper.games, *paper.computed)])
    _once("item", [item.name for item in paper.items])
    for games in paper.games:
        with blaming(f"games {games.name}"):
            _check_games(games)
    for computed in paper.computed:
        with blaming(f"computed fact {computed.name}"):
            for scale in (QUICK, FULL):
                fact_name(computed, parse_scale(scale))
    for item in paper.items:
        with blaming(item.name):
            _check_item(item, paper)
    used = {name for item in paper.items for names in item.sources() for name in names}
    if unused := [name for name in paper.tasks if name not in used]:
        raise BadText(f"no item uses {unused[0]!r}")


def _check_games(games: GameSet) -> None:
    for name in games.quick_agents or {}:
        _one_of("agent", name, games.agents)
    if not games.fields or (games.quick_fields is not None and games.quick_fields < 1):
        raise BadText("there is no field to play on")
    if games.quick > games.full:
        raise BadText(f"quick plays {games.quick:,} games, more than the {games.full:,} of full")
    if min(games.quick, games.full) < 1:
        raise BadText(f"{min(games.quick, games.full)} games are none")


def _check_limits(name: str, plan: Plan, limits: dict[object, tuple[str, float | None]]) -> None:
    """Refuse games that the store would take for others with another time limit."""
    for game in plan.games:
        for pairing in plan.groups:
            agents = tuple(plan.agents[place].spec for place in pairing)
            key = (game.spec, game.board.digest, agents, plan.seed, plan.plies)
            other, seconds = limits.setdefault(key, (name, plan.limits.game_seconds))
            if seconds != plan.limits.game_seconds:
                raise BadText(
                    f"{' and '.join(agents)} play the same games as in {other}, with another time "
                    "limit: take another seed"
                )


# -- items -------------------------------------------------------------------------------------


def _check_item(item: Item, paper: Paper) -> None:
    computed = [each.name for each in paper.computed]
    _one_of("kind of item", item.kind, KINDS)
    _one_of("form", item.form, FORMS)
    if not item.section and any(cell.published is not None for cell in item.cells):
        raise BadText("the section of its numbers is not named")
    _once("cell", [f"{cell.row}, {cell.column}" for cell in item.cells])
    _once("choice", [choice.label for choice in item.choices])
    for name in item.curves:
        _one_of("computed fact", name, computed)
    _check_choices(item, paper)
    for label, cell in item.all_cells():
        with blaming(f"cell {_place(cell.row, cell.column, label)}"):
            _check_cell(cell, paper)
    _check_checks(item, computed)
    for why in item.why:
        with blaming(f"{why.text[:40]!r}"):
            _check_explained(why, item)


def _check_choices(item: Item, paper: Paper) -> None:
    own = {source_name(part) for cell in item.cells for part in simple_measures(cell.measure)}
    games, computed = ([each.name for each in all_] for all_ in (paper.games, paper.computed))
    for choice in item.choices:
        with blaming(f"choice {choice.label}"):
            for name, other in choice.instead.items():
                _one_of("name among its cells' games and computed facts", name, own)
                _one_of("replacement", other, games if name in games else computed)


def _check_checks(item: Item, computed: Iterable[str]) -> None:
    for stated in (*item.claims, *item.why):
        if not stated.checks:
            raise BadText(f"nothing tests {stated.text[:40]!r}: it has no checks")
    places = {_place(cell.row, cell.column, label) for label, cell in item.all_cells()}
    for text, check in item.all_checks():
        with blaming(f"{text[:40]!r}"):
            if isinstance(check, Falling):
                if len(check.cells) < 2:
                    raise BadText("values fall from one cell to another: name two or more")
                for place in check.cells:
                    _one_of("cell", _place(*place), places)
            elif isinstance(check, Between):
                _one_of("cell", _place(check.row, check.column), places)
            else:
                _one_of("computed fact", check.fact.computed, computed)


def _check_explained(why: Why, item: Item) -> None:
    known = [EVERYTHING, *(claim.text for claim in item.claims)]
    known += [label for cell in item.cells for label in (cell.row, cell.column)]
    for name in why.explains:
        _one_of("claim, row or column", name, dict.fromkeys(known))


# -- cells -------------------------------------------------------------------------------------


def _check_cell(cell: ItemCell, paper: Paper) -> None:
    games = {each.name: each for each in paper.games}
    for part in simple_measures(cell.measure):
        if isinstance(part, Fact):
            _one_of("computed fact", part.computed, [each.name for each in paper.computed])
        else:
            _one_of("set of games", part.games, games)
            _check_measure(part, games[part.games])
    if isinstance(cell.measure, MeanRate):
        _check_mean(cell.measure)
    if isinstance(cell.published, Number):
        _check_number(cell, cell.published)


def _check_measure(part: SimpleMeasure, games: GameSet) -> None:
    assert not isinstance(part, Fact)
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


def _check_reason(rate: Rate, plans: ScaledPaper) -> None:
    """Refuse a reason that is no text in the rules' function `reason`."""
    rules = {game.name: game.rules for game in plans.plan(rate.games).games}
    functions = [getattr(each, "reason", None) for each in rules.values()]
    texts = [
        text
        for each in functions
        if each is not None
        for text in each.__code__.co_consts
        if isinstance(text, str) and text != each.__doc__
    ]
    if rate.reason not in texts:
        raise BadText(unknown("reason for which a game ends", rate.reason, texts))


def _check_vertices(share: Share, plans: ScaledPaper) -> None:
    games = plans.games(share.games)
    board = next(field_board(each) for each in games.fields if each.board == share.board)
    for vertex in () if isinstance(share.vertices, str) else share.vertices:
        if not 0 <= vertex < board.n_vertices:
            last = board.n_vertices - 1
            raise BadText(f"{share.board} has no vertex {vertex}: its vertices are 0 to {last}")


def _check_mean(mean: MeanRate) -> None:
    if not mean.rates:
        raise BadText("there is no mean of no rates")
    if len({rate.out_of for rate in mean.rates}) > 1:
        raise BadText("the rates of a mean are out of different numbers")


def _check_number(cell: ItemCell, number: Number) -> None:
    if not isfinite(number.value):
        raise BadText(f"{number.value} is no published number")
    if number.margin is not None and not 0 <= number.margin < inf:
        raise BadText(f"the margin {number.margin} is none")
    if number.trials is None:
        return
    out_of = share_base(cell.measure)
    if out_of is None or not 0 <= number.value <= out_of:
        raise BadText(f"{number.value} is no share of {number.trials} trials")
    if number.trials < 1:
        raise BadText(f"{number.trials} trials are none")


def _place(row: str, column: str, label: str | None = None) -> str:
    return f"{row}, {column if label is None else under(column, label)}"


def _one_of(what: str, name: str, known: Iterable[str]) -> None:
    known = list(known)
    if name not in known:
        raise BadText(unknown(what, name, known))


def _once(what: str, names: Sequence[str]) -> None:
    for name, n in Counter(names).items():
        if n > 1:
            raise BadText(f"{what} {name!r} is there {n} times")
