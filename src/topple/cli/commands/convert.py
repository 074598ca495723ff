"""`topple convert`: games for other programs, and theirs for topple."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topple.core.errors import BadText

if TYPE_CHECKING:
    from topple.cli.terminal.record_files import SavedGame


class Form(StrEnum):
    """How a game is written."""

    JSON = "json"
    SGF = "sgf"
    HEXWORLD = "hexworld"
    GRAPHML = "graphml"
    GEXF = "gexf"


NETWORKS = (Form.GRAPHML, Form.GEXF)  # of one position, not of a game


def convert(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Saved games, SGF or addresses of HexWorld's, or one such address; - reads stdin.",
        ),
    ],
    form: Annotated[
        Form,
        typer.Option(
            "--to",
            help="A record a line, SGF, an address a line, or the last position of one game "
            "as a network with tokens and owners.",
        ),
    ] = Form.JSON,
    ply: Annotated[
        int | None,
        typer.Option(
            "--ply",
            min=0,
            metavar="N",
            help="For a network: the position after N moves.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write a file, not to stdout.", show_default=False
        ),
    ] = None,
) -> None:
    """Write games for other programs, or read theirs.

    Every move and result is checked. Of variations the main line alone is read.
    For Gephi: topple convert game.json --to graphml --out game.graphml
    """
    from topple.cli.terminal.record_files import read_games, read_one_game
    from topple.core.files import write_whole

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
    print(f"{len(written):,} {'game' if len(written) == 1 else 'games'} written to {out}")


def written_games(games: "Iterator[SavedGame]", form: Form) -> Iterator[str]:
    """Each game in a form."""
    from topple.bridges.hex.game_files import write_game
    from topple.cli.terminal.record_files import named_place

    for saved in games:
        with named_place(saved.place):
            if form is Form.JSON:
                saved.record.replay(compiled=False)
                yield f"{saved.record.to_json()}\n"
            else:
                yield write_game(saved.record, form.value)


def network_of(saved: "SavedGame", form: Form, ply: int | None) -> str:
    """The last position of a game as a network, or the one after so many moves.

    Raises
    ------
    BadText
        If the game has fewer moves.
    """
    from topple.bridges.networks import position_text
    from topple.game.warm_up import prepare

    n_moves = len(saved.record.moves)
    chosen = n_moves if ply is None else ply
    if chosen > n_moves:
        raise BadText(f"{saved.place} has {n_moves} moves: --ply {ply} is too many")
    prepare(saved.load_game())
    found = None
    for number, position in enumerate(saved.positions()):  # to the end: every move is checked
        found = position if number == chosen else found
    assert found is not None
    return position_text(found, f".{form}")
