"""Whole small tournaments in games with chance: how often their intervals hold the truth.

Both sides of an opening, and all pairings and groups, share its draws. The truth is what all
tournaments together say, which is many times as sure as each of them.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

import topple
from tests.arena.invented import made_up_result
from topple.arena.planning.plan import Plan
from topple.arena.playing.game import play_fixture
from topple.arena.playing.shared_status import SharedStatus
from topple.arena.statistics.rates import score_rate, win_rate
from topple.arena.statistics.ratings import Ratings
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import Result
from topple.game.game import Game

AGENTS = "random", "greedy", "montecarlo:samples=2"


class Case(NamedTuple):
    """A game, and how much of it a tournament plays."""

    spec: str
    board: str
    n_games: int  # of each pairing or group
    plies: int = 2


CASES = {
    # Much is drawn, on few vertices: the draws favour a side for a whole opening.
    "two": Case("spread-it:accept=0.5,tokens=4", "star:5", 40),
    "two from one position": Case("spread-it:accept=0.5,tokens=4", "cycle:5", 40, 0),
    "three": Case("spread-it:players=3,accept=0.6,tokens=3", "wheel", 60),
}


def game_of(case: Case) -> Game:
    """The case's game; `wheel` is a small digraph with arcs in circles and a sink."""
    if case.board != "wheel":
        return topple.load(case.spec, case.board)
    arcs = [[1, 5], [2, 0], [3, 1], [4, 2], [0, 3], []]
    return topple.load(case.spec, topple.boards.board.make_board("wheel", arcs, directed=True))


def results(case: Case, game: Game, seed: int) -> Iterator[Result]:
    """The results of a whole tournament, as the arena plays it."""
    agents = tuple(map(topple.agent, AGENTS))
    plan = Plan((game,), agents, n_games=case.n_games, seed=seed, plies=case.plies)
    for fixture in plan.fixtures():
        seated = [agents[seat] for seat in fixture.seats]
        sheet = play_fixture(game, seated, fixture, plan.limits, SharedStatus(1000))
        assert sheet.ending is None, sheet
        yield made_up_result(
            game=game.spec,
            board=game.board.spec,
            board_digest=game.board.digest,
            agents=tuple(agent.spec for agent in seated),
            returns=sheet.result,
            pair=f"{seed} {fixture.pair}",
            side=fixture.side,
            opening_number=fixture.opening_number,
            moves_digest=repr(sheet.moves),
            tournament_seed=seed,
        )


def ratings_of(standings: Standings) -> Ratings:
    ratings = standings.ratings()
    assert ratings is not None
    return ratings


def intervals(standings: Standings) -> dict[str, tuple[float, float, float]]:
    """Every estimate that a report of the tournament gives, with its interval."""
    found = {}
    ratings = ratings_of(standings)
    for row in ratings.rows:
        found[f"elo {row.agent}"] = tuple(row.elo)
    groups = standings.group_results()
    if groups is None:
        for one, other in standings.pairings():
            pairs = standings.pairs(one, other)
            for name, rate in (("score", score_rate), ("wins", win_rate)):
                found[f"{name} {one} {other}"] = tuple(rate(pairs) or ())
        return found
    for row in ratings.rows:
        found[f"score {row.agent}"] = tuple(groups.score(row.agent) or ())
        found[f"return {row.agent}"] = tuple(groups.mean_return(row.agent) or ())
    for number, seat in enumerate(ratings.seats):
        found[f"seat {number}"] = tuple(seat)
    return found


def coverage(case: Case, n: int) -> dict[str, float]:
    """How often each kind of interval held what all tournaments together say."""
    game = game_of(case)
    every, single = Standings(), []
    for seed in range(n):
        played = list(results(case, game, seed))
        single.append(intervals(Standings(played)))
        for result in played:
            every.add(result)
    truth = {name: value for name, (value, _, _) in intervals(every).items()}
    held: dict[str, list[bool]] = {}
    for found in single:
        for name, (_, low, high) in found.items():
            held.setdefault(name.split()[0], []).append(low <= truth[name] <= high)
    return {kind: float(np.mean(each)) for kind, each in held.items()}


@pytest.mark.prove
@pytest.mark.parametrize("name", CASES)
def test_intervals_in_games_with_chance_hold_the_truth_95_times_in_100(name: str) -> None:
    covered = coverage(CASES[name], 600)
    assert min(covered.values()) >= 0.93, covered
    assert max(covered.values()) <= 0.985, covered
