"""Measures: taken from the right games, with the right arithmetic."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import Any

import pytest

from tests.papers.tiny_paper import COMPUTATION, CYCLE, LEAGUE, LOYAL, NET, PAPER, SUMS
from topple.arena.planning.plan import Plan
from topple.arena.playing.run import planned_results
from topple.arena.statistics.choices import Choices
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import Store, open_store
from topple.boards import load_board
from topple.game.game import load
from topple.papers.engine import measuring
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computing import fact_name
from topple.papers.engine.findings import Measured
from topple.papers.engine.measuring import COUNTS, Measurer, fact_value, mean, ratio, saved
from topple.papers.engine.plans import ScaledPaper, field_board, make_plan, parse_scale
from topple.papers.engine.tasks import Task, run_all, tasks_of
from topple.papers.paper import BOTH, FIRST, SECOND, Cost, Fact, GameField, MeanRate, Rate, Share

QUICK, FULL = parse_scale("quick"), parse_scale("full")


@pytest.fixture(scope="module", autouse=True)
def computations() -> Iterator[None]:
    """Register the computation of the tests' paper."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMPUTATIONS, SUMS.computation, COMPUTATION)
        yield


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """All quick and all full games of the paper."""
    with open_store(None) as store:
        for scale in (QUICK, FULL):
            run_all(tasks_of([(ScaledPaper(PAPER, scale), PAPER.items)]), store, workers=1)
        yield store


@pytest.fixture
def quick(store: Store) -> Measurer:
    return Measurer(ScaledPaper(PAPER, QUICK), store)


@pytest.fixture
def full(store: Store) -> Measurer:
    return Measurer(ScaledPaper(PAPER, FULL), store)


# -- plans -------------------------------------------------------------------------------------


def test_thresholds_are_set_and_nothing_else_is_moved() -> None:
    text = "ba:n=24,m=3,seed=2"
    plain, changed = load_board(text), field_board(GameField("spread-it", text, ((3, 5), (7, 1))))
    assert (changed.labels, changed.edges()) == (plain.labels, plain.edges())
    expected = plain.thresholds.tolist()
    expected[3], expected[7] = 5, 1
    assert changed.thresholds.tolist() == expected
    assert changed.digest != plain.digest


def test_a_plan_has_the_fields_agents_and_games_of_its_scale() -> None:
    quick, full = make_plan(LOYAL, QUICK), make_plan(LOYAL, FULL)
    assert [game.board.n_vertices for game in quick.games] == [10]
    assert [game.board.n_vertices for game in full.games] == [10, 6]
    assert (quick.n_fixtures, full.n_fixtures) == (1 * 2 * 4, 2 * 2 * 8)
    assert LOYAL.n_full == full.n_fixtures
    assert [agent.spec for agent in make_plan(LEAGUE, QUICK).agents] == [
        "greedy",
        "montecarlo:samples=2",
        "random",
    ]
    assert make_plan(LEAGUE, parse_scale("30%")).n_games == 4


def test_fewer_games_of_the_same_settings_are_among_the_more() -> None:
    few, many = make_plan(LOYAL, parse_scale("25%")), make_plan(LOYAL, FULL)
    assert set(few.game_keys()) < set(many.game_keys())


def test_quick_games_under_another_limit_of_time_are_other_games() -> None:
    timed = replace(LEAGUE, game_time=60.0, quick_agents=None)
    hurried = replace(timed, quick_game_time=5.0)
    full, same, other = make_plan(timed, FULL), make_plan(timed, QUICK), make_plan(hurried, QUICK)
    assert (same.limits.game_seconds, other.limits.game_seconds) == (60.0, 5.0)
    assert set(same.game_keys()) < set(full.game_keys())
    assert not set(other.game_keys()) & set(full.game_keys())


# -- measures against a count by hand ----------------------------------------------------------


def played(store: Store, plan: Plan) -> list[PlayedGame]:
    """The games of a plan, found by their keys alone."""
    keys = set(plan.game_keys())
    return [game for game in store.games() if (game.pair, game.side) in keys]


