"""Web pages that need no other file: elements, figures and the frame around them.

All text is escaped here.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files

from topple.present.colours import FAINT, GRID, INK, PALE, PAPER

PIXELS_PER_POINT = 96 / 72

# Colours of charts that follow the page's own, light or dark.
_FOLLOWING = {INK: "--ink", FAINT: "--faint", PAPER: "--paper", GRID: "--grid", PALE: "--pale"}


def element(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain text.

    Attributes are written with hyphens for underscores; one at the end is left out.

    >>> element("p", "a < b", class_="words", aria_label="order")
    '<p class="words" aria-label="order">a &lt; b</p>'
    """
    return wrap(name, [escape(text)], **attributes)


def wrap(name: str, parts: Iterable[str], **attributes: str) -> str:
    """An element that holds parts that are HTML already."""
    inner = "\n".join(parts)
    return f"<{name}{_attributes(attributes)}>{inner}</{name}>"


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )


def details(summary: str, *parts: str) -> str:
    """Parts that are shown when the reader opens them."""
    return wrap("details", [element("summary", summary), *parts])


def definitions(entries: Iterable[tuple[str, str]]) -> str:
    """A list of terms and what they mean."""
    return wrap("dl", (element("dt", term) + element("dd", text) for term, text in entries))


def figure(svg: str, name: str, caption: str) -> str:
    """A chart in the page's colours, with ids that no other chart of the page has.

    >>> figure('<svg><g id="a"/><use href="#a"/></svg>', "cost", "Costs").splitlines()[0]
    '<figure><svg role="img" aria-label="Costs"><g id="cost-a"/><use href="#cost-a"/></svg>'
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


def document(title: str, parts: Iterable[str]) -> str:
    """A whole page with its style; the title stands above the parts, too."""
    style = files("topple.present").joinpath("page.css").read_text(encoding="utf-8")
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        element("title", title),
        f"<style>\n{style.strip()}\n</style>",
    ]
    body = wrap("body", [wrap("main", [element("h1", title), *parts])])
    return f'<!doctype html>\n<html lang="en">\n{wrap("head", head)}\n{body}\n</html>\n'
