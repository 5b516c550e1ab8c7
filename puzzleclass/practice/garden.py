"""The garden of a class, which grows through the school year.

Each puzzle that the class met together (a board of a day, an assigned board, one of the gallery) is
a flower with as many petals as the puzzle has solutions; those that the class has found are
coloured. The hard board of a day is a fruit on the tree of its month. A board of a day that nobody
has solved waits as a bud. Nothing in the garden names or compares students.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import islice
from typing import NamedTuple

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.play.result_models import ClassFind, FoundSolution
from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.daily import MAX_PETALS, DailyBoard, daily_boards_of, year_of
from puzzleclass.puzzles.models import fingerprint
from puzzleclass.puzzles.worlds import BoardKey
from solvers.message import Message

MAX_PLANTS = 150
"""The most plants of a month, the earliest first."""

COLOURS = 6
"""The number of colours of flowers (`static/garden.css`)."""

CELL, COLUMNS, TREE = 40, 10, 120
"""The width of a flower's place, the number of them in a row, and the width of the tree."""

FRUITS_A_ROW = 5


@dataclass(frozen=True, slots=True)
class Plant:
    """A flower, a fruit or a bud."""

    kind_slug: str
    position: str
    name: Message | str
    day: date
    """The day of a daily board, or that on which the class first solved the puzzle."""
    found: int
    """The number of solutions that the class has found."""
    total: int | None
    """The number of all solutions; None if it is not known, or must not be told."""
    own: int
    """The number of solutions that the student has found."""
    is_new: bool = False
    """Whether the class has found one of them today."""
    daily: DailyBoard | None = None
    puzzle: int | None = None
    """The primary key of the assigned puzzle; None for a board of a day."""
    number: int = 0
    """The number in its bed, from 1."""
    x: int = 0
    y: int = 0

    @property
    def is_fruit(self) -> bool:
        return self.daily is not None and self.daily.is_hard

    @property
    def colour(self) -> int:
        return self.day.toordinal() % COLOURS

    @property
    def is_tulip(self) -> bool:
        """Whether the puzzle has only one solution, so that the flower is whole at once."""
        return self.total == 1

    @property
    def petals(self) -> int:
        return min(self.total or self.found, MAX_PETALS)

    @property
    def has_many(self) -> bool:
        """Whether the puzzle has more solutions than a flower has petals."""
        return (self.total or self.found) > MAX_PETALS

    @property
    def dashes(self) -> str:
        """The coloured petals as dashes of a circle that is as long as the number of petals."""
        coloured = self.found
        if self.total and self.has_many:
            coloured = max(1, MAX_PETALS * self.found // self.total)
        rest = self.petals - min(coloured, self.petals)
        return " ".join(
            [".01 .99"] * (self.petals - rest - 1) + [f".01 {rest + 0.99:.2f}"]
        ).replace(" 0.", " .")


@dataclass(frozen=True, slots=True)
class Bed:
    """A month of the garden."""

    first: date
    plants: list[Plant]
    is_to_come: bool

    @property
    def name(self) -> str:
        return f"{self.first:%Y-%m}"

    @property
    def season(self) -> str:
        return ("winter", "spring", "summer", "autumn")[self.first.month % 12 // 3]

    @property
    def flowers(self) -> int:
        """The number of flowers and fruits."""
        return sum(plant.found > 0 for plant in self.plants)

    @property
    def width(self) -> int:
        return CELL * COLUMNS + TREE

    @property
    def height(self) -> int:
        rows = 1 + max((plant.y for plant in self.plants if not plant.is_fruit), default=0) // CELL
        return max(3, rows) * CELL + 10


@dataclass(frozen=True, slots=True)
class Garden:
    """The beds of a school year, from April to March."""

    beds: list[Bed]

    @property
    def flowers(self) -> int:
        return sum(bed.flowers for bed in self.beds)

    def bed_of(self, day: date) -> Bed:
        """Return the bed of the month of the day, which must be in the school year."""
        return next(bed for bed in self.beds if bed.first == day.replace(day=1))


class _Find(NamedTuple):
    number: int = 0
    at: datetime | None = None
    latest: datetime | None = None

    def is_of(self, today: date) -> bool:
        """Return whether a solution was found today."""
        return self.latest is not None and timezone.localdate(self.latest) == today


NOTHING = _Find()


def garden_of(classroom: Classroom, today: date, student: User | None = None) -> Garden:
    """Return the garden of the class; for a student with what this student has found.

    Five queries at most.
    """
    first = year_of(today)
    finds = _finds_of(classroom)
    own = _found_by(student) if student else {}
    plants: list[Plant] = []
    daily = daily_boards_of(classroom, today) if classroom.practice else {}
    for key, each in daily.items():
        find = finds.get(fingerprint(*key), NOTHING)
        number, total, is_new = find.number, each.board.solutions, find.is_of(today)
        plants.append(
            Plant(*key, each.name, each.day, number, total, own.get(key, 0), is_new, each)
        )
    for puzzle, total in _met_together(classroom, student):
        key = puzzle.key
        find = finds.get(puzzle.fingerprint, NOTHING)
        if find.at and key not in daily and (day := timezone.localdate(find.at)) >= first:
            mine, is_new = own.get(key, 0), find.is_of(today)
            plants.append(
                Plant(*key, puzzle.title, day, find.number, total, mine, is_new, puzzle=puzzle.pk)
            )
    plants.sort(key=lambda plant: plant.day)
    months = [_month_after(first, number) for number in range(12)]
    return Garden([_bed(month, plants, today) for month in months])


def _finds_of(classroom: Classroom) -> dict[str, _Find]:
    rows = ClassFind.objects.filter(classroom=classroom).order_by().values_list("board")
    finds = rows.annotate(Count("pk"), Min("at"), Max("at"))
    return {board: _Find(*find) for board, *find in finds}


def _found_by(student: User) -> dict[BoardKey, int]:
    board = ("puzzle__kind_slug", "puzzle__position")
    rows = FoundSolution.objects.filter(student=student).order_by().values_list(*board)
    number = Count("text", distinct=True)
    return {(slug, position): n for slug, position, n in rows.annotate(number)}


def _met_together(
    classroom: Classroom, student: User | None
) -> Iterable[tuple[AssignedPuzzle, int | None]]:
    """Return the assigned puzzles and those of the gallery, each with the number of its solutions
    if that may be told. Three queries at most."""
    may_see = assigned_to(student, "assignment") if student else Q()
    puzzles = AssignedPuzzle.objects.filter(
        may_see,
        assignment__in=Assignment.objects.shown(),
        assignment__classroom=classroom,
        assignment__is_practice=False,
    )
    boards = list(puzzles.select_related("assignment").order_by("pk"))
    counts = known_counts(each for each in boards if each.assignment.shows_total)
    for each in boards:
        count = counts.get(each.pk)
        yield each, count.value if count and count.proven else None


def _month_after(first: date, number: int) -> date:
    years, month = divmod(first.month - 1 + number, 12)
    return date(first.year + years, month + 1, 1)


def _bed(month: date, plants: Iterable[Plant], today: date) -> Bed:
    placed: list[Plant] = []
    flowers = fruits = 0
    grown = (plant for plant in plants if plant.day.replace(day=1) == month)
    for number, plant in enumerate(islice(grown, MAX_PLANTS), 1):
        if plant.is_fruit:
            row, column = divmod(fruits, FRUITS_A_ROW)
            x, y = CELL * COLUMNS + 24 + 18 * column, 20 + 15 * row
            fruits += 1
        else:
            row, column = divmod(flowers, COLUMNS)
            x, y = CELL * column + CELL // 2, CELL * row + CELL // 2
            flowers += 1
        placed.append(replace(plant, number=number, x=x, y=y))
    return Bed(month, placed, is_to_come=month > today)