def outcomes(
    games: list[PlayedGame], agent: str, opponents: set[str], digests: set[str], seats: set[int]
) -> list[float]:
    """1, ½ or 0 for each game of an agent that counts."""
    found = []
    for game in games:
        record = game.record
        for seat in seats:
            here = record.players[seat] == agent and record.players[1 - seat] in opponents
            if here and record.board.digest in digests:
                assert record.result is not None
                own, other = record.result[seat], record.result[1 - seat]
                found.append(1.0 if own > other else 0.0 if own < other else 0.5)
    return found


def share_of(counts: str, results: list[float]) -> tuple[float, float]:
    """What is counted and out of what."""
    n = {1.0: results.count(1.0), 0.5: results.count(0.5), 0.0: results.count(0.0)}
    hits = {
        "win": n[1.0],
        "draw": n[0.5],
        "loss": n[0.0],
        "score": n[1.0] + n[0.5] / 2,
        "win-loss": n[1.0],
    }
    return hits[counts], n[1.0] + n[0.0] if counts == "win-loss" else len(results)


SPECS = {
    "quick": {"clever": "greedy", "sampler": "montecarlo:samples=2", "blind": "random"},
    "full": {"clever": "greedy", "sampler": "montecarlo:samples=3", "blind": "random"},
}


@pytest.mark.parametrize("text", ["quick", "full"])
def test_rates_are_what_a_direct_count_gives(text: str, store: Store) -> None:
    scale, specs = parse_scale(text), SPECS[text]
    measured = Measurer(ScaledPaper(PAPER, scale), store)
    games = played(store, make_plan(LEAGUE, scale))
    assert len(games) == 3 * 3 * (6 if text == "quick" else 8)
    boards = {
        NET: field_board(LEAGUE.fields[0]).digest,
        CYCLE: load_board(CYCLE).digest,
        "hex:3": load_board("hex:3").digest,
    }
    seats = {BOTH: {0, 1}, FIRST: {0}, SECOND: {1}}
    everyone = list(specs)
    seen = set()
    for agent, seat, counts, chosen in product(
        everyone,
        seats,
        ("win", "draw", "loss", "score", "win-loss"),
        ((), (NET,), (CYCLE, "hex:3")),
    ):
        others = [name for name in everyone if name != agent]
        for opponents in ((), (others[0],), tuple(others)):
            rate = Rate("league", agent, opponents, seat, counts, chosen, out_of=10.0)
            results = outcomes(
                games,
                specs[agent],
                {specs[name] for name in opponents or others},
                {boards[name] for name in chosen or boards},
                seats[seat],
            )
            hits, trials = share_of(counts, results)
            found = measured.measure(rate)
            if not trials:
                assert found is None
                continue
            assert found is not None
            assert found.value == pytest.approx(10 * hits / trials), rate
            assert found.games == len(results)
            assert 0 <= found.low <= found.value <= found.high <= 10
            seen.add(found.value)
    assert len(seen) > 10  # a wrong choice of games would show


@pytest.mark.parametrize("counts", ["win", "draw", "loss", "win-loss"])
def test_rates_of_a_reason_are_what_a_direct_count_gives(
    counts: str, full: Measurer, store: Store
) -> None:
    digest = load_board(CYCLE).digest
    games = [g for g in played(store, make_plan(LEAGUE, FULL)) if g.record.board.digest == digest]
    reasons = {game.reason for game in games}
    assert len(reasons) > 1
    for reason, (seat, seats) in product(reasons, {BOTH: {0, 1}, SECOND: {1}}.items()):
        these = [game for game in games if game.reason == reason]
        selection = ("random", {"greedy"}, {digest}, seats)
        hits, _ = share_of(counts, outcomes(these, *selection))
        _, trials = share_of(counts, outcomes(games, *selection))
        rate = Rate("league", "blind", ("clever",), seat, counts, (CYCLE,), reason=reason)
        found = full.measure(rate)
        assert (found is None) == (not trials)
        if found is not None:
            assert found.value == pytest.approx(100 * hits / trials), rate
            assert found.games == len(outcomes(games, *selection))


