"""Reading a teacher's list of students: what each column holds, and what is wrong in which row.

Columns are recognised by their headings: by all usual ones in Japanese and English, and by the
site's own in other languages. Without headings they are recognised by what they hold. This module
does not touch the database. A list is read, checked against the students of the class, and shown.
Only a list that was shown is saved (`services.add_students`).
"""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import count, pairwise

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import HIGHEST_NUMBER, MOST_STUDENTS
from puzzleclass.language import languages
from puzzleclass.tables.spreadsheets import SheetError, SheetRow, rows_of

NAME_LENGTH: int = User._meta.get_field("name").max_length  # type: ignore[assignment]
CLASS_LENGTH = 60
MOST_CLASSES = 60
"""The most classes that one table can create."""


class Column(Enum):
    """What a column holds; the value is the name that teachers see."""

    CLASS = pgettext_lazy("school", "Class")
    GRADE = gettext_lazy("School year")
    NUMBER = pgettext_lazy("student", "Number")
    NAME = gettext_lazy("Name")
    FAMILY = gettext_lazy("Family name")
    GIVEN = gettext_lazy("Given name")
    READING = gettext_lazy("Reading")
    FAMILY_READING = gettext_lazy("Reading of the family name")
    GIVEN_READING = gettext_lazy("Reading of the given name")
    NEW_CLASS = gettext_lazy("New class")
    NEW_NUMBER = gettext_lazy("New number")


_HEADINGS: dict[Column, str] = {
    Column.CLASS: "クラス 組 学級 学級名 クラス名 年組 ホームルーム hr 現クラス 現学級 旧クラス "
    "旧組 class classroom classname homeroom oldclass presentclass",
    Column.GRADE: "学年 年 grade year schoolyear",
    Column.NUMBER: "番号 番 出席番号 出席no 出席 名簿番号 整理番号 生徒番号 児童番号 現番号 旧番号 "
    "no number num # rollnumber rollno studentnumber studentno oldnumber presentnumber",
    Column.NAME: "氏名 名前 なまえ 生徒氏名 児童氏名 児童生徒氏名 生徒名 児童名 生徒 児童 漢字氏名 "
    "氏名漢字 name fullname student studentname students",
    Column.FAMILY: "姓 苗字 名字 氏 lastname familyname surname last family",
    Column.GIVEN: "名 firstname givenname forename first given",
    Column.FAMILY_READING: "せい セイ readingofthefamilyname",
    Column.GIVEN_READING: "めい メイ readingofthegivenname",
    Column.NEW_CLASS: "新クラス 新組 新学級 新年組 新しいクラス 新しい組 来年度クラス "
    "次のクラス newclass nextclass",
    Column.NEW_NUMBER: "新番号 新出席番号 新しい番号 新しい出席番号 newnumber nextnumber",
}
_BY_HEADING = {
    heading: column for column, headings in _HEADINGS.items() for heading in headings.split()
}
_IGNORED = """
性別 男女 性 gender sex 生年月日 誕生日 birthday dateofbirth 備考 note notes remarks メール
email mail 住所 電話 id 学籍番号 班 グループ group groups 最終ログイン lastsignedin
"""
_IGNORED_HEADINGS = frozenset(_IGNORED.split())
_READING_HEADING = re.compile(
    r"ふりがな|フリガナ|よみ|ヨミ|読み|かな|カナ|kana|reading|furigana|yomi"
)

_NUMBER = re.compile(
    r"(?:no\.?|[#(（]|№|出席番号)?(\d{1,9})(?:番|号|[.．。,、:)）])?(?:\.0)?", re.IGNORECASE
)
_WITH_NUMBER = re.compile(
    r"(?:no\.?\s*|[#(（])?(\d{1,4})(?:\s*(?:番|号|[.．,、:)）])\s*|\s+|(?=[ぁ-ゖァ-ヺ一-鿿])(?![年組月]))"
    r"(\D.*)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,4})\s*(?:[-–~〜～]|から)\s*(\d{1,4})\s*番?")
