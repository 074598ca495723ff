"""Names of items for files and links."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from topple.papers.engine.findings import ItemFindings, PaperFindings


def named_items(
    findings: Sequence[PaperFindings],
) -> Iterator[tuple[str, PaperFindings, ItemFindings]]:
    """Every item with a name of its own, fit for a file or a link."""
    taken: set[str] = set()
    for paper in findings:
        for found in paper.items:
            plain = slug(f"{paper.paper.name} {found.item.name}")
            name, number = plain, 1
            while name in taken:
                number += 1
                name = f"{plain}-{number}"
            taken.add(name)
            yield name, paper, found


def slug(text: str) -> str:
    """Small letters, digits and hyphens only.

    >>> slug("sds-hex figure 4.2"), slug("table Ⅳ"), slug("../../x"), slug("§")
    ('sds-hex-figure-4-2', 'table-iv', 'x', 'item')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80].strip("-") or "item"
