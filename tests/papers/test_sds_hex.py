"""Tanay's thesis as data, and the populations that are computed for it."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

import topple
from tests.papers.paper_facts import check_facts, compute
from topple.papers import load_paper
from topple.papers.data.sds_hex import AT_ROOT, GAMES, IN_TREE, UCT, VANILLA
from topple.papers.engine.computations import estimates as repeats
from topple.papers.engine.computations.sds_hex import STUDIED_TREE
from topple.papers.paper import Rate

PAPER = load_paper("sds-hex")
N_CELLS, PLAYOUTS = 49, 50_000 * 50


@cache
def known():
    found = {}
    for each in PAPER.computed:
        given = dict(each.quick)
        if given.get("runs", 1) > 1:
            given["runs"] = 4
        if "scattering" in given:
            given["agents"] = 1000
        found[each.name] = compute(each.computation, **given)
    return found


# -- the data ------------------------------------------------------------------------------------


def test_every_fact_that_items_use_is_computed():
    check_facts(PAPER, known())


def test_the_published_score_is_127_of_200():
    [cell] = [
        each
        for each in PAPER.items[-1].cells
        if isinstance(each.measure, Rate) and each.published is not None
    ]
    assert cell.published.value / 100 * cell.published.trials == 127
    assert cell.measure.games == "tree against root"


def test_the_reason_speaks_of_no_number_of_agents_that_a_scale_does_not_have():
    [why] = PAPER.items[-1].why
    assert "50,000" not in why.text
    assert "30%" in why.text
    assert "of ours" in why.text


def test_the_main_games_have_the_settings_of_the_thesis():
    games = GAMES[0]
    assert (games.full, games.plies, games.fields) == (200, 0, (("hex", "hex:7", ()),))
    tree, root = (topple.agent(games.agents[name]).options for name in (IN_TREE, AT_ROOT))
    for options in (tree, root):
        assert (options["agents"], options["iterations"]) == (50_000, 50)
        assert (options["recruitment"], options["relate"]) == ("passive", "none")
    assert (tree["scattering"], tree["backscatter"], tree["allocation"]) == (0.2, "parent", "tree")


@pytest.mark.parametrize("games", GAMES, ids=lambda games: games.name)
def test_agents_can_be_had_at_both_scales(games):
    game = topple.load("hex", games.fields[0].board)
    for name, text in games.agents.items():
        quick = (games.quick_agents or games.agents)[name]
        full_agent, quick_agent = topple.agent(text), topple.agent(quick)
        assert type(full_agent) is type(quick_agent)
        full_agent.check_game(game)
    assert games.quick % 2 == games.full % 2 == 0


@pytest.mark.parametrize(
    ("scale", "playouts"), [("agents", PLAYOUTS), ("quick_agents", 2_000 * 50)]
)
def test_the_games_against_uct_have_equal_playouts(scale, playouts):
    [games] = [each for each in GAMES if each.name == "UCT"]
    agents = {name: topple.agent(text).options for name, text in getattr(games, scale).items()}
    assert agents[UCT]["iterations"] == playouts
    assert agents[UCT]["keep"] is False
    assert agents[IN_TREE]["playouts"] == playouts
    assert agents[AT_ROOT]["agents"] * agents[AT_ROOT]["iterations"] == playouts


def test_vanilla_has_as_many_playouts_on_the_empty_board():
    [games] = [each for each in GAMES if each.name == "vanilla"]
    for agents, playouts in ((games.agents, PLAYOUTS), (games.quick_agents, 500_000)):
        samples = topple.agent(agents[VANILLA]).options["samples"]
        assert 0 <= playouts - samples * N_CELLS < N_CELLS


# -- the computations ----------------------------------------------------------------------------


def test_the_studied_tree_is_worth_what_the_text_says():
    worth = [sum(map(float, replies)) / len(replies) for replies in STUDIED_TREE]
    assert np.allclose(worth, [1 / 3, 2 / 3])
    assert min(STUDIED_TREE[0]) > 0, "after a victory is assured: Max has a winning move"
    assert min(STUDIED_TREE[1]) == 0, "after b Min's c wins"


def test_agents_swing_from_b_to_a():
    root = known()["population root"]
    assert root["early_b"]["value"] > 55
    assert root["a_leads_from_10"] is True
    assert 2 < root["turned"]["value"] < 8
    assert abs(root["late_a"]["value"] - 300 * (5**0.5 - 2)) < 2
    assert known()["population b"]["all_on_c_from_10"] is True


def test_populations_keep_their_agents():
    for name in ("population root", "population a", "population b"):
        series = known()[f"{name}, once"]["series"].values()
        assert np.allclose(np.sum(list(series), axis=0), 500, atol=1e-3)
    arms = known()["bandit, once"]["series"].values()
    assert set(np.sum(list(arms), axis=0)) == {200}
    shares = known()["spread, scattering 1"]["series"].values()
    means = [series["value"] for series in shares]
    assert np.allclose(np.sum(means, axis=0), 100, atol=1e-3)


def test_within_layers_min_follows_the_root():
    layers = known()["layers"]
    assert layers["distance"]["value"] < 5
    assert layers["early"]["value"] < 50 < layers["settled"]["value"]


def test_stronger_scattering_leaves_fewer_at_the_root():
    weak, strong = (known()[f"spread, scattering {name}"]["at_root"] for name in ("1/5", "1"))
    assert strong["high"] < weak["low"]


def test_the_arms_are_in_order():
    assert known()["bandit"]["is_in_order"] is True
    assert compute("sds-bandit", chances=[0.3, 0.8], runs=2)["is_in_order"] is False


def test_the_same_seeds_give_the_same_curves():
    given = {"population": "a", "runs": 2, "iterations": 15}
    assert compute("sds-tree", **given) == compute("sds-tree", **given)
    assert compute("sds-tree", **given) != compute("sds-tree", **given, seed=5)


def test_progress_is_reported():
    told = []
    compute("sds-layers", runs=3, iterations=12, report=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_mean_has_an_interval_and_a_band():
    assert repeats.estimate([4.0]) == {"value": 4.0}  # one run does not tell how runs differ
    low, high = stats.t.interval(0.95, 3, loc=4.0, scale=stats.sem([1.0, 3.0, 4.0, 8.0]))
    few = repeats.estimate([1.0, 3.0, 4.0, 8.0])
    assert few == pytest.approx({"value": 4.0, "low": low, "high": high})
    band = repeats.curve([[0.0, 1.0], [2.0, 1.0]])
    assert band["value"] == [1.0, 1.0]
    assert band["low"][0] < 1.0 < band["high"][0]
    assert band["low"][1] == band["high"][1] == 1.0
