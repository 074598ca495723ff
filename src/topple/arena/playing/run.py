"""Play a plan: play the games that a store lacks, store them, and keep the standings."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Protocol

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Scoresheet, Sheets
from topple.arena.playing.in_process import InProcess
from topple.arena.playing.ray_backend import RayCluster
from topple.arena.playing.sequential import SequentialMatch
from topple.arena.playing.worker_pool import WorkerPool
from topple.arena.statistics.standings import Standings
from topple.arena.store.played import Participant, PlayedGame, Result
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Key, Store
from topple.core.errors import BadText, unknown
from topple.core.stopping import Stop
from topple.game.record import FORFEITS, Record, chosen_options
from topple.game.warm_up import (
    OPENINGS,
    RULES,
    Display,
    Warming,
    compile_ahead,
    shown_on_stderr,
)

PROCESSES, RAY = "processes", "ray"
BLOCK = 500  # fixtures that the store is asked about at once

# Takes the standings so far and the results that were added since the last call, perhaps none.
Report = Callable[[Standings, Sequence[Result]], None]


class Backend(Protocol):
    """Plays fixtures: processes on this machine, or a cluster."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; yields score sheets as games end, and sometimes an empty list."""


def make_backend(
    name: str,
    plan: Plan,
    n_workers: int | None = None,
    address: str | None = None,
    message: Callable[[str], None] | None = None,
) -> Backend:
    """The backend with a name, ready to play a plan.

    Parameters
    ----------
    name : str
        `"processes"` or `"ray"`.
    plan : Plan
        The plan that it will play.
    n_workers : int, optional
        Processes that play; by default one for each core. With 0 this process plays, which
        no agent may hang or end.
    address : str, optional
        The Ray cluster; by default one is started on this machine.
    message : callable, optional
        Called with a line when games have to wait for the cluster.

    Raises
    ------
    BadText
        If there is no such backend, or it takes no address.
    Unsupported
        If it is not installed or cannot be reached.
    """
    if n_workers is not None and n_workers < (1 if name == RAY else 0):
        least = "at least 1 is needed" if name == RAY else "0 is this process"
        raise BadText(f"{n_workers} workers cannot play: {least}")
    if name == RAY:
        return RayCluster(plan, n_workers, address, message)
    if name != PROCESSES:
        raise BadText(unknown("backend", name, (PROCESSES, RAY)))
    if address is not None:
        raise BadText("an address is for --backend ray: the processes run on this machine")
    return InProcess(plan) if n_workers == 0 else WorkerPool(plan, n_workers)


def play_plan(
    plan: Plan,
    store: Store,
    backend: Backend,
    *,
    report: Report | None = None,
    stop: Stop | None = None,
    display: Display = shown_on_stderr,
) -> "PlanRun":
    """Play all games of a plan that a store lacks, and store them; compile what is cold first.

    `report` and `stop` are those of `PlanRun.play`; `display` shows that kernels are
    compiled.

    Raises
    ------
    StoreError
        If the store cannot be read or written.
    ToppleError
        If the backend cannot play.
    """
    run = PlanRun(plan, store)
    run.compile(display)
    run.play(backend, report, stop)
    return run


class PlanRun:
    """A plan that is played into a store: its standings, and its sequential test if it has one.

    Standings and test begin with the games that the store has, and are kept up to date
    while others are played.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self.plan, self.store = plan, store
        self.agents = [agent.spec for agent in plan.agents]
        self.test = None if plan.sprt is None else SequentialMatch(plan)
        self._read()

    def _read(self) -> None:
        """Read the plan's games from the store."""
        self._data_version = self.store.data_version()
        self.standings = Standings(agents=self.agents)
        self._add(planned_results(self.plan, self.store))

    def _add(self, results: Iterable[Result]) -> None:
        for result in results:
            self.standings.add(result)
            if self.test is not None:
                self.test.add([result])

    @property
    def is_decided(self) -> bool:
        """Whether there is a sequential test, and it has a verdict."""
        return self.test is not None and self.test.verdict is not None

    @property
    def is_done(self) -> bool:
        """Whether all games have been played, or the sequential test is decided."""
        return self.is_decided or self.standings.games == self.plan.n_fixtures

    def compile(self, display: Display = shown_on_stderr) -> None:
        """Compile what is cold on this machine, once for all workers, unless all is played."""
        if not self.is_done:
            compile_plan(self.plan, display)

    def play(
        self, backend: Backend, report: Report | None = None, stop: Stop | None = None
    ) -> None:
        """Play the games that the store lacks.

        Parameters
        ----------
        backend : Backend
            Who plays.
        report : callable, optional
            Called with the standings and the new results: once before the first game,
            whenever games were stored, and now and then while none have ended.
        stop : Stop, optional
            When it is set, the games under way are given up.

        Raises
        ------
        StoreError
            If the store cannot be read or written.
        ToppleError
            If the backend cannot play.
        """
        self.store.remember(self.plan.settings())
        if report is not None:
            report(self.standings, [])
        if not self.is_done:
            with closing(backend.play(unplayed(self.plan, self.store))) as arriving:
                for sheets in arriving:
                    results = store_sheets(self.plan, self.store, sheets)
                    self._add(results)
                    if report is not None:
                        report(self.standings, results)
                    if self.is_decided or (stop is not None and stop.is_set()):
                        break
        surplus = [] if self.test is None else self.test.surplus()
        removed = self.store.remove(surplus) if surplus else 0
        # Otherwise the standings are right, unless another process plays into the store too.
        if removed or self.store.data_version() != self._data_version:
            self._read()


