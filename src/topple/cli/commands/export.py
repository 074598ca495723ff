"""`topple export`: every game of a store, for other programs."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from topple.arena.report.export import LINES
from topple.arena.store.played import PlayedGame
from topple.arena.store.store import Store, open_store
from topple.core.errors import ToppleError
from topple.core.files import writing_whole
from topple.core.progress import progress


class GameFormat(StrEnum):
    """How games are written."""

    JSONL = "jsonl"
    CSV = "csv"


def export(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A store of games.")],
    form: Annotated[
        GameFormat, typer.Option("--format", help="A record a line, or a table.")
    ] = GameFormat.JSONL,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write a file, not to stdout.")
    ] = None,
    no_times: Annotated[
        bool, typer.Option("--no-times", help="Leave out what differs from run to run.")
    ] = False,
) -> None:
    """Print every game of a store with all that is known of it."""
    _check_apart(store, out)
    with open_store(store, read_only=True) as games, _target(out) as stream:
        n_games = 0
        more = {"n_players": games.most_players()} if form is GameFormat.CSV else {}
        for line in LINES[form.value](_watched(games, out), times=not no_times, **more):
            stream.write(line.encode())
            n_games += 1
    if out is not None:
        n_games -= form is GameFormat.CSV  # the line of names
        print(f"{n_games:,} {'game' if n_games == 1 else 'games'} written to {out}")


def _check_apart(store: Path, out: Path | None) -> None:
    """The export must not take the store's own place."""
    if out is None:
        return
    log_files = [f"{store.name}{end}" for end in ("-wal", "-shm", "-journal")]
    is_log = out.name in log_files and out.resolve().parent == store.resolve().parent
    if is_log or (out.exists() and store.exists() and out.samefile(store)):
        raise ToppleError(f"{out} is the store itself: name another file")


@contextmanager
def _target(out: Path | None) -> Iterator[BinaryIO]:
    if out is None:
        yield sys.stdout.buffer  # the same bytes whatever the terminal's encoding
        return
    with writing_whole(out) as stream:
        yield stream


def _watched(store: Store, out: Path | None) -> Iterable[PlayedGame]:
    """The games, with progress unless they go past on the same terminal."""
    if out is None and sys.stdout.isatty():
        yield from store.games()
        return
    with progress("export", store.n_games()) as done:
        for game in store.games():
            yield game
            done(game.pair)
