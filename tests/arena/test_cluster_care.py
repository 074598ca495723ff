"""What a cluster does when actors fall, come late or never: with a Ray that is made up."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from tests.arena.cluster_setup import make_plan
from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing import ray_backend as cluster
from topple.arena.playing.game import Costs, Scoresheet
from topple.arena.playing.ray_backend import CHANCES, FixtureQueue, RayCluster
from topple.core.errors import ToppleError, Unsupported

SHEET = Scoresheet((), (1.0, -1.0), "", None, (Costs(), Costs()), "", 0.1, ())


class RayError(Exception):
    """An actor is lost."""


class RayTaskError(RayError):
    """A call has raised something."""

    def __init__(self, cause: Exception) -> None:
        super().__init__("a long traceback")
        self.cause = cause


class MadeUpRay:
    """As much of Ray as a cluster uses; a call is answered when it is looked at.

    `answer(actor, fixtures)` is what an actor does with a batch, `begin(actor)` what it
    reports; both may raise.
    """

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, n_cpus: int = 2) -> None:
        self.n_cpus = n_cpus
        self.actors: list[Actor] = []
        self.killed: list[Actor] = []
        self.begin: Callable[[Actor], Any] = lambda actor: ("node", "host", None)
        self.answer: Callable[[Actor, list[Fixture]], Any] = lambda actor, fixtures: [
            (fixture, SHEET) for fixture in fixtures
        ]
        self.is_free: Callable[[Actor], bool] = lambda actor: True

    def remote(self, kind: object) -> "MadeUpRay":
        """A class of actors."""
        return self

    def options(self, **options: object) -> Any:
        """The same with options."""
        return SimpleNamespace(remote=self.make)

    def make(self, *origin: object) -> "Actor":
        """An actor."""
        self.actors.append(Actor(self, len(self.actors)))
        return self.actors[-1]

    def put(self, value: object) -> object:
        """A value that can be sent."""
        return value

    def cluster_resources(self) -> dict[str, float]:
        """How large the cluster is."""
        return {"CPU": self.n_cpus}

    def wait(
        self, calls: list["Call"], num_returns: int, timeout: float
    ) -> tuple[list["Call"], list["Call"]]:
        """The calls that are answered, and the others."""
        ready = [call for call in calls if self.is_free(call.actor)]
        return ready[:num_returns], []

    def get(self, call: "Call") -> Any:
        """The answer to a call."""
        return self.begin(call.actor) if call.batch is None else self.answer(call.actor, call.batch)

    def kill(self, actor: "Actor") -> None:
        """End an actor."""
        self.killed.append(actor)

    def get_runtime_context(self) -> Any:
        """Where the head is."""
        return SimpleNamespace(gcs_address="head:6379")


class Call:
    """A call of an actor's method: to get ready, or to play a batch."""

    def __init__(self, actor: "Actor", batch: list[Fixture] | None) -> None:
        self.actor, self.batch = actor, batch


class Actor:
    """An actor that exists in name only."""

    def __init__(self, ray: MadeUpRay, number: int) -> None:
        self.number = number
        self.ready = SimpleNamespace(remote=lambda plan: Call(self, None))
        self.play = SimpleNamespace(remote=lambda batch: Call(self, batch))


