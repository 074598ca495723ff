"""The cluster: fixtures played by the actors of Ray, on this machine or on many."""

import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from math import inf
from typing import Any

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.ray_actor import SPELL, Report, actor_class, origin
from topple.arena.playing.ray_connection import check_address, connected, load_ray
from topple.arena.playing.worker_pool import HEARTBEAT
from topple.core.errors import ToppleError, Unsupported
from topple.core.processes import n_cores

MOST_AHEAD = 1000
CENSUS = 2.0  # seconds between two looks at how large the cluster is
CHANCES = 5  # times that a game may lose its actor, or actors may fail to begin
UNEASE = 15.0  # seconds without anybody to play before that is told
DESPAIR = 600.0  # … before it is an error

Tell = Callable[[str], None]


class Outpost:
    """An actor, seen from here: the call that it is answering and the fixtures it has."""

    def __init__(self, actor: Any, call: Any) -> None:
        self.actor = actor
        self.call: Any = call  # None: it has nothing to do
        self.node: str | None = None  # None: it has not reported yet
        self.held: dict[tuple[str, int], Fixture] = {}
        self.asked = time.monotonic()
        self.mean = inf  # seconds per game, of late

    @property
    def room(self) -> int:
        """How many more fixtures it should have: one spell's to play, and one's in stock."""
        stock = int(2 * SPELL / max(self.mean, 1e-6)) if self.mean <= SPELL else 1
        return min(MOST_AHEAD, stock) - len(self.held)

    def hand(self, fixtures: list[Fixture]) -> None:
        """Let it play on, with more fixtures."""
        self.held |= {fixture.key: fixture for fixture in fixtures}
        self.asked = time.monotonic()
        self.call = self.actor.play.remote(fixtures) if self.held else None

    def settle(self, sheets: Sheets) -> None:
        """Strike out the games that have ended."""
        for fixture, _ in sheets:
            del self.held[fixture.key]
        if sheets:
            # Not the sheets' own seconds: a process that has to be replaced takes time too.
            mean = (time.monotonic() - self.asked) / len(sheets)
            self.mean = mean if self.mean == inf else (self.mean + mean) / 2


