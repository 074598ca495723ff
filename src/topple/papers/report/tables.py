"""Tables of findings: one for each item and choice, a summary, and all values for spreadsheets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from topple.papers.engine.findings import DIFFERS, ItemFindings, JudgedCell, Measured, PaperFindings
from topple.papers.paper import Number
from topple.papers.report.texts import (
    MARKS,
    agreement,
    claims_holding,
    margin_digits,
    measured_text,
    out_of,
    published_text,
    verdict_text,
)
from topple.present.table import COUNT, FIGURE, Column, Kind, Table

LONGEST_LIST = 30  # cells; more of them are shown in rows and columns
PUBLISHED, MEASURED = "published", "measured"
VERDICT = Kind(verdict_text, is_words=True)
TEXT = Kind(str, may_wrap=True)  # values some of which are texts

VALUE_COLUMNS = [
    Column(head)
    for head in (
        *("paper", "item", "section", "row", "column", "choice", "published", "margin"),
        *("measured", "low", "high", "games", "verdict"),
    )
]


class CellGrid(NamedTuple):
    """The cells of an item under its own settings or under a choice, in rows and columns."""

    choice: str | None
    about: str  # the choice
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], JudgedCell]

    @property
    def numbers(self) -> list[float] | None:
        """The columns as numbers, if all of them are numbers."""
        found = [_number(column) for column in self.columns]
        return [each for each in found if each is not None] if None not in found else None

    @property
    def is_list(self) -> bool:
        """Whether it is shown value by value, and not in the paper's rows and columns."""
        return len(self.cells) <= LONGEST_LIST and (self.numbers is None or len(self.columns) == 1)

    @property
    def has_published(self) -> bool:
        """Whether anything was published."""
        return any(each.cell.published is not None for each in self.cells.values())

    @property
    def is_exact(self) -> bool:
        """Whether all measured values are exact."""
        measured = [each.measured for each in self.cells.values() if each.measured is not None]
        return bool(measured) and all(each.is_exact for each in measured)

    @property
    def title(self) -> str:
        """The title of its table.

        >>> CellGrid("order=index", "", (), (), {}).title
        'under order=index'
        """
        return "" if self.choice is None else f"under {self.choice}"

    def table(self, caption: str = "", *, games: bool = False) -> Table:
        """The grid as a table, with the number of games behind each value if asked for."""
        columns, rows = self._list(games=games) if self.is_list else self._grid()
        names = sum(1 for column in columns if not column.head)
        return Table(columns, rows, caption, list(self._notes()), n_names=names)

    def _list(self, *, games: bool) -> tuple[list[Column], list[Sequence[Any]]]:
        """A line for each value: its place, published, measured, verdict and games."""
        columns = [Column(""), Column("")]
        judged = list(self.cells.values())
        published = (each.cell.published for each in judged)
        measured = [each.measured for each in judged]
        columns += [Column(PUBLISHED, _kind(published))] * self.has_published
        columns += [Column(MEASURED, _kind(each and each.value for each in measured))]
        columns += [Column("verdict", VERDICT)] * self.has_published
        with_games = games and any(each is not None and each.games for each in measured)
        columns += [Column("games", COUNT)] * with_games
        rows: list[Sequence[Any]] = []
        last = None
        for (row, column), each in self.cells.items():
            values: list[Any] = ["" if row == last else row, column]
            values += [self._published(each)] * self.has_published
            values += [self._measured(each.measured)]
            values += [each.verdict] * self.has_published
            values += [None if each.measured is None else each.measured.games] * with_games
            rows.append(values)
            last = row
        for place in (1, 0):
            if len(columns) > 2 and not any(values[place] for values in rows):
                columns, rows = _without(place, columns, rows)
        return columns, rows

    def _grid(self) -> tuple[list[Column], list[Sequence[Any]]]:
        """The paper's rows and columns, published above measured; differing values are marked."""
        rows: list[Sequence[Any]] = []
        for row in self.rows:
            cells = [self.cells.get((row, column)) for column in self.columns]
            measured = [_marked(each) for each in cells]
            if any(each is not None and each.cell.published is not None for each in cells):
                published = ["" if each is None else self._published(each) for each in cells]
                rows += [(row, PUBLISHED, *published), ("", MEASURED, *measured)]
            else:
                rows.append((row, MEASURED, *measured))
        columns = [Column(""), Column(""), *(Column(head, FIGURE) for head in self.columns)]
        return (columns, rows) if self.has_published else _without(1, columns, rows)

    def _published(self, judged: JudgedCell) -> str:
        digits = margin_digits(each.cell.published for each in self.cells.values())
        return published_text(judged.cell.published, digits)

    def _measured(self, measured: Measured | None) -> str:
        """A measured value; an exact number among estimates is marked as exact."""
        text = measured_text(measured)
        if measured is None or isinstance(measured.value, bool | str):
            return text
        return f"{text}, exact" if measured.is_exact and not self.is_exact else text

    def _notes(self) -> Iterator[str]:
        differs = any(each.verdict == DIFFERS for each in self.cells.values())
        if not self.is_list and differs:
            yield f"{MARKS[DIFFERS]} differs from what was published"
        if self.is_exact:
            yield "measured values are exact"


