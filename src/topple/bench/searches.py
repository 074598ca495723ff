"""Measure how fast agents search, beside OpenSpiel where that is installed."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from topple.agents import Agent, Effort, agent
from topple.core.lazy import lazy_module
from topple.game import Game, Position, load, random_position
from topple.rules import game_names

pyspiel = lazy_module("pyspiel")  # an optional extra

SIMULATIONS = 2_000
NODES = 200_000
NETWORK = "er:n=24,m=70,seed=1"
MIDDLE = 30  # plies to the middle of a game there
FEWEST = 3  # runs of each searcher

Report = Callable[[str], None]


class Searcher(Protocol):
    """A program whose searches are measured."""

    @property
    def label(self) -> str:
        """The agent and what it searches."""

    @property
    def unit(self) -> str:
        """`simulations/s`, `nodes/s` or `s`."""

    def describe(self) -> dict[str, Any]:
        """The searcher as JSON data."""

    def measure(self, seed: int) -> float:
        """The figure of one search."""


class AgentSearch:
    """An agent of topple; each run searches the same position from scratch."""

    def __init__(
        self,
        spec: str,
        game: str,
        board: str | None = None,
        plies: int = 0,
        per: str = "simulations",
    ) -> None:
        self.agent: Agent = agent(spec)
        self.game: Game = load(game, board)
        self.plies = plies
        self.unit = f"{per}/s" if per else "s"

    @property
    def label(self) -> str:
        """`uct:iterations=2000 on hex, hex:11`."""
        after = f" after {self.plies} plies" if self.plies else ""
        return f"{self.agent.spec} on {self.game.spec}, {self.game.board.spec}{after}"

    def describe(self) -> dict[str, Any]:
        """The searcher as JSON data."""
        return {
            "agent": self.agent.spec,
            "game": self.game.spec,
            "board": self.game.board.spec,
            "plies": self.plies,
        }

    @cached_property
    def position(self) -> Position:
        """The position to search: the first one, or the one after `plies` random moves."""
        return random_position(self.game, self.plies, seed=1) if self.plies else self.game.start()

    def measure(self, seed: int) -> float:
        """Simulations or nodes per second, or seconds."""
        effort: Effort = self.agent.choose(self.position, seed).effort
        if self.unit == "s":
            return effort.seconds
        return (effort.simulations or effort.nodes) / effort.seconds


class OpenSpielSearch:
    """OpenSpiel's tree search in C++, with one random game for each leaf."""

    unit = "simulations/s"
    label = "OpenSpiel's MCTSBot on hex(board_size=11)"

    def describe(self) -> dict[str, Any]:
        """The searcher as JSON data."""
        return {"agent": "OpenSpiel MCTSBot", "game": "hex", "board": "hex:11", "plies": 0}

    def measure(self, seed: int) -> float:
        """Simulations per second."""
        game = pyspiel.load_game("hex(board_size=11)")
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, sqrt(2), SIMULATIONS, 1000, False, seed, False)
        state = game.new_initial_state()
        began = perf_counter()
        bot.step(state)
        return SIMULATIONS / (perf_counter() - began)


class SearchBenchmark(NamedTuple):
    """Searchers that take turns; the ratio is the first one's figure by the second one's."""

    name: str
    meaning: str
    searchers: Sequence[Searcher]
    has_ratio: bool = False


def hex_11() -> SearchBenchmark:
    """UCT from the empty board of Hex, beside OpenSpiel where that is installed."""
    topple = AgentSearch(f"uct:iterations={SIMULATIONS}", "hex", "hex:11")
    rivals = [OpenSpielSearch()] if find_spec("pyspiel") else []
    return SearchBenchmark(
        "hex-11", "UCT on the empty board of Hex", [topple, *rivals], bool(rivals)
    )


def swarm() -> SearchBenchmark:
    """Stochastic diffusion search by many agents."""
    spec = "sds-root:agents=50000,iterations=50"
    return SearchBenchmark(
        "swarm", "a decision by 50,000 agents", [AgentSearch(spec, "hex", "hex:7", per="")]
    )


def linear() -> SearchBenchmark:
    """Alpha-beta with the weighted features, at the start and in the middle of a game."""
    spec = f"alphabeta:nodes={NODES},evaluation=linear"
    searchers = [
        AgentSearch(spec, "spread-it", NETWORK, plies, per="nodes") for plies in (0, MIDDLE)
    ]
    return SearchBenchmark(
        "linear", "alpha-beta on a network of 24 vertices and 70 edges", searchers
    )


def threads() -> SearchBenchmark:
    """The same search by two threads and by one."""
    two, one = (
        AgentSearch(f"uct:iterations={10 * SIMULATIONS},threads={n}", "hex", "hex:11")
        for n in (2, 1)
    )
    return SearchBenchmark("threads", "two threads beside one", [two, one], has_ratio=True)


def games() -> SearchBenchmark:
    """UCT on every game."""
    spec = f"uct:iterations={SIMULATIONS}"
    return SearchBenchmark(
        "games", "UCT on every game", [AgentSearch(spec, name) for name in game_names()]
    )


BENCHMARKS = {
    "hex-11": hex_11,
    "swarm": swarm,
    "linear": linear,
    "threads": threads,
    "games": games,
}


def run_benchmark(
    benchmark: SearchBenchmark, seconds: float = 1.0, report: Report | None = None
) -> list[dict[str, Any]]:
    """Measure the searchers in turn; the best run of each counts.

    A busy machine can only make a program slower, and by taking turns all of them are
    disturbed alike.

    Parameters
    ----------
    benchmark : SearchBenchmark
        What to measure; the kernels must be compiled already.
    seconds : float
        The time for each searcher; each has at least three runs.
    report : callable, optional
        Called with the benchmark's name when it is done.

    Returns
    -------
    list of dict
        With keys name, agent, game, board, plies, figure and unit. If the benchmark has
        a ratio, the last dict is for that.
    """
    runs: list[list[float]] = [[] for _ in benchmark.searchers]
    end = perf_counter() + seconds * len(runs)
    while len(runs[0]) < FEWEST or perf_counter() < end:
        for searcher, figures in zip(benchmark.searchers, runs, strict=True):
            figures.append(searcher.measure(seed=len(figures)))
    best = [
        min(figures) if searcher.unit == "s" else max(figures)
        for searcher, figures in zip(benchmark.searchers, runs, strict=True)
    ]
    if report:
        report(benchmark.name)
    return list(_rows(benchmark, best))


def _rows(benchmark: SearchBenchmark, best: Sequence[float]) -> Iterable[dict[str, Any]]:
    for searcher, figure in zip(benchmark.searchers, best, strict=True):
        yield {
            "name": benchmark.name,
            **searcher.describe(),
            "figure": round(figure, 3),
            "unit": searcher.unit,
        }
    if benchmark.has_ratio:
        first = benchmark.searchers[0].describe()
        ratio = {"figure": round(best[0] / best[1], 3), "unit": "ratio"}
        yield {"name": benchmark.name, **first, **ratio}
