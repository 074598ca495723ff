"""A worker: a process that plays the games it is handed, one after the other."""

import os
import signal
import sys
from io import TextIOWrapper
from multiprocessing.connection import Connection

from topple.arena.planning.plan import Fixture, Plan
from topple.arena.playing.game import play_fixture
from topple.arena.playing.shared_status import Desk
from topple.core.processes import end_with_parent


def work(connection: Connection, desk: Desk) -> None:
    """Play what comes in until nothing more does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears Ctrl-C for all
    if hasattr(os, "setsid"):
        os.setsid()  # what agents start belongs to this group, and ends with it
        os.register_at_fork(after_in_child=connection.close)  # a copy must not speak
    end_with_parent(with_group=True)
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
