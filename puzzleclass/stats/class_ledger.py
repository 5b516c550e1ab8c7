"""The ledger of a class over all its assignments that count (`Assignments.counted`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain

from django.db.models import Q
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom, Enrolment, Group
from puzzleclass.classes.terms import Term, terms_of
from puzzleclass.stats.course import Course, course_of, days_by_student
from puzzleclass.stats.ledger import Ledger, read_ledger

MAX_CELLS = 100_000
"""The most students times puzzles that are added up. The latest assignments are kept."""


@dataclass(frozen=True)
class ClassLedger:
    """What the students who are in the class now have done at some of its assignments."""

    classroom: Classroom
    enrolments: Sequence[Enrolment]
    group: Group | None
    """The group that it is about; None for the whole class."""
    assignments: Sequence[Assignment]
    """The assignments, the earliest due date first."""
    terms: Sequence[Term]
    """The terms in which the class has assignments, also outside the chosen days."""
    is_cut: bool
    """Whether the earliest assignments are left out because there are too many."""

    @cached_property
    def ledger(self) -> Ledger:
        return read_ledger(self.assignments).of_group(self.group)

    @cached_property
    def course(self) -> Course:
        """The work of all students over time, until the last attempt."""
        students = [each.student_id for each in self.enrolments]
        own = Q(student__in=students, puzzle__assignment__in=self.assignments)
        days = list(chain.from_iterable(days_by_student(own).values()))
        last = max((day.first_day for day in days), default=timezone.localdate())
        return course_of(days, last)


def class_ledger(
    classroom: Classroom,
    first_day: date | None = None,
    last_day: date | None = None,
    *,
    group: Group | None = None,
    gallery: bool = False,
) -> ClassLedger:
    """Return the ledger of the assignments that are due between these days.

    With a group, it is about the group alone. With `gallery`, the work in the gallery counts, too.
    Three queries, and those of the ledger.
    """
    everybody = group.members if group else classroom.enrolments
    enrolments = list(everybody.select_related("student").order_by("number"))
    counted = classroom.assignments.counted(gallery=gallery).prefetch_related("puzzles")
    all_assignments = list(counted.order_by("due_at", "pk"))
    due = [
        each
        for each in all_assignments
        if (first_day is None or first_day <= due_day(each))
        and (last_day is None or due_day(each) <= last_day)
    ]
    columns, cells = [], 0
    for each in reversed(due):
        cells += len(each.puzzles.all()) * len(enrolments)
        if cells > MAX_CELLS:
            break
        columns.append(each)
    return ClassLedger(
        classroom,
        enrolments,
        group,
        columns[::-1],
        terms_of(due_day(each) for each in all_assignments if not each.is_gallery),
        is_cut=len(columns) < len(due),
    )


def due_day(assignment: Assignment) -> date:
    """Return the day on which the assignment is due."""
    return timezone.localdate(assignment.due_at)
