"""One row of a class list: whether it is a student, and which."""

import re
from collections.abc import Sequence
from enum import Enum

from puzzleclass.classes.roster import Entry
from puzzleclass.classes.roster_columns import Block, Column
from puzzleclass.classes.roster_contents import (
    clean_class,
    half_width,
    is_class_title,
    is_doubtful,
    is_list_number,
    is_name,
    is_title,
    is_total,
    read_class_and_number,
    read_day,
    read_number,
    without_birthday,
)
from puzzleclass.spreadsheets.reading import SheetRow
from puzzleclass.spreadsheets.sheet_marks import is_missing_value_mark


class Role(Enum):
    """What a row of a list is."""

    STUDENT = "student"
    TITLE = "title"
    UNCERTAIN = "uncertain"


def is_class_row(cells: Sequence[str]) -> bool:
    """Return whether a row of a table is only a title with a class."""
    filled = [cell for cell in cells if cell]
    if len(filled) == 1 and is_class_title(filled[0]):
        return True
    return (
        len(filled) > 1
        and all(map(is_class_title, filled))
        and not any(map(is_list_number, filled))
    )


def role_of(row: SheetRow, block: Block, *, has_birthdays: bool) -> Role | None:
    """Return what the row is for the list with these columns; None if it has nothing for it.

    In a list whose names have birthdays beside them, a date makes no name uncertain.
    """
    cells = {column: _cell(row, index) for column, index in block.items()}
    filled = [cell for cell in cells.values() if cell]
    if not filled:
        return None
    typed = cells.get(Column.NUMBER, "")
    both = read_class_and_number(typed)
    number = both[1] if both else read_number(typed)
    name = _name(cells)
    if any(map(is_missing_value_mark, filled)):
        return Role.STUDENT
    if number is not None:
        if is_total(name):
            return Role.TITLE
        return Role.UNCERTAIN if name and is_doubtful(name) else Role.STUDENT
    if re.fullmatch(r"\d+-\d+", half_width(name)):
        return Role.UNCERTAIN
    if is_title(" ".join(filled)) or any(map(is_title, filled[:1])):
        return Role.TITLE if not name or is_title(name) or is_title(filled[0]) else Role.UNCERTAIN
    if not name and not cells.get(Column.READING):
        return Role.UNCERTAIN
    if Column.NUMBER in block:
        return Role.STUDENT  # It has a fault: the number is missing.
    name = without_birthday(name) if has_birthdays else name
    return Role.STUDENT if is_name(name) or not name else Role.UNCERTAIN


def _cell(row: SheetRow, index: int) -> str:
    return row.cells[index] if 0 <= index < len(row.cells) else ""


def _name(cells: dict[Column, str]) -> str:
    family, given = cells.get(Column.FAMILY, ""), cells.get(Column.GIVEN, "")
    return cells.get(Column.NAME, "") or " ".join(filter(None, (family, given)))


def entry_of(row: SheetRow, block: Block) -> Entry:
    """Return the student of a row."""
    cells = {column: _cell(row, index) for column, index in block.items()}
    lacks_value = any(map(is_missing_value_mark, cells.values()))
    cells = {c: "" if is_missing_value_mark(text) else text for c, text in cells.items()}

    def cell(column: Column) -> str:
        return cells.get(column, "")

    family, given = cell(Column.FAMILY_READING), cell(Column.GIVEN_READING)
    class_name = _class_name(cell(Column.GRADE), clean_class(cell(Column.CLASS)))
    if not class_name and (both := read_class_and_number(cell(Column.NUMBER))):
        class_name, cells[Column.NUMBER] = both[0], str(both[1])
    number, new_number = read_number(cell(Column.NUMBER)), read_number(cell(Column.NEW_NUMBER))
    return Entry(
        row.line,
        number=number,
        name=_name(cells),
        reading=cell(Column.READING) or " ".join(filter(None, (family, given))),
        class_name=class_name,
        new_class=clean_class(cell(Column.NEW_CLASS)),
        new_number=new_number,
        typed_number=""
        if number is not None and (new_number is not None or not cell(Column.NEW_NUMBER))
        else (cell(Column.NUMBER) if number is None else cell(Column.NEW_NUMBER)),
        lacks_value=lacks_value,
    )


def _class_name(grade: str, name: str) -> str:
    """Return a class's name; with the school year in a column of its own, a name like 4-2."""
    if read_day(grade):
        return name or grade
    year = re.sub(r"\D", "", half_width(grade))
    if not year or re.match(r"\d+\s*(年|-)", half_width(name)) or read_day(name):
        return name
    return f"{year}-{half_width(name).removesuffix('組')}" if name else year
