"""Standings: results added up by pairing and by agent, and the same as plain data."""

import json
from itertools import combinations, permutations
from random import Random

import pytest

from tests.arena.invented import (
    COSTS,
    costed_pair,
    made_up_result,
    made_up_results,
    pair_of,
    three_agents,
)
from topple.arena.report.data import match_data, tournament_data
from topple.arena.report.naming import contest_texts
from topple.arena.statistics.elo import elo_difference, los
from topple.arena.statistics.rates import draw_rate, score_rate, win_loss_ratio, win_rate
from topple.arena.statistics.ratings import fit_ratings
from topple.arena.statistics.standings import AgentTotals, Standings
from topple.cli.views.standings import standings_text

STRENGTHS = {
    "uct:iterations=1000": 200.0,
    "montecarlo:samples=50": 100.0,
    "alphabeta:depth=4": 60.0,
    "random": -300.0,
}


def test_pairs_are_counted_as_both_agents_see_them() -> None:
    standings = Standings(
        [
            *pair_of("b", "a", "1", "WL"),
            *pair_of("b", "a", "2", "WD"),
            *pair_of("b", "a", "3", "LL"),
        ]
    )
    assert standings.pairs("b", "a").counts == {("W", "L"): 1, ("W", "D"): 1, ("L", "L"): 1}
    assert standings.pairs("a", "b").counts == {("W", "L"): 1, ("D", "L"): 1, ("W", "W"): 1}
    assert standings.games == 6
    assert standings.agents == ["a", "b"]
    assert standings.pairings() == [("a", "b")]


def test_a_pairing_may_be_named_either_way_round() -> None:
    named = Standings([*pair_of("a", "b", "1", "WW"), *pair_of("b", "a", "2", "LD")])
    assert named.pairs("a", "b").counts == {("W", "W"): 1, ("D", "W"): 1}


def test_standings_do_not_depend_on_the_order_of_results() -> None:
    results = [
        *made_up_results(STRENGTHS, 10),
        *made_up_results(STRENGTHS, 5, "infexion", "infexion:7"),
    ]
    mixed = list(results)
    Random(5).shuffle(mixed)
    in_order, growing = Standings(results), Standings()
    for result in mixed:
        growing.add(result)
    assert tournament_data(growing) == tournament_data(in_order)
    assert [each.game for each in in_order.contests] == ["hex", "infexion"]


def test_half_a_pair_counts_until_the_other_half_comes() -> None:
    first, second = pair_of("a", "b", "1", "WL")
    standings = Standings([second])
    assert standings.pairs("a", "b").counts == {(None, "L"): 1}
    standings.add(first)
    assert standings.pairs("a", "b").counts == {("W", "L"): 1}


def test_only_pairs_that_are_the_same_in_both_games_are_repeats() -> None:
    standings = Standings(
        [
            *pair_of("a", "b", "1", "WL", "xy"),
            *pair_of("a", "b", "2", "WL", "xy"),  # a repeat
            *pair_of("b", "a", "3", "WL", "yx"),  # the same again, named the other way round
            *pair_of("a", "b", "4", "WL", "xz"),
            *pair_of("a", "b", "5", "WL", "yx"),
            *pair_of("a", "c", "6", "WL", "xy"),  # other agents
            *pair_of("a", "b", "7", "WL", "xy")[:1],  # half a pair is none
        ]
    )
    totals = standings.pairing_totals("a", "b")
    assert totals.pairs.repeats == 2
    assert (totals.games, totals.effective_games) == (11, 7)
    assert standings.pairs("b", "a").repeats == 2
    assert standings.pairs("a", "c").repeats == 0
    assert standings.total().effective_games == 9


def test_the_same_moves_on_another_board_are_no_repeat() -> None:
    here = pair_of("a", "b", "1", "WL")
    there = [each._replace(pair="2", board_digest="f" * 16) for each in here]
    standings = Standings([*here, *there])
    assert standings.total().effective_games == 4
    texts = contest_texts(standings.contests)
    assert sorted(texts.values()) == [
        "hex on hex:5 (0123456789abcdef)",
        "hex on hex:5 (ffffffffffffffff)",
    ]


