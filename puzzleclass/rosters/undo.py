"""Undoing an import: all rows that it could touch are compared before and after it.

The comparison does not depend on how an import stores its changes, so what is restored is exactly
what was there before. Rows that were created are kept by their keys. Of rows that were changed or
deleted, the previous values are kept (`models.ChangedRow`).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment, Group, SignInCard, Teaching
from puzzleclass.classes.personal_data import cascades, log
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import close_deleted
from puzzleclass.database.batches import BATCH_ROWS, in_batches
from puzzleclass.rosters.models import (
    ChangedRow,
    ClassId,
    EnrolmentId,
    Leavers,
    RosterImport,
    SchoolId,
    UserId,
)
from puzzleclass.rosters.plan import Plan
from solvers.message import Message

Member = Group.members.through

_ANY_ID = ("source_id", "sourced_id", "left_at", "by_operator", "by_board_id")

COLUMNS: dict[type[Model], tuple[str, ...]] = {
    School: ("name",),
    Classroom: ("name", "school_id", "grade", "archived_at", "deleted_at"),
    User: ("name", "reading"),
    Enrolment: ("classroom_id", "student_id", "number"),
    Teaching: ("classroom_id", "teacher_id", "role"),
    Member: ("group_id", "enrolment_id"),
    Leavers: ("left_id", "classroom_id"),
    SchoolId: (*_ANY_ID,),
    ClassId: (*_ANY_ID, "classroom_id", "special_needs"),
    UserId: (*_ANY_ID, "user_id", "master_id"),
    EnrolmentId: (*_ANY_ID, "enrolment_id", "teaching_id"),
}
"""The models whose rows an import touches -> the columns that it may change.

A model stands after those that its rows refer to. A count of sign-outs never goes back.
"""

_OWN = {SignInCard, Teaching, Group, Member, ClassId, UserId, EnrolmentId, Leavers, ChangedRow}
"""Rows that may be deleted together with a student or a class that an import has created."""

_IDENTIFIERS: tuple[type[Model], ...] = (SchoolId, ClassId, UserId, EnrolmentId)

ASIDE = 20_000
"""It is added to the numbers of students who get other ones, so that two can be exchanged."""

MAX_NAMES = 10
"""The most rows that a refusal names."""

Values = dict[int, tuple[Any, ...]]
"""Key -> the values of the columns."""


class CannotUndo(Exception):
    """Raised when an import can't be undone. `reasons` say why."""

    def __init__(self, *reasons: Message) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


# Recording


