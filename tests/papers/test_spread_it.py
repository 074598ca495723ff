"""Spread-It's data: networks of the promised sizes, numbers that follow from one another."""

from collections import Counter
from math import sqrt

import pytest

from topple.arena.store.store import open_store
from topple.boards import load_board
from topple.evaluations import evaluations_of
from topple.evaluations import spread_it as features
from topple.papers import load_paper
from topple.papers.data.spread_it import (
    AGENT_RESULTS,
    BY_CLASS,
    CENTRAL,
    GAMES_OF_A_ROW,
    HEURISTICS,
    ORDER,
    SUMMARIES,
    WEIGHTS,
)
from topple.papers.data.spread_it_games import (
    ALL,
    CENTRAL_NETWORK,
    EVEN_TOKENS,
    NETWORKS,
    OTHERS,
    SMALL,
    SMALLEST,
    TWO_HUBS,
)
from topple.papers.engine.findings import HOLDS, Measured
from topple.papers.engine.judging import judge_checks
from topple.papers.engine.measuring import Measurer
from topple.papers.engine.plans import ScaledPaper, field_board, parse_scale
from topple.papers.engine.tasks import run_all, tasks_of
from topple.papers.paper import GameField, GameSet, Item, ItemCell, Number, Paper, Rate

PAPER = load_paper("spread-it")
GAMES_OF_A_HEURISTIC = 10_500  # 100 against each of 7 others on each of 15 networks
ROWS = [(loyalty, row) for loyalty, rows in AGENT_RESULTS.items() for row in rows]
GAMES = {games.name: games for games in PAPER.games}


# -- networks ----------------------------------------------------------------------------------


def test_networks_have_the_sizes_of_the_paper() -> None:
    boards = [load_board(text) for text in ALL]
    assert [board.spec for board in boards] == list(ALL)  # no seed but the one that is written
    assert len(boards) == 15
    assert set(Counter(NETWORKS.values()).values()) == {5}
    vertices, edges = ({getattr(b, what) for b in boards} for what in ("n_vertices", "n_edges"))
    assert (min(vertices), max(vertices), min(edges), max(edges)) == (14, 88, 19, 258)