def test_an_agent_may_play_itself() -> None:
    standings = Standings(pair_of("a", "a", "1", "WL"))
    assert standings.pairs("a", "a").counts == {("W", "L"): 1}
    assert standings.agent_totals("a").games == 4  # seats
    assert standings.all_pairs("a").n_pairs == 0
    assert "A against A" in standings_text(standings)


def test_costs_and_forfeits_are_added_up_for_each_agent() -> None:
    standings = Standings(
        [
            made_up_result(
                agents=("a", "b"),
                plies=10,
                moves=(4, 3),
                seconds=(2.0, 1.0),
                simulations=(40, 0),
                nodes=(0, 9),
                ending="crash",
                ending_player=1,
            ),
            made_up_result(
                agents=("b", "a"),
                side=1,
                plies=20,
                moves=(6, 6),
                seconds=(0.5, 1.0),
                simulations=(0, 60),
                nodes=(21, 0),
                ending="length",
                returns=(0.0, 0.0),
            ),
        ]
    )
    a, b = standings.agent_totals("a"), standings.agent_totals("b")
    assert (a.games, a.moves, a.seconds, a.simulations, a.nodes) == (2, 10, 3.0, 100, 0)
    assert (a.per_move(a.seconds), a.mean_plies) == (0.3, 15.0)
    assert (b.games, b.moves, b.nodes) == (2, 9, 30)
    assert (a.forfeits, b.forfeits) == ({}, {"crash": 1})
    assert standings.pairing_totals("a", "b").endings == {"crash": 1, "length": 1}
    assert standings.pairing_totals("a", "b").mean_plies == 15.0
    assert standings.agent_totals("c") == AgentTotals()


def test_contests_are_kept_apart_and_added_up() -> None:
    hexes = list(made_up_results(STRENGTHS, 4))
    standings = Standings([*hexes, *made_up_results(STRENGTHS, 3, "infexion", "infexion:7")])
    first, second = standings.contests
    for one, two in combinations(STRENGTHS, 2):
        apart = standings.pairs(one, two, first) + standings.pairs(one, two, second)
        assert apart == standings.pairs(one, two)
    alone = Standings(hexes)
    assert standings.ratings(first) == alone.ratings()
    assert standings.total(first).games == len(hexes)
    assert standings.agent_totals("random", first) == alone.agent_totals("random")


def test_repeats_in_one_contest_do_not_weigh_in_the_sum_of_all() -> None:
    again = [game for n in range(50) for game in pair_of("a", "b", f"again {n}", "WW")]
    even = [
        game._replace(board="hex:4", board_digest="f" * 16)
        for n, results in enumerate(["WW", "WL", "LL", "WL"] * 5)
        for game in pair_of("a", "b", f"even {n}", results, (f"x{n}", f"y{n}"))
    ]
    found, different = Standings([*again, *even]), Standings([*again[:2], *even])
    assert found.tally("a") == (120, 0, 20)
    for one, other in (("a", "b"), ("b", "a")):
        for rate in ("win_rate", "draw_rate", "score", "elo"):
            expected = getattr(different.pairing_totals(one, other), rate)
            assert getattr(found.pairing_totals(one, other), rate) == pytest.approx(expected)
    for row, expected in zip(found.ratings().rows, different.ratings().rows, strict=True):
        assert row.elo == pytest.approx(expected.elo)
        assert row.score == pytest.approx(expected.score)


def test_an_agents_tally_is_that_of_its_pairs() -> None:
    standings = Standings(
        [
            *made_up_results(STRENGTHS, 4),
            *made_up_results(STRENGTHS, 3, "infexion", "infexion:7"),
            *pair_of("random", "random", "itself", "WL"),
            *pair_of("random", "new", "half", "DW")[:1],
            *pair_of("alone", "alone", "alone", "WW"),
        ]
    )
    for contest in (None, *standings.contests):
        for agent in standings.agents:
            assert standings.tally(agent, contest) == standings.all_pairs(agent, contest).tally
    assert standings.tally("new") == (0, 1, 0)
    assert standings.tally("alone") == standings.tally("nobody") == (0, 0, 0)


