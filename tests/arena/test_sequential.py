"""Matches under a sequential test: which games count, in which order, and where they stop."""

from collections.abc import Callable
from random import Random

import pytest

import topple
from tests.arena.invented import made_up_result
from topple.arena.planning.plan import Plan
from topple.arena.playing.sequential import SequentialMatch
from topple.arena.statistics.sprt import Sprt
from topple.arena.store.played import Result
from topple.game.game import Game, load


def hexes(board: str = "hex:3") -> Game:
    return load("hex", board, compiled=False)


def sequential(*agents: str, n_games: int = 200) -> Plan:
    made = tuple(map(topple.agent, agents))
    return Plan((hexes("hex:4"),), made, n_games=n_games, sprt=Sprt(0, 200))


def results_of(plan: Plan, outcomes: Callable[[int], str], repeat: str = "") -> list[Result]:
    """A result for every fixture; letters are those of the agent that was named first.

    Pairs that end as `repeat` are all the same, move for move.
    """
    returns = {"W": 1.0, "D": 0.0, "L": -1.0}
    specs = [agent.spec for agent in plan.agents]
    found = []
    for fixture in plan.fixtures():
        pair = outcomes(fixture.opening_number)
        seat = fixture.seats.index(0)
        own = returns[pair[seat]]
        found.append(
            made_up_result(
                agents=tuple(specs[each] for each in fixture.seats),
                pair=fixture.pair,
                side=fixture.side,
                opening_number=fixture.opening_number,
                returns=(own, -own) if seat == 0 else (-own, own),
                moves_digest=f"{'same' if pair == repeat else fixture.opening_number} {seat}",
            )
        )
    return found


def begun(plan: Plan, results: list[Result] | None = None) -> SequentialMatch:
    test = SequentialMatch(plan)
    test.add(results or [])
    return test


@pytest.mark.parametrize("agents", [("greedy", "random"), ("random", "greedy")])
def test_a_test_is_about_the_agent_that_was_named_first(agents: tuple[str, str]) -> None:
    plan = sequential(*agents)
    for outcomes, verdict in (("WD", "H1"), ("LD", "H0"), ("LL", "H0"), ("WW", "H1")):
        test = begun(plan, results_of(plan, lambda _, both=outcomes: both))
        assert test.verdict == verdict
        assert test.pairs.counts == {tuple(outcomes): test.n_pairs}


def test_the_order_in_which_games_end_does_not_move_the_end_of_a_test() -> None:
    plan = sequential("greedy", "random")
    # Lost at first: a test that took later games first would decide earlier.
    results = results_of(plan, lambda n: "LW" if n < 4 else "WW")
    whole = begun(plan, results)
    assert whole.verdict == "H1"
    assert whole.n_pairs > 8
    for seed in range(5):
        mixed = Random(seed).sample(results, len(results))
        test, verdicts = begun(plan, mixed[:7]), []
        for start in range(7, len(mixed), 5):
            verdicts.append(test.add(mixed[start : start + 5]))
        assert (test.verdict, test.n_pairs, test.pairs) == (
            whole.verdict,
            whole.n_pairs,
            whole.pairs,
        )
        assert test.surplus() == whole.surplus()
        assert verdicts[0] is None
    backwards = begun(plan)
    assert backwards.add(results[2:]) is None  # the first pair may still say anything
    assert backwards.add(results[:1]) is None
    assert backwards.add(results[1:2]) == "H1"


def test_the_surplus_begins_after_the_deciding_pair() -> None:
    plan = sequential("greedy", "random")
    results = results_of(plan, lambda _: "WW")
    test = begun(plan, results)
    keys = [fixture.key for fixture in plan.fixtures()]
    assert test.surplus() == keys[2 * test.n_pairs :]
    assert begun(plan, results[: 2 * test.n_pairs]).verdict == "H1"
    one_less = begun(plan, results[: 2 * test.n_pairs - 1])
    assert (one_less.verdict, one_less.surplus()) == (None, [])


def test_pairs_that_repeat_are_no_evidence_in_a_test() -> None:
    """They are scaled away, all results alike: to drop them would favour what varies."""
    plan = sequential("greedy", "random")
    same = begun(plan, results_of(plan, lambda _: "WW", repeat="WW"))
    assert (same.verdict, same.n_pairs, same.pairs.n_pairs) == (None, 100, 100)
    assert same.pairs.evidence == {("W", "W"): 1.0}
    mixed = begun(plan, results_of(plan, lambda n: "LL" if n % 2 else "WW", repeat="LL"))
    assert mixed.verdict == "H0"
    assert mixed.pairs.repeats == mixed.pairs.counts["L", "L"] - 1


def test_half_a_pair_at_the_end_is_not_looked_at() -> None:
    plan = sequential("greedy", "random", n_games=5)
    test = begun(plan, results_of(plan, lambda _: "WL"))
    assert (test.n_pairs, test.verdict) == (2, None)