_CLASS = re.compile(r"\d{1,2}\s*(?:[-–]|年)\s*\w{1,3}組?|\w{1,3}組")
_KANA = re.compile(r"[ぁ-ゖァ-ヺー・\s]+")
_GENDER = "男 女 男子 女子 男性 女性 m f male female boy girl 1男 2女"
_GENDERS = frozenset(_GENDER.split())


def plain(text: str) -> str:
    """Return a text in the form used for comparisons: half width, lower case, without spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def clean_name(text: str) -> str:
    """Return a name without control characters, wide gaps and half-width kana of spreadsheets."""
    text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    # Our own exports put an apostrophe before text that a spreadsheet would take for a formula.
    text = re.sub(r"^'(?=[=+@-])", "", " ".join(text.split()))
    return re.sub(r"[ｦ-ﾟ]+", lambda found: unicodedata.normalize("NFKC", found[0]), text)


def unnamed(number: int) -> str:
    """Return the name that is given to a student without a name."""
    return _("No. {number}").format(number=number)


def is_unnamed(name: str, number: int) -> bool:
    """Return whether the name is only the number, in any language of the interface."""
    patterns = languages.in_every("No. {number}")
    return any(name == pattern.format(number=number) for pattern in patterns)


@dataclass(slots=True)
class Entry:
    """A row of the list, as it was read."""

    line: int
    number: int | None = None
    name: str = ""
    reading: str = ""
    class_name: str = ""
    new_class: str = ""
    new_number: int | None = None
    typed_number: str = ""
    """The text in the column of a number, if it is not a number."""
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def display_name(self) -> str:
        """The name; without one, the number as a name."""
        return self.name or (unnamed(self.number) if self.number else "")


@dataclass(slots=True)
class Roster:
    """A list of students, as it was read."""

    text: str
    entries: list[Entry] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """The headings of the columns that are ignored, such as gender and birthday."""
    fault: str = ""
    """The reason why the list as a whole can't be used; empty if it can."""

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the text, with which the form confirms the list that was shown."""
        return hashlib.sha256("\n".join(self.text.splitlines()).encode()).hexdigest()[:16]

    @property
    def good(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.faults]

    @property
    def faulty(self) -> int:
        return sum(bool(entry.faults) for entry in self.entries)

    @property
    def class_names(self) -> list[str]:
        """The classes that the table names, in its order."""
        return list(dict.fromkeys(entry.class_name for entry in self.entries if entry.class_name))

    @property
    def has_readings(self) -> bool:
        return any(entry.reading for entry in self.entries)


def read_roster(text: str) -> Roster:
    """Return the list that the text holds. Each row has the faults that it has by itself."""
    roster = Roster(text)
    try:
        rows = rows_of("".join("\n" if c in "\v\f\x85\u2028\u2029" else c for c in text))
    except SheetError as error:
        roster.fault = str(error)
        return roster
    rows = [SheetRow(line, [clean_name(cell) for cell in cells]) for line, cells in rows]
    rows = [row for row in rows if any(row.cells)]
    blocks, rows = _columns(rows, roster)
    columns = blocks[0]
    roster.columns = list(columns)
    if list(columns) == [Column.NAME]:
        roster.entries = _split_lines(rows, columns[Column.NAME])
        if any(entry.number for entry in roster.entries):
            roster.columns.insert(0, Column.NUMBER)
    else:
        # Lists side by side may have different lengths.
        parts = [(row, block) for block in blocks for row in rows if _has_cells(row, block)]
        roster.entries = [_entry(row, block) for row, block in parts]
    for entry in roster.entries:
        _check_entry(entry)
    return roster


# Columns


def _columns(
    rows: list[SheetRow], roster: Roster
) -> tuple[list[dict[Column, int]], list[SheetRow]]:
    """Return the indices of the columns, and the rows below the headings.

    Lists can stand side by side: there is a mapping from columns to indices for each of them.
    """
    for start, row in enumerate(rows[:5]):
        found = {index: _column_of(cell) for index, cell in enumerate(row.cells)}
        known = [column for column in found.values() if column]
        others = [cell for cell in row.cells if plain_heading(cell) in _IGNORED_HEADINGS]
        if known and (
            len(known) + len(others) > 1
            or (start == 0 and len(row.cells) == 1)
            or _is_heading_row(rows[start:])
        ):
            below = rows[start + 1 :]
            blocks = _side_by_side(found)
            if Column.NUMBER not in blocks[0]:
                unknown = [p for p, c in enumerate(row.cells) if not found[p] and c not in others]
                for index in [p for p in unknown if _holds_increasing_numbers(below, p)][:1]:
                    blocks[0][Column.NUMBER] = index
            taken = {index for block in blocks for index in block.values()}
            roster.ignored = [c for p, c in enumerate(row.cells) if c and p not in taken]
            return blocks, below
    return [_columns_by_content(rows)], rows


def _side_by_side(found: Mapping[int, Column | None]) -> list[dict[Column, int]]:
    """Return the indices of the columns for one list, or for several side by side.

    Lists stand side by side if they have the same headings.
    """
    blocks: list[dict[Column, int]] = [{}]
    for index, column in found.items():
        if column and column in blocks[-1]:
            blocks.append({})
        if column:
            blocks[-1][column] = index
    if len(blocks[0]) > 1 and all(block.keys() == blocks[0].keys() for block in blocks):
        return blocks
    first: dict[Column, int] = {}
    for block in blocks:
        first = block | first
    return [first]


def _has_cells(row: SheetRow, block: Mapping[Column, int]) -> bool:
    return any(index < len(row.cells) and row.cells[index] for index in block.values())


def _holds_increasing_numbers(rows: Iterable[SheetRow], index: int) -> bool:
    """Return whether the column at `index` holds numbers, each higher than the one before."""
    cells = [row.cells[index] for row in rows if index < len(row.cells) and row.cells[index]]
    numbers = [read_number(cell) or 0 for cell in cells if is_list_number(cell)]
    return len(numbers) == len(cells) > 0 and all(a < b for a, b in pairwise([0, *numbers]))


def _is_heading_row(rows: list[SheetRow]) -> bool:
    """Return whether the first row holds headings: it has no numbers, but the next row has."""
    heading, *below = rows
    return not any(map(is_list_number, heading.cells)) and any(
        is_list_number(cell) for row in below[:1] for cell in row.cells
    )


def plain_heading(text: str) -> str:
    """Return a heading in the form used for comparisons: without brackets, dots and the like."""
    return re.sub(r"[()\[\]._・:*/-]", "", plain(text))


def _column_of(cell: str) -> Column | None:
    heading = plain_heading(cell)
    if heading in _BY_HEADING:
        return _BY_HEADING[heading]
    if not _READING_HEADING.search(heading):
        return _by_title(tuple(dict(settings.LANGUAGES))).get(heading)
    if re.match(r"姓|せい|セイ|苗字|last|family|sur", heading):
        return Column.FAMILY_READING
    if re.match(r"名(?!前)|めい|メイ|first|given", heading):
        return Column.GIVEN_READING
    return Column.READING


@cache
def _by_title(codes: tuple[str, ...]) -> dict[str, Column]:
    """Return title -> column in each of the languages: the headings of the site's own exports."""
    titles: dict[str, Column] = {}
    for code in codes:
        with override(code):
            titles |= {plain_heading(str(column.value)): column for column in Column}
    return titles


