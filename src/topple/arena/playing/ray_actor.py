"""The Ray actor that plays games on a node of a cluster, and what it checks first."""

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from topple import __version__
from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.worker_pool import WorkerPool
from topple.core.errors import Unsupported

REPORT_SECONDS = 0.5  # between two reports of an actor, so that Ray's overhead stays small


class ActorWorker:
    """A pool of one worker inside an actor, which goes on while fixtures come in batches."""

    def __init__(self, plan: Plan) -> None:
        self.pool = WorkerPool(plan, 1)

    def play(self, fixtures: Iterable[Fixture]) -> Sheets:
        """Add fixtures and play for about REPORT_SECONDS; returns the games that have ended.

        Other games go on until the next call, so that the worker never waits for
        the next batch.
        """
        self.pool.add(fixtures)
        end, sheets = monotonic() + REPORT_SECONDS, Sheets()
        while self.pool.send_fixtures():
            sheets.extend(self.pool.collect())
            if sheets and monotonic() >= end:
                break
        return sheets


class DriverInfo(NamedTuple):
    """The driver, the process that sends the games: its version, module paths and folder."""

    version: str
    paths: tuple[str, ...]
    directory: str


class ActorReport(NamedTuple):
    """Where an actor runs, and what keeps it from playing, if anything."""

    node: str
    host: str
    problem: str | None

    def check(self) -> None:
        """Refuse a node that cannot play the same games as the others.

        Raises
        ------
        Unsupported
            If there is a problem.
        """
        if self.problem is not None:
            raise Unsupported(
                f"the Ray node {self.host} {self.problem}: every node needs the "
                "same topple and the modules of all agents"
            )


def driver_info() -> DriverInfo:
    """What an actor needs to load the same modules as this process."""
    return DriverInfo(__version__, own_paths(), str(Path.cwd()))


def own_paths() -> tuple[str, ...]:
    """The module paths of this process, without those of Python itself and installed packages."""
    places = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = [Path(sysconfig.get_path(place)) for place in places]
    paths = dict.fromkeys(os.path.abspath(path) for path in sys.path)  # noqa: PTH100
    return tuple(
        path
        for path in paths
        if not path.endswith(".zip") and not any(Path(path).is_relative_to(i) for i in installed)
    )


def actor_class() -> type[Any]:
    """The class of the actors.

    Ray pickles a class that is made in a function by value, together with its code.
    So an actor can start on a node without topple, or with another version of it,
    and report that. For the same reason its imports are inside its methods.
    """

    class Actor:
        def __init__(self, version: str, paths: tuple[str, ...], directory: str) -> None:
            import contextlib
            import os
            import sys

            self.version = version
            sys.path[:] = [*paths, *(path for path in sys.path if path not in paths)]
            os.environ["PYTHONPATH"] = os.pathsep.join(paths)  # for the processes that play
            with contextlib.suppress(OSError):
                os.chdir(directory)
            # Ray is this process's main program, which those processes need not load.
            sys.modules["__main__"].__file__ = None

        def ready(self, plan: bytes) -> tuple[str, str, str | None]:
            import platform

            import ray

            node = ray.get_runtime_context().get_node_id()
            return node, platform.node(), self.problem(plan)

        def problem(self, plan: bytes) -> str | None:
            import pickle

            try:
                import topple

                if topple.__version__ != self.version:
                    return f"has topple {topple.__version__} and not {self.version}"
                from topple.arena.playing.ray_actor import ActorWorker

                self.worker = ActorWorker(pickle.loads(plan))
            except Exception as error:
                return f"cannot load what is played: {' '.join(str(error).split())}"
            return None

        def play(self, fixtures: Any) -> Any:
            return self.worker.play(fixtures)

    return Actor
