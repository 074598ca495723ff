"""`topple warmup`: compile everything ahead."""

from typing import Annotated

import typer

from topple.agents import Agent, agent, agent_names
from topple.cli.options import Json
from topple.cli.terminal.output import print_json, print_table
from topple.core.errors import Unsupported
from topple.game.game import Game, load
from topple.game.warm_up import RULES, SEARCH, KernelsOf, Warmable, Warming, compile_ahead
from topple.learning.settings import check_learnable
from topple.present.table import Table
from topple.rules import game_names
from topple.solvers import suitable_solvers, why_unsolvable
from topple.solvers.solver import SolverKernels


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
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile games, agents, exact play and learning ahead, so that nothing waits later."""
    games = [load(name) for name in dict.fromkeys(names or game_names())]
    warmings = [everything(game, specs) for game in games]
    n_kernels = [len(warming.kernels()) for warming in warmings]
    n_cold = [len(warming.cold()) for warming in warmings]
    results = [
        {
            "game": warming.game.name,
            "compiled": cold,
            "warm": kernels - cold,
            "seconds": round(seconds, 3),
        }
        for warming, kernels, cold, seconds in zip(
            warmings, n_kernels, n_cold, compile_ahead(warmings), strict=True
        )
    ]
    if as_json:
        print_json(results)
        return
    heads = ["game", "compiled", "warm before", "seconds"]
    print_table(Table.of(heads, [list(each.values()) for each in results]))
    if not any(each["compiled"] for each in results):
        print("all was warm")


def everything(game: Game, specs: list[str] | None) -> Warming:
    """All that can be compiled for a game, or what the named agents need alone."""
    parts: list[Warmable] = list(playing_agents(game, specs))
    if not specs:
        if why_unsolvable(game) is None:
            parts += [SolverKernels(kind) for kind in suitable_solvers(game)]
        if can_be_learned(game):
            parts.append(KernelsOf("topple.learning.simulation"))
        if game.name == "spread-it":
            parts.append(KernelsOf("topple.advice.api"))
    return Warming(game, tuple(parts), (*RULES, *SEARCH))


def can_be_learned(game: Game) -> bool:
    """Whether the game has an evaluation with weights to learn."""
    try:
        check_learnable(game)
    except Unsupported:
        return False
    return True


def playing_agents(game: Game, specs: list[str] | None) -> tuple[Agent, ...]:
    """All agents that can play a game, or the named ones, which must be able to."""
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
