"""Tasks: what items rest on, games and computed facts, and how much of it a store lacks."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from topple.arena.planning.plan import Plan
from topple.arena.playing.run import BLOCK
from topple.arena.store.store import Store
from topple.core.processes import n_cores
from topple.papers.engine.computations.repeats import Told
from topple.papers.engine.computing import compute, fact_name
from topple.papers.engine.needs import item_needs
from topple.papers.engine.parts import Parts
from topple.papers.engine.plans import Plans
from topple.papers.paper import Computed, Games, Item


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


class Due(NamedTuple):
    """A task with what is still to be done for it."""

    task: Task
    number: int  # of the task among all, from 1
    missing: int  # games that the store lacks, but for those of earlier tasks; of a fact, 1


def due_tasks(tasks: Iterable[Task], store: Store) -> list[Due]:
    """The tasks that are not done; games that several of them share are counted once."""
    counted: set[int] = set()
    found = (
        Due(task, number, _n_missing(task, store, counted)) for number, task in enumerate(tasks, 1)
    )
    return [due for due in found if due.missing]


def _n_missing(task: Task, store: Store, counted: set[int]) -> int:
    """How many games the store lacks that are not counted yet; they are then."""
    if isinstance(task.what, Computed):
        return int(store.read_fact(fact_name(task.what, task.plans.scale)) is None)
    keys, before = task.plan.game_keys(), len(counted)
    while block := list(islice(keys, BLOCK)):
        counted.update(map(hash, set(block) - store.known(block)))
    return len(counted) - before


def fact_versions(tasks: Iterable[Task], store: Store) -> set[str]:
    """The versions of topple that have computed those facts of tasks that the store has."""
    names = [fact_name(t.what, t.plans.scale) for t in tasks if isinstance(t.what, Computed)]
    return {kept.version for name in names if (kept := store.read_fact(name)) is not None}


def work_out(
    task: Task, store: Store, report: Told | None = None, workers: int | None = None
) -> None:
    """Compute the fact of a task, and keep it with the time of one core that this took."""
    assert isinstance(task.what, Computed)
    name = fact_name(task.what, task.plans.scale)
    parts = Parts(store, name)
    data = compute(
        task.what, task.plans.scale, report,
        workers=workers or n_cores(), keep_part=parts.keep, kept_part=parts.kept,
    )  # fmt: skip
    store.save_fact(name, data, parts.seconds)
