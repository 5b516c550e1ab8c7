"""What a class has reached together at a puzzle: the solutions found, the hunt for all of them, the
best scores.

In the hunt solutions that are turned or mirrored images of each other stand together. An image is
made move by move and played by the rules on the same board: only one that solves it counts.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import BestScore, FoundSolution
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goal_of
from puzzleclass.puzzles.player import drawn_after
from solvers.kind import Cell, PuzzleError, split_moves
from solvers.picture import Picture
from solvers.registry import get_kind

MOST_GROUPED = 400
"""Solutions compared with each other; the later ones stand alone."""

_CELL = re.compile(r"(\d+),(\d+)$")


class Person(NamedTuple):
    """A student, as the teacher's tables name one."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class ClassSolution:
    """One of the different solutions, with those who found it, the first one first."""

    number: int
    """In the order in which the class came upon them, from 1."""
    puzzle: AssignedPuzzle
    line: str
    found_at: datetime
    finders: list[Person]

    @property
    def picture(self) -> Picture:
        """The board at its end, of a sequence with the moves' numbers."""
        return drawn_after(self.puzzle, self.line)


def class_solutions(puzzle: AssignedPuzzle) -> list[ClassSolution]:
    """Return the different solutions found by students who are in the class. One query."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    found = FoundSolution.objects.filter(puzzle=puzzle, student__in=in_class)
    by_text: dict[str, ClassSolution] = {}
    rows = found.values_list("text", "line", "found_at", "student__name", "student")
    for text, line, found_at, name, student in rows:
        if text not in by_text:
            number = len(by_text) + 1
            by_text[text] = ClassSolution(number, puzzle, line, found_at, [])
        by_text[text].finders.append(Person(student, name))
    return list(by_text.values())


@dataclass(slots=True)
class RecordBoard:
    """A board with the best score of the class."""

    puzzle: AssignedPuzzle
    line: str
    holders: list[Person]
    """Who reached it, the first one first."""

    @property
    def picture(self) -> Picture:
        return drawn_after(self.puzzle, self.line)


@dataclass(frozen=True, slots=True)
class ClassRecords:
    """What a class has reached at a puzzle with a score."""

    goal: Goal
    scores: list[tuple[int, list[Person]]]
    """Each score that is somebody's best, and whose; the best first."""
    boards: list[RecordBoard]

    @property
    def best(self) -> int | None:
        return self.scores[0][0] if self.scores else None


def class_records(puzzle: AssignedPuzzle) -> ClassRecords | None:
    """Return the records; None for a kind without a score. Two queries."""
    goal = goal_of(puzzle)
    if goal is None:
        return None
    people: dict[int, list[Person]] = {}
    boards: dict[str, RecordBoard] = {}
    best = BestScore.objects.of_class(puzzle)
    rows = best.values_list("score", "text", "line", "student", "student__name")
    for score, text, line, student, name in rows:
        person = Person(student, name)
        people.setdefault(score, []).append(person)
        if score == max(people):
            boards.setdefault(text, RecordBoard(puzzle, line, [])).holders.append(person)
    return ClassRecords(goal, list(people.items()), list(boards.values()))


# The hunt


@dataclass(slots=True)
class Group:
    """Solutions that are images of each other, in the order in which they were found."""

    solutions: list[ClassSolution]
    size: int
    """How many images there are, found or not."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """What the class has found so far."""

    found: int
    count: Count | None
    """How many there are, where that was counted."""
    groups: list[Group]
    """The one found last comes first."""

    @property
    def is_over(self) -> bool:
        """All are found."""
        return bool(self.count and self.count.proven and self.found == self.count.value)


def hunt_at(puzzle: AssignedPuzzle) -> Hunt:
    """Return the hunt at a puzzle. Two queries."""
    solutions = class_solutions(puzzle)
    groups: dict[str, Group] = {}
    for solution in solutions:
        images = frozenset({solution.line})
        if solution.number <= MOST_GROUPED:
            images = images_of(puzzle.kind_slug, puzzle.position, solution.line)
        group = groups.setdefault(min(images), Group([], len(images)))
        group.solutions.append(solution)
    latest_first = sorted(groups.values(), key=lambda group: -group.solutions[-1].number)
    return Hunt(len(solutions), known_counts([puzzle]).get(puzzle.pk), latest_first)


@lru_cache(maxsize=4096)
def images_of(kind_slug: str, start: str, line: str) -> frozenset[str]:
    """Return the texts (`kind.solution`) of a solution and its images that solve the same board."""
    kind = get_kind(kind_slug)
    position = kind.read(start)
    rows, columns = kind.editor.size(kind.write_start(position))
    images = {kind.solution(kind.play_line(position, line))}
    for number in range(1, 8):
        if rows != columns and number & 4:
            continue
        moves = [_moved(move, number, rows, columns) for move in split_moves(line)]
        try:
            end = kind.play_line(position, " ".join(moves))
        except PuzzleError:
            continue
        if kind.judge(end).solved:
            images.add(kind.solution(end))
    return frozenset(images)


def _moved(move: str, number: int, rows: int, columns: int) -> str:
    """Return the move with its cell turned or mirrored in one of eight ways."""

    def image(row: int, column: int) -> Cell:
        if number & 1:
            row = rows + 1 - row
        if number & 2:
            column = columns + 1 - column
        return (column, row) if number & 4 else (row, column)

    return _CELL.sub(lambda m: "{},{}".format(*image(int(m[1]), int(m[2]))), move)
