"""Access to OpenSpiel: its library, imported on demand, and its games by their text."""

from difflib import get_close_matches
from typing import Any

from topple.core.errors import BadText, ToppleError
from topple.core.extras import missing_extra
from topple.core.processes import without_stderr
from topple.core.text import one_line

TOPPLE_PREFIX = "topple_"  # of topple's own games there
PYTHON_PREFIX = "python_"  # of OpenSpiel's games that are written in Python


def load_pyspiel() -> Any:
    """The module `pyspiel`.

    Raises
    ------
    Unsupported
        If it is not installed.
    """
    try:
        import pyspiel  # an optional extra
    except ImportError as error:
        raise missing_extra("OpenSpiel", "open-spiel", error) from None
    return pyspiel


def load_game(text: str) -> Any:
    """An OpenSpiel game by its text there, such as `mnk(m=4,n=4,k=3)`.

    Raises
    ------
    BadText
        If there is no such game, or a parameter is wrong.
    """
    pyspiel = load_pyspiel()
    name = text.partition("(")[0].strip()
    _register_game(name)
    known = pyspiel.registered_names()
    if name not in known:
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "pyspiel.registered_names() lists them"
        raise BadText(f"unknown game of OpenSpiel {name[:60]!r}: {hint}")
    with without_stderr():  # OpenSpiel prints a line of its own before it raises
        try:
            return pyspiel.load_game(text.strip())
        except pyspiel.SpielError as error:
            raise BadText(f"OpenSpiel has no {text!r:.80}: {first_line(error)}") from None
        except (RuntimeError, TypeError, ValueError) as error:
            if isinstance(error, ToppleError):
                raise
            raise BadText(f"OpenSpiel cannot load {text!r:.80}: {first_line(error)}") from None


def _register_game(name: str) -> None:
    """Import the module that registers a game, if OpenSpiel does not know it from the start."""
    # These modules need OpenSpiel, an optional extra.
    if name.startswith(TOPPLE_PREFIX):
        import topple.bridges.open_spiel  # noqa: F401
    elif name.startswith(PYTHON_PREFIX):
        import open_spiel.python.games  # noqa: F401


def first_line(error: BaseException) -> str:
    """The first line of an OpenSpiel error: the rest is a listing or a stack trace.

    >>> first_line(ValueError("Unknown parameter 'n'.\\nAvailable: m"))
    "Unknown parameter 'n'."
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return one_line(lines[0], 200)
