"""Carrying out a plan: what is new in a large import in portions, and the rest in one transaction.

Only rows that change are written. In a night in which nothing has changed, no lesson waits for the
imports of all schools.

Nobody is deleted. A class that has left is archived with its list. A student who has left a class
that goes on is moved to an archived class beside it, where the teachers still find the student's
work (`Leavers`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, count

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Group, Teaching
from puzzleclass.classes.roster import CLASS_LENGTH
from puzzleclass.classes.services import store_students
from puzzleclass.database.batches import BATCH_ROWS, in_batches
from puzzleclass.rosters.models import (
    ClassId,
    EnrolmentId,
    ExternalId,
    Leavers,
    RosterImport,
    RosterSource,
    SchoolId,
    StudentMatch,
    UserId,
)
from puzzleclass.rosters.plan import Plan
from puzzleclass.rosters.portions import (
    make_class_id,
    make_school_id,
    mark_of,
    new_students,
    store_in_portions,
)
from puzzleclass.rosters.undo import ASIDE, CannotUndo, Photograph, undo_import


def carry_out(plan: Plan, by: User | None, file_name: str) -> RosterImport | None:
    """Store what the plan says; return the record by which this can be undone.

    Returns None if nothing has changed. Raises IntegrityError if somebody has changed the rows
    meanwhile. New students get a card, and no PIN. Their teacher prints the cards, or gives them
    PINs.
    """
    record = RosterImport(
        source=plan.roster.source, made_by=by, file_name=file_name, counts=plan.changes
    )
    try:
        store_in_portions(plan, record)
        return _carry_out_rest(plan, record)
    except IntegrityError:
        if record.pk:
            with suppress(CannotUndo):
                undo_import(record)
        raise


def _carry_out_rest(plan: Plan, record: RosterImport) -> RosterImport | None:
    known = plan.stored.users
    fresh = {
        key: row for key, row in plan.students.items() if key not in known | plan.linked.keys()
    }
    users = new_students(fresh.values())
    with transaction.atomic():
        now = timezone.now()
        before = Photograph(plan)
        plan.stored.likeness.settle()
        plan.stored.claims.settle()
        sources = _store_schools(plan, now)
        classes = _store_classes(plan, sources, now)
        store_students(users)
        people = _store_people(plan, dict(zip(fresh, users, strict=True)), sources, now)
        _store_enrolments(plan, classes, people, now)
        _store_teachings(plan, classes, people, now)
        _store_matches(plan)
        if plan.target is None:
            _mark_as_named(plan, sources)
        return before.record_changes(record)


def _store_schools(plan: Plan, now: datetime) -> dict[str, RosterSource]:
    """Store the schools; return the source of each of them."""
    known = plan.stored.schools
    _mark(plan.left_schools, now)
    for sourced_id, school_name in plan.schools.items():
        old = known.get(sourced_id)
        if old is None:
            make_school_id(plan, sourced_id)
            continue
        school = old.source.school
        if school.name != school_name:
            school.name = school_name
            school.save(update_fields=["name"])
        old.sourced_id, old.left_at = sourced_id, None
        old.save()
    coded = []
    for key in plan.scope & known.keys() & plan.roster.schools.keys():
        code = plan.roster.schools[key].code
        if code and known[key].code != code:
            known[key].code = code
            coded.append(known[key])
    SchoolId.objects.bulk_update(coded, ["code"], batch_size=BATCH_ROWS)
    return {sourced_id: each.source for sourced_id, each in known.items()}


def _store_classes(
    plan: Plan, sources: dict[str, RosterSource], now: datetime
) -> dict[str, Classroom]:
    """Store the classes; return all classes of the source."""
    known = plan.stored.classes
    for sourced_id, row in plan.classes.items():
        source = sources[row.school]
        school = source.school
        if old := known.get(sourced_id):
            classroom = old.classroom
            classroom.name, classroom.school = row.name, school
            classroom.grade = row.grade or classroom.grade
            if old.left_at:
                classroom.archived_at = classroom.deleted_at = None
            classroom.save(update_fields=["name", "school", "grade", "archived_at", "deleted_at"])
            if old.source_id and old.source_id != source.pk:
                of_class = Q(enrolment__classroom=classroom) | Q(teaching__classroom=classroom)
                rows = EnrolmentId.objects.filter(of_class, source=old.source_id)
                rows.update(source=source)
            old.source, old.left_at = source, None
            needs = old.special_needs if row.special_needs is None else row.special_needs
            old.special_needs = needs if school.keeps_special_needs else None
            old.save()
        else:
            known[sourced_id] = make_class_id(plan, sourced_id, row, source)
    _mark(plan.left_classes, now)
    for some in in_batches([each.classroom_id for each in plan.left_classes]):
        Classroom.objects.filter(pk__in=some, archived_at=None).update(archived_at=now)
    return {sourced_id: each.classroom for sourced_id, each in known.items()}


def _store_people(
    plan: Plan, fresh: dict[str, User], sources: dict[str, RosterSource], now: datetime
) -> dict[str, User]:
    """Store names, identifiers and schools; return all people of the source."""
    known = plan.stored.users
    renamed = []
    for sourced_id, row in plan.students.items():
        if sourced_id not in fresh:
            user = plan.linked.get(sourced_id) or known[sourced_id].user
            name, reading = row.name, row.reading or user.reading
            if (user.name, user.reading) != (name, reading):
                user.name, user.reading = name, reading
                renamed.append(user)
    User.objects.bulk_update(renamed, ["name", "reading"], batch_size=BATCH_ROWS)
    people = {key: each.user for key, each in known.items()} | fresh | plan.linked
    made, back = [], []
    for sourced_id, school in plan.user_schools.items():
        if old := known.get(sourced_id):
            if old.source_id != sources[school].pk or old.left_at:
                old.source, old.left_at = sources[school], None
                back.append(old)
        else:
            made.append(UserId(source=sources[school], sourced_id=sourced_id))
    made += [UserId(source=sources[key], sourced_id=one) for one, key in plan.second_schools]
    for each in made:
        each.user = people[each.sourced_id]
        before = known.get(each.sourced_id)
        each.master_id = plan.master_ids.get(each.sourced_id, before.master_id if before else "")
    for each in plan.returned:
        each.left_at = None
    changed = [
        each
        for each in (*known.values(), *plan.stored.other_users)
        if each.sourced_id in plan.master_ids
        and each.user_id == people[each.sourced_id].pk
        and each.master_id != plan.master_ids[each.sourced_id]
    ]
    for each in changed:
        each.master_id = plan.master_ids[each.sourced_id]
    UserId.objects.bulk_update(changed, ["master_id"], batch_size=BATCH_ROWS)
    UserId.objects.bulk_update(
        [*back, *plan.returned], ["source", "left_at"], batch_size=BATCH_ROWS
    )
    UserId.objects.bulk_create(made, batch_size=BATCH_ROWS)
    for ended in in_batches(plan.ended):
        UserId.objects.filter(pk__in=[each.pk for each in ended]).delete()
    _mark(plan.left_users, now)
    for some in in_batches(sorted(plan.leavers)):
        gone = User.objects.filter(pk__in=some, role=User.Role.STUDENT)
        gone.update(sign_outs=F("sign_outs") + 1)
    return people


def _store_enrolments(
    plan: Plan, classes: dict[str, Classroom], people: dict[str, User], now: datetime
) -> None:
    """Store the students' enrolments. No two students have one number meanwhile."""
    _mark(plan.left_enrolments, now)
    archived = {each.classroom_id for each in plan.left_classes}
    leaving: dict[int, list[Enrolment]] = defaultdict(list)
    for each in plan.left_enrolments:
        if each.enrolment and each.enrolment.classroom_id not in archived:
            leaving[each.enrolment.classroom_id].append(each.enrolment)
    by_key = {classroom.pk: classroom for classroom in classes.values()}
    for key, enrolments in leaving.items():
        _move_to_leavers(by_key[key], enrolments, now)
    all_planned = {
        key: planned
        for key, planned in plan.enrolments.items()
        if plan.people[planned.row.user].is_student
    }
    moved, made, others = [], [], []
    places: list[tuple[Classroom, int]] = []
    for planned in all_planned.values():
        classroom, enrolment = classes[planned.row.classroom], planned.enrolment
        if enrolment is None:
            planned.enrolment = Enrolment(
                classroom=classroom, student=people[planned.row.user], number=planned.number
            )
            made.append(planned.enrolment)
        elif (enrolment.classroom_id, enrolment.number) != (classroom.pk, planned.number):
            if enrolment.classroom_id != classroom.pk:
                others.append(enrolment.pk)
            enrolment.number += ASIDE
            moved.append(enrolment)
            places.append((classroom, planned.number))
    Enrolment.objects.bulk_update(moved, ["number"], batch_size=BATCH_ROWS)
    for enrolment, place in zip(moved, places, strict=True):
        enrolment.classroom, enrolment.number = place
    _leave_groups(others)
    Enrolment.objects.bulk_update(moved, ["classroom", "number"], batch_size=BATCH_ROWS)
    Enrolment.objects.bulk_create(made, batch_size=BATCH_ROWS)
    old: list[EnrolmentId] = []
    new: list[EnrolmentId] = []
    for sourced_id, planned in all_planned.items():
        source, own = plan.stored.classes[planned.row.classroom].source, planned.enrolment
        one = planned.id or EnrolmentId()
        before = one.source_id, one.sourced_id, one.enrolment_id, one.left_at
        is_known = before == (source.pk, sourced_id, own and own.pk, None)
        one.source, one.sourced_id, one.enrolment, one.left_at = source, sourced_id, own, None
        if not is_known:
            (old if planned.id else new).append(one)
    EnrolmentId.objects.bulk_update(
        old, ["source", "sourced_id", "enrolment", "left_at"], batch_size=BATCH_ROWS
    )
    EnrolmentId.objects.bulk_create(new, batch_size=BATCH_ROWS)


