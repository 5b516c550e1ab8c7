"""Tables that are written in another form: numbers and names in one column, lists on their side."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from puzzleclass.classes.models import HIGHEST_NUMBER, MAX_STUDENTS
from puzzleclass.classes.roster_columns import NAMES, Block, Column, column_of
from puzzleclass.classes.roster_contents import (
    HYPHENS,
    half_width,
    is_list_number,
    is_name,
    read_number,
)
from puzzleclass.classes.roster_headings import is_heading_row
from puzzleclass.spreadsheets.reading import SheetRow

_WITH_NUMBER = re.compile(
    r"(?:no\.?\s*|[#(]|第)?(\d{1,4})(?:\s*(?:番|号|[.,、:)])\s*|\s+|(?=[ぁ-ゖァ-ヺ一-鿿])(?![年組月]))"
    r"(\D.*)",
    re.IGNORECASE,
)
_WITH_CLASS = re.compile(
    r"(\d{1,2}年\s*[^\W_]{1,3}組|\d{1,2}-[^\W_]{1,2}(?=-|\s))\s*-?\s*(\d{1,3})(?:番|\s|[.、])\s*(\D.*)"
)
_NUMBER_BEHIND = re.compile(r"(\D*[^\W\d_])\s*[ (](\d{1,3})番?\)?")
_RANGE = re.compile(rf"(\d{{1,4}})\s*(?:[{HYPHENS}~〜～]|から)\s*(\d{{1,4}})\s*番?")


@dataclass(slots=True)
class ListTable:
    """The rows of a table, and the columns of the lists in it."""

    blocks: list[Block]
    rows: list[SheetRow]
    ignored: list[str] = field(default_factory=list)
    """The headings of the columns that are not used, such as gender and birthday."""


def increase(cells: Sequence[str]) -> bool:
    """Return whether the texts are numbers, each higher than the one before."""
    numbers = [read_number(cell) or 0 for cell in cells if is_list_number(cell)]
    return len(numbers) == len(cells) > 0 and all(a < b for a, b in pairwise([0, *numbers]))


# Lines of one column


def split_lines(rows: list[SheetRow], block: Block) -> ListTable:
    """Return the table whose names may have numbers before them.

    Numbers and names get columns of their own, to the left of the others. A range such as 1-40
    becomes as many rows, and a class before the number gets a column, too.
    """
    index = block[Column.NAME]
    lines = [(row, row.cells[index] if index < len(row.cells) else "") for row in rows]
    texts = [half_width(text) for _row, text in lines]
    split: list[SheetRow] = []
    if len(block) == 1 and _alternate(texts):
        for (row, number), (_row, name) in zip(lines[::2], lines[1::2], strict=True):
            split.append(SheetRow(row.line, [number, name]))
        return ListTable([{Column.NUMBER: 0, Column.NAME: 1}], split)
    if len(block) == 1 and texts and all(map(is_list_number, texts)):
        return ListTable([{Column.NUMBER: index}], rows)
    if len(block) == 1 and texts and all(map(_WITH_CLASS.fullmatch, texts)):
        parts = [_WITH_CLASS.fullmatch(text) for text in texts]
        split = [
            SheetRow(row.line, list(part.groups()))
            for (row, _text), part in zip(lines, parts, strict=True)
            if part
        ]
        return ListTable([{Column.CLASS: 0, Column.NUMBER: 1, Column.NAME: 2}], split)
    behind = [_NUMBER_BEHIND.fullmatch(text) for text in texts]
    if len(block) == 1 and len(texts) > 1 and all(behind):
        split = [
            SheetRow(row.line, [part[2], part[1]])
            for (row, _text), part in zip(lines, behind, strict=True)
            if part and is_name(part[1])
        ]
        if len({row.cells[0] for row in split}) == len(rows):
            return ListTable([{Column.NUMBER: 0, Column.NAME: 1}], split)
    matches = [_WITH_NUMBER.fullmatch(text) for text in texts]
    has_numbers = sum(map(bool, matches)) >= 0.5 * sum(map(bool, texts))
    has_range = any(map(_RANGE.fullmatch, texts))
    for (row, text), half, with_number in zip(lines, texts, matches, strict=True):
        rest = [*row.cells[:index], "", *row.cells[index + 1 :]]
        ends = _RANGE.fullmatch(half)
        first, last = (int(ends[1]), int(ends[2])) if ends else (0, 0)
        if 0 < first < last <= HIGHEST_NUMBER and last - first < MAX_STUDENTS:
            split += [SheetRow(row.line, [str(n), "", *rest]) for n in range(first, last + 1)]
        elif with_number and has_numbers:
            # The name is kept as it was typed: it has as many characters as its half-width form.
            length = len(with_number[2])
            name = text[-length:] if len(half) == len(text) else with_number[2]
            split.append(SheetRow(row.line, [with_number[1], name, *rest]))
        elif (has_numbers or has_range) and is_list_number(half):
            split.append(SheetRow(row.line, [half, "", *rest]))
        else:
            split.append(SheetRow(row.line, ["", text, *rest]))
    columns: Block = {Column.NUMBER: 0} if any(row.cells[0] for row in split) else {}
    columns |= {Column.NAME: 1}
    columns |= {column: at + 2 for column, at in block.items() if column is not Column.NAME}
    return ListTable([columns], split)


def _alternate(texts: Sequence[str]) -> bool:
    """Return whether the texts are by turns a number and a name."""
    return (
        len(texts) > 3
        and len(texts) % 2 == 0
        and increase(texts[::2])
        and all(map(is_name, texts[1::2]))
    )


# Lists that lie on their side


def turned(rows: list[SheetRow]) -> list[SheetRow]:
    """Return the rows of a table; if its headings stand one below the other, turned round.

    The headings are in the first column that is filled. If they begin again further down, each time
    is about another student.
    """
    heads = [(row, next((cell for cell in row.cells if cell), "")) for row in rows]
    known = [(row, head) for row, head in heads if column_of(head)]
    columns = {column_of(head) for _row, head in known}
    if len(columns) < 2 or not columns & (NAMES | {Column.NUMBER}):
        return rows
    above = rows[: rows.index(known[0][0])]
    body = rows[len(above) :]
    if any(is_heading_row(row.cells) for row in rows) or len(known) < 0.8 * len(body):
        return rows
    start = next(index for index, cell in enumerate(known[0][0].cells) if cell)
    records: dict[tuple[int, int], dict[str, str]] = defaultdict(dict)
    times: dict[str, int] = defaultdict(int)
    heads_in_order: dict[str, None] = {}
    for row in body:
        head = row.cells[start] if start < len(row.cells) else ""
        if not head:
            continue
        heads_in_order[head] = None
        for at, cell in enumerate(row.cells[start + 1 :]):
            if cell:
                records[times[head], at][head] = cell
        times[head] += 1
    line = known[0][0].line
    made = [SheetRow(line, list(heads_in_order))]
    for (_time, at), record in sorted(records.items()):
        made.append(SheetRow(start + 2 + at, [record.get(head, "") for head in heads_in_order]))
    return [*above, *made]
