"""`topple match`: two agents against each other, from the same openings with sides swapped."""

from typing import Annotated

import typer

from topple.cli.arena_options import (
    Address,
    ArenaSeed,
    BackendName,
    Db,
    Games,
    GameTime,
    MoveTime,
    Plies,
    Workers,
)
from topple.cli.options import BoardText, Json
from topple.cli.output import print_json


def match(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, perhaps with options.")],
    first: Annotated[str, typer.Argument(metavar="AGENT", help="An agent.")],
    second: Annotated[str, typer.Argument(metavar="AGENT", help="Its opponent.")],
    *,
    board: BoardText = None,
    games: Games = None,
    seed: ArenaSeed = None,
    plies: Plies = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="TEST",
            help="Stop when it is decided whether the first agent is elo0 or elo1 better: "
            "elo0=0,elo1=30,alpha=0.05,beta=0.05. At most 20,000 games unless --games is given.",
            show_default=False,
        ),
    ] = None,
    move_time: MoveTime = None,
    game_time: GameTime = None,
    workers: Workers = None,
    db: Db = None,
    backend: BackendName = "processes",
    address: Address = None,
    as_json: Json = False,
) -> None:
    """Play two agents against each other and say who is better, and how sure that is.

    Each opening is played twice, with sides swapped.
    """
    from topple.arena.settings import plan_of
    from topple.cli.contest import Venue, play_plan, stopped
    from topple.cli.standings_view import match_data, print_match

    if games is None and sprt is not None:
        games = 20_000
    given = {
        "games": games, "seed": seed, "plies": plies, "sprt": sprt,
        "move-time": move_time, "game-time": game_time,
    }  # fmt: skip
    contest = {"game": game} if board is None else {"game": game, "board": board}
    settings = {name: value for name, value in given.items() if value is not None}
    plan = plan_of({"agents": [first, second], "contests": [contest], **settings})
    venue = Venue(workers, db, backend, address)
    played = play_plan(plan, venue)
    if as_json:
        print_json(match_data(plan, played.standings))
    else:
        print_match(plan, played.standings)
    if not played.is_done:
        raise stopped(plan, venue, played)
