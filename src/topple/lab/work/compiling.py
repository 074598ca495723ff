"""Compiling in workers: told to the page, and never twice at a time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from topple.agents import Agent
from topple.compiling.specialise import Kernel
from topple.core.paths import cache_folder
from topple.game.game import Game
from topple.game.warm_up import RULES, SEARCH, cold_kernels, warm


class Say(Protocol):
    """How a task tells what comes of it."""

    def __call__(self, latest: Any) -> None:
        """Tell what has been found so far."""

    def note(self, text: str | None) -> None:
        """Tell what has to be waited for, None when that is over; no clock runs meanwhile."""


def compile_rules(game: Game, say: Say) -> None:
    """Compile or load what it takes to play a game."""
    with once(game, RULES, say):
        warm(game, RULES)


def compile_agent(game: Game, agent: Agent, say: Say) -> None:
    """Compile or load what it takes to play a game and to search it as an agent does."""
    with once(game, [*RULES, *agent.kernels(game)], say):
        warm(game, RULES)
        agent.warm(game)


def compile_contest(game: Game, agents: Sequence[Agent], say: Say) -> None:
    """Compile what agents need that play a game in processes of their own; load nothing else."""
    kernels = [*RULES, *SEARCH, *(kernel for agent in agents for kernel in agent.kernels(game))]
    with once(game, kernels, say):
        if cold_kernels(game, kernels):
            warm(game, [*RULES, *SEARCH])
            for agent in agents:
                agent.warm(game)


@contextmanager
def once(game: Game, kernels: Sequence[Kernel], say: Say) -> Iterator[None]:
    """Say that something is compiled in here, if it is; other workers wait, and load it then."""
    if not cold_kernels(game, kernels):
        yield
        return
    say.note(f"compiling {game.name} for this machine (once) …")
    with _alone(game.name):
        yield
    say.note(None)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Have a game's compiler for oneself, where the system can see to that."""
    try:
        import fcntl

        path = cache_folder() / f"{name}.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("ab")
    except (ImportError, OSError, RuntimeError):
        yield  # then two may do the same at once, which is no more than slow
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go of when the file is closed, or its process ends
        yield
