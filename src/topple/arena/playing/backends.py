"""Who can play fixtures, by name."""

from collections.abc import Callable

from topple.arena.planning.plan import Plan
from topple.arena.playing.run import Backend
from topple.arena.playing.worker_pool import Hall
from topple.core.errors import BadText, unknown

PROCESSES, RAY = "processes", "ray"


def make_backend(
    name: str,
    plan: Plan,
    n_workers: int | None = None,
    address: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> Backend:
    """The backend of a name, ready to play a plan; `tell` hears what there is to wait for.

    Raises
    ------
    BadText
        If there is no such backend, or it takes no address.
    Unsupported
        If it is not installed or cannot be reached.
    """
    if n_workers is not None and n_workers < 1:
        raise BadText(f"{n_workers} workers cannot play: at least 1 must")
    if name == RAY:
        from topple.arena.playing.ray_backend import Cluster

        return Cluster(plan, n_workers, address, tell)
    if name != PROCESSES:
        raise BadText(unknown("backend", name, (PROCESSES, RAY)))
    if address is not None:
        raise BadText("an address is for --backend ray: the processes run on this machine")
    return Hall(plan, n_workers)
