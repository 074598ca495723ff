"""Fixtures played by Ray actors, on this machine or on a cluster."""

import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from math import inf
from typing import Any

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.ray_actor import REPORT_SECONDS, ActorReport, actor_class, driver_info
from topple.arena.playing.ray_connection import check_address, connected, load_ray
from topple.arena.playing.worker_pool import HEARTBEAT
from topple.core.errors import ToppleError, Unsupported
from topple.core.processes import n_cores

MOST_AHEAD = 1000
SIZE_INTERVAL = 2.0  # seconds between two checks of the cluster's size
CHANCES = 5  # actors that a game may lose, or that may fail to start in a row
MESSAGE_AFTER = 15.0  # seconds without a free actor before the user is told
ERROR_AFTER = 600.0  # seconds without a free actor before that is an error


class ActorHandle:
    """An actor, with the call that it is answering and the fixtures that it has."""

    def __init__(self, actor: Any, call: Any) -> None:
        self.actor = actor
        self.call: Any = call  # None: it is idle
        self.node: str | None = None  # None: it has not reported yet, so it may not start
        self.fixtures: dict[tuple[str, int], Fixture] = {}
        self.asked = time.monotonic()
        self.mean = inf  # seconds per game, lately

    @property
    def room(self) -> int:
        """How many more fixtures it should have: enough until its next report but one."""
        stock = int(2 * REPORT_SECONDS / max(self.mean, 1e-6)) if self.mean <= REPORT_SECONDS else 1
        return min(MOST_AHEAD, stock) - len(self.fixtures)

    def play(self, fixtures: list[Fixture]) -> None:
        """Let it play on, with more fixtures."""
        self.fixtures |= {fixture.key: fixture for fixture in fixtures}
        self.asked = time.monotonic()
        self.call = self.actor.play.remote(fixtures) if self.fixtures else None

    def remove_played(self, sheets: Sheets) -> None:
        """Remove the fixtures of games that have ended."""
        for fixture, _ in sheets:
            del self.fixtures[fixture.key]
        if sheets:
            # The sheets' own seconds would leave out the time to replace a worker process.
            mean = (time.monotonic() - self.asked) / len(sheets)
            self.mean = mean if self.mean == inf else (self.mean + mean) / 2


