"""A program that reads one workbook (.xlsx or .ods) in a process of its own, within limits.

A workbook of 20 KB can hold millions of rows, and a damaged one can make its reader fail in ways
that no `except` catches. `spreadsheets.py` therefore starts this file as a program, passes the
workbook on standard input and reads JSON from standard output: a list of sheets, or the name of a
`WorkbookFault`. The operating system ends the program when it passes a limit.

The program imports neither Django nor openpyxl, so that it starts within 40 ms.
"""

import json
import os
import re
import sys
from datetime import datetime, time
from enum import StrEnum
from html import unescape
from io import BytesIO
from lzma import LZMAError
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

CPU_SECONDS = 2
"""The seconds of processor time that one workbook may take."""
MEMORY_BYTES = 512 << 20
"""The most bytes of address space."""
MAX_ROWS = 2000
"""The most rows with a text that are read."""
MAX_HEIGHT = 100_000
"""The last row of Excel in which a text may stand. The empty rows above it are kept."""
MAX_COLUMNS = 40
"""The most columns that are read; those to the right of them are ignored."""
MAX_CHARACTERS = 1_000_000
"""The most characters in all cells together."""
MAX_SHEETS = 60
"""The most sheets that are read; those behind them are ignored."""
MAX_SCANNED = 32 << 20
"""The most bytes of a sheet's XML that are searched for hidden rows and missing values."""
PIECE_BYTES = 1 << 20
"""The bytes of XML that are searched at a time."""

_HIDDEN_ROW = re.compile(rb"""<(?:\w+:)?row\b[^>]*\bhidden=["'](?:1|true)["'][^>]*>""")
_ROW_NUMBER = re.compile(rb"""\br=["'](\d+)["']""")
_MISSING_VALUE = re.compile(
    rb'<(?:\w+:)?c\b(?![^>]*t="str")[^>]*\br="([A-Z]+)(\d+)"[^>]*>'
    rb"<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)(?:<v\s*/>|<v></v>)?</(?:\w+:)?c>"
)
_OPEN_TAG = re.compile(
    rb"""<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])((?:[^>"]|"[^"]*")*)>"""
)
_OPEN_ATTRIBUTE = re.compile(rb"([\w:-]+)=\"([^\"]*)\"")


class WorkbookFault(StrEnum):
    """The reason why a workbook is not read."""

    UNREADABLE = "unreadable"
    """It is damaged, or it is no workbook."""
    TOO_LARGE = "too large"
    """It has too many rows or characters, or it needs more time or memory than the limits allow."""


class WorkbookSheet(NamedTuple):
    """A sheet as it is passed to the site."""

    name: str
    state: str
    """Why the rows are left out: "hidden" or "chart"; empty if they are not."""
    rows: list[list[str]]
    hidden: list[int]
    """The indices of the rows that are hidden, by a filter or otherwise."""
    missing: list[tuple[int, int]]
    """The row and the column of each formula without a stored value."""


def sheets_of_workbook(data: bytes) -> list[WorkbookSheet] | WorkbookFault:
    """Return the sheets of a workbook, or the reason why there are none."""
    sheets: list[WorkbookSheet] = []
    characters = 0
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        parts, of_tables = _parts_of_sheets(data), _marks_of_open_tables(data)
        for sheet in book.sheets_metadata[:MAX_SHEETS]:
            is_chart = sheet.typ is not SheetTypeEnum.WorkSheet
            is_hidden = sheet.visible is not SheetVisibleEnum.Visible
            rows = [] if is_chart else rows_of_sheet(book.get_sheet_by_name(sheet.name))
            characters += sum(len(cell) for row in rows for cell in row)
            if characters > MAX_CHARACTERS:
                return WorkbookFault.TOO_LARGE
            if is_chart or is_hidden:
                state = "chart" if is_chart else "hidden" if rows else ""
                sheets.append(WorkbookSheet(sheet.name, state, [], [], []))
            else:
                if sheet.name in of_tables:
                    hidden, missing = of_tables[sheet.name]
                    hidden = [at for at in hidden if at < len(rows)]
                else:
                    hidden, missing = _marks(data, parts.get(sheet.name, ""), len(rows))
                # A row that holds nothing but such formulas is a row of the list, too.
                last = max((at for at, _column in missing), default=-1)
                rows += [[] for _row in range(len(rows), last + 1)]
                sheets.append(WorkbookSheet(sheet.name, "", rows, hidden, missing))
    except MemoryError:
        return WorkbookFault.TOO_LARGE
    except (CalamineError, ValueError, IndexError, OSError):
        return WorkbookFault.UNREADABLE
    return sheets if sheets else WorkbookFault.UNREADABLE