def _move_to_leavers(classroom: Classroom, enrolments: list[Enrolment], now: datetime) -> None:
    """Move the enrolments from the class to its archived class of students who have left."""
    leavers = Leavers.objects.filter(left=classroom).select_related("classroom").first()
    if leavers is None:
        name = _("{name} (left)").format(name=classroom.name)[:CLASS_LENGTH]
        archive = Classroom.objects.create(
            name=name, school=classroom.school, grade=classroom.grade, archived_at=now
        )
        leavers = Leavers.objects.create(left=classroom, classroom=archive)
    archive = leavers.classroom
    _leave_groups([each.pk for each in enrolments])
    taken = dict(archive.enrolments.values_list("student", "number"))
    again = [each for each in enrolments if each.student_id in taken]
    for some in in_batches([each.pk for each in again]):
        Enrolment.objects.filter(pk__in=some).delete()
    numbers = set(taken.values())
    both = Enrolment.objects.filter(classroom__in=[archive, classroom])
    free = count((both.aggregate(last=Max("number"))["last"] or 0) + 1)
    moved = [each for each in enrolments if each.student_id not in taken]
    for each in moved:
        each.classroom = archive
        if each.number in numbers:
            each.number = next(free)
        numbers.add(each.number)
    Enrolment.objects.bulk_update(moved, ["classroom", "number"], batch_size=BATCH_ROWS)


