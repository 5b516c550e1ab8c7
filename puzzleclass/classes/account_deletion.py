"""What goes when a teacher's account goes, what stays, and whose it is then.

A class belongs to those who teach it: with colleagues it goes on, and what the teacher gave in it
is handed over to one of them. Puzzles that were given are copies, so no class loses a board.
"""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, DataRecord, Teaching
from puzzleclass.classes.personal_data import Roots, delete_all, log
from puzzleclass.classes.services import Loss, loss_of_classroom, students_of_this_class_alone

_PARTS = list(Teaching.Role)
"""Owners first: who has the class after them."""


@dataclass(frozen=True, slots=True)
class Heir:
    """A class that stays, and who has it then."""

    classroom: Classroom
    colleague: User
    is_new_owner: bool
    """The teacher was its only owner."""


@dataclass(frozen=True, slots=True)
class Departure:
    """What becomes of a teacher's classes."""

    deleted: list[Classroom]
    """Those that nobody else teaches."""
    kept: list[Heir]

    @property
    def losses(self) -> list[tuple[Classroom, Loss]]:
        """What goes with each class that is deleted. Two queries a class."""
        return [(classroom, loss_of_classroom(classroom)) for classroom in self.deleted]

    @property
    def is_owner_of_all(self) -> bool:
        """Every class that stays has had another owner before."""
        return not any(heir.is_new_owner for heir in self.kept)


def departure_of(teacher: User) -> Departure:
    """Return what would become of the teacher's classes, and of those with work that the teacher
    once gave. Three queries."""
    concerned = Q(teachings__teacher=teacher) | Q(assignments__teacher=teacher)
    classes = Classroom.objects.filter(concerned).distinct().order_by("name", "pk")
    plan = Departure([], [])
    for classroom in classes.prefetch_related("teachings__teacher"):
        others = [part for part in classroom.teachings.all() if part.teacher_id != teacher.pk]
        if not others:
            plan.deleted.append(classroom)
            continue
        first = min(others, key=lambda part: (_PARTS.index(Teaching.Role(part.role)), part.pk))
        is_new = first.role != Teaching.Role.OWNER
        plan.kept.append(Heir(classroom, first.teacher, is_new))
    return plan


def account_roots(teacher: User) -> tuple[Roots, list[int]]:
    """Return where everything hangs that goes with the account, and the keys of the people whose
    names belong to it: the teacher, and the students of classes that go."""
    plan = departure_of(teacher)
    classes = Q(pk__in=[classroom.pk for classroom in plan.deleted])
    students = User.objects.filter(enrolments__classroom__in=plan.deleted).distinct()
    roots: Roots = {User: Q(pk=teacher.pk), Classroom: classes}
    return roots, [teacher.pk, *students.values_list("pk", flat=True)]


def is_last_administrator(teacher: User) -> bool:
    """Return whether nobody else looks after the site."""
    others = User.objects.filter(is_staff=True, is_active=True, role=User.Role.TEACHER)
    return teacher.is_staff and not others.exclude(pk=teacher.pk).exists()


@transaction.atomic
def delete_account(teacher: User) -> DataRecord:
    """Delete the teacher with all that is the teacher's alone. Returns the receipt."""
    # Nobody joins or leaves these classes meanwhile.
    list(Classroom.objects.select_for_update().filter(teachings__teacher=teacher))
    plan, rows = departure_of(teacher), Counter[str]()
    for classroom in plan.deleted:
        rows.update(delete_all(classroom, students_of_this_class_alone(classroom)))
    for heir in plan.kept:
        heir.classroom.assignments(manager="every").filter(teacher=teacher).update(
            teacher=heir.colleague
        )
        if heir.is_new_owner:
            parts = heir.classroom.teachings.filter(teacher=heir.colleague)
            parts.update(role=Teaching.Role.OWNER)
    rows.update(delete_all(None, User.objects.filter(pk=teacher.pk)))
    return log(None, DataRecord.Action.DELETED, None, dict(rows))
