"""Canvas: a matplotlib figure on which one board unit is a known number of points."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from topple.present.colours import FAINT, INK, PAPER

POINTS_PER_INCH = 72
CAPTION_SPACE = 20.0  # points
MANY = 5000  # shapes beyond this number become pixels, also in SVG and PDF

Places = NDArray[np.float64]


class Mark(NamedTuple):
    """What a picture shows on a vertex, instead of what belongs to the board."""

    text: str
    fill: str
    ink: str = INK
    is_bold: bool = False
    rim: str = INK  # of a network's vertex

    @property
    def style(self) -> dict[str, Any]:
        """How its text is written."""
        return {"color": self.ink, "weight": "bold" if self.is_bold else "normal"}


class Canvas:
    """A figure without frame, x to the right and y down.

    `unit` is the number of points in one unit of the board's coordinates; it
    is set by `spread`, which must come first.
    """

    def __init__(self) -> None:
        # Figure itself, not pyplot: nothing global, nothing left open.
        self.figure: Any = Figure(facecolor=PAPER)
        self.axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.unit = 1.0

    def spread(self, places: Places, unit: float, margins: tuple[float, float, float]) -> None:
        """Fit the figure around places, with margins in points: sides, top, bottom."""
        self.unit = unit
        low, high = places.min(axis=0), places.max(axis=0)
        side, top, bottom = (margin / unit for margin in margins)
        bottom += CAPTION_SPACE / unit
        # A small board is centred above its caption, which must not be cut off.
        least = 250.0 / unit
        side += max(0.0, (least - (high[0] - low[0] + 2 * side)) / 2)
        self.axes.set_xlim(low[0] - side, high[0] + side)
        self.axes.set_ylim(high[1] + bottom, low[1] - top)
        self.figure.set_size_inches(
            unit * (high[0] - low[0] + 2 * side) / POINTS_PER_INCH,
            unit * (high[1] - low[1] + top + bottom) / POINTS_PER_INCH,
        )

    def caption(self, text: str) -> None:
        """Write one line below the board."""
        width, _ = self.size
        # A letter is about 0.58 of the size wide.
        size = min(8.0, 0.94 * width / (0.58 * max(len(text), 1)))
        self.write(width / 2, 7, text, size, FAINT)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in points."""
        width, height = POINTS_PER_INCH * self.figure.get_size_inches()
        return width, height

    def write(self, x: float, y: float, text: str, size: float, colour: str) -> None:
        """Write a text that is centred at x points from the left and y from below."""
        width, height = self.size
        style = {"color": colour, "ha": "center", "va": "baseline"}
        self.figure.text(x / width, y / height, text, size=size, parse_math=False, **style)

    def add_room_below(self, room: float, least_width: float) -> None:
        """Make the figure higher by so many points, and at least so wide."""
        (width, height), wide = self.size, max(self.size[0], least_width)
        tall = height + room
        self.figure.set_size_inches(wide / POINTS_PER_INCH, tall / POINTS_PER_INCH)
        left = (wide - width) / 2 / wide
        self.axes.set_position((left, room / tall, width / wide, height / tall))

    def ring(self, place: Any, radius: float, colour: str, width: float) -> None:
        """Draw an empty circle over the vertices, in board units."""
        self.axes.add_patch(
            Circle(tuple(place), radius, fill=False, edgecolor=colour, linewidth=width, zorder=3.5)
        )

    def swatch(self, x: float, y: float, sides: tuple[float, float], colour: str) -> None:
        """Draw a rectangle of a colour for a legend, all in points."""
        width, height = self.size
        corner, (wide, tall) = (x / width, y / height), sides
        style: dict[str, Any] = {"facecolor": colour, "edgecolor": INK, "linewidth": 0.5}
        turned = self.figure.transFigure
        self.figure.add_artist(
            Rectangle(corner, wide / width, tall / height, transform=turned, **style)
        )

    def polygons(self, corners: Any, fill: Any, outline: str, width: float, **style: Any) -> None:
        """Draw polygons; corners has shape (n, corners, 2)."""
        self.axes.add_collection(
            PolyCollection(
                corners,
                facecolors=fill,
                edgecolors=outline,
                linewidths=width,
                joinstyle="round",
                rasterized=len(corners) > MANY,
                **style,
            )
        )

    def lines(
        self,
        points: Any,
        colour: str,
        width: float,
        alpha: float = 1.0,
        zorder: int = 1,
        dashes: tuple[float, float] | None = None,
    ) -> None:
        """Draw lines through points of shape (n, points, 2), with dashes and gaps in points."""
        self.axes.add_collection(
            LineCollection(
                points,
                linestyles="solid" if dashes is None else [(0, dashes)],
                colors=colour,
                linewidths=width,
                alpha=alpha,
                capstyle="round",
                rasterized=len(points) > MANY,
                zorder=zorder,
            )
        )

    def circles(self, places: Places, radius: float, fill: Any, outline: Any, width: float) -> None:
        """Draw circles of one radius, in board units."""
        across = np.full(len(places), 2 * radius * self.unit)
        self.axes.add_collection(
            EllipseCollection(
                across,
                across,
                np.zeros(len(places)),
                units="points",
                offsets=places,
                offset_transform=self.axes.transData,
                facecolors=fill,
                edgecolors=outline,
                linewidths=width,
                rasterized=len(places) > MANY,
                zorder=3,
            )
        )

    def texts(self, items: Iterable[tuple[float, float, str]], size: float, **style: Any) -> None:
        """Write texts at (x, y), centred unless the style says otherwise."""
        chosen = {"color": INK, "ha": "center", "va": "center", "zorder": 4, **style}
        for x, y, text in items:
            self.axes.text(x, y, text, size=size, parse_math=False, **chosen)


def halo() -> Any:
    """The paper-coloured rim that keeps a text readable on top of lines."""
    return [withStroke(linewidth=2.0, foreground=PAPER)]
