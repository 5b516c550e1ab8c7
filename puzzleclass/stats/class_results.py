"""What a class has reached together at a puzzle: the solutions found, the hunt for all of them, and
the best scores.

The hunt groups solutions that are turned or mirrored images of each other (`Kind.images`).
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.result_models import BestScore, FoundSolution
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goal_of
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.puzzles.positions import position_after
from solvers.picture import Picture
from solvers.registry import kind_or_missing

MAX_GROUPED = 400
"""The most solutions that are compared with each other. Each later solution is a group of its
own."""


class NamedStudent(NamedTuple):
    """A student as named in the teacher's tables."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class ClassSolution:
    """One of the different solutions, with the students who found it, the first one first."""

    number: int
    """The position, from 1, in the order in which the class found the solutions."""
    puzzle: AssignedPuzzle
    line: str
    found_at: datetime
    finders: list[NamedStudent]

    @property
    def picture(self) -> Picture:
        """The board at the end of the line. For a sequence, the moves are numbered."""
        return drawn_after(self.puzzle, self.line)


def class_solutions(puzzle: AssignedPuzzle) -> list[ClassSolution]:
    """Return the different solutions found by students who are in the class. Uses one query."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    solutions = FoundSolution.objects.filter(puzzle=puzzle, student__in=in_class)
    by_text: dict[str, ClassSolution] = {}
    rows = solutions.values_list("text", "line", "found_at", "student__name", "student")
    for text, line, found_at, name, student in rows:
        if text not in by_text:
            number = len(by_text) + 1
            by_text[text] = ClassSolution(number, puzzle, line, found_at, [])
        by_text[text].finders.append(NamedStudent(student, name))
    return list(by_text.values())


@dataclass(slots=True)
class RecordBoard:
    """A board that reached the best score of the class."""

    puzzle: AssignedPuzzle
    line: str
    holders: list[NamedStudent]
    """The students who reached it, the first one first."""

    @property
    def picture(self) -> Picture:
        return drawn_after(self.puzzle, self.line)


@dataclass(frozen=True, slots=True)
class ClassRecords:
    """The best scores of a class at a puzzle of a kind with a score."""

    goal: Goal
    scores: list[tuple[int, list[NamedStudent]]]
    """Each score that is some student's best, with these students, the highest score first."""
    boards: list[RecordBoard]

    @property
    def best(self) -> int | None:
        return self.scores[0][0] if self.scores else None


def class_records(puzzle: AssignedPuzzle) -> ClassRecords | None:
    """Return the records; None for a kind without a score. Uses two queries."""
    goal = goal_of(puzzle)
    if goal is None:
        return None
    people: dict[int, list[NamedStudent]] = {}
    boards: dict[str, RecordBoard] = {}
    best = BestScore.objects.of_class(puzzle)
    rows = best.values_list("score", "text", "line", "student", "student__name")
    for score, text, line, student, name in rows:
        person = NamedStudent(student, name)
        people.setdefault(score, []).append(person)
        if score == max(people):
            boards.setdefault(text, RecordBoard(puzzle, line, [])).holders.append(person)
    return ClassRecords(goal, list(people.items()), list(boards.values()))


# The hunt


@dataclass(slots=True)
class SolutionGroup:
    """Solutions that are images of each other, in the order in which they were found."""

    solutions: list[ClassSolution]
    size: int
    """The number of images, found or not."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """The hunt of a class for all solutions of a board, as it stands now."""

    found: int
    count: Count | None
    """The number of solutions that there are; None when they have not been counted."""
    groups: list[SolutionGroup]
    """The groups of images. The group with the latest solution comes first."""

    @property
    def is_over(self) -> bool:
        """Whether all solutions have been found."""
        return bool(self.count and self.count.proven and self.found == self.count.value)


def hunt_at(puzzle: AssignedPuzzle) -> Hunt:
    """Return the hunt at a puzzle. Uses two queries."""
    solutions = class_solutions(puzzle)
    groups: dict[str, SolutionGroup] = {}
    for solution in solutions:
        images = frozenset({solution.line})
        if solution.number <= MAX_GROUPED:
            images = images_of(puzzle.kind_slug, puzzle.position, solution.line)
        group = groups.setdefault(min(images), SolutionGroup([], len(images)))
        group.solutions.append(solution)
    latest_first = sorted(groups.values(), key=lambda group: -group.solutions[-1].number)
    return Hunt(len(solutions), known_counts([puzzle]).get(puzzle.pk), latest_first)


@lru_cache(maxsize=4096)
def images_of(kind_slug: str, start: str, line: str) -> frozenset[str]:
    """Return the texts (`Kind.solution`) of a solution and of those of its images that solve the
    board."""
    kind = kind_or_missing(kind_slug)
    return kind.symmetric_solutions(position_after(kind, start, line))
