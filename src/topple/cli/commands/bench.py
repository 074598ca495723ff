"""`topple bench`: how fast this machine plays and searches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from topple.cli.options import BoardText, Json
from topple.cli.terminal.output import print_json, print_table, print_wrapped
from topple.core.progress import progress
from topple.core.stopping import interruptibly
from topple.game.warm_up import prepare
from topple.present.table import Table

if TYPE_CHECKING:
    from topple.bench.searches import Contest

Seconds = Annotated[
    float,
    typer.Option("--seconds", metavar="S", min=0.01, max=3600, help="How long to measure each."),
]


def playouts(
    names: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="A game; may be repeated. All unless given."),
    ] = None,
    board: BoardText = None,
    seconds: Seconds = 1.0,
    as_json: Json = False,
) -> None:
    """Measure random games a second, each game on its own."""
    from topple.bench import playouts as bench
    from topple.core.errors import BadText
    from topple.rules import game_names

    if board is not None and not names:
        raise BadText("--board needs --game: name the game to play on it")
    games = [(name, board) for name in names or game_names()]
    _prepare(games)
    with progress("measuring", len(games)) as done:
        results = interruptibly(bench.playout_speeds, games, seconds, done)
    _print(results, as_json=as_json)


def scaling(
    sizes: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="N", min=5, help="A number of vertices; may be repeated."),
    ] = None,
    seconds: Seconds = 1.0,
    as_json: Json = False,
) -> None:
    """Measure how the cost of a move grows with the board."""
    from topple.bench import playouts as bench
    from topple.game.game import load
    from topple.rules.interface import start

    chosen = sizes or bench.SIZES
    prepare(load("spread-it"), rules=(start, bench.play_and_count))
    with progress("measuring", 2 * len(chosen)) as done:
        results = interruptibly(bench.scaling, chosen, seconds, done)
    _print(results, as_json=as_json)


def search(
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="hex-11, swarm, linear, threads or games; may be repeated.",
            show_default=False,
        ),
    ] = None,
    seconds: Seconds = 1.0,
    as_json: Json = False,
) -> None:
    """Measure the searches: simulations, nodes and seconds.

    UCT on Hex stands beside OpenSpiel's, where that is installed.
    """
    from topple.bench import searches as bench_search
    from topple.core.errors import BadText, unknown

    for name in names or ():
        if name not in bench_search.CONTESTS:
            raise BadText(unknown("measurement", name, bench_search.CONTESTS))
    contests = [bench_search.CONTESTS[name]() for name in names or bench_search.CONTESTS]
    _prepare_searches(contests)
    results = []
    with progress("measuring", len(contests)) as done:
        for contest in contests:
            rows = interruptibly(bench_search.run_contest, contest, seconds, done)
            results.append((contest, rows))
    if as_json:
        print_json([row for _, rows in results for row in rows])
        return
    for contest, rows in results:
        _print_contest(contest, rows)


def _prepare_searches(contests: Sequence["Contest"]) -> None:
    """Compile what the searches need; no clock runs meanwhile."""
    from topple.bench.searches import Searching
    from topple.game.warm_up import RULES
    from topple.kernels.playout import random_game

    for contest in contests:
        for contender in contest.contenders:
            if isinstance(contender, Searching):
                prepare(contender.game, rules=(*RULES, random_game))
                prepare(contender.game, contender.agent)


def _print_contest(contest: "Contest", rows: list[dict[str, Any]]) -> None:
    """What a contest is about, then a figure a line."""
    print(f"{contest.name}: {contest.meaning}")
    labels = [*(contender.label for contender in contest.contenders), "the first by the second"]
    for label, row in zip(labels, rows, strict=False):
        figure = f"{row['figure']:,.0f}" if row["figure"] >= 100 else f"{row['figure']:.2f}"
        print_wrapped(label, first=f"{figure:>11} {row['unit']:<13} ", indent=26)


def _prepare(games: Sequence[tuple[str, str | None]]) -> None:
    """Compile what the measurements need; no clock runs meanwhile."""
    from topple.game.game import load
    from topple.kernels.playout import playouts
    from topple.rules.interface import start

    for game in [load(name, board) for name, board in games]:
        prepare(game, rules=(start, playouts))


def _print(results: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(results)
        return
    heads = [head.replace("_per_", "/").replace("_", " ") for head in results[0]]
    print_table(Table.of(heads, [list(each.values()) for each in results]))
