"""Which source files stand behind a compiled function.

A kernel's machine code depends on the file it is written in, on the files of
the kernels that it calls, and on whatever constants and types those files
import. The set is small enough to hash at every start.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
IMPORT = re.compile(r"^(?:from|import) topple\.([\w.]+)", re.MULTILINE)


def files_behind(files: Iterable[Path]) -> frozenset[Path]:
    """These files with all that they import from topple, near or far.

    >>> sorted(path.name for path in files_behind([PACKAGE / "compiling" / "logarithm.py"]))
    ['caching.py', 'compiling.py', 'rng.py', 'sources.py']
    """
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(path))
    return frozenset(found)


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """The files of topple that a file imports at its top."""
    try:
        text = path.read_text("utf-8")
    except OSError:  # rules typed into a notebook come from no file
        return ()
    return tuple(_file_of(name) for name in IMPORT.findall(text))


def _file_of(name: str) -> Path:
    path = PACKAGE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