def test_agents_come_in_the_order_that_was_asked_for() -> None:
    results = list(made_up_results(STRENGTHS, 1))
    order = ["random", "uct:iterations=1000"]
    standings = Standings(results, ["absent", *order])
    rest = ["alphabeta:depth=4", "montecarlo:samples=50"]
    assert standings.agents == [*order, *rest]
    assert standings.pairings()[0] == tuple(order)


def test_ratings_are_fitted_to_all_pairings_at_once() -> None:
    standings = Standings(made_up_results(STRENGTHS, 100))
    results = {two: standings.pairs(*two) for two in combinations(sorted(STRENGTHS), 2)}
    ratings = standings.ratings()
    assert ratings == fit_ratings(results)
    assert [row.agent for row in ratings.rows] == list(STRENGTHS)


def test_nothing_played_has_no_ratings() -> None:
    standings = Standings()
    assert (standings.ratings(), standings.contests, standings.agents) == (None, [], [])
    assert tournament_data(standings)["contests"] == []


def test_the_data_of_a_match_are_those_of_the_statistics() -> None:
    standings = Standings(made_up_results(dict(list(STRENGTHS.items())[:2]), 30))
    one, two = "uct:iterations=1000", "montecarlo:samples=50"
    pairs, data = standings.pairs(one, two), match_data(standings, one, two)
    assert (data["agents"], data["game"], data["board"]) == ([one, two], "hex", "hex:5")
    assert (data["wins"], data["draws"], data["losses"]) == pairs.tally
    assert data["games"] == data["effective_games"] == 60
    for name, interval, estimate in (
        ("win_rate", "interval", win_rate(pairs)),
        ("draw_rate", "draw_rate_interval", draw_rate(pairs)),
        ("win_loss_ratio", "win_loss_ratio_interval", win_loss_ratio(pairs)),
        ("score", "score_interval", score_rate(pairs)),
        ("elo", "elo_interval", elo_difference(pairs)),
    ):
        assert estimate is not None
        digits = 0.006 if name == "elo" else 1e-6
        assert [data[name], *data[interval]] == pytest.approx(list(estimate), abs=digits)
    assert data["los"] == pytest.approx(los(pairs), abs=1e-6)
    for seat, part in enumerate((data["as_first"], data["as_second"])):
        alone = pairs.in_seat(seat)
        assert (part["games"], part["wins"], part["draws"], part["losses"]) == (30, *alone.tally)
        for name, interval, estimate in (
            ("win_rate", "interval", win_rate(alone)),
            ("draw_rate", "draw_rate_interval", draw_rate(alone)),
            ("win_loss_ratio", "win_loss_ratio_interval", win_loss_ratio(alone)),
            ("score", "score_interval", score_rate(alone)),
        ):
            assert [part[name], *part[interval]] == pytest.approx(list(estimate), abs=1e-6)
    assert data["as_first"]["wins"] + data["as_second"]["wins"] == data["wins"]
    assert data["simulations_per_move"] == [19**2, 21**2]  # as they were made up
    back = match_data(standings, two, one)
    assert (back["wins"], back["losses"]) == (data["losses"], data["wins"])


def test_what_is_infinite_or_unknown_is_null() -> None:
    swept = match_data(Standings(pair_of("a", "b", "1", "WW")), "a", "b")
    assert (swept["elo"], swept["elo_interval"][1]) == (None, None)
    drawn = match_data(Standings(pair_of("a", "b", "1", "DD")), "a", "b")
    assert (drawn["win_loss_ratio"], drawn["win_loss_ratio_interval"]) == (None, None)
    for data in (swept, drawn, tournament_data(Standings(pair_of("a", "b", "1", "WW")))):
        json.dumps(data, allow_nan=False)


