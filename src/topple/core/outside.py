"""Code from outside: games and agents that are not topple's own, and where one of them is wrong."""

import linecache
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from topple.core.text import error_line, shorten

PACKAGE = str(Path(__file__).parent.parent)
MOST_DECORATORS = 10  # lines
LONGEST = 300  # characters of another program's message that a line repeats
TOLD_BY_NUMBA = re.compile(r'File "([^"\n]+)", line (\d+)')
# What Numba says around the one sentence that tells what is wrong.
AROUND = re.compile(
    r"Failed in|During: |Overload|There are|- Of which|In function|With argument|No match|"
    r"Enable logging|This error|def |<source|[-^~]|File |\*|\[\d|unsupported nopython|$"
)

_roots: set[str] = set()


def is_from_outside(module: str) -> bool:
    """Whether a module, given by its name, is no part of topple.

    >>> is_from_outside("topple.rules.hex"), is_from_outside("my_game")
    (False, True)
    """
    return module.partition(".")[0] != "topple"


def add_outside(module: str) -> None:
    """Note a module that has registered a game or an agent."""
    if is_from_outside(module):
        _roots.add(module.partition(".")[0])


def place_of(function: Callable[..., Any]) -> str:
    """Where a function is written: `my_game.py:43`, the line of its `def`."""
    code = getattr(function, "__code__", None)
    if code is None:
        return str(getattr(function, "__module__", "?"))
    first = code.co_firstlineno  # of its decorators, if it has some
    for line in range(first, first + MOST_DECORATORS):
        if linecache.getline(code.co_filename, line).lstrip().startswith("def "):
            return f"{Path(code.co_filename).name}:{line}"
    return f"{Path(code.co_filename).name}:{first}"


def blame(error: BaseException) -> str | None:
    """One line on an error that code from outside has caused: file, line, function, what.

    None if no line of its own is behind it: then the error is topple's.
    """
    told = _told_by_numba(error)
    if told is not None:
        return told
    places = []
    trace = error.__traceback__
    while trace is not None:
        places.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    for frame, line in reversed(places):
        code = frame.f_code
        if _is_outside_file(code.co_filename, frame.f_globals.get("__name__", "")):
            name = "" if code.co_name.startswith("<") else f"{code.co_name}: "
            return f"{Path(code.co_filename).name}:{line}: {name}{error_line(error, LONGEST)}"
    return None


def _told_by_numba(error: BaseException) -> str | None:
    """What Numba says of a function that it cannot compile, in one line; None for other errors."""
    if not type(error).__module__.startswith("numba."):
        return None
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = [
        f"{Path(file).name}:{line}"
        for file, line in TOLD_BY_NUMBA.findall(text)
        if _is_outside_file(str(Path(file).resolve()), "")  # Numba tells it from the folder
    ]
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not AROUND.match(line)]
    sentence = shorten(said[0] if said else type(error).__name__, LONGEST)
    place = places[-1] if places else "a kernel"
    return f"{place}: Numba cannot compile this: {sentence}"


def _is_outside_file(file: str, module: str) -> bool:
    if module.partition(".")[0] in _roots:
        return True
    if file.startswith(PACKAGE) or file.startswith("<frozen"):
        return False
    return not file.startswith(_libraries()) and not file.startswith("<")


@cache
def _libraries() -> tuple[str, ...]:
    """The folders of Python's own modules, and of installed ones."""
    # Needed only where something has failed.
    import sysconfig

    paths = sysconfig.get_paths()
    found = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return tuple(sorted({*found, str(Path(sys.prefix) / "bin")}))