def grids_of(found: ItemFindings) -> list[CellGrid]:
    """The item's own cells, then those of each choice under which anything was measured."""
    by_choice: dict[str | None, dict[tuple[str, str], JudgedCell]] = {}
    for each in found.cells:
        cells = by_choice.setdefault(each.choice, {})
        cells[each.cell.row, each.cell.column] = each
    about = {choice.label: choice.about for choice in found.item.choices}
    return [
        CellGrid(
            choice,
            about.get(choice or "", ""),
            rows=tuple(dict.fromkeys(row for row, _ in cells)),
            columns=tuple(dict.fromkeys(column for _, column in cells)),
            cells=cells,
        )
        for choice, cells in by_choice.items()
        if choice is None or any(each.measured is not None for each in cells.values())
    ]


def summary_table(findings: Sequence[PaperFindings]) -> Table:
    """A row for each item: its verdict, and how many of its values agree and claims hold."""
    heads = ("values\nagreeing", "claims\nholding")
    columns = [
        Column("item"),
        Column("verdict", VERDICT),
        *(Column(head, FIGURE) for head in heads),
        Column("games", COUNT),
    ]
    rows = [
        (
            f"{paper.paper.name} {found.item.name}",
            found.verdict,
            out_of(agreement(found)),
            out_of(claims_holding(found)),
            found.n_games,
        )
        for paper in findings
        for found in paper.items
    ]
    return Table(columns, rows)


def values_table(found: ItemFindings, paper: PaperFindings) -> Table:
    """All values of an item, a row for each, to be written as CSV."""
    return Table(VALUE_COLUMNS, [_values(found, paper, each) for each in found.cells])


def _values(found: ItemFindings, paper: PaperFindings, each: JudgedCell) -> Sequence[Any]:
    published, measured = each.cell.published, each.measured
    printed: tuple[Any, Any] = (published, None)
    if isinstance(published, Number):
        printed = (published.value, published.margin)
    return (
        *(paper.paper.name, found.item.name, found.item.section),
        *(each.cell.row, each.cell.column, each.choice, *printed),
        *((None,) * 4 if measured is None else measured),
        each.verdict,
    )


def _kind(values: Iterable[object]) -> Kind:
    return TEXT if any(isinstance(value, str) for value in values) else FIGURE


def _marked(each: JudgedCell | None) -> str:
    if each is None:
        return ""
    mark = f" {MARKS[DIFFERS]}" if each.verdict == DIFFERS else ""
    return measured_text(each.measured) + mark


def _without(
    place: int, columns: Sequence[Column], rows: Sequence[Sequence[Any]]
) -> tuple[list[Column], list[Sequence[Any]]]:
    """Columns and rows without one of the columns."""

    def cut(values: Sequence[Any]) -> list[Any]:
        return [*values[:place], *values[place + 1 :]]

    return cut(columns), [cut(row) for row in rows]


def _number(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if isfinite(value) else None
