"""Write tables as CSV that Excel opens as UTF-8, and as Excel workbooks.

Excel takes no cell that is written for a formula. openpyxl writes the workbooks. It is imported
only when a workbook is written, because its import takes a fifth of the time in which a process
starts.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from unicodedata import normalize

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from puzzleclass.language.folding import INVISIBLE

CellValue = str | int | float | date | timedelta | None
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending of the file name -> media type."""

MAX_SHEET_TITLE = 31
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HIDDEN = re.compile(f"[{INVISIBLE}]")
_FORMULA_STARTS = ("=", "+", "-", "@")
"""The characters with which a formula begins. Excel also accepts their full-width and small forms:
＝ ＋ － ＠."""


def download(
    name: str, heads: Sequence[str], rows: Iterable[Sequence[CellValue]], form: str
) -> HttpResponse:
    """Return the table as a file to download. Its name is `name`, the day and the ending."""
    content = csv_bytes(heads, rows) if form == "csv" else workbook_bytes(heads, rows)
    return attachment(content, f"{name} {timezone.localdate():%Y-%m-%d}.{form}", FORMATS[form])


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """Return a file to download under this name, without the characters that file systems
    refuse."""
    printable = (character for character in name if character.isprintable())
    safe = "".join("-" if character in '\\/:*?"<>|' else character for character in printable)
    disposition = content_disposition_header(True, safe) or "attachment"
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": disposition}
    )


def csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[CellValue]]) -> bytes:
    """Return CSV in UTF-8 with a byte order mark, by which Excel recognizes UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for row in (heads, *rows):
        writer.writerow(csv_row(row))
    return text.getvalue().encode("utf-8-sig")


def csv_row(cells: Iterable[Any]) -> list[CellValue]:
    """Return the cells in the form in which CSV holds them."""
    return [_without_formula(_cell_value(cell)) for cell in cells]


def workbook_bytes(
    heads: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    *,
    title: str = "",
    names: int = 0,
    above: Sequence[str] = (),
) -> bytes:
    """Return an Excel workbook of one sheet: numbers as numbers, times as times, texts as texts.

    The headings stay visible when the sheet is scrolled, and so do the first `names` columns. The
    texts `above` stand in a row of their own above the headings.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet(_sheet_title(title) or None)
    sheet.freeze_panes = f"{chr(ord('A') + names)}{3 if above else 2}"

    def cell(value: CellValue, *, bold: bool = False) -> Any:
        if isinstance(value, datetime):
            # Excel knows no time zones.
            local = timezone.localtime(value).replace(tzinfo=None, second=0, microsecond=0)
            made = WriteOnlyCell(sheet, value=local)
            made.number_format = "yyyy-mm-dd hh:mm"
            return made
        if isinstance(value, date):
            made = WriteOnlyCell(sheet, value=datetime.combine(value, time()))
            made.number_format = "yyyy-mm-dd"
            return made
        if isinstance(value, timedelta):
            duration: Any = value
            made = WriteOnlyCell(sheet, value=duration)
            made.number_format = "[m]:ss"
            return made
        content: Any = value if _is_number(value) else _cell_value(value)
        made = WriteOnlyCell(sheet, value=content)
        if isinstance(made.value, str):
            # Otherwise a text that begins with "=" would be a formula.
            made.data_type = "s"
        made.font = Font(bold=bold)
        return made

    for line in (above, heads) if above else (heads,):
        sheet.append([cell(head, bold=True) for head in line])
    for row in rows:
        sheet.append([cell(value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _sheet_title(title: str) -> str:
    """Return the title as Excel takes it: without some signs, without an apostrophe at an end, and
    of at most 31 units of UTF-16, of which 𠮷 has two."""
    clean = str(_cell_value(title)).translate(str.maketrans("", "", "[]:*?/\\\t\n"))
    units = clean.lstrip("'").encode("utf-16-le", "ignore")
    return units[: 2 * MAX_SHEET_TITLE].decode("utf-16-le", "ignore").rstrip("'")


def _is_number(value: CellValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell_value(value: CellValue) -> CellValue:
    """Return the value in the form in which a cell holds it: a time in local time, a duration with
    its hours, because a spreadsheet takes 4:05 for five past four, a text without the control
    characters that a workbook can't hold."""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, str):
        return _NOT_IN_XML.sub("", value)
    return "" if value is None else value


def _without_formula(value: CellValue) -> CellValue:
    """Return the value; a text with an apostrophe before it if a spreadsheet could take it for a
    formula."""
    if not isinstance(value, str):
        return value
    shown = "".join(sign for sign in value if sign.isprintable() and not sign.isspace())
    begins = normalize("NFKC", _HIDDEN.sub("", shown)[:1])
    is_risky = begins.startswith(_FORMULA_STARTS) or value.startswith(("\t", "\r"))
    return f"'{value}" if is_risky else value