def test_samples_of_intervals_are_pairs_as_in_standings(full: Measurer, store: Store) -> None:
    plan = make_plan(LEAGUE, FULL)
    standings = Standings(planned_results(plan, store))
    for one, other in (("clever", "blind"), ("sampler", "clever")):
        specs = SPECS["full"]
        pairs = standings.pairs(specs[one], specs[other])
        expected = standings.pairing_totals(specs[one], specs[other]).win_rate
        found = full.measure(Rate("league", one, (other,), out_of=1.0))
        assert expected is not None
        assert found is not None
        assert found.games == pairs.tally.games
        if pairs.repeats:  # the interval knows, but the rate counts every game
            assert found.value == pairs.tally.wins / pairs.tally.games
        else:
            assert found[:3] == pytest.approx(expected)


def test_repeated_games_count_but_do_not_narrow_the_interval() -> None:
    from topple.arena.statistics.pairs import Pairs

    worth = COUNTS["win"]
    repeated = Pairs({("W", "W"): 50}, repeats=49) + Pairs({("L", "L"): 25, ("W", "L"): 25})
    found = measuring.pairs_rate(repeated, *worth)
    plain = measuring.pairs_rate(Pairs({("W", "W"): 50, ("L", "L"): 25, ("W", "L"): 25}), *worth)
    assert found is not None
    assert plain is not None
    assert found.value == plain.value == (100 + 25) / 200
    assert found.high - found.low > plain.high - plain.low


def test_two_names_of_one_agent_are_counted_apart(full: Measurer, store: Store) -> None:
    [mirror] = [games for games in PAPER.games if games.name == "mirror"]
    plan = make_plan(mirror, FULL)
    games = played(store, plan)
    wins = sum(
        (g.record.result or (0, 0))[g.side] > (g.record.result or (0, 0))[1 - g.side] for g in games
    )
    one, two = (full.measure(Rate("mirror", name, out_of=8.0)) for name in ("one", "two"))
    assert one is not None
    assert two is not None
    assert (one.value, two.value) == (wins, 8 - wins)
    first = full.measure(Rate("mirror", "two", seat=FIRST, out_of=4.0))
    assert first is not None
    assert first.value == sum(
        g.side == 1 and (g.record.result or (0, 0)) == (1.0, -1.0) for g in games
    )


def by_hand(store: Store) -> list[tuple[PlayedGame, tuple[list[int], list[int]]]]:
    """The games on the network, with the vertices of each player's own moves."""
    game = load("spread-it", field_board(LEAGUE.fields[0]))
    found = []
    for each in played(store, make_plan(LEAGUE, FULL)):
        if each.record.board.digest != game.board.digest:
            continue
        position, own = game.start(), ([], [])
        for ply, text in enumerate(each.record.moves):
            if ply >= each.record.opening:
                own[position.player].append(game.board.vertex_of[text])
            position = position.play(text)
        found.append((each, own))
    return found


def fifth(name: str) -> list[int]:
    """Two of the ten vertices: the most or the least central ones by degree."""
    board = load_board(NET)
    ranked = sorted(range(10), key=lambda vertex: (-len(board.neighbours(vertex)), vertex))
    return {"top": ranked[:2], "rest": ranked[2:8], "lowest": ranked[8:]}[name]


def test_shares_are_what_a_direct_count_gives(full: Measurer, store: Store) -> None:
    games, seats = by_hand(store), {BOTH: (0, 1), FIRST: (0,), SECOND: (1,)}
    assert len(games) == 3 * 8
    for vertices, opponents, seat, won in product(
        ((0,), (1, 2, 5), "top", "rest", "lowest"), ((), ("blind",)), seats, (False, True)
    ):
        named = fifth(vertices) if isinstance(vertices, str) else vertices
        chosen = []
        for (game, own), place in product(games, seats[seat]):
            players, result = game.record.players, game.record.result or (0.0, 0.0)
            is_meant = players[place] == "montecarlo:samples=3"
            is_meant &= not won or result[place] > result[1 - place]
            if is_meant and (not opponents or players[1 - place] == "random"):
                chosen.append(own[place])
        moves = [vertex for each in chosen for vertex in each]
        share = Share("league", "sampler", NET, vertices, opponents, seat, won)
        found = full.measure(share)
        assert moves
        assert found is not None
        hits = sum(vertex in named for vertex in moves)
        assert found.value == pytest.approx(100 * hits / len(moves)), share
        assert found.games == len(chosen)


