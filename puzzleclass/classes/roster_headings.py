"""The headings of the tables on a sheet: in one line or two, below titles, or on each page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzleclass.classes.roster_columns import NAMES, PART_OF, READINGS, Column, column_of
from puzzleclass.classes.roster_contents import is_class, is_list_number, is_title
from puzzleclass.spreadsheets.reading import SheetRow

_ADDITION = re.compile(r"[(（].*[)）]")


@dataclass(slots=True)
class Headings:
    """The headings of a table, in one line or two."""

    start: int
    end: int
    texts: list[str]
    columns: list[Column | None]


def find_headings(rows: Sequence[SheetRow]) -> list[Headings]:
    """Return the headings of the tables on a sheet, from top to bottom."""
    heads: list[Headings] = []
    has_number = False
    for at, row in enumerate(rows):
        has_number = has_number or any(map(is_list_number, rows[at - 1].cells if at else ()))
        if heads and at < heads[-1].end:
            continue
        if not is_heading_row(row.cells) and (
            heads or has_number or not _is_first_heading(rows, at)
        ):
            continue
        texts, columns = list(row.cells), [column_of(cell) if cell else None for cell in row.cells]
        end = at + 1
        if end < len(rows) and (two := headings_in_two_lines(row.cells, rows[end].cells)):
            lower = [*rows[end].cells, *[""] * (len(two) - len(rows[end].cells))]
            upper = [*row.cells, *[""] * (len(two) - len(row.cells))]
            texts = [" ".join(filter(None, pair)) for pair in zip(upper, lower, strict=True)]
            columns, end = two, end + 1
        heads.append(Headings(at, end, texts, columns))
    return heads


def _is_first_heading(rows: Sequence[SheetRow], at: int) -> bool:
    """Return whether a row is a heading though only one of its texts is known.

    Either it is the only text in a list of one column, or the row below has the first number.
    """
    cells = [cell for cell in rows[at].cells if cell]
    known = [cell for cell in cells if column_of(cell) not in (None, Column.UNUSED)]
    if not known or any(map(is_list_number, cells)):
        return False
    if any(is_class(cell) and column_of(cell) is None for cell in cells):
        return False
    if len(cells) == 1 and len(rows[at].cells) == 1:
        return all(is_title(" ".join(row.cells)) for row in rows[:at])
    if at == 0 and {column_of(cell) for cell in known} & (NAMES | READINGS):
        return True
    return any(is_list_number(cell) for row in rows[at + 1 : at + 2] for cell in row.cells)


def joined_tables(
    heads: Sequence[Headings], rows: Sequence[SheetRow]
) -> list[tuple[Headings, list[SheetRow]]]:
    """Return the headings with the rows below them.

    Headings that are repeated, as on each page of a printed list, belong to one table.
    """
    joined: list[tuple[Headings, list[SheetRow]]] = []
    for number, head in enumerate(heads, 1):
        end = heads[number].start if number < len(heads) else len(rows)
        below = list(rows[head.end : end])
        if joined and joined[-1][0].texts == head.texts:
            joined[-1][1].extend(below)
        else:
            joined.append((head, below))
    return joined


def is_heading_row(cells: Sequence[str]) -> bool:
    """Return whether a row of a table holds headings: two or more, and hardly anything else."""
    filled = [cell for cell in cells if cell]
    if sum(column_of(cell) is None for cell in filled[:4]) > 2:
        return False  # Most rows are recognised as students by their first cells.
    columns = [column for cell in filled if (column := column_of(cell))]
    return (
        len(columns) > 1
        and (any(column is not Column.UNUSED for column in columns) or len(columns) == len(filled))
        and 2 * len(columns) >= len(filled)
        and not any(map(is_list_number, filled))
    )


def headings_in_two_lines(upper: Sequence[str], lower: Sequence[str]) -> list[Column | None] | None:
    """Return the columns if the lower row continues the headings of the upper one, else None.

    A heading that is merged across several columns stands only in the first of them.
    """
    if not any(lower) or any(map(is_list_number, filter(None, lower))):
        return None
    wide = max(len(upper), len(lower))
    upper, lower = [*upper, *[""] * (wide - len(upper))], [*lower, *[""] * (wide - len(lower))]
    columns: list[Column | None] = []
    parent = ""
    for above, below in zip(upper, lower, strict=True):
        parent = above or (parent if below else "")
        if not below:
            columns.append(column_of(above) if above else None)
            continue
        over = column_of(parent) if parent else None
        if _ADDITION.fullmatch(below):
            column = column_of(f"{parent}{below}")
        elif (under := Column.NAME if below == "漢字" else column_of(below)) is None:
            return None
        elif over is Column.UNUSED:
            column = over
        else:
            column = PART_OF.get((over, under), under) if over else under
        columns.append(column)
    return columns
