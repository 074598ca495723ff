"""Folders of the user's: where compiled code is cached, and where the lab keeps its data."""

import os
from pathlib import Path

from topple.core.errors import ToppleError


def cache_folder() -> Path:
    """The folder for compiled kernels: TOPPLE_CACHE_DIR, or `topple` in the user's cache.

    Raises
    ------
    RuntimeError
        If the user has no home.
    """
    chosen = os.environ.get("TOPPLE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "topple"


def lab_folder() -> Path:
    """The folder where the lab keeps games, boards and stores unless another is named.

    Raises
    ------
    ToppleError
        If the user has no home.
    """
    try:
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        raise ToppleError(
            "there is no home folder to keep games in: name a folder with --folder"
        ) from None
    return Path(data) / "topple" / "lab"
