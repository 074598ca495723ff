"""Chart: a matplotlib figure in topple's looks, the same every time it is drawn."""

import io
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from topple.present.boards.canvas import FAINT, INK, PAPER

# The colours of Okabe and Ito, which colour-blind people can tell apart.
BLUE, ORANGE, GREEN, VERMILION = "#0072b2", "#e69f00", "#009e73", "#d55e00"
GRID = "#d5dbe1"
PALE = "#d9dfe5"

BACKEND = "backend"  # matplotlib's setting of that name

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

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")


def styled(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """Let a function draw in topple's looks, whatever settings are in force."""

    @wraps(draw)
    def draw_styled(*args: Given.args, **kwargs: Given.kwargs) -> Drawn:
        from matplotlib import rc_context, rcParamsDefault

        # Nothing is shown on a screen: no backend is to be looked for.
        settings: Any = {each: rcParamsDefault[each] for each in rcParamsDefault if each != BACKEND}
        with rc_context(settings | STYLE):
            return draw(*args, **kwargs)

    return draw_styled


class Chart:
    """A figure with axes, without anything global."""

    def __init__(
        self, width: float, height: float, columns: int = 1, rows: int = 1, **axes: Any
    ) -> None:
        from matplotlib.figure import Figure

        # Figure itself, not pyplot: nothing global, nothing left open.
        self.figure: Any = Figure(figsize=(width, height), facecolor=PAPER, layout="constrained")
        # squeeze=False: always a table of axes, however few there are.
        self.axes: Any = self.figure.subplots(rows, columns, squeeze=False, **axes)
        for each in self.axes.flat:
            each.set_facecolor("none")

    @styled
    def picture(self, form: str) -> bytes:
        """The chart as SVG, PNG or PDF; the same chart gives the same SVG, byte for byte."""
        content = io.BytesIO()
        with warnings.catch_warnings():
            # A name in a script that the font lacks is drawn as boxes, not complained about.
            warnings.filterwarnings("ignore", message="Glyph .* missing")
            undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            self.figure.savefig(content, format=form, dpi=150, metadata=undated.get(form))
        self.figure.set_layout_engine("none")  # what has found its place stays there
        return content.getvalue()
