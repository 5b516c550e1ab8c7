"""The grade of a class, as far as its name says it, and what begins with a grade."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import GRADES, Classroom

SHORT_GRADES = {
    1: gettext_lazy("Grade 1"),
    2: gettext_lazy("Grade 2"),
    3: gettext_lazy("Grade 3"),
    4: gettext_lazy("Grade 4"),
    5: gettext_lazy("Grade 5"),
    6: gettext_lazy("Grade 6"),
    7: gettext_lazy("Grade 7"),
    8: gettext_lazy("Grade 8"),
    9: gettext_lazy("Grade 9"),
    10: gettext_lazy("Grade 10"),
    11: gettext_lazy("Grade 11"),
    12: gettext_lazy("Grade 12"),
}
"""The grades in few letters, for buttons."""

FIRST_TYPED_MOVE = 4
"""The first grade in which students may type a move; younger ones only press."""
FIRST_TYPED_BOARD = 7
"""The first grade in which students may type a board; younger ones only draw."""

ROOMS = "123456ABCDEF"
"""What stands after the year in the names of the classes of a grade."""

_CLASS_NAMES = {True: gettext_lazy("{year}-{room}"), False: gettext_lazy("{year}{room}")}
"""Whether the room is a number -> the pattern of the name."""


_KANJI = "一二三四五六"
_NUMBER = r"(?<![\d・~〜、,/&＆])(\d{1,2})(?![\d・~〜、,/&＆])"
_SCHOOLS = {
    re.compile(rf"小(?:学校?)?\s*{_NUMBER}"): 0,
    re.compile(rf"中(?:学校?)?\s*{_NUMBER}"): 6,
    re.compile(rf"高(?:校|等学校)?\s*{_NUMBER}"): 9,
    re.compile(rf"grade\s*{_NUMBER}", re.IGNORECASE): 0,
}
"""A number with the school's level before it -> the grades below that level."""
_BRITISH = re.compile(rf"year\s*{_NUMBER}", re.IGNORECASE)
_BARE = re.compile(rf"{_NUMBER}(?=\s*年|\s*の|\s*[-‐–ー－]|[A-Za-zＡ-Ｚａ-ｚ])")
_IN_KANJI = re.compile(rf"(?<![{_KANJI}・])([{_KANJI}])(?=年)")


@dataclass(frozen=True, slots=True)
class Guess:
    """What the name of a class says about its grade."""

    choices: tuple[int, ...] = ()
    """The grades that the class may have: one if the name is certain, none if it says nothing."""
    place: tuple[int, int] | None = None
    """Where the number of the year begins and ends in the name."""

    @property
    def grade(self) -> int | None:
        """The grade if it is certain."""
        return self.choices[0] if len(self.choices) == 1 else None


def grade_of(name: str, others: Collection[int | None] = ()) -> Guess:
    """Return the grade that a class with this name has.

    The years 1 to 3 are those of three levels of school. `others`, the grades of the teacher's
    other classes, decide among them if they are all of one level.
    """
    for pattern, below in _SCHOOLS.items():
        if (match := pattern.search(name)) and below + int(match[1]) in GRADES:
            return Guess((below + int(match[1]),), match.span(1))
    if match := _BRITISH.search(name):
        year = int(match[1])
        return Guess(tuple(each for each in (year - 1, year) if each in GRADES), match.span(1))
    if match := _BARE.search(name):
        return Guess(_grades_of_year(int(match[1]), others), match.span(1))
    if match := _IN_KANJI.search(name):
        return Guess(_grades_of_year(_KANJI.index(match[1]) + 1, others), match.span(1))
    return Guess()


def has_reached(student: User, grade: int) -> bool:
    """Return whether all of the student's present classes that have a grade are of this one or a
    higher one. One query."""
    younger = Classroom.objects.filter(students=student, archived_at=None, grade__lt=grade)
    return not younger.exists()


def name_of(grade: int, room: str) -> str:
    """Return the usual name of a class: 5年3組."""
    pattern = str(_CLASS_NAMES[room.isdecimal()])
    return pattern.format(year=grade - level_of(grade), room=room)


def level_of(grade: int) -> int:
    """Return the grades below the level of school that the grade belongs to: 0, 6 or 9."""
    return 0 if grade <= 6 else 6 if grade <= 9 else 9


def year_in(text: str) -> int:
    """Return the number that stands at the place of a guess, in digits of any width or kanji."""
    return _KANJI.index(text) + 1 if text in _KANJI else int(text)


def year_like(year: int, text: str) -> str:
    """Return the year, written as the text is."""
    if text in _KANJI and year <= len(_KANJI):
        return _KANJI[year - 1]
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    return str(year) if text.isascii() else str(year).translate(wide)


def _grades_of_year(year: int, others: Collection[int | None]) -> tuple[int, ...]:
    if year not in GRADES:
        return ()
    if year > 3:
        return (year,)
    levels = {level_of(grade) for grade in others if grade}
    return tuple(below + year for below in (levels if len(levels) == 1 else (0, 6, 9)))
