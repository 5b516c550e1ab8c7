"""What a class has reached together at a puzzle: the solutions found, the best scores."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import BestScore, FoundSolution
from puzzleclass.puzzles.goals import Goal, goal_of
from puzzleclass.puzzles.player import drawn_after
from solvers.picture import Picture


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
