"""A picture of INFLUENCE's score sequence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from topple.cli.commands.sequence import Row, irregular
from topple.present.charts import Chart, styled
from topple.present.colours import BLUE, FAINT, ORANGE, VERMILION

WIDTH, HEIGHT = 9.0, 3.6  # inches
MOST_NAMED = 24  # irregular values with their n written beside them


def draw_sequence(rows: Sequence[Row], path: Path) -> None:
    """Write a picture of the sequence: Ls above, Rs below, what is irregular marked."""
    from topple.core.files import write_whole
    from topple.present.charts import check_ending

    write_whole(path, plot_sequence(rows).picture(check_ending(path)))


@styled
def plot_sequence(rows: Sequence[Row]) -> Chart:
    """Ls and Rs against n; the values that differ from the usual ones of n modulo 4 are ringed."""
    chart = Chart(WIDTH, HEIGHT)
    axes = chart.axes[0, 0]
    across = [n for n, _, _ in rows]
    axes.axhline(0, color=FAINT, linewidth=0.8)
    for column, mark, colour, name in ((1, "o", BLUE, "Ls, Left"), (2, "s", ORANGE, "Rs, Right")):
        axes.plot(across, [row[column] for row in rows], mark, color=colour, markersize=3.6,
                  label=f"{name} begins")  # fmt: skip
    for column in (1, 2):
        _ring(axes, irregular(rows, column), column)
    axes.set_xlabel("n, the vertices of the segment")
    axes.set_ylabel("Left's lead")
    axes.grid(axis="y")
    _whole_numbers(axes)
    axes.set_xlim(0, len(rows) + 1)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.8, high + 0.8)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False, fontsize=8)
    return chart


def _ring(axes: Any, rows: Sequence[Row], column: int) -> None:
    """Ring what is irregular, with n beside it: above Ls and below Rs."""
    axes.plot([row[0] for row in rows], [row[column] for row in rows], "o", color=VERMILION,
              markerfacecolor="none", markersize=8,
              label="not the usual value of n modulo 4" if column == 1 else None)  # fmt: skip
    by, side = (6, "bottom") if column == 1 else (-6, "top")
    for row in rows if len(rows) <= MOST_NAMED else ():
        axes.annotate(str(row[0]), (row[0], row[column]), (0, by), textcoords="offset points",
                      size=7, color=VERMILION, ha="center", va=side)  # fmt: skip


def _whole_numbers(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.0f}".replace("-", "−")))
