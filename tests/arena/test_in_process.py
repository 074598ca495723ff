"""Matches in the process that asks for them: the same games, and agents that are defined there."""

import pytest

import topple
from topple.agents import Agent, Decision, Effort, Search
from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.run import make_backend
from topple.core.errors import BadText
from topple.game.game import Game
from topple.game.position import Position


def plan_of(*agents: Agent) -> Plan:
    game = topple.load("hex", "hex:3", compiled=False)
    return Plan(games=(game,), agents=agents, n_games=4, seed=3)


def fixtures(plan: Plan) -> list[Fixture]:
    return list(plan.fixtures())


def played(plan: Plan, workers: int) -> dict[object, tuple[str, ...]]:
    """The moves of each game, by its fixture."""
    backend = make_backend("processes", plan, workers)
    sheets = [each for some in backend.play(iter(fixtures(plan))) for each in some]
    return {fixture.key: sheet.moves for fixture, sheet in sheets}


def test_the_games_are_those_of_a_worker() -> None:
    plan = plan_of(topple.agent("random"), topple.agent("greedy:evaluation=none"))
    assert len(played(plan, 0)) == 4
    assert played(plan, 0) == played(plan, 1)


class FirstSearch(Search):
    """The first legal move."""

    is_done = True

    def __init__(self, position: Position, fails: type[BaseException] | None) -> None:
        self.position, self.fails = position, fails

    def advance(self, n: int) -> None:
        """Nothing is left to do."""

    def decision(self) -> Decision:
        """The first legal move, or a failure."""
        if self.fails is not None:
            raise self.fails("at once")
        move = self.position.legal_moves()[0]
        return Decision(move, 0.0, (), (move,), Effort())


def agent_of(fails: type[BaseException] | None = None) -> Agent:
    """An agent of a class that no other process could import."""

    class First(Agent):
        """Plays the first legal move."""

        NAME, SUMMARY = "first", "play the first legal move"

        def search(self, position: Position, seed: int, memory: object = None) -> Search:
            """Begin a search."""
            return FirstSearch(position, fails)

        def warm(self, game: Game) -> None:
            """There is nothing to compile."""

    return First()


def test_an_agent_that_is_defined_on_the_spot_plays() -> None:
    plan = plan_of(agent_of(), topple.agent("random"))
    assert len(played(plan, 0)) == 4


def test_a_match_from_python_takes_such_an_agent() -> None:
    game = topple.load("hex", "hex:3", compiled=False)
    result = topple.match(game, agent_of(), "random", games=4, workers=0)
    assert result.games == 4


def test_an_agent_that_fails_loses() -> None:
    plan = plan_of(agent_of(ZeroDivisionError), topple.agent("random"))
    backend = make_backend("processes", plan, 0)
    for sheets in backend.play(iter(fixtures(plan))):
        for _, sheet in sheets:
            assert sheet.ending is not None
            assert sheet.ending.detail == "ZeroDivisionError: at once"


def test_ctrl_c_ends_the_play() -> None:
    plan = plan_of(agent_of(KeyboardInterrupt), topple.agent("random"))
    with pytest.raises(KeyboardInterrupt):
        played(plan, 0)


def test_fewer_workers_than_none_are_refused() -> None:
    plan = plan_of(topple.agent("random"), topple.agent("greedy"))
    with pytest.raises(BadText, match="-1 workers cannot play: 0 is this process"):
        make_backend("processes", plan, -1)
    with pytest.raises(BadText, match="0 workers cannot play: at least 1 is needed"):
        make_backend("ray", plan, 0)
