"""Charts of findings, in the forms that the papers draw them in."""

from topple.charts import Chart
from topple.reproduction.findings import ItemFindings, PaperFindings


def figure_of(found: ItemFindings, paper: PaperFindings) -> Chart | None:
    """The chart of an item; None if it has none or nothing of it is measured yet."""
    return None