def test_two_games_on_one_board_are_counted_once_each() -> None:
    fields = (GameField("spread-it", CYCLE), GameField("spread-it:loyalty=full", CYCLE))
    both = replace(LEAGUE, fields=fields, full=4, quick_agents=None)
    paper = replace(PAPER, items=(), games=(both,), computed=())
    plans = ScaledPaper(paper, FULL)
    with open_store(None) as store:
        run_all([Task(plans, both)], store, workers=1)
        measured = Measurer(plans, store)
        for place, game in enumerate(plans.plan("league").games):
            turns = list(measured.stored("league").chosen_vertices("clever", (), place))
            assert len(turns) == 2 * 4, game
        found = measured.measure(Share("league", "clever", CYCLE, (0,)))
        games = [game for game in store.games() if "greedy" in game.record.players]
        assert found is not None
        assert found.games == len(games) == 2 * 2 * 4


def test_shares_have_the_intervals_of_choices(full: Measurer, store: Store) -> None:
    digest = field_board(LEAGUE.fields[0]).digest
    games = [g for g in played(store, make_plan(LEAGUE, FULL)) if g.record.board.digest == digest]
    choices = Choices(games)
    [contest] = choices.contests
    for seat, won in product((BOTH, FIRST), (False, True)):
        expected = choices.shares(contest, "random", seat, won=won).top
        found = full.measure(Share("league", "blind", NET, "top", seat=seat, won=won))
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found[:3] == pytest.approx([100 * each for each in expected])


@pytest.mark.parametrize("what", ["simulations", "nodes", "seconds"])
def test_costs_are_what_a_direct_count_gives(what: str, full: Measurer, store: Store) -> None:
    games = played(store, make_plan(LEAGUE, FULL))
    for opponents in ((), ("blind",)):
        named = {SPECS["full"][name] for name in opponents or ("clever", "blind")}
        units = [
            (getattr(game.participants[seat], what), game.participants[seat].moves)
            for game, seat in product(games, (0, 1))
            if game.record.players[seat] == "montecarlo:samples=3"
            and game.record.players[1 - seat] in named
        ]
        total, moves = sum(cost for cost, _ in units), sum(n for _, n in units)
        found = full.measure(Cost("league", "sampler", what, opponents))
        assert found is not None
        assert found.value == pytest.approx(total / moves)
        assert found.games == sum(n > 0 for _, n in units)
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high


