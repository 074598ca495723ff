"""Running: what items rest on is played and computed, as far as the store lacks it."""

import time
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from topple.arena.backends import PROCESSES, make_backend
from topple.arena.plan import Plan
from topple.arena.running import BLOCK, Report, run_plan
from topple.arena.store import Store
from topple.papers.paper import Computed, Games, Item
from topple.reproduction.computing import Told, compute, fact_name
from topple.reproduction.needs import item_needs
from topple.reproduction.plans import Plans
from topple.solvers.solver import Stop


class Task(NamedTuple):
    """Something that items rest on: a set of games, or a computed fact."""

    plans: Plans
    what: Games | Computed

    @property
    def plan(self) -> Plan:
        """The plan of the games."""
        return self.plans.plan(self.what.name)


Chosen = Sequence[tuple[Plans, Sequence[Item]]]  # papers, with those of their items that count


def tasks_of(chosen: Chosen) -> list[Task]:
    """All that items rest on, each once, item by item."""
    tasks: list[Task] = []
    for plans, items in chosen:
        names: dict[str, None] = {}
        for item in items:
            needs = item_needs(item)
            names.update(dict.fromkeys((*needs.games, *needs.computed)))
        known: dict[str, Games | Computed] = {**plans.all_games, **plans.all_computed}
        tasks += [Task(plans, known[name]) for name in names]
    return tasks


def n_missing(task: Task, store: Store) -> int:
    """How many games of a task the store lacks; of a fact it has all or nothing."""
    if isinstance(task.what, Computed):
        return int(store.kept(fact_name(task.what, task.plans.scale)) is None)
    keys, missing = task.plan.game_keys(), 0
    while block := list(islice(keys, BLOCK)):
        missing += len(block) - len(store.known(block))
    return missing


def play(
    task: Task,
    store: Store,
    workers: int | None = None,
    report: Report | None = None,
    stop: Stop | None = None,
) -> bool:
    """Play the games of a task that the store lacks; returns whether all are there.

    Games are stored as they end: however this is ended, those under way alone are lost.
    """
    backend = make_backend(PROCESSES, task.plan, workers)
    return run_plan(task.plan, store, backend, report, stop)


def work_out(task: Task, store: Store, report: Told | None = None) -> None:
    """Compute the fact of a task, and keep it with the time that this took."""
    assert isinstance(task.what, Computed)
    began = time.perf_counter()
    data = compute(task.what, task.plans.scale, report)
    store.keep(fact_name(task.what, task.plans.scale), data, time.perf_counter() - began)


def run_all(tasks: Iterable[Task], store: Store, workers: int | None = None) -> None:
    """Play and compute all that the store lacks, without a word."""
    from topple.arena.running import warm_up

    for task in tasks:
        if not n_missing(task, store):
            continue
        if isinstance(task.what, Computed):
            work_out(task, store)
        else:
            warm_up(task.plan)
            play(task, store, workers)