class Photograph:
    """The rows that a plan can touch, as they are before it is carried out.

    While the transaction lasts, nobody else changes the lists of the source's classes.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        # What a dropped identifier belonged to stays, and would look as if it were deleted.
        dropped = plan.stored.claims.dropped
        self.adopted = plan.adopted_classes
        self.adopted += [each.classroom_id for each in dropped if isinstance(each, ClassId)]
        self.linked = [user.pk for user in plan.linked.values()]
        self.linked += [each.user_id for each in dropped if isinstance(each, UserId)]
        ours = Classroom.objects.filter(self._scopes()[Classroom])
        list(ours.select_for_update().values_list("pk"))
        self.before = dict(self._rows())

    def _scopes(self) -> dict[type[Model], Q]:
        scopes = _scopes(self.plan.stored.sources, self.adopted)
        scopes[User] |= Q(pk__in=self.linked)
        scopes[School] |= Q(pk__in=[school.pk for school in self.plan.adopted.values()])
        return scopes

    def _rows(self) -> Iterator[tuple[type[Model], Values]]:
        for model, where in self._scopes().items():
            rows = (
                model._default_manager.filter(where).order_by().values_list("pk", *COLUMNS[model])
            )
            yield model, {key: tuple(values) for key, *values in rows.iterator()}

    def record_changes(self, record: RosterImport) -> RosterImport | None:
        """Store what has changed since in the record, which names what was created before; return
        it, None if nothing has changed."""
        created: dict[str, list[int]] = {**record.created}
        changed: list[ChangedRow] = []
        for model, after in self._rows():
            before = self.before[model]
            if new := [key for key in after if key not in before]:
                created[model._meta.label] = [*created.get(model._meta.label, ()), *new]
            own = {*record.created.get(model._meta.label, ())}
            for key, values in before.items():
                if key not in own and (now := after.get(key)) != values:
                    changed.append(_changed_row(model, key, values, now))
        if not created and not changed:
            return None
        record.created = created
        record.save()
        schools = self._schools(changed)
        record.schools.set(schools)
        rows = Counter(row.table for row in changed)
        rows.update({label: len(keys) for label, keys in created.items()})
        for school in schools:
            action = DataRecord.Action.IMPORTED
            log(record.made_by, action, None, dict(rows), event="import", school=school.pk)
        people = _people(changed)
        for row in changed:
            row.of, row.student_id = record, people.get((row.table, row.key))
        ChangedRow.objects.bulk_create(changed, batch_size=BATCH_ROWS)
        return record

    def _schools(self, changed: list[ChangedRow]) -> QuerySet[School]:
        """Return the schools of the import, and those from which it has taken somebody."""
        stored, scope = self.plan.stored.schools, self.plan.scope
        sources = {each.source_id for key, each in stored.items() if key in scope}
        ids = {model._meta.label for model in _IDENTIFIERS}
        sources |= {
            row.before["source_id"]
            for row in changed
            if row.table in ids and "source_id" in row.before
        }
        return School.objects.filter(sources__in=sources).distinct()


def _scopes(sources: Collection[int], adopted: list[int]) -> dict[type[Model], Q]:
    """Return for each model the condition for the rows that an import of the source can touch.

    `adopted` are the keys of classes that have no identifier of the source before the import.
    """
    classes = ClassId.objects.filter(source__in=sources).values("classroom")
    ours = Q(pk__in=classes) | Q(leavers_of__left__in=classes) | Q(pk__in=adopted)
    rooms = Classroom.objects.filter(ours).order_by().values("pk")
    ids = EnrolmentId.objects.filter(source__in=sources).exclude(enrolment=None).values("enrolment")
    enrolments = Q(classroom__in=rooms) | Q(pk__in=ids)
    listed = Enrolment.objects.filter(enrolments).order_by().values("pk")
    people = UserId.objects.filter(source__in=sources).values("user")
    of_source = Q(source__in=sources)
    return {
        School: Q(sources__in=sources),
        Classroom: Q(pk__in=rooms),
        User: Q(pk__in=people),
        Enrolment: enrolments,
        Teaching: Q(classroom__in=rooms),
        Member: Q(enrolment__in=listed),
        Leavers: Q(left__in=classes),
        SchoolId: of_source,
        ClassId: of_source,
        UserId: of_source,
        EnrolmentId: of_source,
    }


def _changed_row(
    model: type[Model], key: int, before: Iterable[Any], after: Iterable[Any] | None
) -> ChangedRow:
    names = COLUMNS[model]
    old = dict(zip(names, map(_as_json, before), strict=True))
    row = ChangedRow(table=model._meta.label, key=key, before=old)
    if after is not None:
        new = dict(zip(names, map(_as_json, after), strict=True))
        row.before = {name: value for name, value in old.items() if new[name] != value}
        row.after = {name: new[name] for name in row.before}
    return row


def _as_json(value: Any) -> Any:
    # Django's encoder would cut the microseconds off.
    return value.isoformat() if isinstance(value, datetime) else value


def _people(changed: list[ChangedRow]) -> dict[tuple[str, int], int]:
    """Return the person whom each of the changed rows is about, by table and key."""
    people: dict[tuple[str, int], int] = {}
    paths = {User: "pk", Enrolment: "student", UserId: "user", EnrolmentId: "enrolment__student"}
    for model, path in paths.items():
        label = model._meta.label
        keys = [row.key for row in changed if row.table == label and row.after is not None]
        for some in in_batches(keys):
            rows = model._default_manager.filter(pk__in=some).values_list("pk", path)
            people |= {(label, key): person for key, person in rows if person}
    for row in changed:
        if row.table == Enrolment._meta.label and row.after is None:
            people[row.table, row.key] = row.before["student_id"]
    return people


# Undoing


def undo_import(record: RosterImport) -> None:
    """Restore all rows as they were before the import. Raises CannotUndo, and changes nothing."""
    try:
        with transaction.atomic():
            waiting = RosterImport.objects.filter(pk=record.pk, undone_at=None)
            if not record.can_be_undone or not waiting.update(undone_at=timezone.now()):
                raise CannotUndo(Message("This import can't be undone any more."))
            _check_later_imports(record)
            changed: dict[type[Model], list[ChangedRow]] = defaultdict(list)
            models = {model._meta.label: model for model in COLUMNS}
            for row in record.changed.order_by("pk"):
                changed[models[row.table]].append(row)
            created = {models[label]: keys for label, keys in record.created.items()}
            reasons = [*_changed_since(changed), *_used_since(created, changed)]
            if reasons:
                raise CannotUndo(*reasons[:MAX_NAMES])
            _restore(created, changed)
    except IntegrityError:
        raise CannotUndo(
            Message("A class has been changed since the import, so it can't be undone.")
        ) from None


def _check_later_imports(record: RosterImport) -> None:
    """Raise CannotUndo if a later import has touched rows that this one has touched."""
    ours = _touched(record)
    later = RosterImport.objects.filter(source=record.source, undone_at=None, pk__gt=record.pk)
    for each in later:
        if not ours.isdisjoint(_touched(each)):
            day = timezone.localtime(each.made_at)
            raise CannotUndo(
                Message(
                    "The import of {time} has changed the same rows. Undo that one first.",
                    {"time": f"{day:%Y-%m-%d %H:%M}"},
                )
            )


def _touched(record: RosterImport) -> set[tuple[str, int]]:
    changed = set(record.changed.values_list("table", "key"))
    return changed | {(table, key) for table, keys in record.created.items() for key in keys}


def _changed_since(changed: dict[type[Model], list[ChangedRow]]) -> Iterator[Message]:
    """Yield a reason for each row that no longer has the values that the import gave to it."""
    for model, rows in changed.items():
        remaining = [row for row in rows if row.after is not None]
        for some in in_batches(remaining):
            present = model._default_manager.in_bulk([row.key for row in some])
            for row in some:
                now = present.get(row.key)
                if now is None or any(
                    _as_json(getattr(now, name)) != value
                    for name, value in (row.after or {}).items()
                ):
                    values = {"name": _name_of(now) if now else _name_of_person(row)}
                    yield Message("“{name}” has been changed since the import.", values)


def _used_since(
    created: dict[type[Model], list[int]], changed: dict[type[Model], list[ChangedRow]]
) -> Iterator[Message]:
    """Yield a reason for each new student or class that something else belongs to by now."""
    known = {*created.get(Enrolment, ()), *(row.key for row in changed.get(Enrolment, ()))}
    below = cascades()
    for model in (Classroom, User):
        used: set[int] = set()
        for some in in_batches(created.get(model, [])):
            for child, name in below[model]:
                if child in _OWN:
                    continue
                rows = child._base_manager.filter(**{f"{name}__in": some})
                for key, owner in rows.values_list("pk", f"{name}_id").order_by():
                    if child is not Enrolment or key not in known:
                        used.add(owner)
        for each in model._default_manager.filter(pk__in=sorted(used)[:MAX_NAMES]):
            yield Message(
                "“{name}” is new and has been used since the import, so it is not deleted. "
                "Import a corrected file instead.",
                {"name": str(each)},
            )


def _name_of(row: Model) -> str:
    match row:
        case EnrolmentId():
            return str(row.enrolment or row.teaching)
        case UserId():
            return str(row.user)
        case ClassId():
            return str(row.classroom)
    return str(row)


def _name_of_person(row: ChangedRow) -> str:
    return str(row.student or row.before.get("name") or row)


def _restore(
    created: dict[type[Model], list[int]], changed: dict[type[Model], list[ChangedRow]]
) -> None:
    """Delete what was created, restore what was changed, and make again what was deleted.

    A row that was changed may refer to one that was created, and would be deleted with it.
    Therefore identifiers are restored before enrolments are deleted, and enrolments before classes.
    """
    others = [model for model in COLUMNS if model not in _IDENTIFIERS]
    _delete([*_IDENTIFIERS, Leavers, Member], created)
    _update(_IDENTIFIERS, changed)
    _delete([Teaching, Enrolment], created)
    _update(others, changed)
    close_deleted()
    for model in COLUMNS:
        gone = [row for row in changed.get(model, ()) if row.after is None]
        again = [model(pk=row.key, **_values(model, row)) for row in gone]
        model._default_manager.bulk_create(again, batch_size=BATCH_ROWS)
    _delete([User, Classroom], created)
    # A school with administrators stays, without classes.
    School.objects.filter(pk__in=created.get(School, ()), administrators=None).delete()
    forget_special_needs()


def forget_special_needs() -> None:
    """Delete the note that a class is for special needs wherever the school does not keep it, also
    from what imports have recorded for their undo."""
    needed = Q(classroom__school__keeps_special_needs=True)
    others = ClassId.objects.exclude(needed)
    others.exclude(special_needs=None).update(special_needs=None)
    rows = ChangedRow.objects.filter(
        table=ClassId._meta.label, key__in=others.values("pk"), before__has_key="special_needs"
    )
    for row in rows:
        del row.before["special_needs"]
        if row.after:
            del row.after["special_needs"]
        row.save(update_fields=["before", "after"])


def _delete(models: Iterable[type[Model]], created: dict[type[Model], list[int]]) -> None:
    for model in models:
        for some in in_batches(created.get(model, [])):
            model._default_manager.filter(pk__in=some).delete()


def _update(models: Iterable[type[Model]], changed: dict[type[Model], list[ChangedRow]]) -> None:
    for model in models:
        rows = [row for row in changed.get(model, ()) if row.after is not None]
        # No two students have one number meanwhile.
        renumbered = [row.key for row in rows if model is Enrolment and "number" in row.before]
        for keys in in_batches(renumbered):
            Enrolment.objects.filter(pk__in=keys).update(number=F("number") + ASIDE)
        for some in in_batches(rows):
            present = model._default_manager.in_bulk([row.key for row in some])
            for row in some:
                for name, value in _values(model, row).items():
                    setattr(present[row.key], name, value)
            model._default_manager.bulk_update(present.values(), COLUMNS[model])


def _values(model: type[Model], row: ChangedRow) -> dict[str, Any]:
    fields: Any = model._meta
    return {name: fields.get_field(name).to_python(value) for name, value in row.before.items()}
