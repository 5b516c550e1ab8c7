"""Finding the lists in a table: which columns belong to which list, and what they hold.

Columns are recognised by their headings; without headings, by what they hold. A column that may
hold names and was not recognised is asked about.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.classes.roster_columns import NAMES, READINGS, Block, Column, blocks_of
from puzzleclass.classes.roster_contents import (
    half_width,
    has_kanji,
    is_class,
    is_gender,
    is_kana,
    is_list_number,
    is_name,
    plain,
    read_day,
    read_number,
)
from puzzleclass.classes.roster_lines import ListTable, increase, split_lines
from puzzleclass.classes.roster_questions import ListChoice, Questions
from puzzleclass.spreadsheets.reading import SheetRow

_TEXT_COLUMNS = (
    Column.NAME, Column.FAMILY, Column.GIVEN, Column.READING, Column.CLASS, Column.UNUSED
)  # fmt: skip
_NUMBER_COLUMNS = (Column.NUMBER, Column.CLASS, Column.GRADE, Column.UNUSED)
_MOSTLY = 0.8
"""The part of its cells by which a column without a heading is recognised."""


Cells = Mapping[int, Sequence[str]]
"""The texts in each column that are not empty."""


def cells_of(rows: Iterable[SheetRow]) -> dict[int, list[str]]:
    """Return the texts in each column that are not empty."""
    cells: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        for index, cell in enumerate(row.cells):
            if cell:
                cells[index].append(cell)
    return dict(sorted(cells.items()))


def _mostly(fits: Callable[[str], bool], cells: Sequence[str]) -> bool:
    return sum(map(fits, cells)) >= _MOSTLY * len(cells) > 0


def _hold_names(cells: Sequence[str]) -> bool:
    """Return whether a column may hold names: most of its texts look like one, and differ."""
    fit = _mostly(is_name, cells) and not all(map(is_gender, cells))
    return fit and len(set(cells)) > len(cells) / 2


def _hold_letters(cells: Sequence[str]) -> bool:
    """Return whether a column holds different texts with letters, and no genders."""
    with_letters = _mostly(lambda cell: any(map(str.isalpha, cell)), cells)
    return with_letters and not all(map(is_gender, cells)) and len(set(cells)) > len(cells) / 2


def _hold_ids(cells: Sequence[str]) -> bool:
    """Return whether a column may hold the numbers of students, in whatever form."""
    with_digits = _mostly(lambda cell: any(map(str.isdigit, cell)), cells)
    return with_digits and len(set(cells)) == len(cells)


def _ask_column(
    questions: Questions, rows: Sequence[SheetRow], index: int, heading: str, of_numbers: bool
) -> Column | None:
    """Ask what a column holds; return the answer, None while there is none."""
    long_rows = [SheetRow(row.line, row.cells) for row in rows if index < len(row.cells)]
    values = [row.cells[index] for row in long_rows if row.cells[index]]
    if heading:
        text = _("What does the column “{heading}” hold? It begins with {cells}.")
    else:
        text = _("What does column {column} hold? It begins with {cells}.")
    quoted = _(", ").join(_("“{text}”").format(text=cell[:20]) for cell in values[:3])
    choices = [
        ListChoice(column.name, str(column.value))
        for column in (_NUMBER_COLUMNS if of_numbers else _TEXT_COLUMNS)
    ]
    said_text = text.format(heading=heading, column=index + 1, cells=quoted)
    subject = [heading, str(index), *values]
    answer = questions.ask("column", said_text, choices, long_rows[:5], subject)
    return Column[answer] if answer else None


def _set(block: Block, column: Column | None, index: int) -> None:
    """Let a column hold this. It takes the place of another one that was thought to hold it."""
    if column and column is not Column.UNUSED:
        block[column] = index


# By headings


def table_by_headings(
    headings: Sequence[str],
    columns: Sequence[Column | None],
    rows: list[SheetRow],
    questions: Questions,
) -> ListTable:
    """Return the table below these headings. `columns` are what the headings mean."""
    meanings = dict(enumerate(columns))
    students = [row for row in rows if sum(map(bool, row.cells)) > 1] or rows
    cells = cells_of(students)
    _find_readings(meanings, cells)
    _find_given_names(meanings, headings, students, cells)
    blocks = blocks_of(meanings)
    first = blocks[0]
    taken = {index for block in blocks for index in block.values()}
    if len(blocks) == 1:
        open_columns = [index for index in cells if index not in taken]
        if Column.NUMBER not in first:
            for index in open_columns:
                if meanings.get(index) is None and increase(cells[index]):
                    first[Column.NUMBER] = index
                    break
        lacks_names = not NAMES & first.keys()
        for index in open_columns:
            meaning, values = meanings.get(index), cells[index]
            heading = headings[index] if index < len(headings) else ""
            may_hold = meaning is not Column.UNUSED and meaning is not None
            if index in first.values():
                continue
            if may_hold and meaning not in (Column.CLASS, Column.GRADE):
                # Two columns have one heading.
                answer = _ask_column(
                    questions, students, index, heading, _mostly(is_list_number, values)
                )
                _set(first, answer, index)
            elif (_hold_names(values) and meaning is None) or (
                lacks_names and _hold_letters(values)
            ):
                _set(first, _ask_column(questions, students, index, heading, False), index)
            elif meaning is None and heading and Column.NUMBER not in first and _hold_ids(values):
                _set(first, _ask_column(questions, students, index, heading, True), index)
        if lacks_names and READINGS & first.keys() and not NAMES & first.keys():
            index = min(first[column] for column in READINGS & first.keys())
            heading = headings[index] if index < len(headings) else ""
            answer = _ask_column(questions, students, index, heading, False)
            if answer and answer not in READINGS:
                for column in READINGS & first.keys():
                    if first[column] == index:
                        del first[column]
                _set(first, answer, index)
    for block in blocks:
        _settle_names(block, students)
    taken = {index for block in blocks for index in block.values()}
    ignored = [head for index, head in enumerate(headings) if head and index not in taken]
    return ListTable(blocks, rows, ignored)


def _find_readings(meanings: dict[int, Column | None], cells: Cells) -> None:
    """Take columns of kana for readings if they have the headings of names that stand before."""
    readings = {
        Column.FAMILY: Column.FAMILY_READING,
        Column.GIVEN: Column.GIVEN_READING,
        Column.NAME: Column.READING,
    }
    seen: set[Column] = set()
    for index, column in meanings.items():
        if column is Column.NUMBER:
            seen.clear()  # A list beside the first one begins.
        if column in seen and column in readings and _mostly(is_kana, cells.get(index, ())):
            meanings[index] = readings[column]
        elif column:
            seen.add(column)


def _find_given_names(
    meanings: dict[int, Column | None],
    headings: Sequence[str],
    rows: Sequence[SheetRow],
    cells: Cells,
) -> None:
    """Find given names in a column without a heading, to the right of one with a heading that was
    merged across both."""
    whole = {
        Column.NAME: (Column.FAMILY, Column.GIVEN),
        Column.READING: (Column.FAMILY_READING, Column.GIVEN_READING),
    }
    for index, column in list(meanings.items()):
        beside = index + 1
        if column not in whole or meanings.get(beside) or beside not in cells:
            continue
        if beside < len(headings) and headings[beside]:
            continue
        if _hold_names(cells[beside]) and _is_given_name(rows, index, beside):
            meanings[index], meanings[beside] = whole[column]


def _settle_names(block: Block, rows: Sequence[SheetRow]) -> None:
    """Decide between a column of names and a column of family names, if a list has both."""
    if not {Column.NAME, Column.FAMILY} <= block.keys() and not (
        {Column.NAME, Column.GIVEN} <= block.keys()
    ):
        return
    part = Column.FAMILY if Column.FAMILY in block else Column.GIVEN
    pairs = [
        (plain(row.cells[block[Column.NAME]]), plain(row.cells[block[part]]))
        for row in rows
        if max(block[Column.NAME], block[part]) < len(row.cells)
    ]
    is_whole = all(other in whole for whole, other in pairs if whole)
    if is_whole:
        block.pop(Column.FAMILY, None)
        block.pop(Column.GIVEN, None)
    elif part is Column.FAMILY and Column.GIVEN not in block:
        block[Column.GIVEN] = block.pop(Column.NAME)
    elif part is Column.GIVEN:
        block[Column.FAMILY] = block.pop(Column.NAME)
    else:
        del block[Column.NAME]


# By what the columns hold


def table_by_content(
    rows: list[SheetRow], sample: Sequence[SheetRow], questions: Questions
) -> ListTable:
    """Return the table of rows without headings, whose columns the rows of the sample show."""
    cells = cells_of(sample)
    if not cells:
        return ListTable([{}], rows)
    kinds = {index: _kind(values) for index, values in cells.items()}
    if len(cells) == 1:
        [index] = cells
        return split_lines(rows, {Column.NAME: index})
    if blocks := _side_by_side(kinds):
        return ListTable(blocks, rows)
    block = _numbers_and_classes(sample, cells, kinds, questions)
    texts = [index for index, kind in kinds.items() if kind == "text"]
    kana = [index for index, kind in kinds.items() if kind == "kana"]
    if not texts:
        texts, kana = kana, []
    names = [index for index in texts if _hold_names(cells[index])] or texts[:1]
    is_pair = len(names) > 1 and _is_given_name(sample, *names[:2])
    sure = names[: 2 if is_pair else 1]
    if is_pair:
        block |= {Column.FAMILY: names[0], Column.GIVEN: names[1]}
    elif names:
        block[Column.NAME] = names[0]
    if len(kana) > 1:
        block |= {Column.FAMILY_READING: kana[0], Column.GIVEN_READING: kana[1]}
    elif kana and not is_pair and _may_be_given_names(cells[names[0]], cells[kana[0]]):
        sure.append(kana[0])
        _set(block, _ask_column(questions, sample, kana[0], "", False), kana[0])
    elif kana:
        block[Column.READING] = kana[0]
    asked = [index for index in texts if index not in sure] + kana[2:]
    for index in asked:
        _set(block, _ask_column(questions, sample, index, "", False), index)
    _settle_names(block, sample)
    if Column.NUMBER not in block and Column.NAME in block:
        return split_lines(rows, block)
    return ListTable([block], rows)


def _kind(cells: Sequence[str]) -> str:
    """Return what a column without a heading holds."""
    half = [half_width(cell) for cell in cells]
    if all(map(is_gender, half)):
        return "gender"
    if _mostly(is_list_number, half):
        return "number"
    if _mostly(is_class, half):
        return "class"
    if _mostly(lambda cell: read_day(cell) is not None, half):
        return "day"
    if _mostly(lambda cell: bool(re.fullmatch(r"[\d/.@+() -]+|.*@.*|〒.*", cell)), half):
        return "other"
    return "kana" if _mostly(is_kana, half) else "text"


def _side_by_side(kinds: Mapping[int, str]) -> list[Block]:
    """Return the columns of lists side by side, each of them numbers and names."""
    pattern = list(kinds.values())
    if len(pattern) < 4 or pattern[:2] * (len(pattern) // 2) != pattern:
        return []
    if pattern[0] != "number" or pattern[1] not in ("text", "kana"):
        return []
    indices = list(kinds)
    return [
        {Column.NUMBER: number, Column.NAME: name}
        for number, name in zip(indices[::2], indices[1::2], strict=True)
    ]


def _numbers_and_classes(
    rows: Sequence[SheetRow], cells: Cells, kinds: Mapping[int, str], questions: Questions
) -> Block:
    """Return the columns of numbers, school years and classes."""
    block: Block = {}
    numbers = [index for index, kind in kinds.items() if kind == "number"]
    classes = [index for index, kind in kinds.items() if kind == "class"]
    open_columns = []
    if numbers:
        # The number differs more from row to row than the school year and the class.
        best = max(numbers, key=lambda at: (_count_up(cells[at]), len(set(cells[at])), at))
        before = [index for index in numbers if index < best]
        if not classes and len(before) > 1:
            block |= {Column.GRADE: before[-2], Column.CLASS: before[-1]}
            before = before[:-2]
        block[Column.NUMBER] = best
        open_columns = before + [index for index in numbers if index > best]
        if len(numbers) == 1 and not _are_list_numbers(cells[best], bool(classes)):
            del block[Column.NUMBER]
            open_columns = [best]
    if classes:
        block[Column.CLASS] = classes[0]
    for index in open_columns:
        _set(block, _ask_column(questions, rows, index, "", True), index)
    days = [index for index, kind in kinds.items() if kind == "day"]
    for index in days:
        if not classes and _may_be_classes(cells[index]):
            answer = _ask_column(questions, rows, index, "", True)
            _set(block, answer, index)
    return block


def _are_list_numbers(cells: Sequence[str], has_classes: bool) -> bool:
    """Return whether numbers can be those of a list, or of several: few appear twice, or they rise
    and begin again."""
    numbers = [read_number(cell) or 0 for cell in cells]
    falls = sum(a >= b for a, b in pairwise(numbers))
    return has_classes or len(set(numbers)) >= 0.6 * len(cells) or falls <= len(cells) / 4


def _count_up(cells: Sequence[str]) -> bool:
    """Return whether the texts are numbers that follow one another."""
    numbers = [read_number(cell) or 0 for cell in cells]
    return all(b == a + 1 for a, b in pairwise(numbers))


def _may_be_classes(cells: Sequence[str]) -> bool:
    """Return whether dates may be classes that Excel took for dates: they have no year, or one in
    which no student was born."""
    recent = timezone.localdate().year - 3
    return any(day.year == 0 or day.year >= recent for cell in cells if (day := read_day(cell)))


def _may_be_given_names(names: Sequence[str], kana: Sequence[str]) -> bool:
    """Return whether the texts in kana may be given names beside family names, not readings.

    A name of three characters or more, or a reading with a gap, is a whole one.
    """
    short = _mostly(lambda name: " " not in name and len(name) <= 3, names)
    return short and not any(" " in reading for reading in kana)


def _is_given_name(rows: Iterable[SheetRow], family: int, given: int) -> bool:
    """Return whether the second column holds given names.

    Most rows then have a short name in it, except where the first column already holds a full name.
    """
    pairs = [(row.cells + [""] * (given + 1))[family : given + 1 : given - family] for row in rows]
    fit = sum(
        bool(second) != (" " in first) and " " not in second.strip()
        for first, second in pairs
        if first
    )
    firsts = [first for first, second in pairs if second]
    longest = 3 if any(map(has_kanji, firsts)) else 6
    whole = (
        sum(map(len, firsts)) > longest * len(firsts) if not any(map(str.isascii, firsts)) else 0
    )
    return (
        given == family + 1
        and not whole
        and (fit >= _MOSTLY * sum(bool(first) for first, _second in pairs))
    )
