"""Where compiled kernels are kept, and how old ones are told from new.

Numba's disk cache notices a change only in a function's own file. The directory
therefore carries a digest of every source that stands behind the kernels in it,
of the flags that change the machine code, and of the machine.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from topple.core.paths import cache_folder

CACHES_KEPT = 64  # per game: a dozen for each version and checkout in use
DIGEST = 12  # hexadecimal digits

BOUNDS_CHECK = os.environ.get("TOPPLE_BOUNDS_CHECK", "") not in ("", "0")


class MachineCode:
    """The directory of compiled kernels of one game, with a marker for each.

    Without a directory (none can be written, or the rules come from no file, as a
    notebook's) everything works and is compiled anew in each process.
    """

    def __init__(self, name: str, sources: Iterable[Path]) -> None:
        self.directory = _make_directory(name, sorted(set(sources)))

    def is_warm(self, kernel: str) -> bool:
        """Tell whether a kernel has been compiled here before."""
        return self.directory is not None and (self.directory / f"{kernel}.warm").exists()

    def drop(self) -> None:
        """Throw everything away."""
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)

    def mark_warm(self, kernel: str) -> None:
        """Note that a kernel has been compiled."""
        if self.directory is not None:
            (self.directory / f"{kernel}.warm").touch()


def _make_directory(name: str, sources: list[Path]) -> Path | None:
    try:
        directory = cache_folder() / f"{name}-{_digest(sources)}"
        if directory.exists():
            with suppress(OSError):  # where others own it
                directory.touch()  # what is in use is not old
        else:
            directory.mkdir(parents=True, exist_ok=True)
            _drop_old(name)
    except (OSError, RuntimeError):
        return None
    return directory if os.access(directory, os.W_OK | os.X_OK) else None


def _drop_old(name: str) -> None:
    """Keep the machine code of this game's latest sources, drop what is older."""
    caches = cache_folder().glob(f"{name}-{'[0-9a-f]' * DIGEST}")
    for old in sorted(caches, key=_age, reverse=True)[CACHES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _age(directory: Path) -> float:
    """When a directory was last used; another process may just have dropped it."""
    try:
        return directory.stat().st_mtime
    except OSError:
        return 0.0


def _digest(sources: list[Path]) -> str:
    import numba
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    cpu = (get_host_cpu_name(), get_host_cpu_features().flatten())
    seen = hashlib.sha256(repr((cpu, numba.__version__, sys.version, BOUNDS_CHECK)).encode())
    for source in sources:
        # Numba itself discards machine code older than its source file.
        seen.update(f"{source}{source.stat().st_mtime_ns}".encode())
        seen.update(source.read_bytes())
    return seen.hexdigest()[:DIGEST]