def _columns_by_content(rows: list[SheetRow]) -> dict[Column, int]:
    """Return the indices of the columns, by what most of their cells hold."""
    cells: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        for index, cell in enumerate(row.cells):
            if cell:
                cells[index].append(unicodedata.normalize("NFKC", cell))
    by_content: dict[str, list[int]] = defaultdict(list)
    for index in sorted(cells):
        # A single column holds names, whatever they look like, or numbers.
        content = _content(cells[index])
        by_content["text" if len(cells) == 1 and content != "number" else content].append(index)
    columns: dict[Column, int] = {}
    numbers = by_content["number"]
    if numbers:
        # The number differs more from row to row than the school year and the class.
        best = max(numbers, key=lambda index: (len(set(cells[index])), index))
        before = [index for index in numbers if index < best]
        if not by_content["class"] and len(before) > 1:
            columns |= {Column.GRADE: before[-2], Column.CLASS: before[-1]}
        columns[Column.NUMBER] = best
    if by_content["class"]:
        columns[Column.CLASS] = by_content["class"][0]
    texts, kana = by_content["text"], by_content["kana"]
    if not texts:
        texts, kana = kana, []
    if len(texts) > 1 and _is_given_name(rows, *texts[:2]):
        columns |= {Column.FAMILY: texts[0], Column.GIVEN: texts[1]}
    elif texts:
        columns[Column.NAME] = texts[0]
    if len(kana) > 1 and Column.FAMILY in columns:
        columns |= {Column.FAMILY_READING: kana[0], Column.GIVEN_READING: kana[1]}
    elif kana:
        columns[Column.READING] = kana[0]
    return columns


