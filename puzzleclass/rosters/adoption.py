"""The part of a plan about classes that teachers made by hand before the roster named them."""

from collections import defaultdict

from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.roster_contents import plain
from puzzleclass.database.batches import in_batches
from puzzleclass.rosters.models import ClassId
from puzzleclass.rosters.people import ask
from puzzleclass.rosters.plan import Change, Plan


def adopt_classes(plan: Plan) -> None:
    """Take classes made by hand for new ones of the roster, so that no class is there twice.

    A class of the school is taken, and one that its owner has given to the school. The operator
    answers for the classes of the owners whom the import names. The owner of any other one that
    seems to fit is asked.

    A class is taken if it has the same name, if it is taught by a teacher whom the roster names in
    the class, and if its list does not contradict the roster: students with the same number have
    the same name. If several classes fit, none is taken.
    """
    fresh = {key: row for key, row in plan.classes.items() if key not in plan.stored.classes}
    teachers: dict[str, set[int]] = defaultdict(set)
    names: dict[str, dict[int, str]] = defaultdict(dict)
    for row in plan.roster.enrolments.values():
        person = plan.people.get(row.user)
        if not row.is_present or row.classroom not in fresh or person is None:
            continue
        if not person.is_student and person.user:
            teachers[row.classroom].add(person.user.pk)
        elif row.number is not None and row.user in plan.roster.users:
            names[row.classroom][row.number] = plain(plan.roster.users[row.user].name)
    candidates: dict[str, set[Classroom]] = defaultdict(set)
    here = {each.source.school_id for each in plan.stored.schools.values()}
    here |= {school.pk for school in plan.adopted.values()}
    ids = {each.user.pk: key for key, each in plan.people.items() if each.user}
    for teaching in _by_hand({key for keys in teachers.values() for key in keys}):
        classroom, consent = teaching.classroom, plan.consent
        may_take = classroom.school_id in here or classroom.pk in consent.given
        is_owner = teaching.role == Teaching.Role.OWNER
        may_take = may_take or (is_owner and teaching.teacher.username in (consent.named or ()))
        for key, named in fresh.items():
            if classroom.name != named.name or teaching.teacher_id not in teachers[key]:
                continue
            if may_take:
                candidates[key].add(classroom)
            elif is_owner and consent.named is None:
                sourced_id = ids[teaching.teacher_id]
                ask(plan, teaching.teacher, sourced_id, plan.roster.users[sourced_id].name)
    claims = [classroom for classrooms in candidates.values() for classroom in classrooms]
    for key, classrooms in candidates.items():
        classroom = next(iter(classrooms))
        if len(classrooms) == 1 and claims.count(classroom) == 1:
            _adopt(plan, key, classroom, names[key])


def _by_hand(teachers: set[int]) -> list[Teaching]:
    """Return the roles of these teachers in classes that no roster has named yet."""
    rows = Teaching.objects.filter(
        classroom__external_ids=None, classroom__leavers_of=None, classroom__archived_at=None
    )
    return [
        teaching
        for some in in_batches(sorted(teachers))
        for teaching in rows.filter(teacher__in=some).select_related("classroom", "teacher")
    ]


def _adopt(plan: Plan, key: str, classroom: Classroom, names: dict[int, str]) -> None:
    """Let the class be the one with this identifier, unless its list contradicts the roster."""
    enrolments = Enrolment.objects.filter(classroom=classroom).select_related("student")
    if any(
        each.number in names and names[each.number] != plain(each.student.name)
        for each in enrolments
    ):
        return
    stored = plan.stored
    stored.classes[key] = ClassId(sourced_id=key, classroom=classroom)
    for each in enrolments:
        each.classroom = classroom
        stored.lists[classroom.pk].append(each)
    for teaching in Teaching.objects.filter(classroom=classroom):
        stored.teachings[classroom.pk, teaching.teacher_id] = teaching
    plan.recount("classes", Change.NEW, Change.CHANGED, plan.classes[key].name)
