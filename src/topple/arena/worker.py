"""A worker: a process that plays the games it is handed, one after the other."""

import os
import signal
import sys
import threading
from io import TextIOWrapper
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait

from topple.arena.desk import Desk
from topple.arena.plan import Fixture, Plan
from topple.arena.playing import play_fixture


def work(connection: Connection, desk: Desk) -> None:
    """Play what comes in until nothing more does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears Ctrl-C for all
    if hasattr(os, "setsid"):
        os.setsid()  # what agents start belongs to this group, and ends with it
        os.register_at_fork(after_in_child=connection.close)  # a copy must not speak
    _end_with_parent()
    os.dup2(2, 1)  # what agents print must not mix with results
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # nor be lost when the process is ended
    try:
        plan = connection.recv()
        while (fixture := connection.recv()) is not None:
            connection.send((fixture.key, play(plan, fixture, desk)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody listens any more


def play(plan: Plan, fixture: Fixture, desk: Desk) -> object:
    """Play one fixture of a plan."""
    first, second = fixture.seats
    agents = plan.agents[first], plan.agents[second]
    return play_fixture(plan.games[fixture.game], agents, fixture, plan.limits, desk)


def _end_with_parent() -> None:
    """Never outlive the process that handed out the games, however that one ends."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
