"""Parts of a web page as text: everything that is said is escaped here."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from topple.present.axes import GRID, PALE
from topple.present.boards.canvas import FAINT, INK, PAPER

PIXELS_PER_POINT = 96 / 72

# Colours of charts that follow the page's own, light or dark.
_FOLLOWING = {INK: "--ink", FAINT: "--faint", PAPER: "--paper", GRID: "--grid", PALE: "--pale"}


class Markup(str):
    """A text that is HTML already: it is not escaped again."""

    __slots__ = ()


def element(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain text."""
    return f"<{name}{_attributes(attributes)}>{escape(text)}</{name}>"


def wrap(name: str, parts: Iterable[str], **attributes: str) -> str:
    """An element that holds other elements."""
    inner = "\n".join(parts)
    return f"<{name}{_attributes(attributes)}>\n{inner}\n</{name}>"


def _attributes(attributes: dict[str, str]) -> str:
    return "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())


def table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], words: Iterable[int] = (0,)
) -> str:
    """A table whose first column names its rows; columns of words stand at the left.

    A second line of a cell, after a line break, is printed small. A cell may be
    `Markup`.
    """
    at_left = set(words)
    head = "".join(_cell("th", text, at_left, i, scope="col") for i, text in enumerate(heads))
    lines = []
    for row in rows:
        cells = [_cell("th", row[0], at_left, 0, scope="row")]
        cells += [_cell("td", text, at_left, i) for i, text in enumerate(row) if i]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    parts = [wrap("caption", [element("span", caption)]), f"<thead><tr>{head}</tr></thead>",
             wrap("tbody", lines)]  # fmt: skip
    # Wide tables scroll by themselves, also from the keyboard, and the page does not.
    return wrap("div", [wrap("table", parts)], class_="scroll", tabindex="0", role="region",
                **{"aria-label": caption})  # fmt: skip


def _cell(name: str, text: str, at_left: set[int], column: int, **attributes: str) -> str:
    if column in at_left:
        attributes["class_"] = "words"
    first, _, second = text.partition("\n")
    small = f"<small>{escape(second)}</small>" if second else ""
    inner = text if isinstance(text, Markup) else f"{escape(first)}{small}"
    return f"<{name}{_attributes(attributes)}>{inner}</{name}>"


def figure(svg: str, name: str, caption: str) -> str:
    """A chart within the page, in the page's colours, its parts named apart from others'.

    >>> figure('<svg><g id="a"/><use xlink:href="#a"/></svg>', "chart", "A chart").splitlines()[1]
    '<svg role="img" aria-label="A chart"><g id="chart-a"/><use xlink:href="#chart-a"/></svg>'
    """
    drawing = svg[svg.index("<svg") :].strip()
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'\bid="', f'id="{name}-', drawing)
    drawing = re.sub(r'(href="|url\()#', rf"\1#{name}-", drawing)
    for colour, variable in _FOLLOWING.items():
        drawing = re.sub(rf"(fill|stroke): {colour}", rf"\1: var({variable})", drawing)
    attributes = {"role": "img", "aria-label": caption, **_size(drawing)}
    drawing = drawing.replace("<svg", f"<svg{_attributes(attributes)}", 1)
    return wrap("figure", [drawing, element("figcaption", caption)])


def _size(svg: str) -> dict[str, str]:
    """As wide as it was drawn, less where there is no room, but never too small to read."""
    width = re.search(r'^<svg[^>]* width="([0-9.]+)pt"', svg)
    if width is None:
        return {}
    pixels = round(float(width[1]) * PIXELS_PER_POINT)
    return {"style": f"max-width: {pixels}px; min-width: min({pixels}px, 32rem)"}


def document(title: str, style: str, parts: Iterable[str]) -> str:
    """A whole page that needs nothing from anywhere."""
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        element("title", title),
        f"<style>\n{style.strip()}\n</style>",
    ]
    body = wrap("body", [wrap("main", parts)])
    return f'<!doctype html>\n<html lang="en">\n{wrap("head", head)}\n{body}\n</html>\n'
