"""Read spreadsheets that people paste or upload as rows of texts.

This module reads text with tabs, commas or semicolons in any usual encoding (`encodings`), and
workbooks (.xlsx, .ods). Other files are refused by name (`file_kinds`).

python-calamine reads workbooks, in a process of its own (`workbook_reader`): it needs a tenth to a
twentieth of the time and memory that openpyxl needs.
"""

import csv
import io
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from threading import BoundedSemaphore
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from puzzleclass.spreadsheets import file_kinds, workbook_reader
from puzzleclass.spreadsheets.encodings import SheetError, text_of_bytes
from puzzleclass.spreadsheets.sheet_marks import (
    SheetState,
    hidden_row_mark,
    missing_value_mark,
    read_sheet_mark,
    sheet_mark,
)
from puzzleclass.spreadsheets.workbook_reader import (
    MAX_COLUMNS,
    MAX_ROWS,
    WorkbookFault,
    WorkbookSheet,
)

READERS = 2
"""The number of workbooks that one web process reads at a time, so that its other threads answer
pages."""
READING_SECONDS = 20
"""Seconds that reading a workbook may take. They suffice on a machine with other work, too."""

_LIMITS = {
    -getattr(signal, name) for name in ("SIGXCPU", "SIGKILL", "SIGABRT") if hasattr(signal, name)
}
"""The exit codes of a reader that has passed a limit of time or memory."""
_readers = BoundedSemaphore(READERS)

logger = logging.getLogger(__name__)


class SheetRow(NamedTuple):
    """A row of a table."""

    line: int
    """The number of its line, from 1."""
    cells: list[str]


def text_of_file(data: bytes) -> str:
    """Return the text of an uploaded file; for a workbook, its sheets with tabs between the cells.

    What the text of a workbook would lose is written into it: see `sheet_marks`. Raises SheetError.
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
            # It is among the columns that are read, however wide the sheet is.
            sheet.rows[at][MAX_COLUMNS - 1 :] = [hidden_row_mark()]
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
    rows, before, marks = [], 0, 0
    try:
        for cells in reader:
            stripped = [" ".join(cell.split()) for cell in cells[:MAX_COLUMNS]]
            if any(stripped):
                rows.append(SheetRow(before + 1, stripped))
                marks += read_sheet_mark(stripped) is not None
            before = reader.line_num
            if len(rows) - marks > MAX_ROWS:
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
