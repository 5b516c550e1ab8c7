"""Data protection: everything that is stored about students, written out or deleted; and the log.

What belongs to a student or a class is found by the database's own relations: whatever would go
with the row when it is deleted. So a table that comes later is exported and deleted too.
"""

import csv
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from graphlib import TopologicalSorter
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import CASCADE, Max, Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import Lock, User
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.spreadsheets import csv_row

SECRET_FIELDS = {"password", "salt", "username"}
"""Say nothing about anybody, and could let somebody in."""

SECRET_TABLES = {"otp_totp.totpdevice", "otp_static.staticdevice", "otp_static.statictoken"}
"""The second factor of the sign-in: likewise."""

Rows = dict[str, int]
"""Table -> how many of its rows."""
Roots = Mapping[type[Model], Q]

# What there is


def student_roots(student: User) -> Roots:
    """Return where everything about one student hangs."""
    return {User: Q(pk=student.pk)}


def class_roots(classroom: Classroom) -> Roots:
    """Return where everything about a class hangs: the class, and its students' own rows."""
    return {Classroom: Q(pk=classroom.pk)}


def rows_under(roots: Roots) -> dict[type[Model], QuerySet[Any]]:
    """Return model -> its rows that belong to the roots, each after those it hangs on."""
    below = _relations()
    ways: dict[type[Model], list[tuple[str, type[Model]]]] = defaultdict(list)
    reached = list(roots)
    for model in reached:
        for child, name in below[model]:
            ways[child].append((name, model))
            if child not in reached:
                reached.append(child)
    for model in ways if Classroom not in roots else ():
        # Classmates' tries at a student's puzzle are theirs.
        own: list[tuple[str, type[Model]]] = [
            way for way in ways[model] if way == ("student", User)
        ]
        ways[model] = own or ways[model]
    found: dict[type[Model], QuerySet[Any]] = {}
    hanging = {model: [parent for _name, parent in ways[model]] for model in reached}
    for model in TopologicalSorter(hanging).static_order():
        where = roots.get(model, Q(pk__in=()))
        for name, parent in ways[model]:
            where |= Q(**{f"{name}__in": found[parent].order_by().values("pk")})
        found[model] = model._base_manager.filter(where).order_by("pk")
    return found


def _relations() -> dict[type[Model], list[tuple[type[Model], str]]]:
    """Return model -> the models whose rows go with its rows, and by which field."""
    below: dict[type[Model], list[tuple[type[Model], str]]] = defaultdict(list)
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            relation = field.remote_field
            if relation and getattr(relation, "on_delete", None) is CASCADE:
                parent = relation.model
                if parent not in (model, ContentType):
                    below[parent].append((model, field.name))
    return below


# Written out


def write_export(file: IO[bytes], roots: Roots, students: Iterable[int] = ()) -> Rows:
    """Write everything into a ZIP, a CSV for each table. Returns how many rows each has.

    `students` are written with their names, and what belongs to them apart from the roots: notes.
    """
    tables = rows_under(roots)
    students = list(students)
    if students:
        tables[User] = User.objects.filter(pk__in=students).order_by("pk")
        notes = User._meta.get_field("notes").related_model
        tables[notes] = notes._base_manager.filter(student__in=students).order_by("pk")
    written: Rows = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for model, rows in tables.items():
            if model._meta.label_lower in SECRET_TABLES:
                continue
            names = [f.attname for f in model._meta.local_concrete_fields]
            names = [name for name in names if name not in SECRET_FIELDS]
            number = _write_table(packed, f"{model._meta.label_lower}.csv", names, rows)
            if number:
                written[model._meta.label] = number
        said = _(
            "Everything PuzzleClass has stored about this. One file for each table; the first line "
            "names its columns, and columns that end in _id name a row of another table. PINs and "
            "passwords are not stored, only their fingerprints, which are left out."
        )
        lines = [f"{name}: {number}" for name, number in written.items()]
        packed.writestr("README.txt", "\r\n".join([said, "", *lines]).encode("utf-8-sig"))
    return written


def _write_table(
    packed: zipfile.ZipFile, name: str, columns: list[str], rows: QuerySet[Any]
) -> int:
    number = 0
    values = rows.values_list(*columns).iterator(2000)
    first = next(values, None)
    if first is None:
        return 0
    with packed.open(name, "w") as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        for row in (first, *values):
            writer.writerow(csv_row(row))
            number += 1
    return number


# Deleted


@transaction.atomic
def delete_all(what: Model | None, students: QuerySet[User]) -> Rows:
    """Delete the row and the students, with all that belongs to them. Returns what went."""
    # Read first: the list of students may go with the row.
    doomed = list(students)
    gone: dict[str, int] = defaultdict(int)
    keys = [key for student in doomed for key in student.pin_keys]
    Lock.objects.filter(key__in=keys).delete()
    for rows in ([what] if what else []), [User.objects.filter(pk__in=[s.pk for s in doomed])]:
        for row in rows:
            for label, number in row.delete()[1].items():
                gone[label] += number
    return {label: number for label, number in gone.items() if number}


# The log


def log(
    actor: User | None,
    action: DataRecord.Action,
    classroom: Classroom | None,
    rows: Rows,
    place: Enrolment | None = None,
) -> DataRecord:
    """Write down what was done with personal data."""
    return DataRecord.objects.create(
        actor=actor,
        action=action,
        classroom=classroom if classroom and classroom.pk else None,
        class_name=classroom.name if classroom else "",
        number=place.number if place else None,
        student_key=place.student_id if place else None,
        rows=rows,
    )


def log_look(actor: User, place: Enrolment) -> None:
    """Write down that the student's page was looked at: once a day for each who looks."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    looked = DataRecord.Action.LOOKED
    mine = DataRecord.objects.filter(actor=actor, action=looked, student_key=place.student_id)
    if not mine.filter(at__gte=today).exists():
        log(actor, looked, place.classroom, {}, place)


def log_for(teacher: User) -> QuerySet[DataRecord]:
    """Return what the teacher may read of the log: the own lines and those of classes owned."""
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN)).values("pk")
    records = DataRecord.objects.filter(Q(actor=teacher) | Q(classroom__in=owned))
    return records.select_related("actor")


# How long


def kept_since() -> datetime:
    """Return the moment before which data are older than they shall be kept."""
    return timezone.now() - timedelta(days=365.25 * settings.KEPT_YEARS)


def overdue_classes(teacher: User) -> list[Classroom]:
    """Return the teacher's own classes in which nothing was due since data are to be kept.

    They are for the teacher to delete: nothing disappears by itself.
    """
    limit = kept_since()
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), created_at__lt=limit)
    last = owned.annotate(
        last_due=Max(
            "assignments__due_at",
            filter=Q(assignments__is_gallery=False, assignments__is_practice=False),
        )
    )
    over = last.filter(Q(last_due__lt=limit) | Q(last_due=None))
    return list(over.order_by("name", "pk")[:20])
