"""The pool of worker processes on this machine, which are watched while they play."""

import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from multiprocessing.connection import wait

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Scoresheet, Sheets, late_text, sheet_of_lost_game
from topple.arena.playing.shared_status import GameStatus
from topple.arena.playing.worker import WorkerHandle
from topple.core.errors import ToppleError
from topple.core.processes import exit_text, n_cores
from topple.game.record import CRASH, TIME, Ending

PAUSE = 0.05  # seconds between two collections, so that sheets are stored several at a time
HEARTBEAT = 0.25  # seconds between two checks of the workers, at most
CHANCES = 2  # workers that a game may kill before the player to move loses it


class WorkerPool:
    """Worker processes that play fixtures side by side.

    An agent that does not answer in time, or kills its process, loses that game;
    another process goes on with the next.
    """

    def __init__(self, plan: Plan, n_workers: int | None = None) -> None:
        self.plan = plan
        self.n_workers = n_workers or n_cores()
        self.workers: list[WorkerHandle] = []
        self._waiting: Iterator[Fixture] = iter(())
        self._returned: deque[Fixture] = deque()  # to be sent before those waiting
        self._deaths: Counter[tuple[str, int]] = Counter()  # workers that died, by game
        self._collected = 0.0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; yields score sheets as games end, and sometimes an empty list.

        Closing the generator ends the games under way.
        """
        self._waiting = iter(fixtures)
        try:
            while self.send_fixtures():
                yield self.collect()
        finally:
            self.close()

    def add(self, fixtures: Iterable[Fixture]) -> None:
        """Add fixtures, for callers that use `send_fixtures` and `collect` instead of `play`."""
        self._returned.extend(fixtures)

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.close()
        self.workers = []

    def send_fixtures(self) -> bool:
        """Send every worker fixtures ahead, starting workers as needed.

        Returns whether any game is under way.
        """
        for place in range(self.n_workers):
            self._send_to(place)
        return any(worker.fixtures for worker in self.workers)

    def _send_to(self, place: int) -> None:
        """Send a worker all that it has room for; its first fixture starts it."""
        while place >= len(self.workers) or self.workers[place].has_room:
            fixture = self._returned.popleft() if self._returned else next(self._waiting, None)
            if fixture is None:
                return
            if place >= len(self.workers):
                self.workers.append(WorkerHandle(self.plan))
            if not self.workers[place].send(fixture):
                self._returned.appendleft(fixture)
                return

    def collect(self) -> Sheets:
        """Wait a moment for score sheets, and replace workers that have died or hang."""
        connections = [worker.connection for worker in self.workers]
        wait([*connections, *(worker.process.sentinel for worker in self.workers)], HEARTBEAT)
        time.sleep(max(0.0, self._collected + PAUSE - time.monotonic()))
        self._collected = time.monotonic()
        sheets: Sheets = []
        for place, worker in enumerate(self.workers):
            sheets += worker.receive()
            if worker.has_died:
                sheets += self._replace_dead(place)
            elif worker.is_overdue:
                sheets += self._replace_overdue(place)
        return sheets

    def _replace_overdue(self, place: int) -> Sheets:
        """Kill and replace a worker whose agent does not answer.

        The agent may have answered at the last moment and the next game have begun.
        So it is judged by the status after the worker was killed, which is final.
        """
        worker = self.workers[place]
        sheets = worker.kill()
        game = worker.status.read()
        if game is not None and worker.fixtures and time.monotonic() > game.deadline:
            ending = Ending(TIME, game.seat, late_text(game.limit))
            sheets.append(self._forfeit(worker, game, ending))
        self._replace(place)
        return sheets

    def _replace_dead(self, place: int) -> Sheets:
        """Replace a worker that has died.

        The game under way is played again. If it kills a worker again, the player to
        move, or that moved last, loses it.

        Raises
        ------
        ToppleError
            If workers die before any player is to move.
        """
        worker = self.workers[place]
        sheets = worker.kill()
        status, game = exit_text(worker.process.exitcode), worker.status.read()
        if worker.fixtures:
            key = worker.fixtures[0].key
            self._deaths[key] += 1
            if self._deaths[key] >= CHANCES:
                if game is None:
                    raise ToppleError(
                        f"a worker has ended {CHANCES} times ({status}) before any player was to "
                        "move: is there enough memory, can your own agents be imported by name, "
                        'does a script call this under if __name__ == "__main__", and does topple '
                        "check pass a game of your own (TOPPLE_BOUNDS_CHECK=1 finds a wrong index)?"
                    )
                ending = Ending(CRASH, game.seat, f"its process ended: {status}")
                sheets.append(self._forfeit(worker, game, ending))
        self._replace(place)
        return sheets

    def _forfeit(
        self, worker: WorkerHandle, game: GameStatus, ending: Ending
    ) -> tuple[Fixture, Scoresheet]:
        """The game that a killed worker was playing, lost by the player to move."""
        fixture = worker.fixtures.popleft()
        began = datetime.fromtimestamp(worker.began, UTC).isoformat(timespec="seconds")
        seconds = max(0.0, time.time() - worker.began)
        played = self.plan.games[fixture.game]
        return fixture, sheet_of_lost_game(played, fixture, game, ending, began, seconds)

    def _replace(self, place: int) -> None:
        """Start another worker in the place of one that has ended; its games are played again."""
        worker = self.workers[place]
        self._returned.extend(worker.fixtures)
        worker.close()
        self.workers[place] = WorkerHandle(self.plan)
