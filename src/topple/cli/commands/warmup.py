"""`topple warmup`: compile everything ahead."""

import os
import time
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from topple.cli.options import Json
from topple.cli.terminal.output import print_json, print_table
from topple.cli.terminal.progress import Done, progress

if TYPE_CHECKING:
    from topple.agents import Agent
    from topple.compiling.specialise import Kernel
    from topple.game.game import Game
    from topple.solvers import Solver


class Warming(NamedTuple):
    """A game to compile, with the agents that can play it, what solves it and what learns it."""

    game: "Game"
    agents: "tuple[Agent, ...]"
    solvers: "tuple[type[Solver], ...]" = ()
    others: "tuple[Kernel, ...]" = ()  # of learning and advice

    def kernels(self) -> "list[Kernel]":
        """All that has to be compiled."""
        from topple.game.warm_up import RULES, SEARCH

        agents = [kernel for agent in self.agents for kernel in agent.kernels(self.game)]
        solvers = [kernel for solver in self.solvers for kernel in solver.KERNELS]
        return list(dict.fromkeys([*RULES, *SEARCH, *self.others, *agents, *solvers]))

    def cold(self) -> "list[Kernel]":
        """What has not been compiled on this machine."""
        from topple.game.warm_up import cold_kernels

        return cold_kernels(self.game, self.kernels())


def warmup(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="The games; all of them unless given."),
    ] = None,
    specs: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="Compile this agent alone; may be repeated. All unless given.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile games, agents, exact play and learning ahead, so that nothing waits later."""
    from topple.game.game import load
    from topple.rules import game_names

    games = [load(name) for name in dict.fromkeys(names or game_names())]
    results = warm_games([everything(game, specs) for game in games])
    if as_json:
        print_json(results)
        return
    print_table(
        ["game", "compiled", "warm before", "seconds"], [list(each.values()) for each in results]
    )
    if not any(each["compiled"] for each in results):
        print("all was warm")


def everything(game: "Game", specs: list[str] | None) -> Warming:
    """All that can be compiled for a game, or what the named agents need alone."""
    from topple.solvers import suitable_solvers

    agents = playing_agents(game, specs)
    if specs:
        return Warming(game, agents)
    solvers = () if game.n_players > 2 else suitable_solvers(game)
    return Warming(game, agents, tuple(solvers), learning_kernels(game) + advice_kernels(game))


def learning_kernels(game: "Game") -> "tuple[Kernel, ...]":
    """What learns the weights of a game's features; nothing if there is nothing to learn."""
    from topple.core.errors import Unsupported
    from topple.learning.settings import check_learnable
    from topple.learning.simulation import KERNELS

    try:
        check_learnable(game)
    except Unsupported:
        return ()
    return KERNELS


def advice_kernels(game: "Game") -> "tuple[Kernel, ...]":
    """What `topple advise` runs, for the game that it is for."""
    from topple.advice.api import KERNELS
    from topple.rules.spread_it.rules import NAME

    return KERNELS if game.name == NAME else ()


def playing_agents(game: "Game", specs: list[str] | None) -> "tuple[Agent, ...]":
    """The named agents, or all that can play a game.

    Raises
    ------
    Unsupported
        If a named one cannot.
    """
    from topple.agents import agent, agent_names
    from topple.core.errors import Unsupported

    playing = []
    for each in map(agent, specs or agent_names()):
        try:
            each.check_game(game)
        except Unsupported:
            if specs:
                raise
        else:
            playing.append(each)
    return tuple(playing)


def warm_games(warmings: list[Warming]) -> list[dict[str, Any]]:
    """Compile what is cold, several games at a time."""
    from topple.core.processes import in_processes

    n_cold = [len(warming.cold()) for warming in warmings]
    cold = [warming for warming, n in zip(warmings, n_cold, strict=True) if n]
    n_processes = min(len(cold), os.cpu_count() or 1)
    with progress("compiling for this machine", sum(n_cold)) as done:
        if n_processes > 1:
            times = iter(in_processes(warm_game, cold, n_processes, done))
        else:
            times = iter([warm_game(warming, done) for warming in cold])
    return [
        {
            "game": warming.game.name,
            "compiled": n,
            "warm": len(warming.kernels()) - n,
            "seconds": next(times) if n else 0.0,
        }
        for warming, n in zip(warmings, n_cold, strict=True)
    ]


def know_small_cases() -> None:
    """Import what says how the kernels of learning and advice are warmed."""
    import topple.advice.api
    import topple.learning.simulation  # noqa: F401


def warm_game(warming: Warming, done: Done) -> float:
    """Compile what is cold of a game; returns the seconds that it took."""
    from topple.compiling.specialise import quietly
    from topple.game.warm_up import RULES, SEARCH, warm

    know_small_cases()
    game, cold = warming.game, set(warming.cold())
    began = time.perf_counter()
    with quietly(), game.kernels.watched(done):
        first = RULES + SEARCH + warming.others
        warm(game, [kernel for kernel in first if kernel in cold])
        for agent in warming.agents:
            if cold.intersection(agent.kernels(game)):
                agent.warm(game)
        for solver in warming.solvers:
            if cold.intersection(solver.KERNELS):
                solver(game, memory=1).warm()
    return round(time.perf_counter() - began, 3)