class Supply:
    """The fixtures that nobody has: those that were lost, one by one, then the others."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self.lost: deque[Fixture] = deque()
        self.fresh = iter(fixtures)
        self.first = next(self.fresh, None)

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self.lost and self.first is None

    def take(self, n: int) -> list[Fixture]:
        """Up to n fixtures.

        One that has lost its actor may be the reason: it goes alone.
        """
        if self.lost and n > 0:
            return [self.lost.popleft()]
        taken: list[Fixture] = []
        while len(taken) < n and self.first is not None:
            taken.append(self.first)
            self.first = next(self.fresh, None)
        return taken


class Cluster:
    """Actors of Ray, at each of which a `Hall` with one table plays.

    Without an address a Ray of its own is started on this machine, and ended
    with the games. Otherwise that cluster is used: as many CPUs as it has or
    `n_workers`, also those of nodes that join later. An actor that is lost is
    replaced, and its games are played again.

    `tell` is called with a line when the games have to wait for the cluster.

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
        tell: Tell | None = None,
    ) -> None:
        load_ray()
        if address is not None:
            check_address(address)
        self.plan, self.n_workers, self.address, self.tell = plan, n_workers, address, tell
        self.outposts: list[Outpost] = []
        self.supply = Supply(())
        self.losses: Counter[tuple[str, int]] = Counter()  # actors that a game has lost
        self.failures = 0  # actors in a row that did not begin

    def play(self, fixtures: Iterable[Fixture]) -> Generator[Sheets, None, None]:
        """Play all fixtures; the sheets come as the games end, now and then none.

        Closing the iterator ends the games under way, and a Ray that was
        started for them.

        Raises
        ------
        Unsupported
            If there is no connection, or a node has another topple.
        ToppleError
            If a game loses its actor again and again, or nobody is there to play.
        """
        self.supply = Supply(fixtures)
        if self.supply.is_empty:
            return
        with connected(self.address, self.n_workers or n_cores()) as self.ray:
            self.actor_class = self.ray.remote(actor_class())
            self.packed_plan = self.ray.put(pickle.dumps(self.plan))
            self.counted, self.manned, self.is_uneasy = -inf, time.monotonic(), False
            try:
                while self._is_under_way():
                    self._staff()
                    self._hand_out()
                    yield self._collect()
            finally:
                self._close()

    def _is_under_way(self) -> bool:
        return not self.supply.is_empty or any(outpost.held for outpost in self.outposts)

    def _staff(self) -> None:
        """See that there are as many actors as the cluster has room for."""
        now = time.monotonic()
        if now < self.counted + CENSUS:
            return
        self.counted = now
        n_wanted = self.n_workers or int(self.ray.cluster_resources().get("CPU", 0))
        for _ in range(min(n_wanted, self.plan.n_fixtures) - len(self.outposts)):
            options = {"num_cpus": 1, "scheduling_strategy": "SPREAD"}
            actor = self.actor_class.options(**options).remote(*origin())
            self.outposts.append(Outpost(actor, actor.ready.remote(self.packed_plan)))
        self._check_manned(now)

    def _check_manned(self, now: float) -> None:
        """Say so when nobody is there to play, and give up at last."""
        if any(outpost.node for outpost in self.outposts):
            self.manned, self.is_uneasy = now, False
            return
        where = "on this machine" if self.address is None else f"at {self.address}"
        nobody = f"no worker of the Ray cluster {where}"
        if now > self.manned + DESPAIR:
            raise ToppleError(
                f"{nobody} has been free for {DESPAIR / 60:g} minutes: see `ray status`"
            )
        if now > self.manned + UNEASE and not self.is_uneasy:
            self.is_uneasy = True
            if self.tell is not None:
                self.tell(f"{nobody} is free: waiting for one")

    def _hand_out(self) -> None:
        """Give work to everyone who is ready and has nothing to do."""
        for outpost in self.outposts:
            if outpost.node and outpost.call is None and not self.supply.is_empty:
                outpost.hand(self.supply.take(outpost.room))

    def _collect(self) -> Sheets:
        """Wait for answers, and see who is still there."""
        asked = {outpost.call: outpost for outpost in self.outposts if outpost.call is not None}
        if not asked:
            time.sleep(HEARTBEAT)
            return []
        if not self.ray.wait(list(asked), num_returns=1, timeout=HEARTBEAT)[0]:
            return []
        answered, _ = self.ray.wait(list(asked), num_returns=len(asked), timeout=0)
        return [pair for call in answered for pair in self._hear(asked[call])]

    def _hear(self, outpost: Outpost) -> Sheets:
        """Take an actor's answer."""
        errors = self.ray.exceptions
        try:
            answer = self.ray.get(outpost.call)
        except errors.RayTaskError as error:
            if isinstance(error.cause, ToppleError):
                raise error.cause from None
            raise ToppleError(f"a worker has failed: {_line(error.cause)}") from None
        except errors.RayError as error:
            self._lose(outpost, error)
            return []
        if outpost.node is None:
            self._welcome(outpost, Report(*answer))
            return []
        outpost.settle(answer)
        outpost.hand(self.supply.take(outpost.room))
        return list(answer)

    def _welcome(self, outpost: Outpost, report: Report) -> None:
        """Let an actor begin, if it can play the same games as any other."""
        report.check()
        outpost.node, outpost.call = report.node, None
        self.failures = 0

    def _lose(self, outpost: Outpost, error: Exception) -> None:
        """Give up an actor; its games are played by others."""
        self._check_head()
        self.outposts.remove(outpost)
        self.ray.kill(outpost.actor)  # where it was only out of reach
        self.supply.lost.extend(outpost.held.values())
        self.losses.update(list(outpost.held))
        if outpost.node is None:
            self.failures += 1
            if self.failures >= CHANCES:
                raise ToppleError(
                    f"{CHANCES} workers in a row have ended before they began: {_line(error)}"
                )
        for key in outpost.held:
            if self.losses[key] >= CHANCES:
                raise ToppleError(
                    f"a game has lost {CHANCES} workers (is there enough memory?): {_line(error)}"
                )

    def _check_head(self) -> None:
        """See whether the cluster itself is still there; Ray would end this process."""
        try:
            check_address(self.ray.get_runtime_context().gcs_address)
        except Unsupported:
            self.outposts = []  # nobody can reach them any more
            raise ToppleError(
                "the head of the Ray cluster is gone, and with it the games under "
                "way: start it again and repeat the command"
            ) from None

    def _close(self) -> None:
        """End all actors; the processes that play end with them."""
        for outpost in self.outposts:
            self.ray.kill(outpost.actor)
        self.outposts = []


def _line(error: object) -> str:
    """An error on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
