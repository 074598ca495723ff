"""`topple warmup`: compile everything ahead."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from topple.cli.options import Json
from topple.cli.output import print_json, print_table
from topple.cli.progress import Done, progress

if TYPE_CHECKING:
    from topple.game import Game


def warmup(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="The games; all of them unless given."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile the games ahead, so that nothing waits later."""
    from topple.game import load
    from topple.rules import game_names
    from topple.warming import RULES, SEARCH

    games = [load(name) for name in dict.fromkeys(names or game_names())]
    with progress("compiling for this machine", len(games) * len(RULES + SEARCH)) as done:
        results = [warm_game(game, done) for game in games]
    if as_json:
        print_json(results)
        return
    print_table(
        ["game", "compiled", "warm before", "seconds"], [list(each.values()) for each in results]
    )
    if not any(each["compiled"] for each in results):
        print("all was warm")


def warm_game(game: "Game", done: Done) -> dict[str, Any]:
    """Compile or load every kernel of a game; tell how many and how long."""
    from topple.warming import RULES, SEARCH, cold_kernels, warm

    kernels = RULES + SEARCH
    n_cold = len(cold_kernels(game, kernels))
    began = time.perf_counter()
    warm(game, kernels, done)
    return {
        "game": game.name,
        "compiled": n_cold,
        "warm": len(kernels) - n_cold,
        "seconds": round(time.perf_counter() - began, 3),
    }