def compile_plan(plan: Plan, display: Display = shown_on_stderr) -> None:
    """Compile the kernels of a plan that are cold on this machine, once for all workers."""
    games = {game.name: game for game in plan.games}  # kernels do not depend on the board
    compile_ahead(
        [Warming(game, plan.agents, (*RULES, *OPENINGS)) for game in games.values()], display
    )


def unplayed(plan: Plan, store: Store, under_way: Iterable[Key] = ()) -> Iterator[Fixture]:
    """The fixtures that the store lacks and that are not under way, in the plan's order."""
    fixtures = plan.fixtures()
    while block := list(islice(fixtures, BLOCK)):
        known = store.known([fixture.key for fixture in block]).union(under_way)
        yield from (fixture for fixture in block if fixture.key not in known)


def store_sheets(plan: Plan, store: Store, sheets: Sheets) -> list[Result]:
    """Put games that have ended into the store; returns their results."""
    games = [played_game(plan, fixture, sheet) for fixture, sheet in sheets]
    store.add(games)
    specs = [plan.games[fixture.game].spec for fixture, _ in sheets]
    return [game.result(spec) for game, spec in zip(games, specs, strict=True)]


def planned_results(plan: Plan, store: Store) -> Iterator[Result]:
    """The results in a store that belong to a plan."""
    return (result for result in store.results(may_have(plan)) if plan.has(result))


def may_have(plan: Plan) -> Callable[[Pairing], bool]:
    """A filter of pairings for `Store.results`: False if none of a pairing's games are the plan's.

    This saves reading the games of other plans in the same store.
    """
    contests = {(game.spec, game.board.digest) for game in plan.games}
    agents = [(agent.NAME, dict(agent.options)) for agent in plan.agents]

    def may_be_planned(pairing: Pairing) -> bool:
        met = [(each.name, each.options) for each in (pairing.agent, pairing.opponent)]
        contest = pairing.contest.spec, pairing.contest.board_digest
        return contest in contests and all(each in agents for each in met)

    return may_be_planned


def forget_forfeits(plan: Plan, store: Store) -> int:
    """Remove a plan's games that an agent lost by failing; returns how many there were."""
    keys = [(r.pair, r.side) for r in planned_results(plan, store) if r.ending in FORFEITS]
    store.remove(keys)
    return len(keys)


def played_game(plan: Plan, fixture: Fixture, sheet: Scoresheet) -> PlayedGame:
    """A fixture and its score sheet as a game that can be stored."""
    game = plan.games[fixture.game]
    agents = [plan.agents[seat] for seat in fixture.seats]
    participants = tuple(
        Participant(agent.NAME, agent.options, *costs)
        for agent, costs in zip(agents, sheet.costs, strict=True)
    )
    record = Record(
        game=game.name,
        options=chosen_options(game),
        board=game.board,
        players=tuple(agent.spec for agent in agents),
        moves=sheet.moves,
        result=sheet.result,
        seed=fixture.seed,
        opening=min(len(fixture.opening), len(sheet.moves)),
        ending=sheet.ending,
    )
    return PlayedGame(
        pair=fixture.pair,
        side=fixture.side,
        record=record,
        reason=sheet.reason,
        participants=participants,
        tournament_seed=plan.seed,
        opening_number=fixture.opening_number,
        began=sheet.began,
        seconds=sheet.seconds,
        move_seconds=sheet.move_seconds,
    )