class FixtureQueue:
    """The fixtures that no actor has: those that were lost, one by one, then the others."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self.lost: deque[Fixture] = deque()
        self.fresh = iter(fixtures)
        self.first = next(self.fresh, None)

    @property
    def is_empty(self) -> bool:
        """Whether there are none left."""
        return not self.lost and self.first is None

    def take(self, n: int) -> list[Fixture]:
        """Up to n fixtures.

        A fixture whose actor was lost may be the reason for that, so it is sent alone.
        """
        if self.lost and n > 0:
            return [self.lost.popleft()]
        taken: list[Fixture] = []
        while len(taken) < n and self.first is not None:
            taken.append(self.first)
            self.first = next(self.fresh, None)
        return taken


class RayCluster:
    """A backend of Ray actors, each of which plays with one worker process.

    Parameters
    ----------
    plan : Plan
        The plan whose fixtures will be played.
    n_workers : int, optional
        The number of actors; by default one for each CPU of the cluster, including
        those of nodes that join later.
    address : str, optional
        The cluster. By default Ray is started on this machine, and stopped after the
        games.
    message : callable, optional
        Called with a line when the games have to wait for the cluster.

    Raises
    ------
    Unsupported
        If Ray is not installed or does not answer at the address.
    """

    def __init__(
        self,
        plan: Plan,
        n_workers: int | None = None,
        address: str | None = None,
        message: Callable[[str], None] | None = None,
    ) -> None:
        load_ray()
        if address is not None:
            check_address(address)
        self.plan, self.n_workers, self.address, self.message = plan, n_workers, address, message
        self.actors: list[ActorHandle] = []
        self.queue = FixtureQueue(())
        self.losses: Counter[tuple[str, int]] = Counter()  # lost actors, by game
        self.failures = 0  # actors in a row that did not start

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; yields score sheets as games end, and sometimes an empty list.

        An actor that is lost is replaced, and its games are played again. Closing the
        generator ends the games under way, and a Ray that was started for them.

        Raises
        ------
        Unsupported
            If there is no connection, or a node has another version of topple.
        ToppleError
            If a game loses its actor again and again, or no actor can start.
        """
        self.queue = FixtureQueue(fixtures)
        if self.queue.is_empty:
            return
        with connected(self.address, self.n_workers or n_cores()) as self.ray:
            self.actor_class = self.ray.remote(actor_class())
            self.packed_plan = self.ray.put(pickle.dumps(self.plan))
            self.sized, self.had_actors, self.has_warned = -inf, time.monotonic(), False
            try:
                while self._is_under_way():
                    self._start_actors()
                    self._send_fixtures()
                    yield self._collect()
            finally:
                self._close()

    def _is_under_way(self) -> bool:
        return not self.queue.is_empty or any(handle.fixtures for handle in self.actors)

    def _start_actors(self) -> None:
        """Start as many actors as the cluster has room for."""
        now = time.monotonic()
        if now < self.sized + SIZE_INTERVAL:
            return
        self.sized = now
        n_wanted = self.n_workers or int(self.ray.cluster_resources().get("CPU", 0))
        for _ in range(min(n_wanted, self.plan.n_fixtures) - len(self.actors)):
            options = {"num_cpus": 1, "scheduling_strategy": "SPREAD"}
            actor = self.actor_class.options(**options).remote(*driver_info())
            self.actors.append(ActorHandle(actor, actor.ready.remote(self.packed_plan)))
        self._check_actors(now)

    def _check_actors(self, now: float) -> None:
        """Report when there is no actor to play, and give up in the end."""
        if any(handle.node for handle in self.actors):
            self.had_actors, self.has_warned = now, False
            return
        where = "on this machine" if self.address is None else f"at {self.address}"
        nobody = f"no worker of the Ray cluster {where}"
        if now > self.had_actors + ERROR_AFTER:
            raise ToppleError(
                f"{nobody} has been free for {ERROR_AFTER / 60:g} minutes: see `ray status`"
            )
        if now > self.had_actors + MESSAGE_AFTER and not self.has_warned:
            self.has_warned = True
            if self.message is not None:
                self.message(f"{nobody} is free: waiting for one")

    def _send_fixtures(self) -> None:
        """Send fixtures to every actor that is ready and idle."""
        for handle in self.actors:
            if handle.node and handle.call is None and not self.queue.is_empty:
                handle.play(self.queue.take(handle.room))

    def _collect(self) -> Sheets:
        """Wait a moment for score sheets, and remove actors that are lost."""
        asked = {handle.call: handle for handle in self.actors if handle.call is not None}
        if not asked:
            time.sleep(HEARTBEAT)
            return []
        if not self.ray.wait(list(asked), num_returns=1, timeout=HEARTBEAT)[0]:
            return []
        answered, _ = self.ray.wait(list(asked), num_returns=len(asked), timeout=0)
        return [pair for call in answered for pair in self._receive(asked[call])]

    def _receive(self, handle: ActorHandle) -> Sheets:
        """Take an actor's answer, which is its first report or score sheets."""
        errors = self.ray.exceptions
        try:
            answer = self.ray.get(handle.call)
        except errors.RayTaskError as error:
            if isinstance(error.cause, ToppleError):
                raise error.cause from None
            raise ToppleError(f"a worker has failed: {_line(error.cause)}") from None
        except errors.RayError as error:
            self._remove(handle, error)
            return []
        if handle.node is None:
            self._admit(handle, ActorReport(*answer))
            return []
        handle.remove_played(answer)
        handle.play(self.queue.take(handle.room))
        return list(answer)

    def _admit(self, handle: ActorHandle, report: ActorReport) -> None:
        """Let an actor play, if it can play the same games as the others."""
        report.check()
        handle.node, handle.call = report.node, None
        self.failures = 0

    def _remove(self, handle: ActorHandle, error: Exception) -> None:
        """Give up an actor; others play its games."""
        self._check_head()
        self.actors.remove(handle)
        self.ray.kill(handle.actor)  # it may only be out of reach
        self.queue.lost.extend(handle.fixtures.values())
        self.losses.update(list(handle.fixtures))
        if handle.node is None:
            self.failures += 1
            if self.failures >= CHANCES:
                raise ToppleError(
                    f"{CHANCES} workers in a row have ended before they could play: {_line(error)}"
                )
        for key in handle.fixtures:
            if self.losses[key] >= CHANCES:
                raise ToppleError(
                    f"a game has lost {CHANCES} workers (is there enough memory?): {_line(error)}"
                )

    def _check_head(self) -> None:
        """Check that the cluster itself is still there: without it Ray would end this process."""
        try:
            check_address(self.ray.get_runtime_context().gcs_address)
        except Unsupported:
            self.actors = []  # they cannot be reached any more
            raise ToppleError(
                "the head of the Ray cluster is gone, and with it the games under "
                "way: start it again and repeat the command"
            ) from None

    def _close(self) -> None:
        """End all actors; the processes that play end with them."""
        for handle in self.actors:
            self.ray.kill(handle.actor)
        self.actors = []


def _line(error: object) -> str:
    """An error on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