def is_list_number(text: str) -> bool:
    """Return whether the text can be a number on a class list."""
    number = read_number(text)
    return number is not None and number <= HIGHEST_NUMBER


def _content(cells: list[str]) -> str:
    def mostly(fits: Iterable[object]) -> bool:
        return sum(map(bool, fits)) >= 0.8 * len(cells)

    if all(cell.casefold() in _GENDERS for cell in cells):
        return "gender"
    if mostly(is_list_number(cell) for cell in cells):
        return "number"
    if mostly(re.fullmatch(r"[\d/.@+-]+|.*@.*", cell) for cell in cells):
        return "other"
    if mostly(_CLASS.fullmatch(cell) for cell in cells):
        return "class"
    return "kana" if mostly(_KANA.fullmatch(cell) for cell in cells) else "text"


def _is_given_name(rows: list[SheetRow], family: int, given: int) -> bool:
    """Return whether the second column holds given names.

    Most rows then have a name in it, except where the first column already holds a full name.
    """
    pairs = [(row.cells + [""] * (given + 1))[family : given + 1 : given - family] for row in rows]
    fit = sum(bool(second) != (" " in first) for first, second in pairs if first)
    return fit >= 0.8 * sum(bool(first) for first, _second in pairs)


# Rows


def _split_lines(rows: list[SheetRow], index: int) -> list[Entry]:
    """Return the entries of a list with one column, which may have numbers before the names."""
    entries: list[Entry] = []
    lines = [(row.line, row.cells[index]) for row in rows if index < len(row.cells)]
    found = [_WITH_NUMBER.fullmatch(unicodedata.normalize("NFKC", text)) for _line, text in lines]
    has_numbers = sum(map(bool, found)) >= 0.5 * len(lines)
    for (line, text), split in zip(lines, found, strict=True):
        half = unicodedata.normalize("NFKC", text)
        if ends := _RANGE.fullmatch(half):
            first, last = int(ends[1]), int(ends[2])
            if 0 < first < last <= HIGHEST_NUMBER and last - first < MOST_STUDENTS:
                entries += [Entry(line, number=number) for number in range(first, last + 1)]
                continue
        if split and has_numbers:
            # The name is kept as it was typed: it has as many characters as its half-width form.
            length = len(split[2])
            name = text[-length:] if len(half) == len(text) else split[2]
            entries.append(Entry(line, number=int(split[1]), name=clean_name(name)))
        elif has_numbers and (alone := _NUMBER.fullmatch(half)):
            entries.append(Entry(line, number=int(alone[1])))
        else:
            entries.append(Entry(line, name=text))
    return entries


def _entry(row: SheetRow, columns: Mapping[Column, int]) -> Entry:
    def cell(column: Column) -> str:
        index = columns.get(column, -1)
        return row.cells[index] if 0 <= index < len(row.cells) else ""

    def both(whole: Column, family: Column, given: Column) -> str:
        return cell(whole) or " ".join(filter(None, (cell(family), cell(given))))

    number, new_number = read_number(cell(Column.NUMBER)), read_number(cell(Column.NEW_NUMBER))
    return Entry(
        row.line,
        number=number,
        name=both(Column.NAME, Column.FAMILY, Column.GIVEN),
        reading=both(Column.READING, Column.FAMILY_READING, Column.GIVEN_READING),
        class_name=_class_name(cell(Column.GRADE), cell(Column.CLASS)),
        new_class=cell(Column.NEW_CLASS),
        new_number=new_number,
        typed_number=""
        if number is not None and (new_number is not None or not cell(Column.NEW_NUMBER))
        else (cell(Column.NUMBER) if number is None else cell(Column.NEW_NUMBER)),
    )


