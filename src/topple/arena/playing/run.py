"""Running a plan: what is missing in the store is played and put there, game by game."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Protocol

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Scoresheet, Sheets
from topple.arena.playing.sequential import SequentialMatch
from topple.arena.store.played import Participant, PlayedGame, Result
from topple.arena.store.rows import Pairing
from topple.arena.store.store import Key, Store
from topple.core.stopping import Stop
from topple.game.record import FORFEITS, Record, chosen_options
from topple.game.warm_up import (
    RULES,
    SEARCH,
    Display,
    Warming,
    compile_ahead,
    shown_on_stderr,
)

BLOCK = 500  # fixtures that the store is asked about at once

Report = Callable[[Sequence[Result]], None]


class Backend(Protocol):
    """Whoever plays fixtures: processes on this machine, or a cluster."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; the sheets come as the games end, now and then none."""


def run_plan(
    plan: Plan,
    store: Store,
    backend: Backend,
    report: Report | None = None,
    stop: Stop | None = None,
) -> bool:
    """Play all games of a plan that the store does not have yet.

    `report` is told of the results as they are stored, and now and then of none.
    When `stop` is set the games under way are given up. Returns whether the
    plan is done: played to the end, or decided by its sequential test.
    """
    store.remember(plan.settings())
    test = None if plan.sprt is None else SequentialMatch(plan, store)
    if test is None or test.verdict is None:
        with closing(backend.play(unplayed(plan, store))) as coming:
            for sheets in coming:
                results = store_sheets(plan, store, sheets)
                if report is not None:
                    report(results)
                if test is not None and test.add(results) is not None:
                    break
                if stop is not None and stop.is_set():
                    return False
    if test is not None:
        store.remove(test.superfluous())
    return True


def compile_plan(plan: Plan, display: Display = shown_on_stderr) -> None:
    """Compile the kernels of a plan that are cold on this machine, once for all workers."""
    games = {game.name: game for game in plan.games}  # kernels do not depend on the board
    compile_ahead(
        [Warming(game, plan.agents, (*RULES, *SEARCH)) for game in games.values()], display
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
    """Those of a store's results that belong to a plan."""
    return (result for result in store.results(may_have(plan)) if plan.has(result))


def may_have(plan: Plan) -> Callable[[Pairing], bool]:
    """Whether games of a pairing may belong to a plan: those of all others need not be read."""
    contests = {(game.spec, game.board.digest) for game in plan.games}
    agents = [(agent.NAME, dict(agent.options)) for agent in plan.agents]

    def may_be_planned(pairing: Pairing) -> bool:
        met = [(each.name, each.options) for each in (pairing.agent, pairing.opponent)]
        contest = pairing.contest.spec, pairing.contest.board_digest
        return contest in contests and all(each in agents for each in met)

    return may_be_planned


def forget_forfeits(plan: Plan, store: Store) -> int:
    """Take games of a plan out of the store that an agent lost by failing; returns how many."""
    keys = [(r.pair, r.side) for r in planned_results(plan, store) if r.ending in FORFEITS]
    store.remove(keys)
    return len(keys)


def played_game(plan: Plan, fixture: Fixture, sheet: Scoresheet) -> PlayedGame:
    """A fixture with what came of it, as it is stored."""
    game = plan.games[fixture.game]
    agents = [plan.agents[seat] for seat in fixture.seats]
    first, second = (
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
        participants=(first, second),
        tournament_seed=plan.seed,
        opening_number=fixture.opening_number,
        began=sheet.began,
        seconds=sheet.seconds,
        move_seconds=sheet.move_seconds,
    )
