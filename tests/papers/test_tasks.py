"""Playing and computing what items need: once, resumable, and with the time that it took."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.papers import tiny_paper
from tests.papers.tiny_paper import COMPUTATION, LOYAL, PAPER, SUMS
from topple.arena.playing.run import make_backend, play_plan
from topple.arena.store.store import open_store
from topple.papers.engine.computations import COMPUTATIONS
from topple.papers.engine.computing import fact_name
from topple.papers.engine.plans import ScaledPaper, parse_scale
from topple.papers.engine.tasks import (
    GameBatch,
    PendingTask,
    Task,
    batches_of,
    fact_versions,
    pending_tasks,
    tasks_of,
)
from topple.papers.paper import Computed, GameField, GameSet

QUICK, FULL = parse_scale("quick"), parse_scale("full")


@pytest.fixture(autouse=True)
def computations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the computation of the tests' paper."""
    monkeypatch.setitem(COMPUTATIONS, SUMS.computation, COMPUTATION)


MATCH = GameSet(
    "match", (GameField("hex", "hex:3"),), {"a": "greedy", "b": "random"}, full=12, quick=6, plies=2
)


class Noted:
    """A sign to stop that is set after some games."""

    def __init__(self, most: int = 10**9) -> None:
        self.most, self.seen = most, Counter[str]()

    def add(self, task: Task, results: Any) -> None:
        self.seen[task.what.name] += len(results)

    def is_set(self) -> bool:
        return self.seen.total() >= self.most


def test_stopped_playing_resumes_with_the_missing_games() -> None:
    paper = replace(PAPER, games=(MATCH,), items=(), computed=())
    task = Task(ScaledPaper(paper, FULL), MATCH)
    with open_store(None) as store:
        first, second, third = Noted(3), Noted(), Noted()
        assert not GameBatch([task]).play(store, 1, first.add, first)
        assert 3 <= first.seen.total() <= store.n_games() < 12
        before = store.n_games()
        assert pending_tasks([task], store) == [PendingTask(task, 1, 12 - before)]
        assert GameBatch([task]).play(store, 1, second.add, second)
        assert second.seen.total() == 12 - before
        assert GameBatch([task]).play(store, 1, third.add, third)
        assert third.seen.total() == 0
        assert pending_tasks([task, Task(ScaledPaper(paper, QUICK), MATCH)], store) == []


def test_a_batch_plays_each_game_once_and_as_the_arena_plays_it_alone() -> None:
    more = replace(
        MATCH,
        name="more",
        agents={"r": "random", "m": "montecarlo:samples=2", "g": "greedy"},
        fields=(GameField("hex", "hex:4"), *MATCH.fields),
        full=6,
    )
    again = replace(MATCH, name="again", agents={"x": "random", "y": "random"}, full=4)
    paper = replace(PAPER, games=(MATCH, more, again), items=(), computed=())
    plans = ScaledPaper(paper, FULL)
    tasks = [Task(plans, games) for games in paper.games]
    [series] = batches_of(tasks)
    noted = Noted()
    with open_store(None) as store:
        assert [due.missing for due in pending_tasks(tasks, store)] == [12, 30, 4]
        assert series.play(store, 2, noted.add)
        # Of the second set, six games of greedy and random are those of the first.
        assert noted.seen == {"match": 12, "more": 2 * 3 * 6 - 6, "again": 4}
        together = {(game.pair, game.side): game for game in store.games()}
    assert len(together) == 12 + 30 + 4
    for games in paper.games:
        plan = plans.plan(games.name)
        with open_store(None) as store:
            play_plan(plan, store, make_backend("processes", plan, 2))
            alone = {(game.pair, game.side): game for game in store.games()}
        assert len(alone) == plan.n_fixtures
        for key, game in alone.items():
            other = together[key]
            assert other.record == game.record
            expected = [each.agent for each in game.participants]
            assert [each.agent for each in other.participants] == expected
            assert other.opening_number == game.opening_number
            assert other.tournament_seed == game.tournament_seed


