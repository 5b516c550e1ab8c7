"""Export and deletion of everything that is stored about students, and the log of both.

The data of a student or a class is found by the relations of the database: it is every row that
would be deleted with the student or the class. So a table that is added later is exported and
deleted, too.
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
from django.db.models import CASCADE, Count, Max, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.locks import Lock
from puzzleclass.accounts.models import User
from puzzleclass.accounts.visitors import present_network
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.database.journal import clear_journal
from puzzleclass.spreadsheets.writing import csv_row

SECRET_FIELDS = {"digest", "password", "salt", "sealed_secret", "username"}
"""Fields that are not exported: they say nothing about a person and could let somebody in."""

SECRET_TABLES = {
    "accounts.session",
    *("otp_totp.totpdevice", "otp_static.staticdevice", "otp_static.statictoken"),
}
"""Sessions and the tables of the second factor, which are not exported because they could let
somebody in."""

Rows = dict[str, int]
"""The number of rows by table."""
Roots = Mapping[type[Model], Q]

# What is stored


def student_roots(student: User) -> Roots:
    """Return the root of everything that is stored about one student."""
    return {User: Q(pk=student.pk)}


def class_roots(classroom: Classroom) -> Roots:
    """Return the root of everything about a class: the class, and what its students did in it."""
    return {Classroom: Q(pk=classroom.pk)}


def rows_under(roots: Roots) -> dict[type[Model], QuerySet[Any]]:
    """Return the rows that belong to the roots, by model.

    Each model comes after those that its rows depend on.
    """
    below = cascades()
    paths: dict[type[Model], list[tuple[str, type[Model]]]] = defaultdict(list)
    reached = list(roots)
    for model in reached:
        for child, name in below[model]:
            paths[child].append((name, model))
            if child not in reached:
                reached.append(child)
    for model in paths if Classroom not in roots else ():
        # Classmates' attempts at a student's puzzle belong to the classmates.
        own: list[tuple[str, type[Model]]] = [
            path for path in paths[model] if path == ("student", User)
        ]
        paths[model] = own or paths[model]
    rows: dict[type[Model], QuerySet[Any]] = {}
    parents = {model: [parent for _name, parent in paths[model]] for model in reached}
    for model in TopologicalSorter(parents).static_order():
        where = roots.get(model, Q(pk__in=()))
        for name, parent in paths[model]:
            where |= Q(**{f"{name}__in": rows[parent].order_by().values("pk")})
        rows[model] = model._base_manager.filter(where).order_by("pk")
    return rows


def cascades() -> dict[type[Model], list[tuple[type[Model], str]]]:
    """Return, by model, the models whose rows are deleted with its rows, and the fields for it."""
    below: dict[type[Model], list[tuple[type[Model], str]]] = defaultdict(list)
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            relation = field.remote_field
            if relation and getattr(relation, "on_delete", None) is CASCADE:
                parent = relation.model
                if parent not in (model, ContentType):
                    below[parent].append((model, field.name))
    return below


# Export


def write_export(file: IO[bytes], roots: Roots, students: Iterable[int] = ()) -> Rows:
    """Write everything into a ZIP file, as one CSV file for each table; return the number of rows.

    The rows of `students`, with their names, and the notes about them are written, too. They need
    not belong to the roots.
    """
    tables = rows_under(roots)
    students = list(students)
    if students:
        tables[User] = User.objects.filter(pk__in=students).order_by("pk")
        notes = User._meta.get_field("notes").related_model
        tables[notes] = notes._base_manager.filter(student__in=students).order_by("pk")
    written: Rows = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for model, rows in tables.items():
            if model._meta.label_lower in SECRET_TABLES:
                continue
            names = [f.attname for f in model._meta.local_concrete_fields]
            names = [name for name in names if name not in SECRET_FIELDS]
            number = _write_table(archive, f"{model._meta.label_lower}.csv", names, rows)
            if number:
                written[model._meta.label] = number
        text = _(
            "This is everything PuzzleClass has stored about this subject. There is one file "
            "per table. The first line names the columns; columns that end in _id refer to "
            "rows of other tables. PINs and passwords are stored only as fingerprints, which "
            "are left out."
        )
        lines = [f"{name}: {number}" for name, number in written.items()]
        archive.writestr("README.txt", "\r\n".join([text, "", *lines]).encode("utf-8-sig"))
    return written


def _write_table(
    archive: zipfile.ZipFile, name: str, columns: list[str], rows: QuerySet[Any]
) -> int:
    number = 0
    values = rows.values_list(*columns).iterator(2000)
    first = next(values, None)
    if first is None:
        return 0
    with archive.open(name, "w") as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(columns)
        for row in (first, *values):
            writer.writerow(csv_row(row))
            number += 1
    return number


# Deletion


@transaction.atomic
def delete_all(what: Model | None, students: QuerySet[User]) -> Rows:
    """Delete the row and the students, with everything that belongs to them.

    Returns the number of rows deleted, by table.
    """
    # The students are read first, because the row may be deleted with the list of them.
    people = list(students)
    deleted: dict[str, int] = defaultdict(int)
    keys = [key for student in people for key in student.pin_keys]
    Lock.objects.filter(key__in=keys).delete()
    for rows in ([what] if what else []), [User.objects.filter(pk__in=[s.pk for s in people])]:
        for row in rows:
            for label, number in row.delete()[1].items():
                deleted[label] += number
    transaction.on_commit(clear_journal)
    return {label: number for label, number in deleted.items() if number}


# The log


def log(
    actor: User | None,
    action: DataRecord.Action,
    classroom: Classroom | None,
    rows: Rows,
    enrolment: Enrolment | None = None,
    *,
    event: str = "",
    school: int | None = None,
) -> DataRecord:
    """Log what was done with personal data; return the line of the log.

    `school` is the key of the school whose data it is, if that is not the school of the class.
    """
    return DataRecord.objects.create(
        event=event,
        school_key=school or (classroom.school_id if classroom else None),
        network=present_network(),
        actor=actor,
        action=action,
        classroom=classroom if classroom and classroom.pk else None,
        class_name=classroom.name if classroom else "",
        number=enrolment.number if enrolment else None,
        person_key=enrolment.student_id if enrolment else None,
        rows=rows,
    )


def log_view(actor: User, viewed: Enrolment | Classroom) -> None:
    """Log that a student's page, or a page about a class, was viewed, once a day for each
    teacher."""
    if isinstance(viewed, Classroom):
        log_daily(actor, DataRecord.Action.LOOKED, viewed)
    elif not _today(actor, DataRecord.Action.LOOKED).filter(person_key=viewed.student_id).exists():
        log(actor, DataRecord.Action.LOOKED, viewed.classroom, {}, viewed)


def log_daily(
    actor: User, action: DataRecord.Action, classroom: Classroom, event: str = ""
) -> None:
    """Log what was done with the data of all students of a class, once a day for each teacher."""
    lines = _today(actor, action).filter(event=event)
    if not lines.filter(classroom=classroom, person_key=None).exists():
        rows = {Enrolment._meta.label: classroom.enrolments.count()}
        log(actor, action, classroom, rows, event=event)


def _today(actor: User, action: DataRecord.Action) -> QuerySet[DataRecord]:
    """Return today's lines of the log about this action of the teacher."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return DataRecord.objects.filter(actor=actor, action=action, at__gte=today)