def test_the_data_of_a_tournament_hold_every_pairing_of_every_contest() -> None:
    standings = Standings(
        [*made_up_results(STRENGTHS, 3), *made_up_results(STRENGTHS, 3, "infexion", "infexion:7")]
    )
    data = tournament_data(standings)
    assert data["games"] == 2 * 6 * 6
    assert [row["agent"] for row in data["ratings"]] == [r.agent for r in standings.ratings().rows]
    for contest, entry in zip(standings.contests, data["contests"], strict=True):
        assert (entry["game"], entry["board"]) == contest[:2]
        assert len(entry["pairings"]) == 6
        for pairing in entry["pairings"]:
            expected = match_data(standings, *pairing["agents"], contest)
            assert pairing.items() <= expected.items()


def test_the_data_of_a_match_name_each_agents_own() -> None:
    data = match_data(three_agents(), "a", "b")
    first, second = (
        [data[seat][name] for name in ("wins", "draws", "losses", "games")]
        for seat in ("as_first", "as_second")
    )
    assert (first, second) == ([4, 0, 0, 4], [2, 1, 1, 4])
    assert data["endings"] == {"crash": 1, "time": 1}
    assert data["forfeits"] == [{}, {"crash": 1, "time": 1}]
    assert data["seconds_per_move"] == [0.25, 0.5]
    assert data["simulations_per_move"] == [30, 0]
    assert data["nodes_per_move"] == [0, 700]
    assert data["mean_plies"] == 9


def test_the_data_of_a_tournament_name_each_agents_own() -> None:
    standings = three_agents()
    data = tournament_data(standings)
    for entry in (data, data["contests"][0]):
        agents = {each["agent"]: each for each in entry["agents"]}
        assert [agents[each]["games"] for each in "abc"] == [12, 13, 9]
        assert [agents[each]["forfeits"] for each in "abc"] == [
            {},
            {"crash": 1, "time": 1},
            {"illegal": 1},
        ]
        for name, each in agents.items():
            pairs = standings.all_pairs(name)
            assert (each["wins"], each["draws"], each["losses"]) == pairs.tally
            costs = each["seconds_per_move"], each["simulations_per_move"], each["nodes_per_move"]
            assert costs == COSTS[name]
        ratings = standings.ratings()
        assert ratings is not None
        assert entry["groups"] == 1
        assert entry["first_move"] == pytest.approx(ratings.first_move.value, abs=0.006)
        assert entry["first_move_interval"] == pytest.approx(ratings.first_move[1:], abs=0.006)
        for told, row in zip(entry["ratings"], ratings.rows, strict=True):
            assert (told["agent"], told["games"]) == (row.agent, row.games)
            assert row.score is not None
            assert told["score"] == pytest.approx(row.score.value, abs=1e-6)
            assert told["score_interval"] == pytest.approx(row.score[1:], abs=1e-6)
            assert told["elo_interval"] == pytest.approx(row.elo[1:], abs=0.006)
    apart = Standings([*costed_pair("a", "b", "1", "WL"), *costed_pair("c", "c", "2", "WL")])
    assert tournament_data(apart)["groups"] == 2


def test_repeats_are_found_whatever_the_order_of_games() -> None:
    games = [
        each._replace(moves_digest=f"moves {each.side}")
        for pair in "123"
        for each in costed_pair("a", "b", pair, "WL")
    ]
    for order in permutations(games):
        assert Standings(order).pairing_totals("a", "b").effective_games == 2


def test_ratings_are_those_of_all_games_added_so_far() -> None:
    standings = Standings(costed_pair("a", "b", "1", "WL"))
    before = standings.ratings()
    for result in costed_pair("a", "b", "2", "LL"):
        standings.add(result)
    assert standings.ratings() != before
    assert tournament_data(standings) == tournament_data(
        Standings([*costed_pair("a", "b", "1", "WL"), *costed_pair("a", "b", "2", "LL")])
    )
