"""What commands print: paragraphs, tables and JSON, in 80 columns."""

import json
import sys
from collections.abc import Container, Sequence
from textwrap import wrap

WIDTH = 80


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print a result for programs; ASCII, so that any encoding carries it."""
    print(json.dumps(value, indent=indent, allow_nan=False))


def print_wrapped(text: str, *, first: str = "", indent: int = 4) -> None:
    """Print a paragraph; the lines after the first are indented."""
    lines = wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    print("\n".join(lines))


def print_table(
    heads: Sequence[str], rows: Sequence[Sequence[object]], right: Container[str] = ()
) -> None:
    """Print a table; columns of numbers, and those named in `right`, stand at the right."""
    print(table_text(heads, rows, right))


def table_text(
    heads: Sequence[str], rows: Sequence[Sequence[object]], right: Container[str] = ()
) -> str:
    """What `print_table` prints."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column, head in enumerate(heads):
        numbers = head in right or all(isinstance(row[column], int | float) for row in rows)
        table.add_column(head, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row))
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    console.width = min(console.width, WIDTH)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _cell(value: object) -> str:
    """A value in a table: whole numbers with separators, others with few digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}"
