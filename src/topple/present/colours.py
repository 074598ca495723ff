"""The colours of charts, pages and pictures of boards."""

from collections.abc import Sequence

# The colours of Okabe and Ito, which colour-blind people can tell apart.
BLUE, ORANGE, GREEN, VERMILION = "#0072b2", "#e69f00", "#009e73", "#d55e00"
PURPLE, SKY = "#cc79a7", "#56b4e9"

INK, PAPER, FAINT = "#22303f", "#ffffff", "#6b7783"
GRID, PALE = "#d5dbe1", "#d9dfe5"
SERIES = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, INK)  # of lines or bars in one chart

# Ink on a coloured ground: almost ink and paper, but pages with a dark style do not change it.
DARK, WHITE = "#1b1b1b", "#fefefe"

# Of boards.
LINE, ACCENT = "#9aa6b2", "#b4481e"
CELL, VERTEX = "#f6f2e9", "#e8eef4"
LEFT_FILL, RIGHT_FILL = "#2c3e57", "#fffaf0"


def mixed(low: str, high: str, share: float) -> str:
    """A colour between two others: the first at 0, the second at 1.

    >>> mixed("#ffffff", "#000000", 0.3)
    '#b2b2b2'
    """
    ends = zip(bytes.fromhex(low[1:]), bytes.fromhex(high[1:]), strict=True)
    return "#" + bytes(round(a + share * (b - a)) for a, b in ends).hex()


def diverging(shade: float, ends: Sequence[str] = (ORANGE, "#e9edf1", BLUE)) -> str:
    """A colour from the worst, at -1, over the middling, at 0, to the best, at 1.

    >>> diverging(1.0), diverging(0.0)
    ('#0072b2', '#e9edf1')
    """
    worst, middling, best = ends
    return mixed(middling, best if shade > 0 else worst, abs(shade))