def _leave_groups(enrolments: list[int]) -> None:
    members = Group.members.through._default_manager
    for some in in_batches(enrolments):
        members.filter(enrolment__in=some).delete()


def _store_teachings(
    plan: Plan, classes: dict[str, Classroom], people: dict[str, User], now: datetime
) -> None:
    """Store the teachers' roles. Every class with a teacher has an owner."""
    archived = {each.classroom_id for each in plan.left_classes}
    over = [each.teaching for each in plan.left_enrolments if each.teaching]
    roles = plan.stored.teachings
    for teaching in over:
        if teaching.classroom_id not in archived:
            _end(teaching, roles)
    all_planned = {
        key: planned
        for key, planned in plan.enrolments.items()
        if not plan.people[planned.row.user].is_student
    }
    for planned in all_planned.values():
        moved = planned.id.teaching if planned.id else None
        stays = archived | {classes[planned.row.classroom].pk}
        if moved and moved.classroom_id not in stays:
            planned.id = None
            _end(moved, roles)
    for sourced_id, planned in all_planned.items():
        classroom, teacher = classes[planned.row.classroom], people[planned.row.user]
        if (classroom.pk, teacher.pk) not in roles:
            role = Teaching.Role.OWNER if planned.row.is_primary else Teaching.Role.TEACHER
            roles[classroom.pk, teacher.pk] = Teaching.objects.create(
                classroom=classroom, teacher=teacher, role=role
            )
        teaching = roles[classroom.pk, teacher.pk]
        one = planned.id or EnrolmentId()
        one.source = plan.stored.classes[planned.row.classroom].source
        one.sourced_id, one.teaching, one.left_at = sourced_id, teaching, None
        one.save()
    for each in _without_owner(roles.values()):
        each.role = Teaching.Role.OWNER
        each.save(update_fields=["role"])
    _copy_roles_to_leavers(plan.stored.sources, roles.values())


