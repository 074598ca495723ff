"""`topple bench`: how fast this machine plays and searches."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from topple.bench import playouts as speeds
from topple.bench import searches
from topple.bench.searches import AgentSearch, SearchBenchmark
from topple.cli.options import BoardText, Json
from topple.cli.quick import add_command, make_group
from topple.cli.terminal.output import print_json, print_table, print_wrapped
from topple.core.errors import BadText, unknown
from topple.core.progress import progress
from topple.core.stopping import interruptibly
from topple.game.game import load
from topple.game.warm_up import RULES, prepare
from topple.kernels.playout import playouts as playout_kernel
from topple.kernels.playout import random_game
from topple.present.table import Table
from topple.rules import game_names
from topple.rules.interface import start

bench = make_group("Measure the speed of this machine.")


@bench.callback(invoke_without_command=True, epilog="Example: topple bench playouts --game hex")
def show_help(context: typer.Context) -> None:
    """Measure the speed of this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())


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
    if board is not None and not names:
        raise BadText("--board needs --game: name the game to play on it")
    games = [(name, board) for name in names or game_names()]
    _prepare(games)
    with progress("measuring", len(games)) as done:
        results = interruptibly(speeds.playout_speeds, games, seconds, done)
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
    chosen = sizes or speeds.SIZES
    prepare(load("spread-it"), rules=(start, speeds.play_and_count))
    with progress("measuring", 2 * len(chosen)) as done:
        results = interruptibly(speeds.scaling, chosen, seconds, done)
    _print(results, as_json=as_json)


def search(
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="hex-11, swarm, linear, threads or games; may be repeated.",
        ),
    ] = None,
    seconds: Seconds = 1.0,
    as_json: Json = False,
) -> None:
    """Measure the searches: simulations, nodes and seconds.

    UCT on Hex stands beside OpenSpiel's, where that is installed.
    """
    for name in names or ():
        if name not in searches.BENCHMARKS:
            raise BadText(unknown("measurement", name, searches.BENCHMARKS))
    benchmarks = [searches.BENCHMARKS[name]() for name in names or searches.BENCHMARKS]
    _prepare_searches(benchmarks)
    results = []
    with progress("measuring", len(benchmarks)) as done:
        for benchmark in benchmarks:
            rows = interruptibly(searches.run_benchmark, benchmark, seconds, done)
            results.append((benchmark, rows))
    if as_json:
        print_json([row for _, rows in results for row in rows])
        return
    for benchmark, rows in results:
        _print_benchmark(benchmark, rows)


def _prepare_searches(benchmarks: Sequence["SearchBenchmark"]) -> None:
    """Compile what the searches need; no clock runs meanwhile."""
    for benchmark in benchmarks:
        for searcher in benchmark.searchers:
            if isinstance(searcher, AgentSearch):
                prepare(searcher.game, rules=(*RULES, random_game))
                prepare(searcher.game, searcher.agent)


def _print_benchmark(benchmark: SearchBenchmark, rows: list[dict[str, Any]]) -> None:
    """What a benchmark is about, then a figure a line."""
    print(f"{benchmark.name}: {benchmark.meaning}")
    labels = [*(searcher.label for searcher in benchmark.searchers), "the first by the second"]
    for label, row in zip(labels, rows, strict=False):
        figure = f"{row['figure']:,.0f}" if row["figure"] >= 100 else f"{row['figure']:.2f}"
        print_wrapped(label, first=f"{figure:>11} {row['unit']:<13} ", indent=26)


def _prepare(games: Sequence[tuple[str, str | None]]) -> None:
    """Compile what the measurements need; no clock runs meanwhile."""
    for game in [load(name, board) for name, board in games]:
        prepare(game, rules=(start, playout_kernel))


def _print(results: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json(results)
        return
    heads = [head.replace("_per_", "/").replace("_", " ") for head in results[0]]
    print_table(Table.of(heads, [list(each.values()) for each in results]))


add_command(bench, playouts, "topple bench playouts --game hex --seconds 1")
add_command(bench, scaling, "topple bench scaling --json")
add_command(bench, search, "topple bench search --only hex-11 --seconds 2")
