"""The curve of a training run: losses, and scores against others, in the course of the games."""

from collections.abc import Sequence
from typing import Any

from topple.present.charts import Chart, styled
from topple.present.colours import FAINT, SERIES

WIDTH, HEIGHT = 7.6, 5.4  # inches
LOSSES = {"policy": "policy: nats off the search", "value": "result: nats"}


@styled
def plot_curve(points: Sequence[dict[str, Any]]) -> Chart:
    """Losses above; below, the scores against other players, in percent."""
    chart = Chart(WIDTH, HEIGHT, rows=2, sharex=True, height_ratios=[3, 2])
    losses, scores = chart.axes[:, 0]
    learned = [point for point in points if point["batches"]]
    games = [point["games"] for point in learned]
    for colour, (name, label) in zip(SERIES, LOSSES.items(), strict=False):
        values = [point["losses"][name] for point in learned]
        losses.plot(games, values, color=colour, linewidth=2, marker=".", label=label)
    names = sorted({name for point in points for name in point["against"]})
    for colour, name in zip(SERIES[2:], names, strict=False):
        played = [point for point in points if name in point["against"]]
        values = [100 * point["against"][name] for point in played]
        label = "the checkpoint before" if name == "before" else name
        at = [point["games"] for point in played]
        scores.plot(at, values, color=colour, linewidth=2, marker="o", label=label)
    scores.axhline(50, color=FAINT, linewidth=0.8)
    scores.set_ylim(0, 104)
    scores.set_ylabel("score in %")
    scores.set_xlabel("games of self-play")
    losses.set_ylabel("loss")
    for axes in (losses, scores):
        axes.grid(axis="y")
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper right", frameon=False, fontsize=8)
    return chart
