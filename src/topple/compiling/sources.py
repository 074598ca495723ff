"""The source files that a compiled function depends on.

A kernel's machine code depends on its own file, on the files of the kernels that it
calls, and on all constants and types that those files import. They are few enough to
hash at every start.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
IMPORT = re.compile(r"^(?:from|import) topple\.([\w.]+)", re.MULTILINE)


def files_behind(files: Iterable[Path]) -> frozenset[Path]:
    """These files and all files of topple that they import, directly or indirectly.

    >>> PACKAGE / "core" / "errors.py" in files_behind([PACKAGE / "compiling" / "logarithm.py"])
    True
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
    """The files of topple that a file imports at the top."""
    try:
        text = path.read_text("utf-8")
    except OSError:  # rules typed into a notebook have no file
        return ()
    return tuple(_file_of(name) for name in IMPORT.findall(text))


def _file_of(name: str) -> Path:
    path = PACKAGE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
