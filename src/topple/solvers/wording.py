"""Results of exact search in words: values, bounds, leads, and why a search ended early."""

from collections.abc import Iterable

from topple.core.text import plural
from topple.solvers.solution import POINTS, RESULT, Bounds, Solution

UNKNOWN = "?"


def points_text(number: int, *, signed: bool = False) -> str:
    """A whole number with a minus sign instead of a hyphen.

    >>> points_text(-1200), points_text(3, signed=True), points_text(0, signed=True)
    ('−1,200', '+3', '0')
    """
    return f"{number:{'+' if signed and number else ''},}".replace("-", "−")


def bounds_text(bounds: Bounds) -> str:
    """`2`, or `−2 to 4` if the value is not proven."""
    if bounds.is_exact:
        return points_text(bounds.least)
    return f"{points_text(bounds.least)} to {points_text(bounds.most)}"


def mark_text(bounds: Bounds, unit: str) -> str:
    """A value in a cell: `+`, `=` or `−` for a result, `+2` for points, `?` if not proven."""
    if not bounds.is_exact:
        return UNKNOWN
    if unit == RESULT:
        return "−=+"[bounds.least + 1]
    return points_text(bounds.least, signed=True)


def legend(values: Iterable[Bounds], unit: str) -> str:
    """The meaning of the marks that are shown on a board.

    >>> from topple.solvers import Bounds
    >>> legend([Bounds(1, 1), Bounds(-1, 1)], "result")
    'each move: + wins, ? not proven'
    """
    shown = {mark_text(value, unit) for value in values}
    words = {UNKNOWN: "? not proven"}
    if unit == RESULT:
        words = {"+": "+ wins", "=": "= draws", "−": "− loses", **words}
    else:
        words = {**dict.fromkeys(shown - {UNKNOWN}, "the lead that it ends in"), **words}
    meant = dict.fromkeys(word for mark, word in words.items() if mark in shown)
    return f"each move: {', '.join(meant)}"


def move_value_text(bounds: Bounds, unit: str) -> str:
    """The value of a move in words: `wins`, `at least draws`, `+2`, `−2 to 4`."""
    if unit != RESULT:
        return points_text(bounds.least, signed=True) if bounds.is_exact else bounds_text(bounds)
    words = {
        (1, 1): "wins",
        (0, 0): "draws",
        (-1, -1): "loses",
        (0, 1): "at least draws",
        (-1, 0): "at most draws",
    }
    return words.get((bounds.least, bounds.most), "not known")


def outlook(solution: Solution) -> str:
    """The value of a position in words: `Blue wins`, `draw`, `Left leads by 2`."""
    position, value = solution.position, solution.value
    mover = position.game.players[position.player]
    other = position.game.players[1 - position.player]
    if not value.is_exact:
        return _open_outlook(solution, mover, other)
    if value.least == 0:
        return "draw"
    leader = mover if value.least > 0 else other
    if solution.unit == POINTS:
        return f"{leader} leads by {points_text(abs(value.least))}"
    return f"{leader} wins"


def _open_outlook(solution: Solution, mover: str, other: str) -> str:
    """The value of a position in words, if only bounds are proven."""
    value = solution.value
    if solution.unit == POINTS:
        least, most = points_text(value.least), points_text(value.most)
        return f"{mover} leads by between {least} and {most}"
    if value.least == 0:
        return f"{mover} at least draws"
    if value.most == 0:
        return f"{other} at least draws"
    return "not known who wins"


def limit_text(limit: str, seconds: float | None, memory: int) -> str:
    """Why a search ended before everything was proven."""
    if limit == "time":
        return f"stopped by the time limit of {seconds:g} s"
    if limit == "memory":
        return f"stopped by the memory limit of {memory:,} MB: --memory allows more"
    if limit == "size":
        return "too large to be searched: these bounds come from theorems alone"
    return "interrupted"


def effort_text(n_positions: int, n_nodes: int, seconds: float) -> str:
    """`12 positions looked at, 5 remembered, in 0.001 s`."""
    looked = plural(n_nodes, "position")
    return f"{looked} looked at, {n_positions:,} remembered, in {seconds:.3f} s"
