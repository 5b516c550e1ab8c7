"""What a cell of a class list can hold: a number, a class, a date, a birthday, a name, a title.

These functions look at one text at a time and know nothing of columns and rows.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

from puzzleclass.classes.models import HIGHEST_NUMBER
from puzzleclass.language.folding import folded

HYPHENS = "-‐‑‒–—―−－ｰー﹣"
"""The signs that are typed for a hyphen. They look alike in most fonts."""

_NUMBER = re.compile(
    r"(?:no\.?|[#(（]|№|(?:出席)?番号|第)?(\d{1,9})(?:番|号|[.．。,、:)）])?(?:\.0)?", re.IGNORECASE
)
_CLASS = re.compile(r"\d{1,2}\s*(?:-|年)\s*[^\W_]{1,3}\s*組?|[^\W_]{1,3}組")
_CLASS_IN_TITLE = re.compile(
    r"(?<!\d)(?:\d{1,2}|[一二三四五六])\s*年\s*[^\W\d_]{0,2}\d{0,2}\s*組"
    r"|(?<![\d-])\d{1,2}-(?:\d{1,2}|[A-Za-z])(?![\w-])"
    r"|(?<![^\W_])\d{1,2}組"
)
_CLASS_AND_NUMBER = re.compile(
    r"(\d{1,2}-[^\W_]{1,3})-(\d{1,3})番?|(\d{1,2}年\s*[^\W_]{1,3}組)\s*-?(\d{1,3})番?"
)
_KANA = re.compile(r"[ぁ-ゖァ-ヺー・\s]+")
_KANJI = re.compile("[一-鿿㐀-䶿々〆\U00020000-\U0003ffff]")
_GENDERS = frozenset(
    [
        "男",
        "女",
        "男子",
        "女子",
        "男性",
        "女性",
        "m",
        "f",
        "male",
        "female",
        "boy",
        "girl",
        "1男",
        "2女",
    ]
)
_TITLE = re.compile(
    r"名簿|一覧|年度|学校|学園|学級|担任|合計|小計|総計|総数|人数|在籍|児童数|生徒数|現在|作成日|"
    r"印刷|出力日|様式|ページ|^(男子|女子)?計\b|^以上。?$|^男子$|^女子$|^備考|^※|^【.*】$|"
    r"(?<!\d)\d{1,4}\s*[名人]$|"
    r"^-?\s*\d+\s*(/\s*\d+\s*)?-?$|"
    r"\b(class list|list of students|roster|total|homeroom|teacher|school|printed|updated)\b|"
    r"\bpage \d+\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"名|人|計|(男子|女子)?合?計|総数|total", re.IGNORECASE)

_EMPTY_PLACE = re.compile("転出|転入|転校|欠番|欠|空番|空き|退学|休学|なし|未定|[×-]+")
"""What stands in the place of a student's name."""

