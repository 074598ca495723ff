"""Which games are compiled without a check of every index: topple's own, and those that passed.

`topple check` notes in the cache folder that it has passed a module. The note is for the text of
the files as it was, and holds for this version of topple.
"""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from topple import __version__
from topple.core.outside import is_from_outside
from topple.core.paths import cache_folder

FOLDER = "checked"


def is_trusted(name: str, files: Iterable[Path]) -> bool:
    """Whether a module of rules needs no check of its indices: it is topple's own, or has passed.

    `files` are those that its kernels are written in.
    """
    if not is_from_outside(name):
        return True
    note = _note(name, files)
    return note is not None and note.exists()


def trust(name: str, files: Iterable[Path]) -> None:
    """Note that `topple check` has passed a module of rules, where there is a cache folder."""
    note = _note(name, files)
    if note is not None:
        with suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.touch()


def _note(name: str, files: Iterable[Path]) -> Path | None:
    """The file that says that a module has passed; None where there can be none."""
    digest = hashlib.sha256(__version__.encode())
    try:
        for file in sorted(files):
            digest.update(file.read_bytes())
        return cache_folder() / FOLDER / f"{name}-{digest.hexdigest()[:16]}"
    except (OSError, RuntimeError):
        return None
