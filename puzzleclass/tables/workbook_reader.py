"""A program that reads one Excel workbook in a process of its own, within limits.

A workbook of 20 KB can hold millions of rows, and a damaged one can make its reader fail in ways
that no `except` catches. `spreadsheets.py` therefore starts this file as a program, passes the
workbook on standard input and reads JSON from standard output: a list of rows of texts, or the name
of a `WorkbookFault`. The operating system ends the program when it passes a limit.

The program imports neither Django nor openpyxl, so that it starts within 40 ms.
"""

import json
import os
import sys
from enum import StrEnum
from io import BytesIO

from python_calamine import CalamineError, CalamineWorkbook

CPU_SECONDS = 2
"""The seconds of processor time that one workbook may take."""
MEMORY_BYTES = 512 << 20
"""The most bytes of address space."""
MOST_ROWS = 2000
"""The most rows with a text that are read."""
MOST_COLUMNS = 40
"""The most columns that are read; those to the right of them are ignored."""
MOST_CHARACTERS = 1_000_000
"""The most characters in all cells together."""


class WorkbookFault(StrEnum):
    """The reason why a workbook is not read."""

    UNREADABLE = "unreadable"
    """It is damaged, or it is no workbook."""
    TOO_LARGE = "too large"
    """It has too many rows or characters, or it needs more time or memory than the limits allow."""


def rows_of_workbook(data: bytes) -> list[list[str]] | WorkbookFault:
    """Return the rows of the first sheet, or the reason why there are none.

    Rows and characters are counted while they are read. Empty rows above and between the others are
    kept, so that the number of a line is that of the row in Excel. At most one row with texts more
    than `MOST_ROWS` is returned, which shows the caller that there are too many.
    """
    try:
        sheet = CalamineWorkbook.from_filelike(BytesIO(data)).get_sheet_by_index(0)
        rows: list[list[str]] = []
        filled = characters = end = 0
        for row in sheet.iter_rows():
            cells = [text_of_cell(value) for value in row[:MOST_COLUMNS]]
            rows.append(cells)
            if not any(cells):
                continue
            filled, end = filled + 1, len(rows)
            characters += sum(map(len, cells))
            if characters > MOST_CHARACTERS:
                return WorkbookFault.TOO_LARGE
            if filled > MOST_ROWS:
                break
    except MemoryError:
        return WorkbookFault.TOO_LARGE
    except (CalamineError, ValueError, IndexError, OSError):
        return WorkbookFault.UNREADABLE
    return rows[:end]


def text_of_cell(value: object) -> str:
    """Return a cell's value on one line, because a tab or a line break would divide the cell."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
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
    json.dump(rows_of_workbook(sys.stdin.buffer.read()), sys.stdout)


if __name__ == "__main__":
    main()
