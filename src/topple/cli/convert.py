"""`topple convert`: games of Hex between topple and other programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """How a game is written."""

    JSON = "json"
    SGF = "sgf"
    HEXWORLD = "hexworld"


def convert(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Saved games, SGF or addresses of HexWorld's, or one such address; - reads stdin.",
        ),
    ],
    form: Annotated[
        Form, typer.Option("--to", help="A record a line, SGF, or an address a line.")
    ] = Form.JSON,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write a file, not to stdout.", show_default=False
        ),
    ] = None,
) -> None:
    """Write games of Hex for other programs, or read theirs.

    Every move and result is checked. Of variations the main line alone is read.
    """
    from topple.bridges.hex_files import write_game
    from topple.cli.record_files import named_place, read_games
    from topple.files import write_whole

    written = []
    for saved in read_games(file):
        with named_place(saved.place):
            if form is Form.JSON:
                saved.record.replay(compiled=False)
                written.append(f"{saved.record.to_json()}\n")
            else:
                written.append(write_game(saved.record, form.value))
    content = "".join(written)
    if out is None:
        print(content, end="")
        return
    write_whole(out, content.encode())
    print(f"{len(written):,} {'game' if len(written) == 1 else 'games'} written to {out}")
