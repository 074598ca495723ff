"""OpenSpiel itself: its library, loaded when it is needed, and its games by their texts."""

from difflib import get_close_matches
from typing import Any

from topple.core.errors import BadText, ToppleError, Unsupported
from topple.core.processes import without_stderr

OURS = "topple_"  # what the names of topple's games begin with there
PYTHON = "python_"  # and those of its games that are written in Python


def load_pyspiel() -> Any:
    """The module `pyspiel`.

    Raises
    ------
    Unsupported
        If it is not installed.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise Unsupported("OpenSpiel is not installed: pip install 'topple[open-spiel]' "
                          f"({error})") from None  # fmt: skip
    return pyspiel


def load_theirs(text: str) -> Any:
    """A game of OpenSpiel's by the text that names it there, as `mnk(m=4,n=4,k=3)`.

    Raises
    ------
    BadText
        If there is none, or a parameter is wrong.
    """
    pyspiel = load_pyspiel()
    name = text.partition("(")[0].strip()
    _bring_in(name)
    known = pyspiel.registered_names()
    if name not in known:
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "pyspiel.registered_names() lists them"
        raise BadText(f"unknown game of OpenSpiel {name[:60]!r}: {hint}")
    with without_stderr():  # where it would write a line of its own before it raises
        try:
            return pyspiel.load_game(text.strip())
        except pyspiel.SpielError as error:
            raise BadText(f"OpenSpiel has no {text!r:.80}: {one_line(error)}") from None
        except (RuntimeError, TypeError, ValueError) as error:
            if isinstance(error, ToppleError):
                raise
            raise BadText(f"OpenSpiel cannot load {text!r:.80}: {one_line(error)}") from None


def _bring_in(name: str) -> None:
    """Import what registers a game, where it is not there from the beginning."""
    if name.startswith(OURS):
        import topple.bridges.open_spiel  # noqa: F401
    elif name.startswith(PYTHON):
        import open_spiel.python.games  # noqa: F401


def one_line(error: BaseException) -> str:
    """The first line of what an error says, short enough for a message.

    >>> one_line(ValueError("Unknown parameter 'n'.\\nAvailable: m"))
    "Unknown parameter 'n'."
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]
