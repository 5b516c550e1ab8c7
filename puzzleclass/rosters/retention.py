"""What is deleted by a school's rules, on which day: classes, and students who have left.

A class goes to the bin when nothing has been due, played or restored in it for the years that the
school has set. Students who have left are deleted after the months that the school has set. What is
about to be deleted within `NOTICE` is a notice for the teachers and the administrators. A rule that
has been changed deletes nothing before that time is over.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.classes.personal_data import delete_all, log, months, with_last_due, years
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.models import ClassId

NOTICE = timedelta(days=30)
"""The time for which a deletion is announced."""

HAS_RULES = Q(deletes_classes=True) | ~Q(leavers_kept_months=None)
"""The condition that a school deletes anything by itself."""


@dataclass(slots=True)
class Deletion:
    """A class that goes to the bin, or students who have left a class and are deleted."""

    classroom: Classroom
    """The class that goes, or the one that lists the students."""
    at: datetime
    """The time from which the nightly work deletes."""
    leavers: list[Enrolment] = field(default_factory=list)
    """The students; none if it is the class that goes."""

    is_for_administrator: bool = False
    """Whether it is announced to an administrator of the school, and not to an owner of the
    class."""

    @property
    def students(self) -> int:
        """The number of students whom it concerns."""
        return len(self.leavers) or int(getattr(self.classroom, "student_count", 0))


def deletions(schools: Iterable[School], until: datetime, only: Q | None = None) -> list[Deletion]:
    """Return what the rules of the schools delete until then, the first day first, in the classes
    that fit `only`. The number of queries is constant."""
    rules = {school.pk: school for school in schools}
    if not rules:
        return []
    own = Classroom.objects.filter(only or Q(), school__in=rules)
    found = [*_classes(rules, own, until), *_leavers(rules, own, until)]
    return sorted(found, key=lambda each: (each.at, each.classroom.name, each.classroom.pk))


def _classes(rules: dict[int, School], own: Any, until: datetime) -> Iterator[Deletion]:
    deleting = [key for key, school in rules.items() if school.deletes_classes]
    if not deleting:
        return
    named = Exists(ClassId.objects.filter(classroom=OuterRef("pk"), left_at=None))
    rows = with_last_due(own.filter(~named, school__in=deleting, deleted_at=None, leavers_of=None))
    old: dict[int, tuple[Classroom, datetime]] = {}
    for classroom in rows:
        school = rules[classroom.school_id]
        kept = years(school.kept_years or settings.KEPT_YEARS)
        end = max(filter(None, (classroom.created_at, classroom.last_due, classroom.kept_at)))
        if end + kept < until:
            old[classroom.pk] = classroom, end
    played = Classroom.objects.filter(pk__in=old).annotate(
        played=Max("assignments__puzzles__attempts__last_at")
    )
    for pk, last in played.values_list("pk", "played"):
        classroom, end = old[pk]
        school = rules[classroom.school_id or 0]
        at = max(end, last or end) + years(school.kept_years or settings.KEPT_YEARS)
        at = max(at, school.deletes_from or at)
        if at < until:
            yield Deletion(classroom, at)


def _leavers(rules: dict[int, School], own: Any, until: datetime) -> Iterator[Deletion]:
    deleting = [key for key, school in rules.items() if school.leavers_kept_months]
    if not deleting:
        return
    here = Enrolment.objects.filter(student=OuterRef("student"), classroom__archived_at=None)
    lists = own.filter(school__in=deleting, deleted_at=None, leavers_of__isnull=False)
    rows = (
        Enrolment.objects.filter(~Exists(here), classroom__in=lists)
        .annotate(left_at=Max("external_ids__left_at"))
        .select_related("student", "classroom__school")
    )
    by_day: dict[tuple[int, Any], Deletion] = {}
    for each in rows.order_by("classroom", "number"):
        school = rules[each.classroom.school_id or 0]
        left = each.left_at or each.classroom.archived_at or each.classroom.created_at
        at = left + months(school.leavers_kept_months or 0)
        at = max(at, school.deletes_from or at)
        if at < until:
            key = each.classroom_id, timezone.localdate(at)
            by_day.setdefault(key, Deletion(each.classroom, at)).leavers.append(each)
    yield from by_day.values()


def announced(teacher: User, schools: Iterable[School]) -> list[Deletion]:
    """Return what is deleted soon in those of the `schools_with_notices` that have rules. No query
    if there are none."""
    with_rules = {
        school.pk: school
        for school in schools
        if school.deletes_classes or school.leavers_kept_months
    }
    administered = [key for key, school in with_rules.items() if school.is_administered]  # type: ignore[attr-defined]
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN)).values("pk")
    mine = Q(school__in=administered) | Q(pk__in=owned)
    found = deletions(with_rules.values(), timezone.now() + NOTICE, mine)
    for each in found:
        each.is_for_administrator = each.classroom.school_id in administered
    return found


def delete_due(schools: Iterable[School]) -> Iterator[int]:
    """Delete what is due now, each class and each student in a transaction of its own. Yield the
    number of deleted rows. Whatever is left when this ends is found the next time."""
    for school in schools:
        for each in deletions([school], timezone.now()):
            for enrolment in each.leavers:
                yield _delete_leaver(enrolment, school)
            if not each.leavers:
                yield _move_to_bin(each.classroom)


def delete_by_rules() -> Iterator[int]:
    """Delete what is due in all schools that have rules."""
    return delete_due(School.objects.filter(HAS_RULES))


@transaction.atomic
def _move_to_bin(classroom: Classroom) -> int:
    now = timezone.now()
    moved = Classroom.objects.filter(pk=classroom.pk, deleted_at=None)
    if moved.update(deleted_at=now):
        moved = Classroom.objects.filter(pk=classroom.pk, archived_at=None)
        moved.update(archived_at=now)
        rows = {Enrolment._meta.label: classroom.enrolments.count()}
        log(None, DataRecord.Action.DELETED, classroom, rows, event="classes")
    return 0


@transaction.atomic
def _delete_leaver(enrolment: Enrolment, school: School) -> int:
    """Delete the student, or only the places in the school if the student has one elsewhere."""
    student, classroom = enrolment.student, enrolment.classroom
    others = Enrolment.objects.filter(student=student)
    gone = Enrolment(number=enrolment.number, student_id=student.pk)
    if others.exclude(classroom__school=school).exists():
        number, by_table = others.filter(classroom__school=school).delete()
        rows = {label: n for label, n in by_table.items() if n}
    else:
        rows = delete_all(None, User.objects.filter(pk=student.pk))
        number = sum(rows.values())
    log(None, DataRecord.Action.DELETED, classroom, rows, gone, event="leavers")
    return number