class Clock:
    """A clock on which a quarter of a second passes with every look."""

    now = 0.0

    def monotonic(self) -> float:
        """What time it is."""
        self.now += 0.25
        return self.now

    def sleep(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> MadeUpRay:
    """A Ray that every cluster connects to."""
    made = MadeUpRay()

    @contextmanager
    def connected(address: str | None, n_cpus: int) -> Iterator[MadeUpRay]:
        yield made

    monkeypatch.setattr(cluster, "load_ray", lambda: made)
    monkeypatch.setattr(cluster, "connected", connected)
    monkeypatch.setattr(cluster, "check_address", lambda address: None)
    monkeypatch.setattr(cluster, "time", Clock())
    return made


@pytest.fixture
def plan() -> Plan:
    """Twenty games."""
    return make_plan("hex:4", ["random", "greedy"], 20)


def play(played: RayCluster) -> list[Any]:
    """The keys of all games, in the order in which they end."""
    fixtures = played.plan.fixtures()
    return [fixture.key for sheets in played.play(fixtures) for fixture, _ in sheets]


def all_keys(plan: Plan) -> list[Any]:
    """The keys of a plan's games, sorted."""
    return sorted(fixture.key for fixture in plan.fixtures())


def test_the_games_of_lost_actors_are_played_once_more(ray: MadeUpRay, plan: Plan) -> None:
    calls: deque[int] = deque()

    def every_third_is_lost(actor: Actor, fixtures: list[Fixture]) -> Any:
        calls.append(actor.number)
        if len(calls) % 3 == 0:
            raise RayError("gone")
        return [(fixture, SHEET) for fixture in fixtures]

    ray.answer = every_third_is_lost
    assert sorted(play(RayCluster(plan))) == all_keys(plan)
    assert max(calls) > 1, "nobody was replaced"
    assert ray.killed.count(ray.actors[0]) == 1


def test_actors_end_with_the_games_and_when_the_iterator_is_closed(
    ray: MadeUpRay, plan: Plan
) -> None:
    coming = RayCluster(plan).play(plan.fixtures())
    next(coming)
    assert len(ray.actors) == ray.n_cpus
    coming.close()
    assert ray.killed == ray.actors


def test_who_has_not_reported_holds_no_games(ray: MadeUpRay, plan: Plan) -> None:
    ray.is_free = lambda actor: actor.number == 0
    assert sorted(play(RayCluster(plan))) == all_keys(plan)
    assert len(ray.actors) == 2


def test_cpus_that_join_later_are_used(ray: MadeUpRay, plan: Plan) -> None:
    players = set()

    def more_come(actor: Actor, fixtures: list[Fixture]) -> Any:
        players.add(actor.number)
        ray.n_cpus = 4
        return [(fixture, SHEET) for fixture in fixtures]

    ray.answer = more_come
    assert sorted(play(RayCluster(plan))) == all_keys(plan)
    assert players == {0, 1, 2, 3}


def test_no_more_actors_than_were_asked_for(ray: MadeUpRay, plan: Plan) -> None:
    ray.n_cpus = 8
    play(RayCluster(plan, 3))
    assert len(ray.actors) == 3


def test_a_game_that_takes_every_actor_down_ends_the_run(ray: MadeUpRay, plan: Plan) -> None:
    poison = list(plan.fixtures())[3].key

    def fall(actor: Actor, fixtures: list[Fixture]) -> Any:
        if any(fixture.key == poison for fixture in fixtures):
            raise RayError("The actor died.\nIts memory was full.")
        return [(fixture, SHEET) for fixture in fixtures]

    ray.answer = fall
    with pytest.raises(ToppleError, match=rf"a game has lost {CHANCES} workers .* actor died\.$"):
        play(RayCluster(plan, 1))
    assert len(ray.actors) == CHANCES


def test_actors_that_never_begin_end_the_run(ray: MadeUpRay, plan: Plan) -> None:
    def fail(actor: Actor) -> Any:
        raise RayError("no interpreter")

    ray.begin = fail
    with pytest.raises(ToppleError, match="in a row have ended before they could play: no"):
        play(RayCluster(plan))


def test_a_node_with_another_topple_ends_the_run(ray: MadeUpRay, plan: Plan) -> None:
    ray.begin = lambda actor: ("node", "far", "has topple 9 and not 1")
    with pytest.raises(Unsupported, match="the Ray node far has topple 9 and not 1"):
        play(RayCluster(plan))


def test_without_anybody_to_play_that_is_told_once_and_then_an_error(
    ray: MadeUpRay, plan: Plan
) -> None:
    ray.n_cpus = 0
    lines: list[str] = []
    with pytest.raises(ToppleError, match="has been free for 10 minutes"):
        play(RayCluster(plan, message=lines.append))
    assert lines == ["no worker of the Ray cluster on this machine is free: waiting for one"]


def test_a_cluster_without_its_head_ends_the_run(
    ray: MadeUpRay, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_gone(address: str) -> None:
        raise Unsupported(f"nobody at {address}")

    def fall(actor: Actor, fixtures: list[Fixture]) -> Any:
        raise RayError("gone")

    monkeypatch.setattr(cluster, "check_address", is_gone)
    ray.answer = fall
    with pytest.raises(ToppleError, match="the head of the Ray cluster is gone"):
        play(RayCluster(plan))
    assert ray.killed == []  # Ray would wait for an answer


def test_an_error_of_the_pool_keeps_its_message(ray: MadeUpRay, plan: Plan) -> None:
    def fail(actor: Actor, fixtures: list[Fixture]) -> Any:
        raise RayTaskError(ToppleError("is there enough memory?"))

    ray.answer = fail
    with pytest.raises(ToppleError, match=r"^is there enough memory\?$"):
        play(RayCluster(plan))


def test_nothing_to_play_needs_no_ray(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    monkeypatch.setattr(cluster, "load_ray", lambda: None)
    assert list(RayCluster(plan).play([])) == []


def test_lost_fixtures_go_first_and_alone(plan: Plan) -> None:
    fixtures = list(plan.fixtures())
    queue = FixtureQueue(fixtures[2:6])
    queue.lost.extend(fixtures[:2])
    assert queue.take(0) == []
    taken = [queue.take(3) for _ in range(5)]
    assert taken == [fixtures[:1], fixtures[1:2], fixtures[2:5], fixtures[5:6], []]
    assert queue.is_empty
