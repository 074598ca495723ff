"""Speed of the searches: simulations, nodes and seconds, beside OpenSpiel where it is."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from topple.agents import Agent, Effort, agent
from topple.game.game import Game, load, random_position
from topple.game.position import Position
from topple.rules import game_names

SIMULATIONS = 2_000
NODES = 200_000
NETWORK = "er:n=24,m=70,seed=1"  # 24 vertices, 70 edges
MIDDLE = 30  # plies to the middle of a game there
FEWEST = 3  # runs of each

Report = Callable[[str], None]


class Contender(Protocol):
    """Something whose searches are measured."""

    @property
    def label(self) -> str:
        """Who searches what."""

    @property
    def unit(self) -> str:
        """`simulations/s`, `nodes/s` or `s`."""

    def describe(self) -> dict[str, Any]:
        """What a program wants to know of it."""

    def measure(self, seed: int) -> float:
        """The figure of one search."""


class Searching:
    """An agent of topple that searches one position anew in each run."""

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
        """What a program wants to know of it."""
        return {
            "agent": self.agent.spec,
            "game": self.game.spec,
            "board": self.game.board.spec,
            "plies": self.plies,
        }

    @cached_property
    def position(self) -> Position:
        """What is searched: the first position, or one after random moves."""
        return random_position(self.game, self.plies, seed=1) if self.plies else self.game.start()

    def measure(self, seed: int) -> float:
        """Simulations or nodes a second, or the seconds."""
        effort: Effort = self.agent.choose(self.position, seed).effort
        if self.unit == "s":
            return effort.seconds
        return (effort.simulations or effort.nodes) / effort.seconds


class OpenSpiel:
    """OpenSpiel's own tree search in C++, with one random game for each leaf."""

    unit = "simulations/s"
    label = "OpenSpiel's MCTSBot on hex(board_size=11)"

    def describe(self) -> dict[str, Any]:
        """What a program wants to know of it."""
        return {"agent": "OpenSpiel MCTSBot", "game": "hex", "board": "hex:11", "plies": 0}

    def measure(self, seed: int) -> float:
        """Simulations a second."""
        import pyspiel

        game = pyspiel.load_game("hex(board_size=11)")
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, sqrt(2), SIMULATIONS, 1000, False, seed, False)
        state = game.new_initial_state()
        began = perf_counter()
        bot.step(state)
        return SIMULATIONS / (perf_counter() - began)


class Contest(NamedTuple):
    """Contenders that are measured in turn; the first beside the second gives the ratio."""

    name: str
    meaning: str
    contenders: Sequence[Contender]
    has_ratio: bool = False


def hex_11() -> Contest:
    """UCT from the empty board of Hex, beside OpenSpiel where that is installed."""
    topple = Searching(f"uct:iterations={SIMULATIONS}", "hex", "hex:11")
    rivals = [OpenSpiel()] if find_spec("pyspiel") else []
    return Contest("hex-11", "UCT on the empty board of Hex", [topple, *rivals], bool(rivals))


def swarm() -> Contest:
    """Stochastic diffusion search by many agents."""
    spec = "sds-root:agents=50000,iterations=50"
    return Contest(
        "swarm", "a decision by 50,000 agents", [Searching(spec, "hex", "hex:7", per="")]
    )


def linear() -> Contest:
    """Alpha-beta with the weighted features, at the start and in the middle of a game."""
    spec = f"alphabeta:nodes={NODES},evaluation=linear"
    searching = [Searching(spec, "spread-it", NETWORK, plies, per="nodes") for plies in (0, MIDDLE)]
    return Contest("linear", "alpha-beta on a network of 24 vertices and 70 edges", searching)


def threads() -> Contest:
    """The same search by two threads and by one."""
    two, one = (
        Searching(f"uct:iterations={10 * SIMULATIONS},threads={n}", "hex", "hex:11") for n in (2, 1)
    )
    return Contest("threads", "two threads beside one", [two, one], has_ratio=True)


def games() -> Contest:
    """UCT on every game."""
    spec = f"uct:iterations={SIMULATIONS}"
    return Contest("games", "UCT on every game", [Searching(spec, name) for name in game_names()])


CONTESTS = {
    "hex-11": hex_11, "swarm": swarm, "linear": linear, "threads": threads, "games": games,
}  # fmt: skip


def run_contest(
    contest: Contest, seconds: float = 1.0, report: Report | None = None
) -> list[dict[str, Any]]:
    """Measure the contenders in turn; the best run of each counts.

    A busy machine only ever makes a program slower, and taking turns lets it
    disturb all of them alike.

    Parameters
    ----------
    contest : Contest
        Who is measured; what they need is compiled already.
    seconds : float
        How long to measure each, three runs at least.
    report : callable, optional
        Is told the name when it is done.

    Returns
    -------
    list of dict
        With keys name, agent, game, board, plies, figure and unit; a last one
        for the ratio where there is one.
    """
    runs: list[list[float]] = [[] for _ in contest.contenders]
    end = perf_counter() + seconds * len(runs)
    while len(runs[0]) < FEWEST or perf_counter() < end:
        for contender, figures in zip(contest.contenders, runs, strict=True):
            figures.append(contender.measure(seed=len(figures)))
    best = [
        min(figures) if contender.unit == "s" else max(figures)
        for contender, figures in zip(contest.contenders, runs, strict=True)
    ]
    if report:
        report(contest.name)
    return list(_rows(contest, best))


def _rows(contest: Contest, best: Sequence[float]) -> Iterable[dict[str, Any]]:
    for contender, figure in zip(contest.contenders, best, strict=True):
        yield {
            "name": contest.name,
            **contender.describe(),
            "figure": round(figure, 3),
            "unit": contender.unit,
        }
    if contest.has_ratio:
        first = contest.contenders[0].describe()
        ratio = {"figure": round(best[0] / best[1], 3), "unit": "ratio"}
        yield {"name": contest.name, **first, **ratio}
