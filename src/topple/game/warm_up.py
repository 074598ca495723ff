"""Warming up: a game's kernels are compiled or loaded before any clock starts.

`prepare` is for a process that is about to run them, `compile_ahead` for one whose workers will.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from topple.compiling.rng import make_rng
from topple.compiling.specialise import Kernel, compiling_text, quietly
from topple.core.paths import cache_folder
from topple.core.processes import Done, in_processes, n_cores
from topple.core.progress import progress, report_line
from topple.game.game import Game
from topple.kernels.perft import count_leaves
from topple.kernels.playout import can_end, playouts, random_game
from topple.rules.interface import (
    State,
    apply,
    begin,
    key,
    legal_moves,
    outcome,
    score,
    start,
    step,
)

SmallCase = Callable[[Game], tuple[Any, ...]]

RULES: tuple[Kernel, ...] = (start, legal_moves, begin, step, apply, outcome, score, key)
OPENINGS: tuple[Kernel, ...] = (random_game, can_end)
SEARCH: tuple[Kernel, ...] = (playouts, count_leaves, *OPENINGS)

_small_cases: dict[Kernel, SmallCase] = {}


def can_be_warmed(kernel: Kernel, small_case: SmallCase) -> None:
    """Register how to call a kernel once, with arguments of the types that searches use."""
    _small_cases[kernel] = small_case


def cold_kernels(game: Game, kernels: Iterable[Kernel]) -> list[Kernel]:
    """The kernels that have not been compiled on this machine."""
    return [kernel for kernel in kernels if not game.kernels.is_warm(kernel)]


def warm(game: Game, kernels: Iterable[Kernel]) -> None:
    """Call each kernel once on a small case, which compiles or loads it."""
    game = game.rehearsed
    with quietly():
        for kernel in kernels:
            game.run(kernel, *_small_cases[kernel](game))


class Warmable(Protocol):
    """Something beyond a game's rules that runs kernels, such as an agent."""

    def kernels(self, game: Game) -> Sequence[Kernel]:
        """The kernels that it runs for a game."""

    def warm(self, game: Game) -> None:
        """Call each of them once."""


class KernelsOf(NamedTuple):
    """The kernels that a module lists as KERNELS; importing it registers their small cases."""

    module: str

    def kernels(self, game: Game) -> Sequence[Kernel]:
        """The kernels that the module lists."""
        listed: Sequence[Kernel] = import_module(self.module).KERNELS
        return listed

    def warm(self, game: Game) -> None:
        """Call each of them once."""
        warm(game, self.kernels(game))


class Warming(NamedTuple):
    """What has to be compiled before a game is played, searched or solved."""

    game: Game
    parts: tuple[Warmable, ...] = ()
    rules: tuple[Kernel, ...] = RULES

    def kernels(self) -> list[Kernel]:
        """All kernels, each once."""
        found = [
            *self.rules,
            *(kernel for part in self.parts for kernel in part.kernels(self.game)),
        ]
        return list(dict.fromkeys(found))

    def cold(self) -> list[Kernel]:
        """The kernels that have not been compiled on this machine."""
        return cold_kernels(self.game, self.kernels())

    @property
    def can_be_kept(self) -> bool:
        """Whether there is a folder for what is compiled."""
        return self.game.kernels.machine_code(start).directory is not None

    def load(self) -> None:
        """Call every kernel once, which compiles or loads it."""
        warm(self.game, self.rules)
        for part in self.parts:
            part.warm(self.game)

    def compile(self, done: Done) -> float:
        """Compile what is cold; `done` gets each kernel's name. Returns the seconds taken."""
        began = perf_counter()
        with _alone(self.game.name), quietly(), self.game.kernels.watched(done):
            cold = set(self.cold())  # another process may have compiled some meanwhile
            warm(self.game, [kernel for kernel in self.rules if kernel in cold])
            for part in self.parts:
                if cold.intersection(part.kernels(self.game)):
                    part.warm(self.game)
        return perf_counter() - began


# Shows that something is compiled: takes what it is and the number of kernels, and gives a
# function that counts those that are done.
Display = Callable[[str, int], AbstractContextManager[Done]]


