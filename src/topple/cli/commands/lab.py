"""`topple lab`: the page."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

PORT = 8765


def lab(
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Its port; 0: any free.")
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="H",
            help="Serve this address; others than this machine then need the token.",
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser, print the address alone.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            help="Keep games and boards here; in the user's data folder unless given.",
            show_default=False,
        ),
    ] = None,
    db: Annotated[
        list[Path] | None,
        typer.Option(
            "--db",
            metavar="FILE",
            help="Show this store too; may be repeated.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve a page to play, watch, analyse and compare.

    Ctrl-C ends it.
    """
    from topple.lab.data.lab_database import data_folder
    from topple.lab.server.serve import address_of, open_browser, open_door, serve
    from topple.lab.settings import Settings

    listening, door = open_door(host, port)
    settings = Settings(folder or data_folder(), door, tuple(db or ()))
    address = address_of(door)

    def announce() -> None:
        print(f"topple lab: {address}", flush=True)
        if not no_browser:
            open_browser(address)

    with listening, suppress(KeyboardInterrupt):  # the usual end, after all is put away
        serve(settings, listening, announce)