def rows_of_sheet(sheet: CalamineSheet) -> list[list[str]]:
    """Return the rows of a sheet.

    Rows and characters are counted while they are read. Empty rows above and between the others are
    kept, so that the number of a line is that of the row in Excel. At most one row with texts more
    than `MAX_ROWS` is returned, which shows the caller that there are too many.
    """
    if sheet.end and sheet.end[0] >= MAX_HEIGHT:
        raise MemoryError
    rows: list[list[str]] = []
    filled = characters = end = 0
    for row in sheet.iter_rows():
        cells = [text_of_cell(value) for value in row[:MAX_COLUMNS]]
        rows.append(cells)
        if not any(cells):
            continue
        filled, end = filled + 1, len(rows)
        characters += sum(map(len, cells))
        if characters > MAX_CHARACTERS:
            raise MemoryError
        if filled > MAX_ROWS:
            break
    del rows[end:]
    _fill_merged(rows, sheet.merged_cell_ranges or [])
    return rows


def _fill_merged(
    rows: list[list[str]], ranges: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    """Write the text of cells that are merged downwards into each of their rows."""
    for (top, left), (bottom, _right) in ranges:
        if top < len(rows) and left < len(rows[top]) and (text := rows[top][left]):
            for row in rows[top + 1 : bottom + 1]:
                if any(row) and left < len(row):
                    row[left] = row[left] or text


def _parts_of_sheets(data: bytes) -> dict[str, str]:
    """Return the name of each sheet -> the name of its part in the file."""
    try:
        with ZipFile(BytesIO(data)) as packed:
            book = packed.open("xl/workbook.xml").read(MAX_SCANNED).decode("utf-8", "replace")
            links = packed.open("xl/_rels/workbook.xml.rels").read(MAX_SCANNED).decode()
    except (BadZipFile, KeyError, ValueError, OSError, NotImplementedError, RuntimeError):
        return {}
    targets = {}
    for link in re.findall(r"<(?:\w+:)?Relationship\b[^>]*>", links):
        fields = dict(re.findall(r'(\w+)="([^"]*)"', link))
        targets[fields.get("Id", "")] = f"xl/{fields.get('Target', '').removeprefix('/xl/')}"
    parts = {}
    for sheet in re.findall(r"<(?:\w+:)?sheet\b[^>]*>", book):
        fields = dict(re.findall(r'([\w:]+)="([^"]*)"', sheet))
        name = unescape(fields.get("name", ""))
        parts[name] = targets.get(next((v for k, v in fields.items() if k.endswith(":id")), ""), "")
    return parts


def _marks(data: bytes, part: str, rows: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the indices of the rows that are hidden, and of the cells without the value of
    their formula.

    calamine tells neither, so the sheet's XML is searched for both.
    """
    hidden: list[int] = []
    missing: list[tuple[int, int]] = []
    try:
        with ZipFile(BytesIO(data)) as packed, packed.open(part) as xml:
            rest = b""
            for _piece in range(MAX_SCANNED // PIECE_BYTES):
                read = xml.read(PIECE_BYTES)
                piece = rest + read
                # A piece ends before a row or a cell, so that each is searched as a whole.
                starts = [piece.rfind(tag) for tag in (b"<row ", b"<c ", b":row ", b":c ")]
                end = max(0, *starts) if read else len(piece)
                end = max(0, piece.rfind(b"<", 0, end + 1))
                rest = piece[end:]
                _search(piece[:end], rows, hidden, missing)
                if not read or len(rest) > PIECE_BYTES:
                    break
    except (
        BadZipFile,
        KeyError,
        ValueError,
        OSError,
        NotImplementedError,
        RuntimeError,
        LZMAError,
    ):
        pass
    return hidden, missing


def _marks_of_open_tables(data: bytes) -> dict[str, tuple[list[int], list[tuple[int, int]]]]:
    """Return the same as `_marks` for each sheet of an OpenDocument spreadsheet by its name.

    A workbook of Excel has none. Raises MemoryError if the spreadsheet is too large to be searched.
    """
    try:
        with ZipFile(BytesIO(data)) as packed, packed.open("content.xml") as part:
            xml = part.read(MAX_SCANNED + 1)
    except (BadZipFile, KeyError, ValueError, OSError, NotImplementedError, RuntimeError):
        return {}
    if len(xml) > MAX_SCANNED:
        raise MemoryError
    found: dict[str, tuple[list[int], list[tuple[int, int]]]] = {}
    hidden: list[int] = []
    missing: list[tuple[int, int]] = []
    row = column = next_row = 0
    for tag, text in _OPEN_TAG.findall(xml):
        fields = dict(_OPEN_ATTRIBUTE.findall(text))
        if tag == b"table":
            row = next_row = 0
            name = unescape(fields.get(b"table:name", b"").decode("utf-8", "replace"))
            found[name] = hidden, missing = [], []
        elif tag == b"table-row":
            row, column = next_row, 0
            next_row += _repeated(fields, b"table:number-rows-repeated")
            if fields.get(b"table:visibility", b"visible") != b"visible":
                hidden += range(row, min(next_row, row + MAX_ROWS))
        else:
            has_value = b"office:value-type" in fields or b"calcext:value-type" in fields
            is_missing = b"table:formula" in fields and not has_value
            if is_missing and column < MAX_COLUMNS and len(missing) <= MAX_ROWS:
                missing.append((row, column))
            column += _repeated(fields, b"table:number-columns-repeated")
    return found


def _repeated(fields: dict[bytes, bytes], name: bytes) -> int:
    """Return how often a row or a cell stands."""
    number = fields.get(name, b"1")[:8]
    return int(number) if number.isdigit() else 1


def _search(xml: bytes, rows: int, hidden: list[int], missing: list[tuple[int, int]]) -> None:
    """Add what a piece of a sheet's XML says about hidden rows and missing values."""
    if b"hidden=" in xml:
        for row in _HIDDEN_ROW.findall(xml):
            if (number := _ROW_NUMBER.search(row)) and int(number[1]) <= rows:
                hidden.append(int(number[1]) - 1)
    for letters, digits in _MISSING_VALUE.findall(xml):
        column = 0
        for letter in letters:
            column = 26 * column + letter - 64
        if int(digits) <= rows + MAX_ROWS and column <= MAX_COLUMNS:
            missing.append((int(digits) - 1, column - 1))


def text_of_cell(value: object) -> str:
    """Return a cell's value on one line, because a tab or a line break would divide the cell."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return " ".join(str(value).split())


def _limit_resources() -> None:
    """Let the system end this program at its limits.

    Windows has no such limits. There, the program that has started this one ends it when it takes
    too long.
    """
    try:
        import resource
    except ImportError:
        return
    os.nice(10)  # Pages come first.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main() -> None:
    """Read the workbook from standard input and write the outcome to standard output."""
    _limit_resources()
    json.dump(sheets_of_workbook(sys.stdin.buffer.read()), sys.stdout)


if __name__ == "__main__":
    main()
