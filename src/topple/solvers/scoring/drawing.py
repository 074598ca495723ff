"""Drawings of thermographs: the tax upwards, scores good for Left on the left as in Conway."""

from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topple.core.text import shorten
from topple.present.colours import BLUE, FAINT, INK, PAPER, VERMILION
from topple.solvers.scoring.thermograph import Thermograph, Wall
from topple.solvers.scoring.value import Value

if TYPE_CHECKING:
    from topple.present.charts import Chart

WIDTH, HEIGHT = 5.4, 3.4  # inches
MAST = Fraction(1, 4)  # the length of the mast as a share of the temperature; at least 1
LONGEST_TITLE = 46  # characters

MOST_COLUMNS, MOST_ROWS = 78, 24  # of a sketch


def draw(value: Value, path: str | Path, title: str | None = None) -> None:
    """Draw a value's thermograph to a file.

    The same thermograph gives the same SVG, byte for byte.

    Parameters
    ----------
    value : Value
        The value to draw.
    path : str or Path
        The file; its ending .svg, .png or .pdf determines the format.
    title : str, optional
        The title, by default the value as text.

    Raises
    ------
    BadText
        If the ending is none of these.
    ToppleError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from topple.solvers.scoring import parse
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "thermograph.svg")
    ...     draw(parse("{3|{-1|-5}}"), file)
    ...     file.read_text().startswith("<?xml")
    True
    """
    from topple.present.charts import check_ending  # matplotlib loads slowly

    path = Path(path)
    check_ending(path)
    plot_thermograph(value.thermograph, str(value) if title is None else title).write(path)


def plot_thermograph(thermograph: Thermograph, title: str) -> "Chart":
    """The chart of a thermograph: `Chart.picture` renders it as SVG, PNG or PDF."""
    from topple.present.charts import styled  # matplotlib loads slowly

    return styled(_plot)(thermograph, title)


def _plot(thermograph: Thermograph, title: str) -> "Chart":
    from topple.present.charts import Chart, whole_numbers  # matplotlib loads slowly

    chart = Chart(WIDTH, HEIGHT)
    axes = chart.axes[0, 0]
    top = _top(thermograph)
    mean, temperature = thermograph.mean, thermograph.temperature
    axes.plot([float(mean)] * 2, [float(temperature), float(top)], color=INK, linewidth=2.2)
    for wall, colour, name in (
        (thermograph.left, BLUE, "Left"),
        (thermograph.right, VERMILION, "Right"),
    ):
        _plot_wall(axes, wall, temperature, colour, f"{name} begins")
    label = f"mean {mean}, temperature {temperature}"
    axes.plot(
        float(mean),
        float(temperature),
        "o",
        color=INK,
        markersize=5,
        clip_on=False,
        markeredgecolor=PAPER,
        label=label,
        zorder=5,
    )
    axes.set_title(shorten(title, LONGEST_TITLE))
    axes.set_xlabel("score")
    axes.set_ylabel("tax on each move")
    axes.set_ylim(0, float(top))
    whole_numbers(axes, 9)
    axes.margins(x=0.12)
    axes.invert_xaxis()
    axes.grid()
    axes.legend(
        frameon=False, fontsize=8, labelcolor=FAINT, loc="upper left", bbox_to_anchor=(1, 1)
    )
    return chart


def _plot_wall(axes: Any, wall: Wall, temperature: Fraction, colour: str, label: str) -> None:
    corners = [*wall.corners, (temperature, wall.at(temperature))]
    taxes = [float(tax) for tax, _ in corners]
    scores = [float(score) for _, score in corners]
    axes.plot(scores, taxes, color=colour, linewidth=2.2, label=label, clip_on=False)


def _top(thermograph: Thermograph) -> Fraction:
    """The largest tax in a picture, which shows a part of the mast."""
    return thermograph.temperature + max(Fraction(1), thermograph.temperature * MAST)


def sketch(thermograph: Thermograph) -> str:
    r"""A thermograph as text: / and \ for sloping walls, | for vertical ones.

    It is at most 80 characters wide, and only as exact as characters allow; `str` gives
    the exact corners.

    Examples
    --------
    >>> from topple.solvers.scoring import parse
    >>> print(sketch(parse("{1|{-1|-5}}").thermograph))
      3         |
    5/2         |
      2         |
    3/2       / |
      1     /   |
    1/2   /     |
      0 /       |
        1      -1
    """
    left, right = thermograph.left.at(0), thermograph.right.at(0)
    top = _top(thermograph)
    step = Fraction(1, 2) if 2 * top <= MOST_ROWS else Fraction(ceil(top / MOST_ROWS))
    taxes = [row * step for row in range(ceil(top / step) + 1)]
    margin = max(len(str(tax)) for tax in taxes)
    across = _per_point(left - right, MOST_COLUMNS - margin)
    n_columns = round((left - right) * across) + 1
    lines = []
    for tax in reversed(taxes):
        cells = [" "] * n_columns
        for wall, leaning in ((thermograph.right, "\\"), (thermograph.left, "/")):
            mark = "|" if wall.at(tax) == wall.at(tax + step) else leaning
            cells[round((left - wall.at(tax)) * across)] = mark
        lines.append(f"{tax!s:>{margin}} {''.join(cells)}")
    stops = str(left)
    if left > right:
        stops += f" {right!s:>{max(n_columns - len(stops) - 1, 0)}}"
    lines.append(" " * (margin + 1) + stops)
    return "\n".join(line.rstrip() for line in lines)


def _per_point(width: Fraction, most_columns: int) -> Fraction:
    """Columns for each point of the score: as many as fit, up to four."""
    for columns in (4, 2, 1):
        if width * columns < most_columns:
            return Fraction(columns)
    return (most_columns - 1) / width
