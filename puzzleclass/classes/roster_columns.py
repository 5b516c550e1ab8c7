"""What the columns of a class list hold.

Columns are recognised by their headings: by all usual ones in Japanese and English, and by the
site's own in other languages. Without headings they are recognised by what they hold.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import pairwise

from django.conf import settings
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from puzzleclass.classes.models import HIGHEST_NUMBER
from puzzleclass.tables.spreadsheets import SheetRow


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
_CLASS = re.compile(r"\d{1,2}\s*(?:[-–]|年)\s*\w{1,3}組?|\w{1,3}組")
_KANA = re.compile(r"[ぁ-ゖァ-ヺー・\s]+")
_GENDER = "男 女 男子 女子 男性 女性 m f male female boy girl 1男 2女"
_GENDERS = frozenset(_GENDER.split())


def plain(text: str) -> str:
    """Return a text in the form used for comparisons: half width, lower case, without spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def read_number(text: str) -> int | None:
    """Return the number on a class list, in any usual notation; None if the text is no number."""
    found = _NUMBER.fullmatch("".join(unicodedata.normalize("NFKC", text).split()))
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class FoundColumns:
    """The columns of a table."""

    lists: list[dict[Column, int]]
    """The indices of the columns, for each of the lists that stand side by side."""
    rows: list[SheetRow]
    """The rows below the headings."""
    ignored: list[str] = field(default_factory=list)
    """The headings of the columns that are ignored, such as gender and birthday."""


def find_columns(rows: list[SheetRow]) -> FoundColumns:
    """Return the columns by their headings; without headings, by what they hold."""
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
            ignored = [c for p, c in enumerate(row.cells) if c and p not in taken]
            return FoundColumns(blocks, below, ignored)
    return FoundColumns([_columns_by_content(rows)], rows)


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
    if mostly(_CLASS.fullmatch(cell) for cell in cells):
        return "class"
    if mostly(re.fullmatch(r"[\d/.@+-]+|.*@.*", cell) for cell in cells):
        return "other"
    return "kana" if mostly(_KANA.fullmatch(cell) for cell in cells) else "text"


def _is_given_name(rows: list[SheetRow], family: int, given: int) -> bool:
    """Return whether the second column holds given names.

    Most rows then have a name in it, except where the first column already holds a full name.
    """
    pairs = [(row.cells + [""] * (given + 1))[family : given + 1 : given - family] for row in rows]
    fit = sum(bool(second) != (" " in first) for first, second in pairs if first)
    return fit >= 0.8 * sum(bool(first) for first, _second in pairs)
