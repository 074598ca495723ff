"""What `topple solve` was asked for beyond a value."""

from pathlib import Path
from typing import NamedTuple

from topple.cli.terminal.long_search import Keeper


class SolveOptions(NamedTuple):
    """Options that a position and the score sequence share."""

    each: bool
    seconds: float | None
    memory: int
    checkpoint: Path | None
    plot: Path | None
    thermograph: Path | None
    as_json: bool


def print_files(options: SolveOptions, keeper: Keeper | None) -> None:
    """Where what was written is found."""
    files = {"picture": options.plot, "thermograph": options.thermograph}
    if keeper is not None and keeper.trouble is None:
        files["checkpoint"] = keeper.path
    for what, path in files.items():
        if path is not None:
            print(f"{what}: {path}")