_ERAS = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_ERAS |= dict(zip("MTSHR", _ERAS.values(), strict=True))
_ERA = r"(明治|大正|昭和|平成|令和|[MTSHR])\.?\s*(\d{1,2}|元)"
_END_OF_DAY = r"(?:日)?(?:[T ]\s*0?0:00(?::00)?)?"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = "(" + "|".join(f"{month}[a-z]*" for month in _MONTHS) + r")\.?"
_DATES = [
    (re.compile(rf"(\d{{4}})\s*[-/.年]\s*(\d{{1,2}})\s*[-/.月]\s*(\d{{1,2}}){_END_OF_DAY}"), "ymd"),
    (re.compile(rf"{_ERA}\s*[年./-]\s*(\d{{1,2}})\s*[月./-]\s*(\d{{1,2}}){_END_OF_DAY}"), "eymd"),
    (re.compile(r"(\d{1,2})\s*月\s*(\d{1,2})\s*日?"), "md"),
    (re.compile(r"(\d{1,2})/(\d{1,2})"), "md"),
    (re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})"), "mdy"),
    (re.compile(rf"(\d{{1,2}})[-\s]{_MONTH}(?:[-\s,]+(\d{{2,4}}))?", re.IGNORECASE), "dMy"),
    (re.compile(rf"{_MONTH}[-\s](\d{{1,2}})(?:[-\s,]+(\d{{4}}))?", re.IGNORECASE), "Mdy"),
    (re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})"), "ymd"),
]
_SERIALS = range(32874, 55154)
"""The numbers by which Excel stores the days from 1990 to 2050."""
_BIRTHDAY = re.compile(
    r"[(\[]?\s*(?:"
    r"(?<!\d)\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*日?|"
    rf"(?<![A-Za-z]){_ERA}\s*[年./-]\s*\d{{1,2}}\s*[月./-]\s*\d{{1,2}}\s*日?|"
    r"(?<!\d)\d{1,2}\s*月\s*\d{1,2}\s*日|"
    r"(?<!\d)\d{1,2}/\d{1,2}(?:/\d{2,4})?(?!\d)|"
    r"(?<!\d)(?:19|20)\d{6}(?!\d)|"
    r"(?<!\S)[34]\d{4}(?!\S)"
    r")\s*(?:生まれ|生)?\s*[)\]]?"
)


def plain(text: str) -> str:
    """Return a text in the form used for comparisons (`folded`), without spaces."""
    return folded(text).replace(" ", "")


def half_width(text: str) -> str:
    """Return the text with half-width letters and digits, and with one sign for a hyphen wherever
    it stands beside a digit."""
    half = " ".join(unicodedata.normalize("NFKC", text).split())
    return re.sub(rf"(?<=[0-9年])\s*[{HYPHENS}]|[{HYPHENS}](?=\d)", "-", half)


def read_number(text: str) -> int | None:
    """Return the number on a class list, in any usual notation; None if the text is no number."""
    half = plain(text).removeprefix("'")
    match = _NUMBER.fullmatch(half)
    return int(match[1]) if match else None


def is_list_number(text: str) -> bool:
    """Return whether the text can be a number on a class list."""
    number = read_number(text)
    return number is not None and number <= HIGHEST_NUMBER


# Classes and dates


@dataclass(frozen=True, slots=True)
class Day:
    """A date. Without a year, `year` is 0."""

    year: int
    month: int
    day: int


def clean_class(text: str) -> str:
    """Return the name of a class with one sign for a hyphen, and without Excel's apostrophe."""
    text = text.removeprefix("'") if re.match(r"'\s*\d", text) else text
    return re.sub(rf"(?<=\d)\s*[{HYPHENS}]\s*(?=\w)", "-", text)


def is_class(text: str) -> bool:
    """Return whether the text is the name of a class: 4-2, 4年2組, 2組."""
    return bool(_CLASS.fullmatch(half_width(text).removeprefix("'"))) and read_day(text) is None


def class_in_title(text: str) -> str:
    """Return the class that a line above a list names: 4年2組 of 4年2組 名簿. Empty if none."""
    half = half_width(text)
    if re.fullmatch(r"[^\W_]{1,4}組", half):
        return half
    if _BIRTHDAY.search(half):
        return ""
    names = {"".join(words.split()) for words in _CLASS_IN_TITLE.findall(half)}
    return names.pop() if len(names) == 1 else ""


def is_class_title(text: str) -> bool:
    """Return whether the text is nothing but a class, perhaps in brackets."""
    half = half_width(text).strip("■□◆◇●○【】[]()<>《》・: ")
    words = re.sub(
        r"(学級)?名簿|児童|生徒|クラス|一覧|class( list)?|\s", "", half, flags=re.IGNORECASE
    )
    return bool(words) and words == class_in_title(words)


def same_class(name: str) -> str:
    """Return a class's name in the form used for comparisons: 4年2組 is 4-2."""
    return re.sub(r"^(\d{1,2})年(.+?)組$", r"\1-\2", plain(clean_class(half_width(name))))


