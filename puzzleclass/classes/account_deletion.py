"""Deletion of a teacher's account: what is deleted, what stays, and who takes it over.

A class belongs to everyone who teaches it. If colleagues teach it, too, the class stays, and the
teacher's assignments in it are handed over to one of them. A substitute can only view a class and
never becomes its owner, so a class that is left with substitutes alone is deleted. Assigned puzzles
are copies, so no class loses a board.
"""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, DataRecord, Teaching
from puzzleclass.classes.personal_data import Roots, delete_all, log
from puzzleclass.classes.services import Loss, loss_of_classroom, students_only_in

_SUCCESSOR_ROLES = [Teaching.Role.OWNER, Teaching.Role.TEACHER]
"""The roles that can take over a class, in order of preference."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A class that stays, and the colleague who takes it over."""

    classroom: Classroom
    colleague: User
    is_new_owner: bool
    """Whether the colleague becomes an owner, because the teacher was the only one."""


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """What happens to a teacher's classes when the account is deleted."""

    deleted: list[Classroom]
    """Classes that nobody else teaches, or only substitutes."""
    kept: list[Handover]

    @property
    def losses(self) -> list[tuple[Classroom, Loss]]:
        """Each class that is deleted, and what is deleted with it. Two queries for each class."""
        return [(classroom, loss_of_classroom(classroom)) for classroom in self.deleted]


def plan_deletion(teacher: User) -> DeletionPlan:
    """Return what would happen to each class that the teacher teaches or has assignments in.

    Three queries.
    """
    concerned = Q(teachings__teacher=teacher) | Q(assignments__teacher=teacher)
    classes = Classroom.objects.filter(concerned).distinct().order_by("name", "pk")
    plan = DeletionPlan([], [])
    for classroom in classes.prefetch_related("teachings__teacher"):
        others = [
            teaching
            for teaching in classroom.teachings.all()
            if teaching.teacher_id != teacher.pk and teaching.role in _SUCCESSOR_ROLES
        ]
        if not others:
            plan.deleted.append(classroom)
            continue
        first = min(
            others,
            key=lambda teaching: (
                _SUCCESSOR_ROLES.index(Teaching.Role(teaching.role)),
                teaching.pk,
            ),
        )
        is_new = first.role != Teaching.Role.OWNER
        plan.kept.append(Handover(classroom, first.teacher, is_new))
    return plan


def account_roots(teacher: User) -> tuple[Roots, list[int]]:
    """Return the roots of the data that goes with the account, and the keys of the people in it.

    The people are the teacher, and the students of the classes that are deleted.
    """
    plan = plan_deletion(teacher)
    classes = Q(pk__in=[classroom.pk for classroom in plan.deleted])
    students = User.objects.filter(enrolments__classroom__in=plan.deleted).distinct()
    roots: Roots = {User: Q(pk=teacher.pk), Classroom: classes}
    return roots, [teacher.pk, *students.values_list("pk", flat=True)]


def is_last_administrator(teacher: User) -> bool:
    """Return whether the teacher is the site's only administrator."""
    others = User.objects.filter(is_staff=True, is_active=True, role=User.Role.TEACHER)
    return teacher.is_staff and not others.exclude(pk=teacher.pk).exists()


@transaction.atomic
def delete_account(teacher: User, school: int | None = None) -> DataRecord:
    """Delete the teacher and everything that is the teacher's alone; return the receipt.

    `school` is the key of the school with which the account is deleted, if it is.
    """
    # The lock keeps teachers from joining or leaving these classes meanwhile.
    list(Classroom.objects.select_for_update().filter(teachings__teacher=teacher))
    plan, rows = plan_deletion(teacher), Counter[str]()
    for classroom in plan.deleted:
        rows.update(delete_all(classroom, students_only_in(classroom)))
    for handover in plan.kept:
        handover.classroom.assignments(manager="every").filter(teacher=teacher).update(
            teacher=handover.colleague
        )
        if handover.is_new_owner:
            teachings = handover.classroom.teachings.filter(teacher=handover.colleague)
            teachings.update(role=Teaching.Role.OWNER)
    rows.update(delete_all(None, User.objects.filter(pk=teacher.pk)))
    event = "school" if school else ""
    return log(None, DataRecord.Action.DELETED, None, dict(rows), event=event, school=school)