def test_games_are_read_once_for_all_cells(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    for name in ("results", "games"):
        original = getattr(Store, name)

        def counted(self: Store, *given: Any, _read: Any = original, _name: str = name) -> Any:
            reads.append(_name)
            return _read(self, *given)

        monkeypatch.setattr(Store, name, counted)
    measured = Measurer(ScaledPaper(PAPER, QUICK), store)
    for _ in range(3):
        for agent in ("clever", "blind"):
            measured.measure(Rate("league", agent))
            measured.measure(Cost("league", agent, "nodes"))
            measured.measure(Share("league", agent, NET, "top"))
    assert sorted(reads) == ["games", "results"]


# -- arithmetic --------------------------------------------------------------------------------


def test_a_mean_has_the_errors_of_its_parts(full: Measurer) -> None:
    rates = (Rate("league", "clever"), Rate("mirror", "one"))
    one, two = (full.measure(rate) for rate in rates)
    both = full.measure(MeanRate(rates))
    assert one is not None
    assert two is not None
    assert both is not None
    assert both.value == pytest.approx((one.value + two.value) / 2)
    assert both.low == pytest.approx(
        both.value - sqrt((one.value - one.low) ** 2 + (two.value - two.low) ** 2) / 2
    )
    assert both.games == one.games + two.games
    assert mean([one, None]) is None


def test_a_ratio_has_the_errors_of_both(full: Measurer) -> None:
    found = ratio(Measured(8.0, 7.0, 9.0), Measured(10.0, 8.0, 12.0))
    # d(a/b) = da/b − a·db/b²: 1/10 and 8·2/100.
    half = sqrt(0.1**2 + 0.16**2)
    assert found is not None
    assert found[:3] == pytest.approx((0.8, 0.8 - half, 0.8 + half))
    less = saved(found)
    assert less is not None
    assert less[:3] == pytest.approx((20.0, 20 - 100 * half, 20 + 100 * half))
    # Of skewed intervals the ends count that make the ratio smaller, or larger.
    skewed = ratio(Measured(8.0, 8.0, 9.0), Measured(10.0, 8.0, 10.0))
    assert skewed is not None
    assert skewed[:3] == pytest.approx((0.8, 0.8, 0.8 + half))
    skewed = ratio(Measured(8.0, 7.0, 8.0), Measured(10.0, 10.0, 12.0))
    assert skewed is not None
    assert skewed[:3] == pytest.approx((0.8, 0.8 - half, 0.8))
    assert ratio(Measured(1.0), Measured(0.0)) is None
    assert ratio(None, Measured(1.0)) is None
    assert full.measure(PAPER.items[1].cells[1].measure) is not None


def test_facts_are_found_along_their_path() -> None:
    data = {"3": [{"value": 2.5, "low": 2, "high": 3, "games": 7}, "text", True, None, 4]}
    at = {place: fact_value(Fact("f", (3, place)), data) for place in range(6)}
    assert at[0] == Measured(2.5, 2, 3, 7)
    assert [at[1], at[2], at[4]] == [Measured("text"), Measured(True), Measured(4)]
    assert at[3] is None  # nothing was found
    assert at[5] is None
    assert fact_value(Fact("f", ("4",)), data) is None
    assert fact_value(Fact("f", ("3", 1, 0)), data) is None


@pytest.mark.parametrize(
    "data",
    [
        [1],
        {"low": 1, "high": 2},
        {"value": 1, "low": 0},
        {"value": "a", "low": 0, "high": 1},
        {"value": [1]},
        {"value": 1, "games": "two"},
        10**400,
    ],
)
def test_facts_that_are_no_values_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match="computed fact f has no number"):
        fact_value(Fact("f", ("a",)), {"a": data})


def test_quick_and_full_lie_side_by_side(quick: Measurer, full: Measurer) -> None:
    few, many = quick.stored("league"), full.stored("league")
    assert (few.n_games, many.n_games) == (3 * 3 * 6, 3 * 3 * 8)
    assert few.agents["sampler"] != many.agents["sampler"]
    value = Fact("sums", ("sum",))
    assert (quick.measure(value), full.measure(value)) == (Measured(6), Measured(45))
    assert fact_name(SUMS, QUICK) != fact_name(SUMS, FULL)


def test_forfeited_games_are_counted(full: Measurer) -> None:
    ledger = full.stored("mirror")
    [result, *_] = planned_results(ledger.plan, ledger.store)
    assert ledger.n_forfeits == 0
    for ending in ("crash", "time", "illegal", "resignation", "length", None):
        ledger._add(result._replace(ending=ending))
    assert ledger.n_forfeits == 3


def test_games_of_other_papers_do_not_count(store: Store) -> None:
    other = replace(LEAGUE, seed=99)
    paper = replace(PAPER, games=(other, *PAPER.games[1:]))
    measured = Measurer(ScaledPaper(paper, FULL), store)
    assert measured.stored("league").n_games == 0
    assert measured.measure(Rate("league", "clever")) is None
    assert measured.measure(Cost("league", "clever", "nodes")) is None
    assert measured.measure(Share("league", "clever", NET, "top")) is None
    assert measured.measure(Rate("mirror", "one")) is not None


def test_shuffled_items_measure_the_same(store: Store) -> None:
    cells = [cell for item in PAPER.items for cell in item.cells]
    in_order = Measurer(ScaledPaper(PAPER, FULL), store)
    expected = {id(cell): in_order.measure(cell.measure) for cell in cells}
    random.Random(1).shuffle(cells)
    other = Measurer(ScaledPaper(PAPER, FULL), store)
    assert {id(cell): other.measure(cell.measure) for cell in cells} == expected
