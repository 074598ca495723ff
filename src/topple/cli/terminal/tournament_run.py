"""Playing a plan from the command line: compile, play with progress, stop and go on."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from topple.core.progress import report_line

if TYPE_CHECKING:
    from topple.arena.planning.plan import Plan
    from topple.arena.playing.sequential import SequentialMatch
    from topple.arena.statistics.standings import Standings
    from topple.arena.store.played import Result
    from topple.arena.store.store import Store


class Venue(NamedTuple):
    """Where a plan is played and where its games go."""

    workers: int | None
    db: Path | None
    backend: str
    address: str | None
    again: bool = False  # play forfeited games again


class Played(NamedTuple):
    """What there is when the playing has ended."""

    standings: "Standings"
    is_done: bool
    test: "SequentialMatch | None" = None


def play_plan(plan: "Plan", venue: Venue) -> Played:
    """Play what the store lacks of a plan, showing how far it is."""
    from topple.arena.playing.backends import make_backend
    from topple.arena.playing.run import (
        compile_plan,
        forget_forfeits,
        planned_results,
        run_plan,
    )
    from topple.arena.playing.sequential import SequentialMatch
    from topple.arena.statistics.standings import Standings
    from topple.arena.store.store import open_store
    from topple.cli.terminal.tournament_progress import tournament_progress
    from topple.core.stopping import END_SIGNALS, noted_interrupt

    agents = [agent.spec for agent in plan.agents]
    backend = make_backend(venue.backend, plan, venue.workers, venue.address, report_line)
    with open_store(venue.db) as store:
        tell_of_versions(store)
        if venue.again:
            report_line(f"{forget_forfeits(plan, store):,} forfeited games are played again")
        standings = Standings(planned_results(plan, store), agents)
        if standings.games < plan.n_fixtures:
            compile_plan(plan)
        with noted_interrupt(*END_SIGNALS) as stop, tournament_progress(plan, standings) as show:

            def report(results: "Sequence[Result]") -> None:
                for result in results:
                    standings.add(result)
                show(len(results))

            is_done = run_plan(plan, store, backend, report, stop)
        # The store decides: another process may have played there as well.
        standings = Standings(planned_results(plan, store), agents)
        test = None if plan.sprt is None else SequentialMatch(plan, store)
        return Played(standings, is_done, test)


def tell_of_versions(store: "Store") -> None:
    """Say that games of another version lie in the store."""
    from topple import __version__

    if others := sorted(store.versions() - {__version__}):
        report_line(
            f"the store has games of topple {', '.join(others)}; what is missing is played by "
            f"topple {__version__}"
        )


def stopped(plan: "Plan", venue: Venue, played: Played) -> KeyboardInterrupt:
    """What Ctrl-C leaves, and how to go on."""
    if not played.standings.games:
        return KeyboardInterrupt("stopped before a game had ended: the same command begins again")
    done = f"stopped after {played.standings.games:,} of {plan.n_fixtures:,} games"
    if venue.db is None:
        return KeyboardInterrupt(f"{done}; with --db FILE the same command could go on")
    return KeyboardInterrupt(f"{done}: they are in {venue.db}, and the same command goes on")
