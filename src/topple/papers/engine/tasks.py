"""Doing the work behind items: playing sets of games in batches, and computing facts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby, islice
from typing import NamedTuple

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.run import (
    BLOCK,
    PROCESSES,
    compile_plan,
    make_backend,
    store_sheets,
    unplayed,
)
from topple.arena.store.played import Result
from topple.arena.store.store import Key, Store
from topple.core.errors import ToppleError
from topple.core.processes import n_cores
from topple.core.stopping import Stop
from topple.papers.engine.computations.estimates import ReportProgress
from topple.papers.engine.computing import compute_fact, fact_name
from topple.papers.engine.plans import ScaledPaper, Selection
from topple.papers.paper import Computed, GameSet


class Task(NamedTuple):
    """A set of games to play, or a fact to compute."""

    paper: ScaledPaper
    what: GameSet | Computed

    @property
    def plan(self) -> Plan:
        """The plan of the games."""
        return self.paper.plan(self.what.name)

    @property
    def fact_name(self) -> str:
        """The store's name of the fact."""
        assert isinstance(self.what, Computed)
        return fact_name(self.what, self.paper.scale)

    def compute(
        self, store: Store, report: ReportProgress | None = None, workers: int | None = None
    ) -> None:
        """Compute the fact and keep it in the store."""
        assert isinstance(self.what, Computed)
        compute_fact(self.what, self.paper.scale, store, report, workers or n_cores())


def tasks_of(selection: Selection) -> list[Task]:
    """The tasks behind the selected items, each once in a paper, in the order of the items."""
    return [
        Task(scaled, scaled.paper.tasks[name])
        for scaled, items in selection
        for name in dict.fromkeys(
            name for item in items for names in item.sources() for name in names
        )
    ]


class PendingTask(NamedTuple):
    """A task that is not finished."""

    task: Task
    number: int  # of the task among all, from 1
    missing: int  # games that neither the store nor earlier tasks have; 1 for a fact


def pending_tasks(tasks: Iterable[Task], store: Store) -> list[PendingTask]:
    """The tasks that are not finished; games shared by several tasks are counted once."""
    counted: set[int] = set()
    found = (
        PendingTask(task, number, _n_missing(task, store, counted))
        for number, task in enumerate(tasks, 1)
    )
    return [pending for pending in found if pending.missing]


def _n_missing(task: Task, store: Store, counted: set[int]) -> int:
    """How many games the store lacks, other than those in `counted`, which they are added to."""
    if isinstance(task.what, Computed):
        return int(store.read_fact(task.fact_name) is None)
    keys, before = task.plan.game_keys(), len(counted)
    while block := list(islice(keys, BLOCK)):
        counted.update(map(hash, set(block) - store.known(block)))
    return len(counted) - before


def fact_versions(tasks: Iterable[Task], store: Store) -> set[str]:
    """The versions of topple that computed the facts of these tasks that the store has."""
    facts = (store.read_fact(task.fact_name) for task in tasks if isinstance(task.what, Computed))
    return {fact.version for fact in facts if fact is not None}


# Called with the task whose games are being played, and the results of games that have ended.
GamesProgress = Callable[[Task, Sequence[Result]], None]


class GameBatch:
    """Sets of games that the same workers play in one stream.

    Starting workers for each set would take longer than playing many of the sets,
    and at the end of each set most workers would wait. So the workers get one plan
    with the games and agents of all sets, and each result is stored under the plan
    of the set that it belongs to.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        plans = [task.plan for task in tasks]
        games = {(game.spec, game.board.digest): game for plan in plans for game in plan.games}
        agents = {agent.spec: agent for plan in plans for agent in plan.agents}
        self._games = {key: place for place, key in enumerate(games)}
        self._agents = {spec: place for place, spec in enumerate(agents)}
        players = tuple(agents.values())
        self.plan = Plan(
            games=tuple(games.values()),
            agents=players if len(players) > 1 else players * 2,  # one agent plays itself
            limits=plans[0].limits,
        )
        self._under_way: dict[Key, tuple[Task, Fixture]] = {}

    def play(
        self,
        store: Store,
        workers: int | None = None,
        report: GamesProgress | None = None,
        stop: Stop | None = None,
    ) -> bool:
        """Play all games that the store lacks; returns False if `stop` ended it early.

        Each game is stored when it ends, so an interruption loses only the games
        that are under way.
        """
        for task in self.tasks:
            store.remember(task.plan.settings())
        backend = make_backend(PROCESSES, self.plan, workers)
        with closing(backend.play(self._missing(store))) as coming:
            for sheets in coming:
                self._store(store, sheets, report)
                if stop is not None and stop.is_set():
                    return False
        return True

    def _missing(self, store: Store) -> Iterator[Fixture]:
        """The fixtures that the store lacks, numbered as in the workers' plan.

        Tasks may share games: those already under way are skipped.
        """
        for task in self.tasks:
            for fixture in unplayed(task.plan, store, self._under_way):
                self._under_way[fixture.key] = task, fixture
                yield self._renumbered(task.plan, fixture)

    def _renumbered(self, plan: Plan, fixture: Fixture) -> Fixture:
        game = plan.games[fixture.game]
        first, second = (self._agents[plan.agents[seat].spec] for seat in fixture.seats)
        place = self._games[game.spec, game.board.digest]
        return fixture._replace(game=place, seats=(first, second))

    def _store(self, store: Store, sheets: Sheets, report: GamesProgress | None) -> None:
        """Store the games that have ended, each under the plan of its own task."""
        ended = [(*self._under_way[fixture.key], sheet) for fixture, sheet in sheets]
        for task in self.tasks:
            own = [(fixture, sheet) for of, fixture, sheet in ended if of is task]
            if not own:
                continue
            results = store_sheets(task.plan, store, own)
            for fixture, _ in own:
                del self._under_way[fixture.key]
            if report is not None:
                report(task, results)
        if not sheets and report is not None and self._under_way:
            report(next(iter(self._under_way.values()))[0], [])


def batches_of(tasks: Iterable[Task]) -> list[GameBatch]:
    """Sets of games in batches: neighbours of one paper with the same time limits share one."""
    found = []
    for _, group in groupby(tasks, lambda task: (id(task.paper), task.plan.limits)):
        together = list(group)
        try:
            found.append(GameBatch(together))
        except ToppleError:  # an agent of one set cannot play the game of another
            found += [GameBatch([task]) for task in together]
    return found


def work_units(tasks: Iterable[Task]) -> Iterator[Task | GameBatch]:
    """The tasks in their order: facts one by one, sets of games in batches."""
    for is_computed, group in groupby(tasks, lambda task: isinstance(task.what, Computed)):
        same = list(group)
        yield from same if is_computed else batches_of(same)


def run_all(tasks: Iterable[Task], store: Store, workers: int | None = None) -> None:
    """Play and compute everything that the store lacks, without any output."""
    for unit in work_units([pending.task for pending in pending_tasks(tasks, store)]):
        if isinstance(unit, GameBatch):
            compile_plan(unit.plan)
            unit.play(store, workers)
        else:
            unit.compute(store, workers=workers)
