"""Stamps and comments for several students at several puzzles of an assignment at once."""

from dataclasses import dataclass
from typing import Self

from django.db.models import Max, Q
from django.http import QueryDict

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.http import read_key
from puzzleclass.play.models import Attempt, Feedback


@dataclass(frozen=True, slots=True)
class Ticks:
    """What is ticked on the page of an assignment: rows, columns, cells, or everything."""

    students: frozenset[int] = frozenset()
    puzzles: frozenset[int] = frozenset()
    cells: frozenset[str] = frozenset()
    all: bool = False

    @classmethod
    def read(cls, data: QueryDict) -> Self:
        """Return the ticks that a form has sent."""
        return cls(
            frozenset(map(read_key, data.getlist("student"))),
            frozenset(map(read_key, data.getlist("puzzle"))),
            frozenset(data.getlist("cell")),
            "all" in data,
        )

    def has(self, student: int, puzzle: int) -> bool:
        """Return whether the student (pk) at the puzzle (pk) is ticked."""
        return (
            self.all
            or student in self.students
            or puzzle in self.puzzles
            or f"{student}-{puzzle}" in self.cells
        )


def ticked_attempts(assignment: Assignment, ticks: Ticks) -> list[int]:
    """Return the attempts (pks) to which a stamp goes, of students who are in the class.

    Of each student at each puzzle, it is the latest solved attempt, or the latest one. One query.
    """
    begun = Attempt.objects.filter(
        puzzle__assignment=assignment,
        student__enrolments__classroom=assignment.classroom_id,
        next_step__gt=0,
    )
    latest = (
        begun.order_by()
        .values_list("student", "puzzle")
        .annotate(solved=Max("pk", filter=Q(has_solved=True)), latest=Max("pk"))
    )
    return [
        solved or last for student, puzzle, solved, last in latest if ticks.has(student, puzzle)
    ]


def give_feedback(teacher: User, attempts: list[int], stamp: str, comment: str) -> None:
    """Store the stamp, the comment, or both for the attempts (pks), in place of earlier ones."""
    Feedback.objects.bulk_create(
        [Feedback(attempt_id=pk, teacher=teacher, stamp=stamp, comment=comment) for pk in attempts],
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["teacher", "stamp", "comment", "reaction", "at"],
    )