def read_class_and_number(text: str) -> tuple[str, int] | None:
    """Return the class and the number of 4-2-11 or 4年2組11番; None if the text is neither."""
    match = _CLASS_AND_NUMBER.fullmatch(half_width(text))
    return (match[1] or match[3], int(match[2] or match[4])) if match else None


def read_day(text: str) -> Day | None:
    """Return the date that the text is, in any usual notation; None if it is none.

    A number counts as a date if Excel stores a day of our time by it.
    """
    half = half_width(text).removeprefix("'").strip()
    if re.fullmatch(r"\d{5}(\.0)?", half) and int(half[:5]) in _SERIALS:
        day = date(1899, 12, 30) + timedelta(int(half[:5]))
        return Day(day.year, day.month, day.day)
    for pattern, order in _DATES:
        if match := pattern.fullmatch(half):
            return _day(list(match.groups()), order)
    return None


def _day(parts: list[str | None], order: str) -> Day | None:
    values = dict(zip(order, parts, strict=True))
    year = values.get("y") or "0"
    if era := values.get("e"):
        year = str(_ERAS[era] + (1 if year == "元" else int(year)) - 1)
    name = values.get("M")
    month = _MONTHS.index(name[:3].casefold()) + 1 if name else int(values["m"] or 0)
    day = int(values["d"] or 0)
    if order == "mdy" and month > 12:
        month, day = day, month
    return Day(int(year), month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def without_birthday(name: str) -> str:
    """Return a name without a date that stands before, in or after it."""
    half = unicodedata.normalize("NFKC", name)
    birthdays = list(_BIRTHDAY.finditer(half)) if re.search(r"\d", half) else []
    if not birthdays:
        return name
    # The other characters are kept as they were typed if half width has as many of them.
    rest = name if len(half) == len(name) else half
    starts, ends = (
        [0, *(date.end() for date in birthdays)],
        [*(date.start() for date in birthdays), None],
    )
    parts = (rest[start:end] for start, end in zip(starts, ends, strict=True))
    return " ".join(" ".join(parts).split())


# Names and titles


def is_gender(text: str) -> bool:
    """Return whether the text is a gender."""
    return plain(text) in _GENDERS


def is_kana(text: str) -> bool:
    """Return whether the text consists of kana."""
    return bool(_KANA.fullmatch(unicodedata.normalize("NFKC", text)))


def has_kanji(text: str) -> bool:
    """Return whether the text contains kanji."""
    return bool(_KANJI.search(text))


def is_title(text: str) -> bool:
    """Return whether the text is clearly no student: a title, a total, a page number."""
    half = half_width(text)
    return bool(_TITLE.search(half)) or bool(_TOTAL.fullmatch(plain(half))) or is_class_title(half)


def is_total(text: str) -> bool:
    """Return whether the text is a unit or a sum below a list: 名, 計."""
    return bool(_TOTAL.fullmatch(plain(text)))


def is_name(text: str) -> bool:
    """Return whether the text looks like a name: a few words of letters."""
    half = unicodedata.normalize("NFKC", text)
    letters = all(
        sign.isalpha() or unicodedata.category(sign).startswith("M") or sign in " ・･ー'’.,·〆-"
        for sign in half
    )
    return (
        letters
        and 0 < len(half) <= 40
        and len(half.split()) <= 5
        and not is_title(half)
        and any(map(str.isalpha, half))
    )


def is_doubtful(name: str) -> bool:
    """Return whether a text beside a number may be no name: a title, a sentence, a date."""
    half = half_width(name)
    return (
        is_title(half)
        or read_day(half) is not None
        or bool(_EMPTY_PLACE.fullmatch(half.strip("()[]【】〈〉<> ")))
        or bool(re.search(r"[。、！!:;<>|\\{}@_=…]", half))
        or not any(map(str.isalpha, half))
    )
