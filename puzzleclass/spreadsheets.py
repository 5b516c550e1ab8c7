"""Spreadsheets: what people paste or upload, read as rows of texts; tables, written for Excel.

Read: text with tabs, commas or semicolons, in UTF-8 with or without its mark, UTF-16 or CP932 as
Japanese Excel writes CSV, and Excel workbooks. Written: CSV that Excel opens as UTF-8, and
workbooks. No cell that is written is ever taken for a formula.

openpyxl is loaded where a workbook comes: it takes a fifth of the time in which a process starts.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

MOST_ROWS = 2000
MOST_COLUMNS = 40
MOST_UNPACKED = 30_000_000
"""Bytes that a workbook may have when it is unpacked."""

Cell = str | int | float | datetime | None
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending -> media type."""

_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_FORMULA_STARTS = ("=", "+", "-", "@")


class SheetError(Exception):
    """The file or text can't be read; says why, in the reader's language."""


# Reading


class Row(NamedTuple):
    """A row of a table."""

    line: int
    """Where it stands, from 1."""
    cells: list[str]


def text_of_file(data: bytes) -> str:
    """Return what an uploaded file holds as text; a workbook's first sheet with tabs.

    Raises SheetError.
    """
    if data.startswith(_ZIP):
        return "\n".join("\t".join(row) for row in _workbook_rows(data))
    if data.startswith(_OLD_EXCEL):
        raise SheetError(_("This is a file of an old Excel. Save it as .xlsx or CSV, then again."))
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp932"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise SheetError(_("This file is neither text (CSV) nor an Excel workbook (.xlsx)."))


def _workbook_rows(data: bytes) -> Iterator[list[str]]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise SheetError(_("This workbook is too large."))
        sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
        # What a workbook says of its own size may be wrong.
        rows = list(islice(sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True), MOST_ROWS + 1))
    except SheetError:
        raise
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, IndexError, TypeError,
            AttributeError, SyntaxError, OSError, EOFError) as error:  # fmt: skip
        raise SheetError(_("This Excel workbook can't be read. Save it once more.")) from error
    for row in rows:
        yield [_cell_text(value) for value in row]


def _cell_text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # A tab or the end of a line inside a cell would be taken for the end of it.
    return "" if value is None else " ".join(str(value).split())


def rows_of(text: str) -> list[Row]:
    """Return the rows of the text that are not empty. Raises SheetError."""
    text = text.removeprefix("\ufeff")
    lines = text.splitlines()
    # With its end: a line broken inside a cell would run into the next one.
    reader = csv.reader(
        (f"{line}\n" for line in lines), delimiter=_delimiter(lines), skipinitialspace=True
    )
    rows, before = [], 0
    try:
        for cells in reader:
            stripped = [" ".join(cell.split()) for cell in cells[:MOST_COLUMNS]]
            if any(stripped):
                rows.append(Row(before + 1, stripped))
            before = reader.line_num
            if len(rows) > MOST_ROWS:
                most = _("Line {line} is one too many: {most} rows can be read at a time.")
                raise SheetError(most.format(line=before, most=MOST_ROWS))
    except csv.Error as error:
        wrong = _("Line {line} can't be read: look at its quotation marks.")
        raise SheetError(wrong.format(line=before + 1)) from error
    return rows


def text_of_table(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as the text that `rows_of` reads."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()


def _delimiter(lines: Iterable[str]) -> str:
    """Return what divides the cells: a tab if there is any, else the sign in most lines."""
    signs = {"\t": 0, ",": 0, "，": 0, ";": 0}
    for line in lines:
        for sign in signs:
            signs[sign] += sign in line
    return "\t" if signs["\t"] else max(signs, key=lambda sign: signs[sign])


# Writing


def download(
    name: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]], form: str
) -> HttpResponse:
    """Return the table as a file to be kept, `name` without the ending, the day added to it."""
    content = csv_bytes(heads, rows) if form == "csv" else workbook_bytes(heads, rows)
    return attachment(content, f"{name} {timezone.localdate():%Y-%m-%d}.{form}", FORMATS[form])


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """Return a file to be kept under this name; signs no file system takes are left out."""
    safe = "".join("-" if sign in '\\/:*?"<>|' else sign for sign in name if sign.isprintable())
    disposition = content_disposition_header(True, safe) or "attachment"
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": disposition}
    )


def csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return CSV in UTF-8 with its mark, by which Excel knows it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for row in (heads, *rows):
        writer.writerow(csv_row(row))
    return text.getvalue().encode("utf-8-sig")


def csv_row(cells: Iterable[Any]) -> list[Cell]:
    """Return the cells as CSV has them."""
    return [_harmless(_said(cell)) for cell in cells]


def workbook_bytes(
    heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str = "", names: int = 0
) -> bytes:
    """Return an Excel workbook of one sheet: numbers as numbers, times as times, texts as texts.

    The heads stay in sight, and so many columns of `names`.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    # Excel takes neither these signs nor more than 31.
    said = str(_said(title)).translate(str.maketrans("", "", "[]:*?/\\\t\n"))
    sheet = book.create_sheet(said[:31] or None)
    sheet.freeze_panes = f"{chr(ord('A') + names)}2"

    def cell(value: Cell, *, bold: bool = False) -> Any:
        if isinstance(value, datetime):
            # Excel knows no time zones.
            local = timezone.localtime(value).replace(tzinfo=None, second=0, microsecond=0)
            made = WriteOnlyCell(sheet, value=local)
            made.number_format = "yyyy-mm-dd hh:mm"
            return made
        made = WriteOnlyCell(sheet, value=value if _is_number(value) else _said(value))
        if isinstance(made.value, str):
            # Else one that begins with "=" would be a formula.
            made.data_type = "s"
        made.font = Font(bold=bold)
        return made

    sheet.append([cell(head, bold=True) for head in heads])
    for row in rows:
        sheet.append([cell(value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _is_number(value: Cell) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(value: Cell) -> Cell:
    """Return the value as a cell has it: a moment in local time, signs no workbook takes away."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, str):
        return "".join(sign for sign in value if sign in "\t\n" or sign >= " ")
    return "" if value is None else value


def _harmless(value: Cell) -> Cell:
    """Return a text so that no spreadsheet takes it for a formula."""
    if not isinstance(value, str):
        return value
    is_risky = value.lstrip().startswith(_FORMULA_STARTS) or value.startswith(("\t", "\r"))
    return f"'{value}" if is_risky else value
