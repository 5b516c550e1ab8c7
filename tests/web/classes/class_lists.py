"""Invented class lists as schools have them, each with the truth beside it.

The names are drawn with a fixed seed, so that each run reads the same lists. A list is a pasted
text or the bytes of a file.
"""

import io
import random
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from openpyxl import Workbook

FAMILIES = (
    "阿部あべ 伊藤いとう 上田うえだ 小野おの 加藤かとう 木村きむら 斎藤さいとう 佐々木ささき "
    "清水しみず 鈴木すずき 高橋たかはし 中村なかむら 長谷川はせがわ 林はやし 森もり 山本やまもと "
    "渡邉わたなべ 五十嵐いがらし"
)
GIVENS = (
    "陽斗はると 結衣ゆい 蓮れん 凛りん 海斗かいと 美咲みさき 大翔ひろと 葵あおい 悠真ゆうま "
    "花子はなこ 一郎いちろう 心愛ここあ 颯太そうた 陽菜ひな 健けん 優奈ゆうな"
)


class Student(NamedTuple):
    """A student as a list is meant to be read."""

    class_name: str
    number: int
    name: str
    reading: str = ""


@dataclass(frozen=True)
class Read:
    """The list is read without a question, exactly so."""

    students: Sequence[Student]


@dataclass(frozen=True)
class Asked:
    """Questions of these kinds are asked, and with these answers the list is read exactly so."""

    answers: dict[str, str]
    students: Sequence[Student]


@dataclass(frozen=True)
class Refused:
    """Nothing is read, and the message contains these words."""

    words: str


@dataclass(frozen=True)
class ClassList:
    """A list, and what is to become of it."""

    name: str
    content: str | bytes
    verdict: Read | Asked | Refused
    faulty: int = field(default=0)
    """The number of rows whose fault is named."""


class Person(NamedTuple):
    """An invented student."""

    number: int
    family: str
    given: str
    family_reading: str
    given_reading: str

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}"

    @property
    def reading(self) -> str:
        return f"{self.family_reading} {self.given_reading}"

    @property
    def birthday(self) -> date:
        return date(2016, 4 + self.number % 9, 1 + 3 * self.number % 28)


def _split(words: str) -> list[tuple[str, str]]:
    """Return the kanji and the kana of each word."""
    parts = []
    for word in words.split():
        at = next(index for index, sign in enumerate(word) if "ぁ" <= sign <= "ゖ")
        parts.append((word[:at], word[at:]))
    return parts


class Lists:
    """Collects the lists."""

    def __init__(self, seed: int) -> None:
        self.made: list[ClassList] = []
        self._dice = random.Random(seed)

    def people(self, count: int = 6, first: int = 1) -> list[Person]:
        """Return students with different names."""
        families = self._dice.sample(_split(FAMILIES), count)
        givens = self._dice.sample(_split(GIVENS), count)
        return [
            Person(number, family, given, family_reading, given_reading)
            for number, ((family, family_reading), (given, given_reading)) in enumerate(
                zip(families, givens, strict=True), first
            )
        ]

    def add(
        self, name: str, content: str | bytes, verdict: Read | Asked | Refused, faulty: int = 0
    ) -> None:
        self.made.append(ClassList(name, content, verdict, faulty))


def truth(
    people: Iterable[Person], class_name: str = "", *, reading: bool = False
) -> list[Student]:
    """Return the students as they are meant to be read."""
    return [
        Student(class_name, each.number, each.name, each.reading if reading else "")
        for each in people
    ]


def csv_of(rows: Iterable[Iterable[object]], delimiter: str = ",") -> str:
    return "\n".join(delimiter.join(map(str, row)) for row in rows)


def book_of(
    *sheets: tuple[str, Sequence[Sequence[object]]], change: Callable[[Workbook], Any] | None = None
) -> bytes:
    """Return a workbook with these sheets. `change` may change it before it is saved."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    if change:
        change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zip_of(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, "x")
    return file.getvalue()
