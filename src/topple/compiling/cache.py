"""The disk cache of compiled kernels.

Numba's disk cache notices a change only in a function's own file. The name of a game's
folder therefore has a digest of all sources that its kernels depend on, of the flags
that change the machine code, and of the machine.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from topple.core.lazy import lazy_module
from topple.core.paths import cache_folder

numba = lazy_module("numba")
caching = lazy_module("numba.core.caching")
llvm = lazy_module("llvmlite.binding")

CACHES_KEPT = 64  # folders of a game: each version and checkout uses about a dozen
DIGEST = 12  # hexadecimal digits

BOUNDS_CHECK = os.environ.get("TOPPLE_BOUNDS_CHECK", "") not in ("", "0")


class MachineCode:
    """The folder of one game's compiled kernels, with a marker file for each.

    `directory` is None if no folder can be written, or if the rules have no file, as in
    a notebook. Then every process compiles what it runs.
    """

    def __init__(
        self, name: str, sources: Iterable[Path], *, checks_bounds: bool = BOUNDS_CHECK
    ) -> None:
        self.directory = _make_directory(name, sorted(set(sources)), checks_bounds)

    def is_warm(self, kernel: str) -> bool:
        """Whether a kernel's machine code is in the folder."""
        return self.directory is not None and (self.directory / f"{kernel}.warm").exists()

    def keep(self, dispatcher: Any) -> None:
        """Let Numba keep the machine code of a compiled function in the folder."""
        if self.directory is None:
            return
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(self.directory)
        try:
            dispatcher._cache = _mending_cache()(dispatcher.py_func)
        finally:
            numba.config.CACHE_DIR = before

    def mark_warm(self, kernel: str) -> None:
        """Mark a kernel as compiled."""
        if self.directory is not None:
            (self.directory / f"{kernel}.warm").touch()


@cache
def _mending_cache() -> Any:
    """Numba's disk cache, but what is damaged in it is compiled again."""
    cache_class: Any = caching.FunctionCache

    class MendingCache(cache_class):  # type: ignore[misc]
        """The cache of one function."""

        def load_overload(self, *arguments: Any) -> Any:
            """What was compiled for these types of arguments, or None."""
            try:
                return super().load_overload(*arguments)
            except Exception:  # whatever a damaged file makes Numba raise
                self.flush()
                return None

    return MendingCache


def cache_trouble() -> str | None:
    """Why machine code cannot be kept on this machine, in one line; None if it can.

    Creates the cache folder if it does not exist.
    """
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return None
        where = f"in {folder}"
    except OSError:
        where = f"in {folder}"
    except RuntimeError:
        where = "without a home folder"
    return (
        f"compiled code cannot be kept {where}, so every run compiles again: "
        "set TOPPLE_CACHE_DIR to a folder that can be written"
    )


def _make_directory(name: str, sources: list[Path], checks_bounds: bool) -> Path | None:
    try:
        directory = cache_folder() / f"{name}-{_digest(sources, checks_bounds)}"
        if directory.exists():
            with suppress(OSError):  # another user may own it
                directory.touch()  # `_drop_old` keeps what was used last
        else:
            directory.mkdir(parents=True, exist_ok=True)
            _drop_old(name)
    except (OSError, RuntimeError):
        return None
    return directory if os.access(directory, os.W_OK | os.X_OK) else None


def _drop_old(name: str) -> None:
    """Delete all but the `CACHES_KEPT` folders of this game that were used last."""
    caches = cache_folder().glob(f"{name}-{'[0-9a-f]' * DIGEST}")
    for old in sorted(caches, key=_age, reverse=True)[CACHES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def _age(directory: Path) -> float:
    """When a directory was last used; 0 if another process has just deleted it."""
    try:
        return directory.stat().st_mtime
    except OSError:
        return 0.0


def _digest(sources: list[Path], checks_bounds: bool) -> str:
    cpu = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    seen = hashlib.sha256(repr((cpu, numba.__version__, sys.version, checks_bounds)).encode())
    for source in sources:
        # Numba itself discards machine code older than its source file.
        seen.update(f"{source}{source.stat().st_mtime_ns}".encode())
        seen.update(source.read_bytes())
    return seen.hexdigest()[:DIGEST]
