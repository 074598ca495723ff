"""`topple replay`: games from their records, checked move by move."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from topple.cli.options import Json
from topple.cli.terminal.game_text import plies_text, show_position, standing, tell_move
from topple.cli.terminal.output import print_json, print_wrapped
from topple.cli.terminal.record_files import SavedGame, read_games
from topple.game.position import Position
from topple.game.warm_up import prepare


def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Saved games, one a line; - reads stdin.")
    ],
    moves: Annotated[bool, typer.Option("--moves", help="Tell the moves, draw no boards.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print results alone.")] = False,
    as_json: Json = False,
) -> None:
    """Replay saved games, every move and result checked."""
    prepared: set[str] = set()
    for saved in read_games(file):
        game = saved.load_game()
        if game.name not in prepared:
            prepare(game)
            prepared.add(game.name)
        last = saved.replay()
        if as_json:
            print_json(describe_replay(saved, last))
        else:
            print_replay(saved, last, told=not quiet, boards=not (quiet or moves))


def describe_replay(saved: SavedGame, last: Position) -> dict[str, Any]:
    """A replayed game as data."""
    record = saved.record
    told = {
        "game": last.game.spec,
        "board": last.game.board.spec,
        "plies": len(record.moves),
        "result": None if record.result is None else list(record.result),
        "final": last.text,
    }
    if record.opening:
        told["opening"] = record.opening
    if record.ending is not None:
        told["ending"] = asdict(record.ending)
    return told


def print_replay(saved: SavedGame, last: Position, *, told: bool, boards: bool) -> None:
    """A replayed game for people: what was played, perhaps told, and how it ended."""
    game, record = last.game, saved.record
    print(f"{saved.place}: {game.title} on {game.board.spec}, {' against '.join(record.players)}")
    if told and record.opening:
        print(f"the opening: {plies_text(record.opening)}")
    if told:
        tell_game(saved, boards=boards)
    print_wrapped(standing(last, len(record.moves), record.ending))


def tell_game(saved: SavedGame, *, boards: bool) -> None:
    """Tell a game move by move."""
    before: Position | None = None
    for ply, position in enumerate(saved.positions()):
        if before is not None:
            move = saved.record.moves[ply - 1]
            tell_move(before, move, ply, position, board=boards)
        elif boards:
            show_position(position)
        before = position
