"""The hall: worker processes on this machine, watched while they play."""

import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from multiprocessing.connection import wait

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Scoresheet, Sheets, broken_off, late
from topple.arena.playing.shared_status import Thinking
from topple.arena.playing.worker_handle import Table
from topple.core.errors import ToppleError
from topple.core.processes import exit_text, n_cores
from topple.game.record import CRASH, TIME, Ending

PAUSE = 0.05  # seconds between two collections: sheets are stored by the handful
HEARTBEAT = 0.25  # seconds between two looks at the workers, at most
CHANCES = 2  # times that a game may end its worker before it counts


class Hall:
    """Tables at which fixtures are played, side by side.

    An agent that does not answer in time, or takes its process down with it,
    loses that game; another process goes on with the next.
    """

    def __init__(self, plan: Plan, n_tables: int | None = None) -> None:
        self.plan = plan
        self.n_tables = n_tables or n_cores()
        self.tables: list[Table] = []
        self.waiting: Iterator[Fixture] = iter(())
        self.returned: deque[Fixture] = deque()  # to be handed out first
        self.falls: Counter[tuple[str, int]] = Counter()  # workers that a game has ended
        self.collected = 0.0

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; the sheets come as the games end, now and then none.

        Closing the iterator ends the games under way.
        """
        self.waiting = iter(fixtures)
        try:
            while self.hand_out():
                yield self.collect()
        finally:
            self.close()

    def add(self, fixtures: Iterable[Fixture]) -> None:
        """Take in more to play: with `hand_out` and `collect`, for who keeps the tables."""
        self.returned.extend(fixtures)

    def close(self) -> None:
        """End all workers."""
        for table in self.tables:
            table.end()
        self.tables = []

    def hand_out(self) -> bool:
        """See that nobody runs out of games; returns whether any is under way."""
        for place in range(self.n_tables):
            self._hand_to(place)
        return any(table.handed for table in self.tables)

    def _hand_to(self, place: int) -> None:
        """Hand a table all that it has room for; it is set up with its first game."""
        while place >= len(self.tables) or self.tables[place].has_room:
            fixture = self.returned.popleft() if self.returned else next(self.waiting, None)
            if fixture is None:
                return
            if place >= len(self.tables):
                self.tables.append(Table(self.plan))
            if not self.tables[place].hand(fixture):
                self.returned.appendleft(fixture)
                return

    def collect(self) -> Sheets:
        """Wait for sheets, and see who is still there."""
        speaking = [table.connection for table in self.tables]
        wait([*speaking, *(table.process.sentinel for table in self.tables)], HEARTBEAT)
        time.sleep(max(0.0, self.collected + PAUSE - time.monotonic()))
        self.collected = time.monotonic()
        sheets: Sheets = []
        for place, table in enumerate(self.tables):
            sheets += table.collect()
            if table.has_fallen:
                sheets += self._fallen(place)
            elif table.is_stuck:
                sheets += self._stuck(place)
        return sheets

    def _stuck(self, place: int) -> Sheets:
        """End a worker whose agent does not answer.

        It is judged only when nothing can change any more: it may have answered
        at the last moment, and another game be under way.
        """
        table = self.tables[place]
        sheets = table.stop()
        thinking = table.desk.thinking()
        if thinking is not None and table.handed and time.monotonic() > thinking.deadline:
            ending = Ending(TIME, thinking.seat, late(thinking.limit))
            sheets.append(self._forfeit(table, thinking, ending))
        self._replace(place)
        return sheets

    def _fallen(self, place: int) -> Sheets:
        """Find out whose fault it is that a worker has ended."""
        table = self.tables[place]
        sheets = table.stop()
        status, thinking = exit_text(table.process.exitcode), table.desk.thinking()
        if table.handed:
            key = table.handed[0].key
            self.falls[key] += 1
            if self.falls[key] >= CHANCES:
                if thinking is None:
                    raise ToppleError(
                        f"a worker has ended {CHANCES} times ({status}) before "
                        "anybody was to move: is there enough memory, can agents "
                        "of your own be imported by name, and does a script call "
                        'this under if __name__ == "__main__"?'
                    )
                ending = Ending(CRASH, thinking.seat, f"its process ended: {status}")
                sheets.append(self._forfeit(table, thinking, ending))
        self._replace(place)
        return sheets

    def _forfeit(
        self, table: Table, thinking: Thinking, ending: Ending
    ) -> tuple[Fixture, Scoresheet]:
        """The game under way at a table, lost by who was to move."""
        fixture = table.handed.popleft()
        began = datetime.fromtimestamp(table.began, UTC).isoformat(timespec="seconds")
        seconds = max(0.0, time.time() - table.began)
        game = self.plan.games[fixture.game]
        return fixture, broken_off(game, thinking, ending, began, seconds)

    def _replace(self, place: int) -> None:
        """Put a new worker in the place of one that has ended; its games are played again."""
        table = self.tables[place]
        self.returned.extend(table.handed)
        table.end()
        self.tables[place] = Table(self.plan)
