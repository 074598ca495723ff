"""A chart of what was learned: weights and win rates in the course of the games."""

from typing import Any

from topple.core.text import one_line
from topple.learning.result import Curves, LearningResult
from topple.present.charts import Chart, styled
from topple.present.colours import BLUE, FAINT, INK, SERIES

WIDTH, HEIGHT = 7.6, 6.0  # inches
SPANS = 20  # spans of games with a win rate each


@styled
def plot_learned(learned: LearningResult) -> Chart:
    """Weights above, win rates below: a thin line for each simulation, a thick one for the mean."""
    chart = Chart(WIDTH, HEIGHT, rows=2, sharex=True, height_ratios=[2, 1])
    weights, rates = chart.axes[:, 0]
    every, averaged = Curves.of(learned.simulations), learned.curves()
    _draw_weights(weights, learned.features, every, averaged)
    _draw_rates(rates, learned.keep, every, averaged)
    settings = learned.settings
    title = f"{settings.game.title}: weights learned on {one_line(settings.board_text, 50)}"
    weights.set_title(title, pad=24)
    rates.set_xlabel("games")
    rates.xaxis.set_major_formatter(_thousands())
    return chart


def _draw_weights(axes: Any, features: tuple[str, ...], every: Curves, averaged: Curves) -> None:
    axes.axhline(0, color=FAINT, linewidth=0.8)
    for i, feature in enumerate(features):
        colour = SERIES[i % len(SERIES)]
        for simulation in every.weights:
            axes.plot(every.games, simulation[:, i], color=colour, linewidth=0.6, alpha=0.3)
        mean = averaged.weights[:, :, i].mean(axis=0)
        axes.plot(averaged.games, mean, color=colour, linewidth=2.2, label=feature)
    axes.set_ylabel("weight")
    axes.grid(axis="y")
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(SERIES),
        frameon=False,
        borderaxespad=0.2,
        handlelength=1.2,
        columnspacing=1.4,
        fontsize=8,
    )


def _draw_rates(axes: Any, keep: float, every: Curves, averaged: Curves) -> None:
    """Draw the win rate of each span of games, at its middle."""
    middle, spans = every.win_rates(SPANS)
    for rates in spans:
        axes.plot(middle, rates, color=BLUE, linewidth=0.6, alpha=0.3)
    axes.plot(middle, averaged.win_rates(SPANS)[1].mean(axis=0), color=BLUE, linewidth=2.2)
    axes.axhline(keep, color=INK, linewidth=1, linestyle=(0, (3, 2)))
    axes.text(
        1,
        keep + 2,
        f"kept from {keep:g}%",
        size=7.5,
        ha="right",
        color=INK,
        transform=axes.get_yaxis_transform(),
    )
    axes.set_ylim(0, 108)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel("games won in %")
    axes.grid(axis="y")


def _thousands() -> Any:
    from matplotlib.ticker import FuncFormatter  # heavy: only for a picture

    return FuncFormatter(lambda x, _: f"{x:,.0f}")
