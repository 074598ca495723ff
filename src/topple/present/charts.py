"""Chart: a matplotlib figure in topple's style, and what charts have in common.

matplotlib takes long to import: modules that also do other things import this one where they draw.
"""

import io
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from matplotlib import rc_context, rcParamsDefault
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from topple.core.errors import BadText, unknown
from topple.core.files import write_whole
from topple.core.text import shorten
from topple.present.colours import FAINT, GRID, INK, PAPER

PICTURE_FORMATS = (".svg", ".png", ".pdf")
DOTS_PER_INCH = 150

ROW = 0.34  # inches for a row with a name
LONGEST = 34  # characters of a name beside a chart

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.parse_math": False,
    "svg.hashsalt": "topple",
}
# Nothing is shown on a screen, so matplotlib need not look for a backend.
_SETTINGS: Any = {name: rcParamsDefault[name] for name in rcParamsDefault if name != "backend"}

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")


def styled(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """Make a function draw in topple's style, whatever settings are in force."""

    @wraps(draw)
    def draw_styled(*args: Given.args, **kwargs: Given.kwargs) -> Drawn:
        with rc_context(_SETTINGS | STYLE):
            return draw(*args, **kwargs)

    return draw_styled


@styled
def saved(figure: Any, form: str) -> bytes:
    """A figure as `svg`, `png` or `pdf`; the same figure gives the same SVG, byte for byte."""
    content = io.BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with any_script():
        figure.savefig(content, format=form, dpi=DOTS_PER_INCH, metadata=undated.get(form))
    return content.getvalue()


@contextmanager
def any_script() -> Iterator[None]:
    """A context in which letters that the font lacks are drawn as boxes without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def check_ending(path: Path) -> str:
    """The format that a file's ending names: `svg`, `png` or `pdf`.

    Raises
    ------
    BadText
        If it is none of these.
    """
    ending = path.suffix.lower()
    if ending not in PICTURE_FORMATS:
        raise BadText(f"{path}: {unknown('picture ending', ending, PICTURE_FORMATS)}")
    return ending[1:]


class Chart:
    """A figure with axes, without anything global."""

    def __init__(
        self, width: float, height: float, columns: int = 1, rows: int = 1, **axes: Any
    ) -> None:
        # Figure itself, not pyplot: nothing global, nothing left open.
        self.figure: Any = Figure(figsize=(width, height), facecolor=PAPER, layout="constrained")
        # squeeze=False: always a table of axes, however few there are.
        self.axes: Any = self.figure.subplots(rows, columns, squeeze=False, **axes)
        for each in self.axes.flat:
            each.set_facecolor("none")

    def picture(self, form: str) -> bytes:
        """The chart as `svg`, `png` or `pdf`."""
        content = saved(self.figure, form)
        self.figure.set_layout_engine("none")  # the layout stays as it was found
        return content

    def write(self, path: Path) -> None:
        """Write the chart to a file whose ending names the format.

        Raises
        ------
        BadText
            If the ending is not .svg, .png or .pdf.
        ToppleError
            If the file cannot be written.
        """
        write_whole(path, self.picture(check_ending(path)))


def cut(text: str, most: int = LONGEST) -> str:
    """A text that is short enough to stand beside a chart."""
    return shorten(text, most)


def write_inside(axes: Any, x: float, y: float, text: str, **style: Any) -> None:
    """Write a centred text that the layout of the figure leaves out of account."""
    axes.text(x, y, text, ha="center", va="center", **style).set_in_layout(False)


def name_rows(axes: Any, agents: Sequence[str], names: Mapping[str, str]) -> None:
    """A row for each agent from top to bottom, with its text and its letter."""
    axes.set_yticks(range(len(agents)), [f"{cut(agent)}  {names[agent]}" for agent in agents])
    axes.set_ylim(len(agents) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def add_key(axes: Any, handles: Sequence[Any] | None = None, **style: Any) -> None:
    """What colours and marks mean, above the chart at the right."""
    given = {} if handles is None else {"handles": handles, "ncols": len(handles)}
    looks = {
        "loc": "lower right",
        "bbox_to_anchor": (1, 1),
        "frameon": False,
        "borderaxespad": 0.2,
        "handlelength": 1.2,
        "fontsize": 8,
    }
    axes.legend(**looks | given | style)


def log_scale(axes: Any) -> None:
    """A logarithmic scale across, with plain numbers on it."""
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    decades = math.log10(high / low)
    axes.set_xlim(low / 1.4, high * 1.4)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,), numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def whole_numbers(axes: Any, most: int) -> None:
    """Ticks at whole numbers alone, so many at most either way, with a true minus sign."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=most, integer=True, min_n_ticks=1))
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}".replace("-", "−")))
