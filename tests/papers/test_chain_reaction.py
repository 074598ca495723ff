"""Chain Reaction's data: numbers that follow from one another, and what pruning saves."""

from math import sqrt

import pytest

import topple
from topple.agents.montecarlo import capacity
from topple.papers import load_paper
from topple.papers.data.chain_reaction import (
    PUBLISHED_FEWER,
    PUBLISHED_GAMES,
    PUBLISHED_WINS,
    TABLE_SAMPLES,
)
from topple.papers.engine.computations.chain_reaction import in_games, saved, savings, turns
from topple.papers.engine.plans import ScaledPaper, parse_scale
from topple.papers.paper import Number

PAPER = load_paper("chain-reaction")
ITEMS = {item.name: item for item in PAPER.items}


def test_every_figure_and_table_with_results_is_there() -> None:
    assert {"table I", *(f"figure {n}" for n in (2, 3, 4, 5, 8, 9))} <= set(ITEMS)


def test_table_i_has_means_of_two_sets_of_1000_games() -> None:
    for row in PUBLISHED_WINS.values():
        assert all((2 * wins).is_integer() and wins < 1000 for wins in map(float, row))
    published = [cell.published for cell in ITEMS["table I"].cells]
    assert all(isinstance(each, Number) and each.trials == PUBLISHED_GAMES for each in published)


def test_figure_4_follows_from_table_i() -> None:
    plain, pruning = PUBLISHED_WINS.values()
    for one, other, (fewer, margin) in zip(plain, pruning, PUBLISHED_FEWER, strict=True):
        p, q = one / 1000, other / 1000
        assert fewer == pytest.approx(100 * (1 - q / p), abs=0.006)
        variance = (p * (1 - p) + q * (1 - q)) / PUBLISHED_GAMES
        assert margin == pytest.approx(100 * 1.96 * sqrt(variance) / p, abs=0.02)


def test_games_are_the_papers_at_full_scale() -> None:
    plans = ScaledPaper(PAPER, parse_scale("full"))
    for item in PAPER.items:
        for cell in item.cells:
            if isinstance(cell.published, Number) and cell.published.trials:
                assert plans.plan(cell.measure.games).n_games == PUBLISHED_GAMES  # type: ignore[union-attr]
    every = [plans.plan(games.name) for games in PAPER.games]
    assert {plan.plies for plan in every} == {0}
    assert {game.board.spec for plan in every for game in plan.games} == {"grid:5x5"}


def test_monte_carlo_and_pruning_have_the_samples_of_the_table() -> None:
    for name, agent in (("Monte Carlo", "montecarlo"), ("Progressive pruning", "pruning")):
        cells = [cell for cell in ITEMS["table I"].cells if cell.row == name]
        assert [cell.column for cell in cells] == [str(samples) for samples in TABLE_SAMPLES]
        games = next(g for g in PAPER.games if g.name == cells[0].measure.games)  # type: ignore[union-attr]
        for cell in cells:
            text = games.agents[cell.measure.agent]  # type: ignore[union-attr]
            assert text == f"{agent}:samples={cell.column}"


# -- what pruning saves ------------------------------------------------------------------------


def saved_by_counting(candidates: int, squares: int, rounds: int) -> float:
    """Candidates one by one: in each round the number of those that may stay falls."""
    samples, left, played = 100, candidates, 0.0
    for number in range(rounds):
        room = squares - squares * number / rounds
        while left > room:
            left -= 1
        played += left * samples / rounds
    return 100 - 100 * played / (candidates * samples)


@pytest.mark.parametrize("rounds", [1, 2, 5, 25])
def test_the_rule_saves_what_counting_says(rounds: int) -> None:
    for candidates in range(1, 26):
        expected = saved_by_counting(candidates, 25, rounds)
        if 25 % rounds == 0:  # else the room is rounded up
            assert saved(candidates, 25, rounds) == pytest.approx(expected)


def test_fewer_than_20_candidates_stay_together_until_the_second_or_third_round() -> None:
    """As the paper says of 25 squares and 5 rounds."""
    rooms = [capacity(25, done, 5) for done in range(1, 5)]
    first_loss = {n: next(i for i, room in enumerate(rooms, 1) if room < n) for n in range(6, 26)}
    assert {first_loss[n] for n in range(11, 20)} == {2, 3}
    assert first_loss[20] == 2
    assert first_loss[21] == 1


def test_curves_go_from_one_candidate_to_all_squares() -> None:
    found = savings(25, [5, 10])
    assert (found["x"][0], found["x"][-1]) == (1, 25)
    assert (found["series"]["5 rounds"][0], found["series"]["5 rounds"][-1]) == (0, 40)
    assert found["never_costs_more"] is True
    assert found["half"] == {"5 rounds": 16.0, "10 rounds": 19.2}


def test_pruning_saves_in_games_what_the_rule_says() -> None:
    game = topple.load("chain-reaction", "grid:3x3")
    seen = 0
    for turn in turns(game, samples=10, rounds=5, seat=0, seed=3):
        assert 1 <= turn.moves <= 9
        assert turn.pruned <= turn.plain
        if turn.plain == 10 * turn.moves:  # no move ends the game
            less = 100 * (1 - turn.pruned / turn.plain)
            assert less == pytest.approx(saved(turn.moves, 9, 5))
            seen += 1
    assert seen > 3


def test_what_is_saved_in_games_is_fixed_by_the_seed() -> None:
    told: list[tuple[int, int]] = []

    def report(done: int, of: int) -> None:
        told.append((done, of))

    given = {"board": "grid:3x3", "samples": 5, "rounds": 5, "games": 4}
    found = in_games(**given, seed=1, report=report)
    assert found == in_games(**given, seed=1)
    assert found != in_games(**given, seed=5)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    for estimate in (found["candidates"], found["saved"]):
        assert estimate["low"] < estimate["value"] < estimate["high"]
    assert 0 < found["saved"]["value"] < 40
