"""Running: sets of games that the same workers play one after another, without a pause."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.backends import PROCESSES, make_backend
from topple.arena.playing.game import Sheets
from topple.arena.playing.run import compile_plan, store_sheets, unplayed
from topple.arena.store.played import Result
from topple.arena.store.store import Key, Store
from topple.core.errors import ToppleError
from topple.core.stopping import Stop
from topple.papers.engine.tasks import Task, due_tasks, work_out
from topple.papers.paper import Computed

# Is told which of the tasks is being played, and the results of games that have ended, or none.
Report = Callable[[Task, Sequence[Result]], None]


class Series:
    """Tasks whose games are played by the same workers, in one stream.

    Starting workers for each set of games would take longer than many of the sets
    do, and at the end of each all but one worker would wait. So a plan is made that
    has the games and agents of all tasks; workers play its fixtures, and what comes
    back is stored under the plan that it is of.
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
            agents=players if len(players) > 1 else players * 2,  # it plays itself
            limits=plans[0].limits,
        )
        self._under_way: dict[Key, tuple[Task, Fixture]] = {}

    def play(
        self,
        store: Store,
        workers: int | None = None,
        report: Report | None = None,
        stop: Stop | None = None,
    ) -> bool:
        """Play all games that the store lacks; returns whether they were played to the end.

        Games are stored as they end: however this is ended, those under way alone
        are lost.
        """
        for task in self.tasks:
            store.remember(task.plan.settings())
        backend = make_backend(PROCESSES, self.plan, workers)
        with closing(backend.play(self._missing(store))) as coming:
            for sheets in coming:
                self._take(store, sheets, report)
                if stop is not None and stop.is_set():
                    return False
        return True

    def _missing(self, store: Store) -> Iterator[Fixture]:
        """The fixtures that the store lacks, task by task, as the workers know them.

        Tasks may share games: what is under way is not played again.
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

    def _take(self, store: Store, sheets: Sheets, report: Report | None) -> None:
        """Store what has come back, each under its own plan."""
        own = [(*self._under_way[fixture.key], sheet) for fixture, sheet in sheets]
        for task in self.tasks:
            its = [(fixture, sheet) for of, fixture, sheet in own if of is task]
            if not its:
                continue
            results = store_sheets(task.plan, store, its)
            for fixture, _ in its:
                del self._under_way[fixture.key]
            if report is not None:
                report(task, results)
        if not sheets and report is not None and self._under_way:
            report(next(iter(self._under_way.values()))[0], [])


def series_of(tasks: Iterable[Task]) -> list[Series]:
    """Sets of games, those that can be put together as one series."""
    found = []
    for _, group in groupby(tasks, lambda task: (id(task.plans), task.plan.limits)):
        together = list(group)
        try:
            found.append(Series(together))
        except ToppleError:  # an agent of one set cannot play the game of another
            found += [Series([task]) for task in together]
    return found


def units_of(tasks: Iterable[Task]) -> Iterator[Task | Series]:
    """Tasks in their order: facts to be computed one by one, sets of games in series."""
    for is_computed, group in groupby(tasks, lambda task: isinstance(task.what, Computed)):
        same = list(group)
        yield from same if is_computed else series_of(same)


def run_all(tasks: Iterable[Task], store: Store, workers: int | None = None) -> None:
    """Play and compute all that the store lacks, without a word."""
    for unit in units_of([due.task for due in due_tasks(tasks, store)]):
        if isinstance(unit, Series):
            compile_plan(unit.plan)
            unit.play(store, workers)
        else:
            work_out(unit, store, workers=workers)
