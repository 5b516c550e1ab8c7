"""The deletion of a whole school: the bin, and what is deleted for good after its time there.

With the school go its classes, the students who are nowhere else, the accounts of teachers who
belong to no other school and have no other class, and everything that its systems have told.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import teachers_of_school, teachers_of_schools
from puzzleclass.classes.account_deletion import delete_account
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment, Teaching
from puzzleclass.classes.personal_data import delete_all, log
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import close_deleted, delete_classroom, restore_classrooms
from puzzleclass.database.batches import BATCH_ROWS
from puzzleclass.rosters.models import RosterImport


@dataclass(frozen=True, slots=True)
class SchoolLoss:
    """What is deleted with a school."""

    classes: int
    students: int
    """The students on the lists of its classes."""
    teachers: list[User]
    """The teachers whose accounts go."""


def loss_of_school(school: School) -> SchoolLoss:
    """Return what is deleted with the school."""
    places = Enrolment.objects.filter(classroom__school=school)
    return SchoolLoss(
        classes=school.classrooms.count(),
        students=places.values("student").distinct().count(),
        teachers=list(_teachers_who_go(school)),
    )


def _teachers_who_go(school: School) -> QuerySet[User]:
    """Return the teachers whose accounts are deleted with the school."""
    others = teachers_of_schools(School.every.exclude(pk=school.pk)).order_by().values("pk")
    classes = Teaching.objects.exclude(classroom__school=school).values("teacher")
    return (
        teachers_of_school(school)
        .filter(is_staff=False, board_administrations=None)
        .exclude(pk__in=others)
        .exclude(pk__in=classes)
    )


@transaction.atomic
def move_school_to_bin(school: School) -> None:
    """Move the school and those of its classes to the bin that are not there yet."""
    now = timezone.now()
    School.every.filter(pk=school.pk, deleted_at=None).update(deleted_at=now)
    school.classrooms.filter(deleted_at=None).update(deleted_at=now)
    close_deleted()


@transaction.atomic
def restore_schools(deleted: QuerySet[School]) -> None:
    """Restore schools from the bin, with the classes that were moved there with them."""
    for school in deleted:
        restore_classrooms(school.classrooms.filter(deleted_at=school.deleted_at))
        School.every.filter(pk=school.pk).update(deleted_at=None)


def delete_expired_schools() -> Iterator[int]:
    """Delete for good the schools that have been in the bin for its time.

    Yield the number of deleted rows, step by step. Each step is a transaction, and the school
    itself goes last, so that work that was interrupted goes on the next time.
    """
    for school in School.expired():
        for classroom in Classroom.objects.filter(school=school):
            yield sum(delete_classroom(classroom, None, "school").rows.values())
        while students := list(_students_left(school)[:BATCH_ROWS]):
            rows = delete_all(None, User.objects.filter(pk__in=students))
            log(None, DataRecord.Action.DELETED, None, rows, event="school", school=school.pk)
            yield sum(rows.values())
        for teacher in _teachers_who_go(school):
            yield sum(delete_account(teacher, school=school.pk).rows.values())
        yield _delete_school(school)


def _students_left(school: School) -> QuerySet[User, int]:
    """Return the keys of the students whom the school's systems know, and who are in no class."""
    known = Q(external_ids__source__school=school) | Q(platform_users__platform__school=school)
    students = User.objects.filter(known, role=User.Role.STUDENT, enrolments=None)
    return students.distinct().order_by("pk").values_list("pk", flat=True)


@transaction.atomic
def _delete_school(school: School) -> int:
    """Delete the school with its imports, and all that belongs to it alone."""
    counted = RosterImport.objects.annotate(others=Count("schools", filter=~Q(schools=school)))
    _number, rows = counted.filter(schools=school, others=0).delete()
    key = school.pk
    rows |= delete_all(school, User.objects.none())
    log(None, DataRecord.Action.DELETED, None, rows, event="school", school=key)
    return sum(rows.values())