def _copy_roles_to_leavers(sources: Collection[int], teachings: Iterable[Teaching]) -> None:
    """Give the classes of students who left the teachers of the classes that these have left."""
    wanted: dict[int, dict[int, str]] = defaultdict(dict)
    for each in teachings:
        wanted[each.classroom_id][each.teacher_id] = each.role
    ours = Leavers.objects.filter(
        left__in=ClassId.objects.filter(source__in=sources).values("classroom")
    )
    for leavers in ours.prefetch_related("classroom__teachings"):
        roles = wanted[leavers.left_id]
        present = leavers.classroom.teachings.all()
        if {each.teacher_id: each.role for each in present} != roles:
            Teaching.objects.filter(classroom=leavers.classroom_id).delete()
            Teaching.objects.bulk_create(
                Teaching(classroom_id=leavers.classroom_id, teacher_id=teacher, role=role)
                for teacher, role in roles.items()
            )


def _store_matches(plan: Plan) -> None:
    """Keep the students of the plan whom a teacher can confirm, in place of those before."""
    known = plan.stored.classes
    keys = [known[key].classroom_id for key in plan.present_classes if key in known]
    for some in in_batches(keys):
        StudentMatch.objects.filter(enrolment__classroom__in=some).delete()
    StudentMatch.objects.bulk_create(
        (
            StudentMatch(
                source=known[planned.row.classroom].source,
                sourced_user=planned.row.user,
                sourced_enrolment=sourced_id,
                enrolment=planned.enrolment,
            )
            for sourced_id, planned in plan.matches.items()
            if planned.enrolment
        ),
        batch_size=BATCH_ROWS,
    )


def _mark_as_named(plan: Plan, sources: dict[str, RosterSource]) -> None:
    """Mark what the roster names in these sources, so that an import of the operator finds it from
    any school, or one of the board from any school of the board."""
    mark = mark_of(plan)
    ours = [sources[key].pk for key in plan.scope if key in sources]
    stored = plan.stored
    further = {key for key, _school in plan.second_schools}
    tables: tuple[tuple[type[ExternalId], Collection[str], Iterable[ExternalId], set[str]], ...] = (
        (SchoolId, plan.scope, (), set()),
        (
            ClassId,
            plan.roster.classes,
            chain(stored.classes.values(), stored.other_classes),
            set(plan.classes),
        ),
        (
            UserId,
            plan.roster.users,
            chain(stored.users.values(), stored.other_users),
            {*plan.user_schools, *plan.linked, *further},
        ),
        (
            EnrolmentId,
            plan.roster.enrolments,
            chain(stored.enrolments.values(), stored.other_enrolments),
            set(plan.enrolments),
        ),
    )
    for model, named, rows, written in tables:
        for some in in_batches(sorted({*named} - _marked(plan, rows) | {*named} & written)):
            present = model._default_manager.filter(
                source__in=ours, sourced_id__in=some, left_at=None
            )
            keys = set(present.exclude(**mark).values_list("pk", flat=True))
            keys -= plan.stored.claims.foreign[model]
            model._default_manager.filter(pk__in=keys).update(**mark)


def _marked(plan: Plan, rows: Iterable[ExternalId]) -> set[str]:
    """Return the identifiers all of whose rows have the mark already, as they were read."""
    marked: set[str] = set()
    others: set[str] = set()
    for row in rows:
        has_mark = row.by_board_id == plan.board.pk if plan.board else row.by_operator
        (marked if has_mark else others).add(row.sourced_id)
    return marked - others


def _end(teaching: Teaching, roles: dict[tuple[int, int], Teaching]) -> None:
    """Take the role, and its identifier, from the teacher."""
    roles.pop((teaching.classroom_id, teaching.teacher_id), None)
    teaching.delete()


def _without_owner(teachings: Iterable[Teaching]) -> Iterator[Teaching]:
    """Yield a teacher of each class without an owner, one who may change the class if there is."""
    by_class: dict[int, list[Teaching]] = defaultdict(list)
    for teaching in teachings:
        by_class[teaching.classroom_id].append(teaching)
    for several in by_class.values():
        if all(each.role != Teaching.Role.OWNER for each in several):
            regular = [each for each in several if each.role == Teaching.Role.TEACHER]
            yield from regular[:1]


def _mark(ids: Sequence[ExternalId], left_at: datetime | None) -> None:
    """Store since when the source no longer names these rows."""
    for each in ids:
        each.left_at = left_at
    for some in in_batches(ids):
        rows = type(some[0])._default_manager.filter(pk__in=[each.pk for each in some])
        rows.update(left_at=left_at)
