"""`topple convert`: saved games to and from other programs' formats."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from topple.bridges.hex.game_files import write_game
from topple.bridges.networks import position_text
from topple.cli.terminal.record_files import SavedGame, named_place, read_games, read_one_game
from topple.core.errors import BadText
from topple.core.files import write_whole
from topple.core.text import plural
from topple.game.warm_up import prepare


class TargetFormat(StrEnum):
    """The format of a game or a position."""

    JSON = "json"
    SGF = "sgf"
    HEXWORLD = "hexworld"
    GRAPHML = "graphml"
    GEXF = "gexf"


NETWORKS = (TargetFormat.GRAPHML, TargetFormat.GEXF)  # of one position, not of a game


def convert(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Saved games, SGF or HexWorld addresses, or one such address; - reads stdin.",
        ),
    ],
    form: Annotated[
        TargetFormat,
        typer.Option(
            "--to",
            help="One record or address per line, SGF, or the last position of one game as a "
            "network with tokens and owners.",
        ),
    ] = TargetFormat.JSON,
    ply: Annotated[
        int | None,
        typer.Option(
            "--ply", min=0, metavar="N", help="For a network: the position after N moves."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to a file, not to stdout.")
    ] = None,
) -> None:
    """Write games for other programs, or read theirs.

    Every move and result is checked. Only the main line of variations is read.
    For Gephi: topple convert game.json --to graphml --out game.graphml
    """
    if ply is not None and form not in NETWORKS:
        raise BadText("--ply is for networks: add --to graphml or --to gexf")
    if form in NETWORKS:
        written = [network_of(read_one_game(file), form, ply)]
    else:
        written = list(written_games(read_games(file), form))
    content = "".join(written)
    if out is None:
        print(content, end="")
        return
    write_whole(out, content.encode())
    print(f"{plural(len(written), 'game')} written to {out}")


def written_games(games: Iterator[SavedGame], form: TargetFormat) -> Iterator[str]:
    """Each game in a format."""
    for saved in games:
        with named_place(saved.place):
            if form is TargetFormat.JSON:
                saved.record.replay(compiled=False)
                yield f"{saved.record.to_json()}\n"
            else:
                yield write_game(saved.record, form.value)


def network_of(saved: SavedGame, form: TargetFormat, ply: int | None) -> str:
    """The last position of a game as a network, or the one after `ply` moves.

    Raises
    ------
    BadText
        If the game has fewer moves.
    """
    n_moves = len(saved.record.moves)
    chosen = n_moves if ply is None else ply
    if chosen > n_moves:
        raise BadText(f"{saved.place} has {n_moves} moves: --ply {ply} is too many")
    prepare(saved.load_game())
    found = None
    for number, position in enumerate(saved.positions()):  # all moves are checked
        found = position if number == chosen else found
    assert found is not None
    return position_text(found, f".{form}")
