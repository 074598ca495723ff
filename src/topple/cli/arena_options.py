"""Options that `topple match` and `topple tournament` share."""

from pathlib import Path
from typing import Annotated

import typer

Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        metavar="N",
        min=1,
        help="Games for each pairing on each board; 100 unless given.",
        show_default=False,
    ),
]
ArenaSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        min=0,
        help="Fixes every game; 1 unless given, so that the same command plays the same games.",
        show_default=False,
    ),
]
Plies = Annotated[
    int | None,
    typer.Option(
        "--plies",
        metavar="N",
        min=0,
        help="Random moves that each game begins with; 2 unless given. 0: from the start.",
        show_default=False,
    ),
]
MoveTime = Annotated[
    float | None,
    typer.Option(
        "--move-time",
        metavar="SECONDS",
        help="Who takes longer for a move loses the game; 600 unless given.",
        show_default=False,
    ),
]
GameTime = Annotated[
    float | None,
    typer.Option(
        "--game-time",
        metavar="SECONDS",
        help="Who takes longer for all its moves of a game loses it.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        min=1,
        max=10_000,
        help="Processes that play; one for each core unless given.",
        show_default=False,
    ),
]
Db = Annotated[
    Path | None,
    typer.Option(
        "--db",
        metavar="FILE",
        help="Keep every game in this file; the same command goes on where it was stopped.",
        show_default=False,
    ),
]
Again = Annotated[
    bool,
    typer.Option(
        "--again",
        help="Play games of this command again that were lost by a crash, time or an illegal move.",
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
        show_default=False,
    ),
]
