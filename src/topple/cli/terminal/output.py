"""What commands print: paragraphs, tables and JSON, in at most 80 columns."""

import json
import os
import shutil
import sys

from topple.core import text
from topple.core.text import WIDTH
from topple.present.table import Table


def terminal_width() -> int:
    """How many columns there are to print in: those of the terminal, at most 80."""
    if "COLUMNS" not in os.environ and not sys.stdout.isatty():
        return WIDTH
    return min(shutil.get_terminal_size().columns, WIDTH)


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print a result for programs; ASCII, so that any encoding carries it."""
    print(json.dumps(value, indent=indent, allow_nan=False))


def print_wrapped(paragraph: str, *, first: str = "", indent: int = 4) -> None:
    """Print a paragraph; the lines after the first are indented."""
    print(wrapped(paragraph, first=first, indent=indent))


def wrapped(paragraph: str, *, first: str = "", indent: int = 4) -> str:
    """A paragraph; the lines after the first are indented."""
    return text.wrapped(paragraph, first=first, indent=indent, width=terminal_width())


def print_table(table: Table) -> None:
    """Print a table."""
    print(table_text(table))


def table_text(table: Table) -> str:
    """A table in as many columns as there are to print in."""
    return table.text(terminal_width())
