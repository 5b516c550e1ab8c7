"""When an assignment is due for a student, and until when it takes late work: the only definition.

A class has one date. A student or a group may have a later one; of several, the latest holds, so an
own date never takes time away. An assignment may accept late work for some time after that.
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.assignments.models import Assignment, OwnDue
from puzzleclass.classes.models import Group

LONGEST_EXTENSION = timedelta(days=366)
"""How far away an own due date may be set."""


class Due(NamedTuple):
    """The dates of a student at an assignment."""

    at: datetime
    """When the work is due."""
    closes_at: datetime
    """When the last moves are accepted. Those after the due date are late."""
    is_own: bool
    """Whether the date is not that of the class."""


def dues_of(
    assignments: Iterable[Assignment], students: Collection[int] | None = None
) -> dict[tuple[int, int], Due]:
    """Return the dates by assignment and student (pks) for the students who have a date of their
    own, among these or among all. One query."""
    by_pk = {each.pk: each for each in assignments}
    rows = OwnDue.objects.filter(assignment__in=by_pk)
    if students is not None:
        rows = rows.filter(Q(student__in=students) | Q(group__members__student__in=students))
    dues: dict[tuple[int, int], Due] = {}
    values = rows.values_list("assignment", "due_at", "student", "group__members__student")
    for key, at, student, member in values:
        where = key, student or member
        if where[1] and (where not in dues or dues[where].at < at):
            dues[where] = _due(by_pk[key], at)
    return {where: due for where, due in dues.items() if due.is_own}


def due_of(assignment: Assignment, student: int) -> Due:
    """Return the dates of the student (pk). One query, for each assignment that was read."""
    read = assignment.__dict__.setdefault("read_dues", {})
    if student not in read:
        own = dues_of([assignment], [student]) if assignment.pk else {}
        read[student] = own.get((assignment.pk, student)) or class_due(assignment)
    due: Due = read[student]
    return due


def class_due(assignment: Assignment) -> Due:
    """Return the dates of students without a date of their own."""
    return Due(assignment.due_at, assignment.closes_at, is_own=False)


def is_over_for(assignment: Assignment, student: int, at: datetime | None = None) -> bool:
    """Return whether the assignment takes no more moves of the student (pk).

    No query before the class's own date, one at most after it.
    """
    at = at or timezone.now()
    return assignment.closes_at <= at and due_of(assignment, student).closes_at <= at


def over_for(student: Any, path: str) -> Q:
    """Return the condition that the assignment at `path` is over for the student, a user or a
    key."""
    now = timezone.now()
    own = OwnDue.objects.filter(
        Q(student=student) | Q(group__members__student=student), due_at__gt=now
    )
    late = Q(**{f"{path}__late_until__isnull": True}) | Q(**{f"{path}__late_until__lte": now})
    longer = Q(**{f"{path}__in": own.order_by().values("assignment")})
    return Q(**{f"{path}__due_at__lte": now}) & late & ~longer


@transaction.atomic
def extend(
    assignment: Assignment, who: Collection[int] | Group, by: User, period: timedelta
) -> list[datetime]:
    """Give students (pks) or a group a later date: so much after the one that they have, or after
    today if that has passed. Return the dates.

    Without a period, they have the class's date again.
    """
    own = {} if isinstance(who, Group) else dues_of([assignment], who)
    dates = []
    for each in _owners(who):
        stored = OwnDue.objects.filter(assignment=assignment, **each)
        if not period:
            stored.delete()
            continue
        due = own.get((assignment.pk, each.get("student_id", 0))) or class_due(assignment)
        later = _from_today(
            max([due.at, *stored.values_list("due_at", flat=True)]), assignment.classroom.zone
        )
        OwnDue.objects.update_or_create(
            assignment=assignment, **each, defaults={"due_at": later + period, "by": by}
        )
        dates.append(later + period)
    return dates


@transaction.atomic
def extend_to(
    assignment: Assignment, who: Collection[int] | Group, by: User, day: date
) -> datetime:
    """Give students (pks) or a group this day as their due date, at the class's time of day. Return
    the date.

    Raises ValidationError if the day is not after the class's due date, is past, or is more than
    `LONGEST_EXTENSION` away.
    """
    zone, now = assignment.classroom.zone, timezone.now()
    due_at = datetime.combine(day, timezone.localtime(assignment.due_at, zone).time(), zone)
    if due_at <= max(now, assignment.due_at):
        raise ValidationError(_("Choose a day that is to come, after the due date of the class."))
    if due_at > now + LONGEST_EXTENSION:
        raise ValidationError(_("Choose a day within a year."))
    for each in _owners(who):
        OwnDue.objects.update_or_create(
            assignment=assignment, **each, defaults={"due_at": due_at, "by": by}
        )
    return due_at


def _owners(who: Collection[int] | Group) -> list[dict[str, Any]]:
    """Return the field that names the owner of each own due date."""
    return [{"group": who}] if isinstance(who, Group) else [{"student_id": pk} for pk in who]


def note_absence(assignment: Assignment, students: Iterable[int], day: date | None) -> None:
    """Note that the students (pks) were absent on this day, or, without a day, that they were
    not."""
    Attendance.objects.bulk_create(
        [Attendance(assignment=assignment, student_id=pk, absent_on=day) for pk in students],
        update_conflicts=True,
        unique_fields=["assignment", "student"],
        update_fields=["absent_on"],
    )


def _from_today(due_at: datetime, zone: tzinfo) -> datetime:
    """Return the date; if it has passed, its time today."""
    now, local = timezone.localtime(timezone=zone), timezone.localtime(due_at, zone)
    if local > now:
        return due_at
    return local.replace(year=now.year, month=now.month, day=now.day)


def _due(assignment: Assignment, own: datetime) -> Due:
    at = max(own, assignment.due_at)
    return Due(at, max(at, assignment.closes_at), is_own=at > assignment.due_at)
