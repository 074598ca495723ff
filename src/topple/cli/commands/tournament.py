"""`topple tournament`: several agents, several boards, several games at once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from topple.arena.planning.settings import contests_of, plan_of, read_settings
from topple.arena.report.data import tournament_data
from topple.cli.arena_options import (
    Address,
    Again,
    ArenaSeed,
    BackendName,
    Db,
    Games,
    GameTime,
    MoveTime,
    Plies,
    WorkersOrNone,
)
from topple.cli.options import Json
from topple.cli.terminal.output import print_json
from topple.cli.terminal.tournament_run import PlayOptions, play_with_progress, stopped
from topple.cli.views.standings import tournament_text
from topple.core.errors import BadText


def tournament(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The settings as TOML.")
    ] = None,
    *,
    names: Annotated[
        list[str] | None, typer.Option("--game", metavar="GAME", help="A game; may be repeated.")
    ] = None,
    boards: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            metavar="BOARD",
            help="A board, for each of the games that it suits; may be repeated.",
        ),
    ] = None,
    specs: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="An agent; may be repeated."),
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="The first agent against each of the others.")
    ] = False,
    games: Games = None,
    seed: ArenaSeed = None,
    plies: Plies = None,
    move_time: MoveTime = None,
    game_time: GameTime = None,
    workers: WorkersOrNone = None,
    db: Db = None,
    again: Again = False,
    backend: BackendName = "processes",
    address: Address = None,
    as_json: Json = False,
) -> None:
    """Play all agents against each other, on every board, and rate them.

    Every pairing plays the same openings, each with sides swapped. In games of more
    players groups of as many agents meet, each opening with all rotations of the seats.
    With --db the same command continues where it was stopped.
    """
    settings: dict[str, Any] = {}
    if file is not None:
        settings = read_settings(file)
        if names or boards or specs:
            raise BadText(f"{file} has the games, boards and agents: leave out the flags for them")
        if "sprt" in settings:
            raise BadText(f"{file} has sprt, but only topple match plays sequential tests")
    else:
        settings = {"agents": specs or [], "contests": contests_of(names or [], boards or [])}
    given = {
        "games": games,
        "seed": seed,
        "plies": plies,
        "gauntlet": gauntlet or None,
        "move-time": move_time,
        "game-time": game_time,
    }
    plan = plan_of(settings | {name: value for name, value in given.items() if value is not None})
    options = PlayOptions(workers, db, backend, address, again)
    run = play_with_progress(plan, options)
    if run.standings.games and as_json:
        print_json(tournament_data(run.standings))
    elif run.standings.games:
        print(tournament_text(run.standings))
    if not run.is_done:
        raise stopped(run, options)
