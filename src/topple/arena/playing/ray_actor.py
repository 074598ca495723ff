"""A station: the place in a cluster's actor at which the games are played."""

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import Sheets
from topple.arena.playing.worker_pool import Hall
from topple.core.errors import Unsupported

SPELL = 0.5  # seconds between two reports of a station: Ray's part in them stays small


class Station:
    """A hall with one table, which stays while fixtures come in batches."""

    def __init__(self, plan: Plan) -> None:
        self.hall = Hall(plan, 1)

    def play(self, fixtures: Iterable[Fixture]) -> Sheets:
        """Take in more fixtures and play on for a spell; returns the games that have ended.

        The others go on until the next call, so that the table never waits for
        its batch to travel.
        """
        self.hall.add(fixtures)
        end, sheets = monotonic() + SPELL, Sheets()
        while self.hall.hand_out():
            sheets.extend(self.hall.collect())
            if sheets and monotonic() >= end:
                break
        return sheets


class Origin(NamedTuple):
    """What the process that hands out the games looks like from inside."""

    version: str
    paths: tuple[str, ...]
    directory: str


class Report(NamedTuple):
    """What an actor says when it is ready, or why it will not be."""

    node: str
    host: str
    problem: str | None

    def check(self) -> None:
        """Refuse a node that cannot play the same games as any other.

        Raises
        ------
        Unsupported
            If it cannot, saying why.
        """
        if self.problem is not None:
            raise Unsupported(
                f"the Ray node {self.host} {self.problem}: every node needs the "
                "same topple and the modules of all agents"
            )


def origin() -> Origin:
    """What an actor must know of this process to load the same modules."""
    from topple import __version__

    return Origin(__version__, own_paths(), str(Path.cwd()))


def own_paths() -> tuple[str, ...]:
    """Where this process finds modules, but for Python's own and the installed ones."""
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

    It is made in a function, and so travels whole: whether a node has topple,
    and which one, is found out on the node.
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
            # Those need not load Ray, which is this process' main program.
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
                from topple.arena.playing.ray_actor import Station

                self.station = Station(pickle.loads(plan))
            except Exception as error:
                return f"cannot load what is played: {' '.join(str(error).split())}"
            return None

        def play(self, fixtures: Any) -> Any:
            return self.station.play(fixtures)

    return Actor
