"""Tables of findings: cells in rows and columns, as lists or in the paper's own grid."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from topple.papers.engine.findings import DIFFERS, ItemFindings, JudgedCell, Measured
from topple.papers.report.texts import (
    MARKS,
    NOTHING,
    is_exact,
    margin_digits,
    measured_text,
    published_text,
    verdict_text,
)

LONGEST_LIST = 30  # cells; more of them go into a grid
PUBLISHED, MEASURED = "published", "measured"


class Lines(NamedTuple):
    """A table as texts; `words` are the columns that stand at the left."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...]


class Grid(NamedTuple):
    """The cells of an item under its own settings or under a choice."""

    choice: str | None
    about: str  # of the choice
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], JudgedCell]

    @property
    def numbers(self) -> list[float] | None:
        """The columns as numbers, if all of them are."""
        found = [_number(column) for column in self.columns]
        return [each for each in found if each is not None] if None not in found else None

    @property
    def is_list(self) -> bool:
        """Whether it is read value by value, not in the paper's own grid."""
        return len(self.cells) <= LONGEST_LIST and (self.numbers is None or len(self.columns) == 1)

    @property
    def has_published(self) -> bool:
        """Whether anything was published."""
        return any(each.cell.published is not None for each in self.cells.values())

    @property
    def is_exact(self) -> bool:
        """Whether all that was measured is exact."""
        measured = [each.measured for each in self.cells.values() if each.measured is not None]
        return bool(measured) and all(map(is_exact, measured))

    @property
    def title(self) -> str:
        """What stands above it.

        >>> Grid("order=index", "", (), (), {}).title
        'under order=index'
        """
        return "" if self.choice is None else f"under {self.choice}"

    @property
    def margin_digits(self) -> int:
        """How many digits margins have."""
        return margin_digits(each.cell.published for each in self.cells.values())


def grids(found: ItemFindings) -> list[Grid]:
    """The item's own cells, then those of each choice under which anything was measured."""
    by_choice: dict[str | None, dict[tuple[str, str], JudgedCell]] = {}
    for each in found.cells:
        cells = by_choice.setdefault(each.choice, {})
        cells[each.cell.row, each.cell.column] = each
    about = {choice.label: choice.about for choice in found.item.choices}
    return [
        Grid(choice, about.get(choice or "", ""), tuple(dict.fromkeys(row for row, _ in cells)),
             tuple(dict.fromkeys(column for _, column in cells)), cells)
        for choice, cells in by_choice.items()
        if choice is None or any(each.measured is not None for each in cells.values())
    ]  # fmt: skip


def lines_of(grid: Grid, *, games: bool = False) -> Lines:
    """A grid as a table, in the form that suits it."""
    return list_lines(grid, games=games) if grid.is_list else grid_lines(grid, grid.columns)


def list_lines(grid: Grid, *, games: bool = False) -> Lines:
    """A line for each value: where it stands, published, measured, verdict, games behind it."""
    heads, with_games = ["", ""], games and any(
        each.measured is not None and each.measured.games for each in grid.cells.values()
    )  # fmt: skip
    heads += [PUBLISHED, MEASURED, "verdict"] if grid.has_published else [MEASURED]
    heads += ["games"] if with_games else []
    rows, last = [], None
    for (row, column), each in grid.cells.items():
        cells = ["" if row == last else row, column]
        cells += [published_text(each.cell.published, grid.margin_digits)] * grid.has_published
        cells += [_told(each.measured, mixed=not grid.is_exact)]
        cells += [verdict_text(each.verdict)] * grid.has_published
        if with_games:
            cells.append(NOTHING if each.measured is None else f"{each.measured.games:,}")
        rows.append(tuple(cells))
        last = row
    verdict = (4,) if grid.has_published else ()
    lines = Lines(tuple(heads), tuple(rows), (0, 1, *verdict))
    for place in (1, 0):
        if len(lines.heads) > 2 and not any(line[place] for line in lines.rows):
            lines = _without(lines, place)
    return lines


def grid_lines(grid: Grid, columns: Sequence[str]) -> Lines:
    """The paper's own rows and some of its columns, published above measured.

    Values that differ bear a mark.
    """
    rows: list[tuple[str, ...]] = []
    for row in grid.rows:
        cells = [grid.cells.get((row, column)) for column in columns]
        measured = tuple(map(_marked, cells))
        if any(each is not None and each.cell.published is not None for each in cells):
            published = tuple(
                "" if each is None else published_text(each.cell.published, grid.margin_digits)
                for each in cells
            )
            rows += [(row, PUBLISHED, *published), ("", MEASURED, *measured)]
        elif any(each is not None for each in cells):
            rows.append((row, MEASURED, *measured))
    lines = Lines(("", "", *columns), tuple(rows), (0, 1))
    return lines if grid.has_published else _without(lines, 1)


def notes_of(grid: Grid) -> list[str]:
    """What a reader must know of a table."""
    notes = []
    differs = any(each.verdict == DIFFERS for each in grid.cells.values())
    if not grid.is_list and differs:
        notes.append(f"{MARKS[DIFFERS]} differs from what was published")
    if grid.is_exact:
        notes.append("measured values are exact")
    return notes


def _told(measured: Measured | None, *, mixed: bool) -> str:
    """A measured value; an exact number among estimates is called so."""
    text = measured_text(measured)
    if measured is None or isinstance(measured.value, bool | str):
        return text
    return f"{text}, exact" if mixed and is_exact(measured) else text


def _marked(each: JudgedCell | None) -> str:
    if each is None:
        return ""
    mark = f" {MARKS[DIFFERS]}" if each.verdict == DIFFERS else ""
    return measured_text(each.measured) + mark


def _without(lines: Lines, place: int) -> Lines:
    """A table without one of its columns."""

    def cut(cells: tuple[str, ...]) -> tuple[str, ...]:
        return cells[:place] + cells[place + 1 :]

    words = tuple(each - (each > place) for each in lines.words if each != place)
    return Lines(cut(lines.heads), tuple(map(cut, lines.rows)), words)


def _number(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if isfinite(value) else None
