"""Lists in which a name and its reading stand in two rows, one below the other."""

from collections.abc import Sequence

from puzzleclass.classes.roster_columns import Column, column_of
from puzzleclass.classes.roster_contents import half_width, has_kanji, is_kana, is_name
from puzzleclass.spreadsheets.reading import SheetRow

LEAST_STUDENTS = 3
"""The fewest students by whom the form is recognized: two may be called so by chance."""
READING = "ふりがな"
"""The heading of the readings, if the list has headings."""


def with_readings_beside(rows: list[SheetRow]) -> list[SheetRow]:
    """Return the rows; if each name has its reading in a row of its own, above or below, with the
    reading at the end of the row of the name."""
    lone = [_lone_kana(row) for row in rows]
    for step in (1, -1):
        if pairs := _pairs(rows, lone, step):
            last = max(len(row.cells) for row in rows)
            joined = []
            for at, row in enumerate(rows):
                if at in pairs.values():
                    continue
                reading = _text_of(rows[pairs[at]], lone[pairs[at]]) if at in pairs else ""
                if not reading and any(column_of(cell) is Column.NAME for cell in row.cells):
                    reading = READING
                cells = [*row.cells, *[""] * (last - len(row.cells))]
                joined.append(SheetRow(row.line, [*cells, reading] if reading else row.cells))
            return joined
    return rows


def _pairs(rows: Sequence[SheetRow], lone: Sequence[int | None], step: int) -> dict[int, int]:
    """Return the index of each row with a name -> that of its reading; nothing if any has none."""
    pairs: dict[int, int] = {}
    names = 0
    for at, row in enumerate(rows):
        beside = at + step
        column = lone[beside] if 0 <= beside < len(rows) else None
        if lone[at] is None and column is not None and has_kanji(_text_of(row, column)):
            if not _is_heading(_text_of(row, column)):
                names += 1
            pairs[at] = beside
    columns = {lone[reading] for reading in pairs.values()}
    others = [
        at
        for at, row in enumerate(rows)
        if at not in pairs
        and at not in pairs.values()
        and any(_is_student(_text_of(row, column)) for column in columns)
    ]
    readings = {at for at, column in enumerate(lone) if column is not None}
    is_whole = names >= LEAST_STUDENTS and readings == {*pairs.values()} and not others
    return pairs if is_whole and len(columns) == 1 else {}


def _text_of(row: SheetRow, column: int | None) -> str:
    return row.cells[column] if column is not None and column < len(row.cells) else ""


def _lone_kana(row: SheetRow) -> int | None:
    """Return the column of the row's only text, if that is a reading or the heading of readings."""
    filled = [at for at, cell in enumerate(row.cells) if cell]
    if len(filled) != 1:
        return None
    text = row.cells[filled[0]]
    return filled[0] if is_kana(text) and (is_name(text) or _is_heading(text)) else None


def _is_heading(text: str) -> bool:
    return column_of(text) is not None


def _is_student(text: str) -> bool:
    bare = half_width(text).lstrip("0123456789. ")
    return not _is_heading(text) and has_kanji(text) and is_name(bare)
