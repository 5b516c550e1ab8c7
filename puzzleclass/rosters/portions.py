"""What is new in a large import, stored in portions before the rest.

With SQLite, one transaction writes at a time, and a first import of 20,000 people would keep all
others waiting for as long as a sign-in waits at most. New accounts with their identifiers, new
classes, and the lists of new classes stand for themselves. They are stored in short transactions,
and the rest, which changes what is there, follows in one.

If the work ends in between, each portion is whole: a person has an account, a card and an
identifier. The same file, imported again, finds these rows and goes on. Until then, the import's
record names them, so that they can be undone like any other.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import Model

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.roster import Entry
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import store_students
from puzzleclass.database.batches import BATCH_ROWS, in_batches, let_others_write
from puzzleclass.rosters.models import (
    ClassId,
    EnrolmentId,
    RosterImport,
    RosterSource,
    SchoolId,
    UserId,
)
from puzzleclass.rosters.oneroster import ClassRow, UserRow
from puzzleclass.rosters.plan import Plan, PlannedEnrolment


def new_students(rows: Iterable[UserRow]) -> list[User]:
    """Return accounts for the rows, which are not stored yet."""
    entries = [Entry(row.line, name=row.name, reading=row.reading) for row in rows]
    return [User.objects.new_student(each.display_name, None, each.reading) for each in entries]


def mark_of(plan: Plan) -> dict[str, Any]:
    """Return what an identifier says of the authority that writes it, unless it is a school."""
    if plan.target:
        return {}
    return {"by_board": plan.board} if plan.board else {"by_operator": True}


def make_school_id(plan: Plan, sourced_id: str) -> SchoolId:
    """Store a school that the source names for the first time, and its identifier."""
    school = plan.adopted.get(sourced_id) or School(board=plan.board)
    school.name = plan.schools[sourced_id]
    school.save()
    source, _made = RosterSource.objects.get_or_create(school=school, name=plan.roster.source)
    made = SchoolId.objects.create(source=source, sourced_id=sourced_id, **mark_of(plan))
    plan.stored.schools[sourced_id] = made
    return made


def make_class_id(plan: Plan, sourced_id: str, row: ClassRow, source: RosterSource) -> ClassId:
    """Store a new class and its identifier."""
    school = source.school
    return ClassId.objects.create(
        source=source,
        sourced_id=sourced_id,
        classroom=Classroom.objects.create(name=row.name, school=school, grade=row.grade),
        special_needs=row.special_needs if school.keeps_special_needs else None,
        **mark_of(plan),
    )


def store_in_portions(plan: Plan, record: RosterImport) -> bool:
    """Store what is new if it is much, take it out of the plan, and return whether it was.

    `record`, which is not stored yet, then names it.
    """
    known = plan.stored.users
    held = {each.sourced_id for each in plan.stored.claims.dropped}
    people = [key for key in plan.students if key not in known and key not in plan.linked]
    people = [key for key in people if key not in held]
    places = [
        key
        for key, each in plan.enrolments.items()
        if _is_new_place(plan, each) and held.isdisjoint({key, each.row.user, each.row.classroom})
    ]
    if len(people) + len(places) <= BATCH_ROWS:
        return False
    portions = _Portions(plan, record)
    with portions.one():
        portions.store_schools()
    rooms = [key for key in plan.classes if key not in plan.stored.classes and key not in held]
    for some in in_batches(rooms):
        with portions.one():
            portions.store_classes(some)
    for some in in_batches(people):
        with portions.one():
            portions.store_people(some)
    for some in in_batches(places):
        with portions.one():
            portions.store_places(some)
    return True


def _is_new_place(plan: Plan, planned: PlannedEnrolment) -> bool:
    """Return whether a student, who is new or known, comes into a new class."""
    return (
        plan.people[planned.row.user].is_student
        and planned.id is None
        and planned.enrolment is None
        and planned.row.classroom not in plan.stored.classes
    )


class _Portions:
    """Stores portions, and names in the record of the import what they have created."""

    def __init__(self, plan: Plan, record: RosterImport) -> None:
        self.plan, self.record = plan, record
        self.created: dict[str, list[int]] = defaultdict(list)
        self.mark = mark_of(plan)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Store a portion with what the record says of it, then let others write."""
        with transaction.atomic():
            yield
            self.record.created = dict(self.created)
            self.record.save()
        let_others_write()

    def store_schools(self) -> None:
        plan = self.plan
        for key in plan.schools:
            if key not in plan.stored.schools:
                is_new = key not in plan.adopted
                made = make_school_id(plan, key)
                self._created([made])
                if is_new:
                    self._created([made.source.school])
        self.record.save()
        ours = [each.source.school_id for key, each in plan.stored.schools.items()
                if key in plan.scope]  # fmt: skip
        self.record.schools.set(ours)

    def store_classes(self, keys: Iterable[str]) -> None:
        plan = self.plan
        for key in keys:
            row = plan.classes.pop(key)
            made = make_class_id(plan, key, row, plan.stored.schools[row.school].source)
            plan.stored.classes[key] = made
            self._created([made])
            self._created([made.classroom])

    def store_people(self, keys: Iterable[str]) -> None:
        plan = self.plan
        keys = list(keys)
        users = new_students(plan.students.pop(key) for key in keys)
        store_students(users)
        made = [
            UserId(
                source=plan.stored.schools[plan.user_schools.pop(key)].source,
                sourced_id=key,
                user=user,
                master_id=plan.master_ids.pop(key, ""),
                **self.mark,
            )
            for key, user in zip(keys, users, strict=True)
        ]
        UserId.objects.bulk_create(made, batch_size=BATCH_ROWS)
        plan.stored.users |= {each.sourced_id: each for each in made}
        self._created(users)
        self._created(made)

    def store_places(self, keys: Iterable[str]) -> None:
        plan = self.plan
        planned = {key: plan.enrolments.pop(key) for key in keys}
        rooms = {key: plan.stored.classes[each.row.classroom] for key, each in planned.items()}
        entries = {
            key: Enrolment(
                classroom=rooms[key].classroom,
                student=plan.stored.users[each.row.user].user
                if each.row.user in plan.stored.users
                else plan.linked[each.row.user],
                number=each.number,
            )
            for key, each in planned.items()
        }
        Enrolment.objects.bulk_create(entries.values(), batch_size=BATCH_ROWS)
        made = [
            EnrolmentId(
                source=rooms[key].source, sourced_id=key, enrolment=entries[key], **self.mark
            )
            for key in planned
        ]
        EnrolmentId.objects.bulk_create(made, batch_size=BATCH_ROWS)
        plan.stored.enrolments |= {each.sourced_id: each for each in made}
        self._created(entries.values())
        self._created(made)

    def _created(self, rows: Iterable[Model]) -> None:
        for each in rows:
            self.created[each._meta.label].append(each.pk)
