"""Read spreadsheets that people paste or upload as rows of texts, and write tables for Excel.

This module reads text with tabs, commas or semicolons in any usual encoding (`texts`), and Excel
workbooks. Other files are refused by name (`file_kinds`). It writes CSV that Excel opens as UTF-8,
and workbooks. Excel takes no cell that is written for a formula.

python-calamine reads workbooks, in a process of its own (`workbook_reader`): it needs a tenth to a
twentieth of the time and memory that openpyxl needs. openpyxl writes them. It is imported only when
a workbook is written, because its import takes a fifth of the time in which a process starts.
"""

import csv
import io
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from threading import BoundedSemaphore
from typing import Any, NamedTuple
from unicodedata import normalize

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from puzzleclass.tables import file_kinds, workbook_reader
from puzzleclass.tables.marks import SheetState, hidden_row_mark, missing_value_mark, sheet_mark
from puzzleclass.tables.texts import SheetError, text_of_bytes
from puzzleclass.tables.workbook_reader import MAX_COLUMNS, MAX_ROWS, WorkbookFault, WorkbookSheet

READERS = 2
"""The number of workbooks that one web process reads at a time, so that its other threads answer
pages."""
READING_SECONDS = 20
"""Seconds that reading a workbook may take. They suffice on a machine with other work, too."""

CellValue = str | int | float | date | None
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Ending of the file name -> media type."""

_LIMITS = {
    -getattr(signal, name) for name in ("SIGXCPU", "SIGKILL", "SIGABRT") if hasattr(signal, name)
}
"""The exit codes of a reader that has passed a limit of time or memory."""
_readers = BoundedSemaphore(READERS)
_FORMULA_STARTS = ("=", "+", "-", "@")
"""The characters with which a formula begins. Excel also accepts their full-width and small forms:
＝ ＋ － ＠."""


logger = logging.getLogger(__name__)


# Reading


class SheetRow(NamedTuple):
    """A row of a table."""

    line: int
    """The number of its line, from 1."""
    cells: list[str]


def text_of_file(data: bytes) -> str:
    """Return the text of an uploaded file; for a workbook, its sheets with tabs between the cells.

    What the text of a workbook would lose is written into it: see `marks`. Raises SheetError.
    """
    if refused := file_kinds.refusal(data):
        raise SheetError(refused)
    if file_kinds.is_workbook(data):
        return _text_of_sheets(_sheets_of_workbook(data))
    return text_of_bytes(data)


def _text_of_sheets(sheets: list[WorkbookSheet]) -> str:
    """Return the text of a workbook. A single sheet has no line with its name."""
    filled = [sheet for sheet in sheets if sheet.rows or sheet.state]
    lines = []
    for sheet in filled:
        state = SheetState(sheet.state)
        if len(filled) > 1 or state is not SheetState.SHOWN:
            lines.append(sheet_mark(" ".join(sheet.name.split()), state))
        for at, column in sheet.missing:
            row = sheet.rows[at]
            row += [""] * (column + 1 - len(row))
            row[column] = missing_value_mark()
        for at in sheet.hidden:
            sheet.rows[at].append(hidden_row_mark())
        lines += ["\t".join(map(_quoted, row)) for row in sheet.rows]
    return "\n".join(lines)


def _quoted(cell: str) -> str:
    """Return the cell as it stands in a text with tabs, where quotation marks enclose a cell."""
    return '"' + cell.replace('"', '""') + '"' if '"' in cell else cell


def _sheets_of_workbook(data: bytes) -> list[WorkbookSheet]:
    """Return the sheets of a workbook. Raises SheetError.

    Another program reads the workbook, within limits of time and memory that the operating system
    enforces: see `workbook_reader`.
    """
    if not _readers.acquire(blocking=False):
        raise SheetError(
            _("Other workbooks are being read at this moment. Send yours again in a few seconds.")
        )
    try:
        # The program does not get the environment, which holds the site's secrets.
        done = subprocess.run(
            [sys.executable, "-I", workbook_reader.__file__],
            input=data,
            capture_output=True,
            env={},
            timeout=READING_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise SheetError(_sentence(WorkbookFault.TOO_LARGE)) from error
    finally:
        _readers.release()
    if done.returncode:
        logger.warning("No workbook was read: %s, %s", done.returncode, done.stderr[-500:])
        fault = WorkbookFault.TOO_LARGE if done.returncode in _LIMITS else WorkbookFault.UNREADABLE
        raise SheetError(_sentence(fault))
    outcome: list[list[Any]] | str = json.loads(done.stdout)
    if isinstance(outcome, str):
        raise SheetError(_sentence(WorkbookFault(outcome)))
    return [WorkbookSheet(*sheet) for sheet in outcome]


def _sentence(fault: WorkbookFault) -> str:
    """Return a sentence that says why a workbook is not read and what to do."""
    if fault is WorkbookFault.UNREADABLE:
        return _("This Excel workbook is damaged. Open it in Excel and save it again.")
    return _(
        "This workbook is too large to be read. Copy the rows of the list into a new workbook, or "
        "paste them into the box."
    )


def rows_of(text: str) -> list[SheetRow]:
    """Return the rows of the text that are not empty. Raises SheetError."""
    text = text.removeprefix("\ufeff")
    lines = text.splitlines()
    # Each line keeps its end, because a line broken inside a cell would run into the next one.
    reader = csv.reader(
        (f"{line}\n" for line in lines), delimiter=_delimiter(lines), skipinitialspace=True
    )
    rows, before = [], 0
    try:
        for cells in reader:
            stripped = [" ".join(cell.split()) for cell in cells[:MAX_COLUMNS]]
            if any(stripped):
                rows.append(SheetRow(before + 1, stripped))
            before = reader.line_num
            if len(rows) > MAX_ROWS:
                most = _(
                    "The list is too long from line {line} on. At most {most} rows can "
                    "be read at a time."
                )
                raise SheetError(most.format(line=before, most=MAX_ROWS))
    except csv.Error as error:
        wrong = _("Line {line} can't be read. Check its quotation marks.")
        raise SheetError(wrong.format(line=before + 1)) from error
    return rows


def text_of_table(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows as a text that `rows_of` reads."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()


def _delimiter(lines: Iterable[str]) -> str:
    """Return the character that divides the cells: a tab if there is one, else the one that is in
    the most lines."""
    counts = {"\t": 0, ",": 0, "，": 0, ";": 0}
    for line in lines:
        for character in counts:
            counts[character] += character in line
    return "\t" if counts["\t"] else max(counts, key=lambda character: counts[character])


# Writing


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
    # A title in Excel has none of these characters and at most 31.
    sheet_title = str(_cell_value(title)).translate(str.maketrans("", "", "[]:*?/\\\t\n"))
    sheet = book.create_sheet(sheet_title[:31] or None)
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
        held: Any = value if _is_number(value) else _cell_value(value)
        made = WriteOnlyCell(sheet, value=held)
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


def _is_number(value: CellValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell_value(value: CellValue) -> CellValue:
    """Return the value in the form in which a cell holds it: a time in local time, a text without
    the control characters that a workbook can't hold."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, str):
        return "".join(character for character in value if character in "\t\n" or character >= " ")
    return "" if value is None else value


def _without_formula(value: CellValue) -> CellValue:
    """Return the value; a text with an apostrophe before it if a spreadsheet could take it for a
    formula."""
    if not isinstance(value, str):
        return value
    begins = normalize("NFKC", value.lstrip()[:1])
    is_risky = begins.startswith(_FORMULA_STARTS) or value.startswith(("\t", "\r"))
    return f"'{value}" if is_risky else value
