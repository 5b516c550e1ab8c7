"""What the columns of a class list hold, by their headings.

All usual headings in Japanese and English are known, and the site's own in other languages. A
heading can stand in two lines and have an addition in brackets.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache

from django.conf import settings
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from puzzleclass.classes.roster_contents import half_width


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
    UNUSED = gettext_lazy("Not used")


Block = dict[Column, int]
"""The indices of the columns of one list. Several lists can stand side by side in a table."""

NAMES = frozenset({Column.NAME, Column.FAMILY, Column.GIVEN})
READINGS = frozenset({Column.READING, Column.FAMILY_READING, Column.GIVEN_READING})

_HEADINGS: dict[Column, str] = {
    Column.CLASS: "クラス 組 学級 学級名 クラス名 年組 ホームルーム hr 現クラス 現学級 旧クラス "
    "旧組 所属 class classroom classname homeroom oldclass presentclass",
    Column.GRADE: "学年 年 grade year schoolyear",
    Column.NUMBER: "番号 番 出席番号 出席no 出席 名簿番号 名列番号 名列 整理番号 生徒番号 "
    "児童番号 現番号 旧番号 組番 年組番 年組番号 no number num # rollnumber rollno roll "
    "studentnumber studentno oldnumber presentnumber",
    Column.NAME: "氏名 姓名 名前 なまえ お名前 フルネーム 生徒氏名 児童氏名 児童生徒氏名 "
    "生徒名 児童名 生徒 児童 漢字氏名 氏名漢字 name fullname student studentname students "
    "childname pupil pupilname",
    Column.FAMILY: "姓 苗字 名字 氏 lastname familyname surname last family",
    Column.GIVEN: "名 firstname givenname forename first given",
    Column.FAMILY_READING: "せい セイ し シ readingofthefamilyname",
    Column.GIVEN_READING: "めい メイ readingofthegivenname",
    Column.NEW_CLASS: "新クラス 新組 新学級 新年組 新しいクラス 新しい組 来年度クラス "
    "次のクラス newclass nextclass",
    Column.NEW_NUMBER: "新番号 新出席番号 新しい番号 新しい出席番号 newnumber nextnumber",
    Column.UNUSED: "性別 男女 性 gender sex 生年月日 誕生日 birthday dateofbirth 備考 note notes "
    "remarks メール email mail 住所 電話 id 学籍番号 "
    "班 グループ group groups 最終ログイン lastsignedin",
}
_BY_HEADING = {
    heading: column for column, headings in _HEADINGS.items() for heading in headings.split()
}
_READING_HEADING = re.compile(
    r"ふりがな|フリガナ|振り仮名|よみ|ヨミ|読み|かな|カナ|仮名|kana|reading|furigana|yomi"
)
_UNUSED_HEADING = re.compile(
    r"性別|男女|生年月日|生まれ|誕生|備考|メモ|メール|mail|住所|電話|tel|phone|郵便|zip|保護者|^父|^母|"
    r"緊急|連絡先|担任|委員|部活|クラブ|登校|通学|地区|血液|アレルギー|学籍|個人番号|合計|点数|得点|平均|評定|"
    r"欠席|遅刻|転入|入学|ユーザー|ログイン|パスワード|アカウント|出身|兄弟|きょうだい|gender|birth|password|account|username|[a-z]id$|^[^a-z]+id$|address|parent|guardian|teacher|score|remark"
)
MAX_LETTERS = 80
"""The most letters of a heading. Longer texts are none."""
_BRACKETS = re.compile(r"[(\[【〈「<](.*?)[)\]】〉」>]")


PART_OF: Mapping[tuple[Column, Column], Column] = {
    (Column.READING, Column.FAMILY): Column.FAMILY_READING,
    (Column.READING, Column.GIVEN): Column.GIVEN_READING,
    (Column.READING, Column.NAME): Column.READING,
}
"""What a heading means below another one, or as an addition to it."""


def plain_heading(text: str) -> str:
    """Return a heading in the form used for comparisons: without brackets, dots and the like."""
    return re.sub(r"[()\[\]【】〈〉「」<>._・:*※/\-\s]", "", half_width(text).casefold())


@lru_cache(maxsize=20_000)
def column_of(heading: str) -> Column | None:
    """Return what a column with this heading holds; None if the heading is not known."""
    if len(heading) > MAX_LETTERS:
        return None
    without_brackets = _BRACKETS.sub("", half_width(heading))
    whole, without = plain_heading(heading), plain_heading(without_brackets)
    if whole in _BY_HEADING:
        return _BY_HEADING[whole]
    first, *others = re.split(r"[・/／、]", without_brackets)
    if others and (column := _BY_HEADING.get(plain_heading(first))):
        return column
    if _UNUSED_HEADING.search(without):
        return Column.UNUSED
    inside = _BRACKETS.search(half_width(heading))
    part = _BY_HEADING.get(plain_heading(inside[1])) if inside else None
    if part in (Column.FAMILY, Column.GIVEN) and (is_whole := column_of(without)):
        return PART_OF.get((is_whole, part), part)
    if _READING_HEADING.search(whole):
        if re.match(r"姓|せい|セイ|苗字|last|family|sur", whole):
            return Column.FAMILY_READING
        if re.match(r"名(?!前)|めい|メイ|first|given", whole):
            return Column.GIVEN_READING
        return Column.READING
    if without in _BY_HEADING:
        return _BY_HEADING[without]
    if named := _by_title(tuple(dict(settings.LANGUAGES))).get(whole):
        return named
    if re.fullmatch(r".{0,6}(氏名|名前)\d?", without):
        return Column.NAME
    return None


@cache
def _by_title(codes: tuple[str, ...]) -> dict[str, Column]:
    """Return title -> column in each of the languages: the headings of the site's own exports."""
    titles: dict[str, Column] = {}
    for code in codes:
        with override(code):
            titles |= {plain_heading(str(column.value)): column for column in Column}
    return titles


def blocks_of(columns: Mapping[int, Column | None]) -> list[Block]:
    """Return the indices of the columns for one list, or for several side by side.

    Lists stand side by side if they have the same headings, or if each has numbers and names. Of
    other columns with one heading, the first is taken.
    """
    blocks: list[Block] = [{}]
    for index, column in columns.items():
        if column is None or column is Column.UNUSED:
            continue
        if column in blocks[-1]:
            blocks.append({})
        blocks[-1][column] = index
    same = len(blocks[0]) > 1 and all(block.keys() == blocks[0].keys() for block in blocks)
    if same or all(Column.NUMBER in block and NAMES & block.keys() for block in blocks):
        return blocks
    first: Block = {}
    for block in blocks:
        first = block | first
    return [first]