@contextmanager
def shown_on_stderr(what: str, n_kernels: int) -> Iterator[Done]:
    """Announce on stderr that something is being compiled, and show the progress."""
    text = compiling_text(what)
    if not sys.stderr.isatty():
        report_line(text)
    with progress(text, n_kernels) as done:
        yield done


def prepare(
    game: Game,
    *parts: Warmable,
    rules: Sequence[Kernel] = RULES,
    display: Display = shown_on_stderr,
) -> None:
    """Load the kernels of a game and of what plays it; compile those that are cold first."""
    warming = Warming(game, parts, tuple(rules))
    compile_ahead([warming], display)
    warming.load()


def compile_ahead(warmings: Sequence[Warming], display: Display = shown_on_stderr) -> list[float]:
    """Compile what is cold, several games at a time; kernels that are warm are not loaded.

    Returns
    -------
    list of float
        The seconds that each one took.
    """
    kernels = [warming.cold() for warming in warmings]
    efforts = [each.game.kernels.extent(its) for each, its in zip(warmings, kernels, strict=True)]
    # The longest first, so that the processes end together.
    order = sorted((i for i, its in enumerate(kernels) if its), key=lambda i: -efforts[i])
    cold = [warmings[i] for i in order]
    # Where nothing can be kept, what another process compiles is lost.
    if not cold or (len(cold) > 1 and not cold[0].can_be_kept):
        return [0.0] * len(warmings)
    n_cold = sum(len(kernels[i]) for i in order)
    with display(cold[0].game.name if len(cold) == 1 else "games", n_cold) as done:
        if len(cold) == 1:
            times = [cold[0].compile(done)]
        else:
            times = in_processes(Warming.compile, cold, min(len(cold), n_cores()), done)
    seconds = dict(zip(order, times, strict=True))
    return [seconds.get(i, 0.0) for i in range(len(warmings))]


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Keep other processes from compiling the same game meanwhile, where locks work."""
    try:
        import fcntl  # POSIX only

        path = cache_folder() / f"{name}.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("ab")
    except (ImportError, OSError, RuntimeError):
        yield  # two processes may then do the same work, which is only slow
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released when the file is closed or its process ends
        yield


def first_position(game: Game) -> State:
    """The first position in a vector that kernels may change."""
    state = game.scratch_state()
    game.run(start, state)
    return state


def _first_move(game: Game) -> int:
    moves = game.scratch_moves()
    game.run(legal_moves, first_position(game), moves)
    return int(moves[0])


def _begun(game: Game) -> State:
    state = first_position(game)
    game.run(begin, state, _first_move(game))
    return state


def _returns(game: Game) -> Any:
    return np.zeros(game.n_players)


can_be_warmed(start, lambda game: (game.scratch_state(),))
can_be_warmed(legal_moves, lambda game: (first_position(game), game.scratch_moves()))
can_be_warmed(begin, lambda game: (first_position(game), _first_move(game)))
can_be_warmed(step, lambda game: (_begun(game),))
can_be_warmed(apply, lambda game: (first_position(game), _first_move(game)))
can_be_warmed(outcome, lambda game: (first_position(game), _returns(game)))
can_be_warmed(score, lambda game: (first_position(game), _returns(game)))
can_be_warmed(key, lambda game: (first_position(game), game.sizes.state))
can_be_warmed(
    playouts,
    lambda game: (
        first_position(game),
        game.scratch_state(),
        game.sizes.state,
        make_rng(0),
        game.scratch_moves(),
        _returns(game),
        _returns(game),
        1,
    ),
)
can_be_warmed(
    random_game,
    lambda game: (
        first_position(game),
        make_rng(0),
        game.scratch_moves(),
        np.zeros(1, dtype=np.int32),
    ),
)
can_be_warmed(
    count_leaves,
    lambda game: (
        np.array([first_position(game)]),
        game.sizes.state,
        np.zeros((1, game.sizes.moves), dtype=np.int32),
        0,
    ),
)
can_be_warmed(
    can_end,
    lambda game: (
        first_position(game),
        game.scratch_state(),
        game.sizes.state,
        game.scratch_moves(),
    ),
)
