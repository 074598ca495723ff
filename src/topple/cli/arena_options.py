"""Options that `topple match` and `topple tournament` share."""

from pathlib import Path
from typing import Annotated

import typer

from topple.arena.planning.plan import (
    GAME_TIME_OPTION,
    GAMES_OPTION,
    MOVE_TIME_OPTION,
    PLIES_OPTION,
    SEED_OPTION,
)
from topple.cli.options import flag

Games = Annotated[int | None, flag(GAMES_OPTION, "N")]
ArenaSeed = Annotated[int | None, flag(SEED_OPTION, "S")]
Plies = Annotated[int | None, flag(PLIES_OPTION, "N")]
MoveTime = Annotated[float | None, flag(MOVE_TIME_OPTION, "SECONDS")]
GameTime = Annotated[float | None, flag(GAME_TIME_OPTION, "SECONDS")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        min=1,
        max=10_000,
        help="Processes that play; one for each core unless given.",
    ),
]
WorkersOrNone = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        min=0,
        max=10_000,
        help="Processes that play; one for each core unless given. With 0 this process plays, "
        "which an agent that hangs is not kept from holding up.",
    ),
]
Db = Annotated[
    Path | None,
    typer.Option(
        "--db",
        metavar="FILE",
        help="Store every game in this file; the same command continues where it was stopped.",
    ),
]
Again = Annotated[
    bool,
    typer.Option(
        "--again",
        help="Replay games of this command that were lost by a crash, time or an illegal move.",
    ),
]
BackendName = Annotated[
    str,
    typer.Option(
        "--backend", metavar="NAME", help="processes (on this machine) or ray (a cluster)."
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="The Ray cluster; without it one is started on this machine.",
    ),
]
