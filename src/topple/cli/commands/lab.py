"""`topple lab`: the page."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from topple.core.paths import lab_folder

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
            help="Keep games and boards here; by default in the user's data folder.",
        ),
    ] = None,
    db: Annotated[
        list[Path] | None,
        typer.Option("--db", metavar="FILE", help="Show this store too; may be repeated."),
    ] = None,
) -> None:
    """Serve a page to play, watch, analyse and compare.

    Ctrl-C ends it.
    """
    # Imported here so that `topple lab --help` need not load a web framework.
    from topple.lab.lab import LabSettings
    from topple.lab.server.serve import listen, open_browser, serve, url_of

    listening, address = listen(host, port)
    settings = LabSettings(folder or lab_folder(), address, tuple(db or ()))
    url = url_of(address)

    def announce() -> None:
        print(f"topple lab: {url}", flush=True)
        if not no_browser:
            open_browser(url)

    with listening, suppress(KeyboardInterrupt):  # Ctrl-C is the usual end
        serve(settings, listening, announce)
