"""What the arena's charts have in common."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from topple.present.charts import BLUE, GREEN, GRID, ORANGE, PALE, VERMILION, Chart, styled

__all__ = [
    "BLUE", "GREEN", "GRID", "ORANGE", "PALE", "ROW", "VERMILION", "Chart", "cut", "log_scale",
    "name_rows", "styled", "write_inside",
]  # fmt: skip

ROW = 0.34  # inches for an agent
LONGEST = 34  # characters of an agent or a contest beside a chart


def write_inside(axes: Any, x: float, y: float, text: str, **style: Any) -> None:
    """Write a text centred in the chart, where the layout need not see to it."""
    axes.text(x, y, text, ha="center", va="center", **style).set_in_layout(False)


def name_rows(axes: Any, agents: Sequence[str], names: Mapping[str, str]) -> None:
    """A row for each agent from top to bottom, with its letter and its text."""
    axes.set_yticks(range(len(agents)), [f"{cut(agent)}  {names[agent]}" for agent in agents])
    axes.set_ylim(len(agents) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def cut(text: str, most: int = LONGEST) -> str:
    """A text that is not too long to stand beside a chart.

    >>> cut("uct:iterations=1000", 12)
    'uct:iterati…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def log_scale(axes: Any) -> None:
    """A logarithmic scale across, with plain numbers on it."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    decades = math.log10(high / low)
    axes.set_xlim(low / 1.4, high * 1.4)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,), numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
