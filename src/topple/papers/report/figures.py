"""Charts of findings, in the forms that the papers draw them in."""

from topple.papers.engine.findings import ItemFindings
from topple.papers.paper import Paper
from topple.papers.report.panels import is_drawable
from topple.papers.report.tables import grids
from topple.present.charts import Chart

BARS, STACKED, LINES, CURVES, NETWORKS = "bars", "stacked", "lines", "curves", "networks"
FORMS = (BARS, STACKED, LINES, CURVES, NETWORKS)
CAPTIONS = {
    BARS: "Published values are hatched, measured ones full, with 95% intervals.",
    STACKED: "Published beside measured, with 95% intervals where parts meet.",
    LINES: "Measured values with 95% bands; what was published is hollow.",
    CURVES: "Computed.",
    NETWORKS: "Vertices are the larger the more neighbours they have; the most linked are blue, "
    "those with a threshold of their own have a rim of another colour.",
}


def figure_of(found: ItemFindings, paper: Paper) -> Chart | None:
    """The chart of an item; None if it has none, or nothing to draw was measured yet.

    Choices that were measured have a panel each, after the item's own settings.
    """
    from topple.papers.report.bar_figures import plot_bars, plot_stacks
    from topple.papers.report.line_figures import plot_curves, plot_lines
    from topple.papers.report.network_figures import boards_of, plot_networks

    form = found.item.form
    if form == CURVES:
        return plot_curves(found.item, found.curves)
    if form == NETWORKS:
        return plot_networks(boards_of(found, paper))
    panels = [grid for grid in grids(found) if is_drawable(grid)]
    plots = {BARS: plot_bars, STACKED: plot_stacks, LINES: plot_lines}
    return plots[form](found.item, panels) if form in plots and panels else None
