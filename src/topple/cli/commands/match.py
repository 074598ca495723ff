"""`topple match`: two agents against each other, from the same openings with sides swapped."""

from typing import Annotated, Any

import typer

from topple.arena.planning.settings import plan_of
from topple.arena.playing.run import PlanRun
from topple.arena.playing.sequential import SequentialMatch
from topple.arena.report.data import match_data, tournament_data
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
from topple.cli.options import BoardText, Json
from topple.cli.terminal.output import print_json, print_wrapped
from topple.cli.terminal.tournament_run import PlayOptions, play_with_progress, stopped
from topple.cli.views.standings import match_text, tournament_text


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
        ),
    ] = None,
    move_time: MoveTime = None,
    game_time: GameTime = None,
    workers: WorkersOrNone = None,
    db: Db = None,
    again: Again = False,
    backend: BackendName = "processes",
    address: Address = None,
    as_json: Json = False,
) -> None:
    """Play two agents against each other and say who is better, and how sure that is.

    Each opening is played twice, with sides swapped. In a game of more players the two
    agents fill its seats in all ways that leave one to each.
    """
    if games is None and sprt is not None:
        games = 20_000
    given = {
        "games": games,
        "seed": seed,
        "plies": plies,
        "sprt": sprt,
        "move-time": move_time,
        "game-time": game_time,
    }
    contest = {"game": game} if board is None else {"game": game, "board": board}
    settings = {name: value for name, value in given.items() if value is not None}
    plan = plan_of({"agents": [first, second], "contests": [contest], **settings})
    options = PlayOptions(workers, db, backend, address, again)
    run = play_with_progress(plan, options)
    if run.standings.games:
        show(run, as_json)
    if not run.is_done:
        raise stopped(run, options)


def show(run: PlanRun, as_json: bool) -> None:
    """Print the result of a match and of its sequential test.

    With more than two players two agents fill all the seats, and it is a small tournament.
    """
    if run.plan.n_players > 2:
        if as_json:
            print_json(tournament_data(run.standings))
        else:
            print(tournament_text(run.standings))
        return
    first, second = (agent.spec for agent in run.plan.agents)
    test = None if run.test is None else test_data(run.test)
    if as_json:
        data = match_data(run.standings, first, second)
        print_json(data if test is None else data | {"sprt": test})
        return
    print(match_text(run.standings, first, second))
    if test is not None:
        print()
        print_wrapped(
            f"SPRT {test['test']}: {VERDICTS[test['verdict']]} "
            f"(evidence {test['llr']:+.2f}, decided at {test['lower']:+.2f} or "
            f"{test['upper']:+.2f})"
        )


VERDICTS = {
    "H1": "the first agent is better: elo1 holds against elo0",
    "H0": "the first agent is not better: elo0 holds against elo1",
    None: "not decided",
}


def test_data(test: SequentialMatch) -> dict[str, Any]:
    """The state of a sequential test as plain data."""
    lower, upper = test.sprt.bounds
    return {
        "test": str(test.sprt),
        "verdict": test.verdict,
        "llr": round(test.llr, 4),
        "lower": round(lower, 4),
        "upper": round(upper, 4),
    }