def log_for(teacher: User) -> QuerySet[DataRecord]:
    """Return the lines of the log about students' data: the teacher's own, and those of classes
    that the teacher owns."""
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN)).values("pk")
    actions = (DataRecord.Action.LOOKED, DataRecord.Action.EXPORTED, DataRecord.Action.DELETED)
    records = DataRecord.objects.filter(
        Q(actor=teacher) | Q(classroom__in=owned), action__in=actions
    )
    return records.select_related("actor")


# Retention


def kept_since(number: int | None = None) -> datetime:
    """Return the time before which data is older than this number of years, or else than
    `KEPT_YEARS`."""
    return timezone.now() - years(number or settings.KEPT_YEARS)


def years(number: int) -> timedelta:
    """Return so many years."""
    return timedelta(days=365.25 * number)


def months(number: int) -> timedelta:
    """Return so many months."""
    return years(number) / 12


def with_last_due(classrooms: QuerySet[Classroom]) -> QuerySet[Any]:
    """Return the classes with their school, their `student_count`, and `last_due`, when something
    was due last; None if nothing ever was."""
    places = Enrolment.objects.filter(classroom=OuterRef("pk")).order_by().values("classroom")
    return classrooms.select_related("school").annotate(
        student_count=Coalesce(Subquery(places.annotate(n=Count("pk")).values("n")), 0),
        last_due=Max(
            "assignments__due_at",
            filter=Q(assignments__is_gallery=False, assignments__is_practice=False),
        ),
    )


def overdue_classes(teacher: User) -> list[Classroom]:
    """Return the teacher's own classes in which nothing has been due for the years that the school,
    or else the site, keeps data.

    The teacher is reminded of them. They are deleted only if their school has a rule for it
    (`rosters.retention`).
    """
    owned = Classroom.objects.filter(
        in_class_of(teacher, right=Right.OWN), created_at__lt=kept_since(1)
    )
    last = with_last_due(owned)

    def is_over(classroom: Any) -> bool:
        limit = kept_since(classroom.school.kept_years if classroom.school else None)
        is_old: bool = classroom.created_at < limit
        return is_old and (classroom.last_due is None or classroom.last_due < limit)

    over: list[Classroom] = [each for each in last.order_by("name", "pk") if is_over(each)]
    return over[:20]
