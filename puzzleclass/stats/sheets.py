"""Tables that the screen, a CSV file and an Excel file show alike, because all three are made from
the same `Sheet`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.http import HttpResponse
from django.utils import timezone
from django.utils.text import get_valid_filename

from puzzleclass.spreadsheets.writing import FORMATS, attachment, csv_bytes, workbook_bytes
from puzzleclass.templating.templatetags.words import clock

ROWS_PER_PAGE = 200
"""The number of rows on one page of a table."""

Value = str | int | date | timedelta | None


class ColumnGroup(NamedTuple):
    """Neighbouring columns with a heading of their own above them."""

    label: str
    span: int
    """The number of the columns."""


class SheetCell(NamedTuple):
    """A cell on the screen."""

    text: str
    style: str
    """The CSS class: `figure` for numbers, or nothing."""


class ShownRow(NamedTuple):
    """A row on the screen."""

    link: str
    names: list[SheetCell]
    cells: list[SheetCell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: the headings of its columns, and rows of texts, numbers, days and times."""

    title: str
    head: list[str]
    rows: list[list[Value]]
    names: int = 2
    """The number of columns that name a row. They stay in view when the table is scrolled."""
    links: list[str] = field(default_factory=list)
    """The address of the page about each row, or nothing."""
    groups: list[ColumnGroup] = field(default_factory=list)
    """The groups of all columns, or nothing. The first group consists of the names."""
    is_cut: bool = False
    """Whether there is more than the table holds."""

    @property
    def group_row(self) -> list[str]:
        """The heading of its group above each column; empty without groups."""
        return [group.label for group in self.groups for _column in range(group.span)]

    def shown(self, rows: Iterable[int]) -> list[ShownRow]:
        """Return the rows at these places as the screen shows them."""
        return [self._shown_row(at) for at in rows]

    def _shown_row(self, at: int) -> ShownRow:
        cells = [
            SheetCell(as_text(value), "figure" if isinstance(value, int | timedelta) else "")
            for value in self.rows[at]
        ]
        link = self.links[at] if self.links else ""
        return ShownRow(link, cells[: self.names], cells[self.names :])


def as_text(value: Value) -> str:
    """Return a value as text: a moment to the minute in the reader's time zone, a duration as a
    stopwatch shows it."""
    if isinstance(value, timedelta):
        return clock(int(value.total_seconds()))
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M")
    return "" if value is None else str(value)


def sheet_file(sheet: Sheet, ending: str, names: Iterable[str]) -> HttpResponse:
    """Return the table as a file to download, in a format of `FORMATS`.

    The name of the file is made from the names and the day.
    """
    if ending == "csv":
        if sheet.groups:
            content = csv_bytes(sheet.group_row, [sheet.head, *sheet.rows])
        else:
            content = csv_bytes(sheet.head, sheet.rows)
    else:
        content = workbook_bytes(
            sheet.head, sheet.rows, title=sheet.title, names=sheet.names, above=sheet.group_row
        )
    name = "_".join((*names, f"{timezone.localdate():%Y-%m-%d}"))
    return attachment(content, f"{get_valid_filename(name)}.{ending}", FORMATS[ending])