def test_sets_that_do_not_go_together_are_separate_batches() -> None:
    timed = replace(MATCH, name="timed", game_time=60.0, seed=2)
    solver = replace(MATCH, name="solved", agents={"p": "perfect", "r": "random"}, seed=3)
    paper = replace(PAPER, games=(MATCH, timed, solver), items=(), computed=())
    plans = ScaledPaper(paper, FULL)
    tasks = [Task(plans, games) for games in paper.games]
    assert [len(each.tasks) for each in batches_of(tasks)] == [1, 1, 1]
    assert [len(each.tasks) for each in batches_of([tasks[0], tasks[2]])] == [2]


def test_a_fact_is_computed_once_and_kept_with_its_time() -> None:
    told: list[tuple[int, int]] = []
    with open_store(None) as fresh:
        [task] = [t for t in tasks_of([(ScaledPaper(PAPER, QUICK), PAPER.items)]) if t.what is SUMS]
        assert pending_tasks([task], fresh) == [PendingTask(task, 1, 1)]
        task.compute(fresh, lambda done, of: told.append((done, of)))
        assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
        assert pending_tasks([task], fresh) == []
        kept = fresh.read_fact('tiny-sums {"n":4}')
        assert kept is not None
        assert kept.data["sum"] == 6
        assert kept.seconds > 0


made: list[tuple[int, int]] = []  # which parts were made, with how many workers


def in_parts(n: int, workers: int, keep_part: Any, kept_part: Any) -> dict[str, int]:
    """The sum of 0 … n − 1, of which each number is a part; it breaks down at the first 2."""
    total = 0
    for number in range(n):
        part = kept_part(str(number))
        if part is None:
            part = number
            made.append((number, workers))
            if number == 2 and made.count((2, workers)) == 1:
                raise KeyboardInterrupt
            keep_part(str(number), part)
        total += part
    return {"sum": total}


def test_partial_results_survive_a_killed_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMPUTATIONS, "tiny-parts", f"{__name__}:in_parts")
    made.clear()
    fact = Computed("parts", "tiny-parts", full={"n": 4}, quick={"n": 4})
    task = Task(ScaledPaper(replace(PAPER, items=(), computed=(fact,)), QUICK), fact)
    with open_store(None) as store:
        with pytest.raises(KeyboardInterrupt):
            task.compute(store, workers=3)
        assert pending_tasks([task], store) == [PendingTask(task, 1, 1)]
        name = fact_name(fact, QUICK)
        store.save_fact(f"{name}, part 0", 0, 500.0)  # as if it had taken long
        task.compute(store, workers=3)
        kept = store.read_fact(name)
    assert made == [(0, 3), (1, 3), (2, 3), (2, 3), (3, 3)]
    assert kept is not None
    assert kept.data == {"sum": 6}
    assert 500 < kept.seconds < 550  # the time of the parts that were there counts


def test_tasks_come_item_by_item_and_once() -> None:
    one, other = ScaledPaper(PAPER, QUICK), ScaledPaper(PAPER, QUICK)
    tasks = tasks_of([(one, PAPER.items), (other, PAPER.items[1:])])
    assert [task.what.name for task in tasks] == [
        "league",
        "loyal",
        "mirror",
        "sums",
        "league",
        "mirror",
        "sums",
    ]


def test_a_fact_is_kept_under_the_defaults_of_its_computation_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert fact_name(SUMS, QUICK) == 'tiny-sums {"n":4}'

    def changed(n: int, step: int = 2, report: object = None) -> None:
        """Another default than that of a fact which was kept must make another fact."""

    monkeypatch.setattr(tiny_paper, "tiny_sums", changed)
    assert fact_name(SUMS, QUICK) == 'tiny-sums {"n":4,"step":2}'
    assert fact_name(replace(SUMS, quick={"step": 2, "n": 4}), QUICK) == fact_name(SUMS, QUICK)


def test_the_versions_that_computed_facts_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Task(ScaledPaper(PAPER, QUICK), what) for what in (SUMS, LOYAL)]
    with open_store(None) as store:
        assert fact_versions(tasks, store) == set()
        monkeypatch.setattr("topple.arena.store.facts.__version__", "0.0.1")
        store.save_fact(fact_name(SUMS, QUICK), {"sum": 6})
        store.save_fact("another fact", {"sum": 6})
        assert fact_versions(tasks, store) == {"0.0.1"}