@pytest.mark.parametrize("n", [3, 6, 9])
def test_the_first_networks_are_a_mix_of_classes(n: int) -> None:
    assert set(Counter(NETWORKS[text] for text in ALL[:n]).values()) == {n // 3}


def test_small_networks_are_small() -> None:
    assert max(load_board(text).n_vertices for text in SMALL) == 40
    assert max(load_board(text).n_vertices for text in SMALLEST) == 24


def test_the_central_network_is_that_of_the_paper() -> None:
    board = load_board(CENTRAL_NETWORK)
    assert (board.n_vertices, board.n_edges) == (24, 70)
    degrees = board.thresholds.tolist()
    assert sorted(degrees)[-3:] == [9, 10, 10]
    assert [vertex for vertex in range(24) if degrees[vertex] == 10] == list(TWO_HUBS)
    [field] = GAMES["zero, cheap hubs"].fields
    cheap = field_board(field).thresholds.tolist()
    assert [cheap[vertex] for vertex in TWO_HUBS] == [5, 5]
    assert sum(cheap) == sum(degrees) - 10


def test_other_networks_have_the_same_sizes() -> None:
    for text, other in zip(SMALL, OTHERS, strict=True):
        one, two = load_board(text), load_board(other)
        assert (one.n_vertices, one.n_edges) == (two.n_vertices, two.n_edges)
        assert two.spec == other
        assert one.digest != two.digest


def test_even_tokens_are_those_of_networks_with_an_odd_number() -> None:
    spare = {text: 2 * load_board(text).n_edges - load_board(text).n_vertices for text in SMALL}
    assert {text: n // 2 for text, n in spare.items() if n % 2} == EVEN_TOKENS


# -- settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "game"), [("zero", "spread-it"), ("full", "spread-it:loyalty=full")]
)
def test_agents_play_with_the_settings_of_the_paper(name: str, game: str) -> None:
    games = GAMES[name]
    assert games.fields == tuple(GameField(game, text) for text in ALL)
    assert games.agents == {
        "MCTS": "uct:iterations=1000,solver=false,keep=false",
        "Alpha-Beta": "alphabeta:depth=4,evaluation=linear",
        "Random": "random",
    }
    assert (games.full, games.plies, games.seed, games.gauntlet) == (500, 0, 1, False)


def test_linear_is_the_evaluation_with_the_published_weights() -> None:
    assert tuple(WEIGHTS) == features.FEATURES
    assert evaluations_of("spread-it", features)["linear"].weights == tuple(WEIGHTS.values())
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_quick_plays_on_small_networks_only() -> None:
    for games in PAPER.games:
        boards = [load_board(field.board) for field in games.fields[: games.quick_fields]]
        assert max(board.n_vertices for board in boards) <= 40


def test_two_games_of_evaluations_do_not_pass_for_two_hundred() -> None:
    games = GAMES["zero, evaluations"]
    assert games.full == 2
    assert "one in a hundred of its games is played" in games.about
    assert "stands for the paper's 100" in " ".join(item_of("table VII").notes)


def test_learning_is_shown_with_a_copy_that_learns_nothing_as_well() -> None:
    item = item_of("section B")
    [choice] = item.choices
    computed = {each.name: each for each in PAPER.computed}
    [(own, other)] = choice.instead.items()
    for scale in ("full", "quick"):
        one, two = (dict(getattr(computed[name], scale)) for name in (own, other))
        assert (one.pop("opponent"), two.pop("opponent")) == ("learning", "frozen")
        assert one == two
    assert computed[own].full == {"simulations": 20, "games": 10_000, "opponent": "learning"}
    notes = " ".join(item.notes)
    for ours in ("begin at 0", "second copy learns too", "class", "fewer than two"):
        assert ours in notes


# -- published numbers -------------------------------------------------------------------------


def could_be(value: float, low: float, high: float) -> bool:
    """Whether a number with one digit may be the rounded form of one in a range."""
    return value - 0.05 <= high + 1e-9 and low - 1e-9 <= value + 0.05


def test_wins_of_decided_games_follow_from_wins_and_draws_but_for_two() -> None:
    odd = []
    for loyalty, row in ROWS:
        low = 100 * (row.wins - 0.05) / (100 - row.draws + 0.05)
        high = 100 * (row.wins + 0.05) / (100 - row.draws - 0.05)
        if not could_be(row.wins_of_decided, low, high):
            odd.append((loyalty, row.name))
    assert odd == [("zero", "Alpha-Beta – Random"), ("zero", "MCTS – Alpha-Beta")]


def fits(number: Number, n_games: int) -> bool:
    """Whether a margin is that of so many games, give or take a hundredth."""
    share = number.value / 100
    assert number.margin is not None
    return abs(196 * sqrt(share * (1 - share) / n_games) - number.margin) <= 0.0125


def test_margins_are_those_of_the_games_that_were_played() -> None:
    assert all(fits(Number(row.wins, row.margin), GAMES_OF_A_ROW) for _, row in ROWS)
    summaries = [number for table in SUMMARIES.values() for number in table.values()]
    assert all(fits(number, 2 * GAMES_OF_A_ROW) for number in summaries)
    by_class = [number for table in BY_CLASS.values() for number in table.values()]
    assert all(fits(number, 2 * GAMES_OF_A_ROW // 3) for number in by_class)
    heuristics = [number for both in HEURISTICS.values() for number in both]
    assert all(fits(number, GAMES_OF_A_HEURISTIC) for number in heuristics)
    assert not all(fits(number, 15_000) for number in heuristics)


def means_of_rows(loyalty: str, agent: str) -> tuple[float, float]:
    """An agent's wins in percent: the mean of its rows as Black, and of those as Red as well."""
    rows = AGENT_RESULTS[loyalty]
    black = [row.wins for row in rows if row.black == agent]
    red = [100 - row.wins - row.draws for row in rows if row.red == agent]
    return sum(black) / 2, sum(black + red) / 4


def test_summaries_are_the_means_of_rows_as_black_within_half_a_percent_but_for_one() -> None:
    apart = {}
    for loyalty, table in SUMMARIES.items():
        for agent, number in table.items():
            as_black, in_both_seats = means_of_rows(loyalty, agent)
            assert abs(number.value - as_black) < abs(number.value - in_both_seats) or (
                agent == "Alpha-Beta" and loyalty == "full"
            )
            if abs(number.value - as_black) > 0.5:
                apart[loyalty, agent] = round(as_black, 2)
    assert apart == {("full", "Alpha-Beta"): 52.35}


def test_classes_do_not_quite_average_to_the_summaries() -> None:
    apart = {
        (loyalty, agent): round(sum(n.value for (a, _), n in table.items() if a == agent) / 3, 1)
        for loyalty, table in BY_CLASS.items()
        for agent in ORDER
    }
    assert apart == {
        ("zero", "MCTS"): 82.9,
        ("zero", "Alpha-Beta"): 63.4,
        ("zero", "Random"): 2.7,
        ("full", "MCTS"): 87.6,
        ("full", "Alpha-Beta"): 48.6,
        ("full", "Random"): 1.1,
    }
    for loyalty, number in (("zero", "III"), ("full", "VI")):
        [note] = [each for each in item_of(f"table {number}").notes if "average" in each]
        for agent in ORDER:
            assert f"{apart[loyalty, agent]}" in note
            assert f"{SUMMARIES[loyalty][agent].value}" in note


def item_of(name: str) -> Item:
    """One of the paper's items."""
    [item] = [each for each in PAPER.items if each.name == name]
    return item


def test_bars_of_figures_add_up_to_a_hundred() -> None:
    for bars in CENTRAL.values():
        assert all(sum(parts) == pytest.approx(100, abs=0.035) for parts in bars.values())


@pytest.mark.parametrize("item", PAPER.items, ids=lambda item: item.name)
def test_the_claims_hold_for_the_published_numbers(item: Item) -> None:
    values = {
        (cell.row, cell.column): Measured(cell.published.value)
        for cell in item.cells
        if isinstance(cell.published, Number)
    }
    for claim in item.claims:
        if values:
            assert judge_checks(claim.checks, values, lambda _: None) == HOLDS, claim.text


def test_published_numbers_name_their_section() -> None:
    assert all(item.section for item in PAPER.items)
    assert {item.name for item in PAPER.items} >= {
        *(f"table {number}" for number in ("I", "II", "III", "IV", "V", "VI", "VII")),
        *(f"figure {number}" for number in (4, 5, 6, 7)),
        "section V.A",
        "section B",
    }


# -- draws -------------------------------------------------------------------------------------


def test_draws_are_distinguished_by_how_they_ended() -> None:
    fields = (GameField("spread-it", "cycle:4"), GameField("spread-it", "grid:3x3"))
    games = GameSet("G", fields, {"A": "random", "B": "greedy"}, 40, 40)
    draws = [
        Rate("G", "A", counts="draw", reason=reason)
        for reason in ("an endless cascade", "the budgets are spent", "")
    ]
    items = (
        Item("table", "I", "", "", tuple(ItemCell(str(i), "", r) for i, r in enumerate(draws))),
    )
    paper = Paper("made-up", "", "", "", "spread-it", items, (games,))
    plans = ScaledPaper(paper, parse_scale("quick"))
    with open_store(None) as store:
        run_all(tasks_of([(plans, items)]), store, workers=1)
        measured = [Measurer(plans, store).measure(rate) for rate in draws]
    endless, spent, either = [each.value for each in measured if each is not None]
    assert isinstance(endless, float)
    assert isinstance(spent, float)
    assert endless + spent == pytest.approx(either)
    assert endless > 0
    assert spent > 0
    assert {each.games for each in measured if each is not None} == {80}