def read_number(text: str) -> int | None:
    """Return the number on a class list, in any usual notation; None if the text is no number."""
    found = _NUMBER.fullmatch("".join(unicodedata.normalize("NFKC", text).split()))
    return int(found[1]) if found else None


def _class_name(grade: str, name: str) -> str:
    """Return a class's name; with the school year in a column of its own, a name like 4-2."""
    year = re.sub(r"\D", "", unicodedata.normalize("NFKC", grade))
    if not year or re.match(r"\d+\s*(年|-)", unicodedata.normalize("NFKC", name)):
        return name
    return f"{year}-{unicodedata.normalize('NFKC', name).removesuffix('組')}" if name else year


def _check_entry(entry: Entry) -> None:
    if entry.typed_number:
        fault = _("“{text}” is not a number.")
        entry.faults.append(fault.format(text=entry.typed_number[:12]))
    for number in (entry.number, entry.new_number):
        if number is not None and not 1 <= number <= HIGHEST_NUMBER:
            fault = _("Enter a whole number from 1 to {most}.")
            entry.faults.append(fault.format(most=HIGHEST_NUMBER))
    for text, most in (
        (entry.name, NAME_LENGTH),
        (entry.reading, NAME_LENGTH),
        (entry.class_name, CLASS_LENGTH),
        (entry.new_class, CLASS_LENGTH),
    ):
        if len(text) > most:
            fault = _("“{name}…” has {length} characters. The maximum is {most}.")
            entry.faults.append(fault.format(name=text[:12], length=len(text), most=most))


# Checks across rows, and against the students of the class


def check_roster(roster: Roster, present: Mapping[int, str], *, by_class: bool = False) -> None:
    """Give each row its number, its faults and its remarks.

    `present` maps the numbers in the class to names. With `by_class`, each class that the table
    names has numbers of its own.
    """
    if roster.fault:
        return
    if len(roster.entries) + len(present) > MOST_STUDENTS and not by_class:
        too_many = _("A class holds at most {most} students.")
        roster.fault = too_many.format(most=MOST_STUDENTS)
    if by_class and len(roster.class_names) > MOST_CLASSES:
        too_many = _("You can create at most {most} classes at a time.")
        roster.fault = too_many.format(most=MOST_CLASSES)
    parts: dict[str, list[Entry]] = defaultdict(list)
    for entry in roster.entries:
        parts[entry.class_name if by_class else ""].append(entry)
        if by_class and not entry.class_name:
            entry.faults.append(_("The class is missing."))
    for entries in parts.values():
        _check_numbers(entries, present)
        _check_names(entries, present)


def _check_numbers(entries: list[Entry], present: Mapping[int, str]) -> None:
    if not any(entry.number or entry.typed_number for entry in entries):
        for entry, number in zip(entries, count(max(present, default=0) + 1)):
            entry.number = number
            if number > HIGHEST_NUMBER:
                _check_entry(entry)
    lines: dict[int, list[int]] = defaultdict(list)
    for entry in entries:
        if entry.number is None and not entry.typed_number:
            entry.faults.append(_("The number is missing."))
        elif entry.number is not None:
            lines[entry.number].append(entry.line)
    for entry in entries:
        if entry.number is None:
            continue
        if entry.number in present:
            taken = _("Number {number} is taken: {name}.")
            entry.faults.append(taken.format(number=entry.number, name=present[entry.number]))
        if len(lines[entry.number]) > 1:
            others = ", ".join(map(str, lines[entry.number]))
            twice = _("Number {number} appears in lines {lines}.")
            entry.faults.append(twice.format(number=entry.number, lines=others))


def _check_names(entries: list[Entry], present: Mapping[int, str]) -> None:
    times = Counter(plain(entry.name) for entry in entries if entry.name)
    there = {plain(name) for name in present.values()}
    for entry in entries:
        if entry.name and times[plain(entry.name)] > 1:
            entry.remarks.append(_("This student is on the list more than once."))
        if entry.name and plain(entry.name) in there:
            entry.remarks.append(_("This student is already in the class."))
