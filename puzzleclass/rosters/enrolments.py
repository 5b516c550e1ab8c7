"""The part of a plan about enrolments: who gets which number in which class."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count

from puzzleclass.classes.models import HIGHEST_NUMBER, MAX_STUDENTS, Enrolment
from puzzleclass.classes.roster_contents import plain
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import EnrolmentId
from puzzleclass.rosters.plan import Change, Plan, PlannedEnrolment
from puzzleclass.rosters.tables import Mode, file_of
from solvers.message import Message

FILE = file_of("enrollments")


def plan_enrolments(plan: Plan, faults: Faults, *, link: bool) -> None:
    """Plan the enrolments in the classes of the schools.

    With `link`, a new student is taken for one who was entered by hand in the class with the same
    number and name.
    """
    wanted, left = _wanted_and_left(plan, faults)
    moves = _Moves(plan, left)
    by_class: dict[str, list[tuple[str, PlannedEnrolment]]] = defaultdict(list)
    for sourced_id, planned in wanted.items():
        if plan.people[planned.row.user].is_student:
            by_class[planned.row.classroom].append((sourced_id, planned))
        else:
            _count(plan, sourced_id, planned, _change_of_teacher(plan, planned))
    before: dict[str, Change] = {}
    # Those who only got another identifier are found first, then those who change the class.
    for same_class in (True, False):
        for all_planned in by_class.values():
            for sourced_id, planned in all_planned:
                if sourced_id in before:
                    continue
                if change := moves.find(planned, same_class=same_class):
                    before[sourced_id] = change
    for all_planned in by_class.values():
        _link_by_hand(plan, all_planned, moves, before, link=link)
    _set_aside_matches(plan, by_class)
    leaving = {each.enrolment_id for each in moves.left.values()} | {
        planned.enrolment.pk
        for all_planned in by_class.values()
        for _sourced_id, planned in all_planned
        if planned.enrolment
    }
    for all_planned in by_class.values():
        _number(plan, [planned for _sourced_id, planned in all_planned], leaving, faults)
        for sourced_id, planned in all_planned:
            change = before.get(sourced_id, Change.NEW)
            if change is Change.UNCHANGED and planned.enrolment:
                is_same = planned.enrolment.number == planned.number
                change = Change.UNCHANGED if is_same else Change.CHANGED
            _count(plan, sourced_id, planned, change)
    plan.left_enrolments = list(moves.left.values())
    names = {each.classroom_id: each.classroom.name for each in plan.stored.classes.values()}
    for each in moves.left.values():
        plan.count("enrollments", Change.LEFT, _place_of(each, names))


def _place_of(known: EnrolmentId, names: dict[int, str]) -> str:
    """Return class, number and name of a stored enrolment, or the class of a teacher's role."""
    place = names.get(_class_key(known), "")
    one = known.enrolment
    return f"{place} {one.number} {one.student.name}" if one else place


def _place(plan: Plan, planned: PlannedEnrolment) -> str:
    """Return class, number and name of a planned enrolment, or class and name of a teacher."""
    row = planned.row
    if place := plan.roster.classes.get(row.classroom):
        name = place.name
    else:
        name = plan.stored.classes[row.classroom].classroom.name
    return " ".join(filter(None, (name, str(planned.number or ""), _name(plan, planned))))


def _count(plan: Plan, sourced_id: str, planned: PlannedEnrolment, change: Change) -> None:
    plan.count("enrollments", change, _place(plan, planned))
    if change is not Change.UNCHANGED:
        plan.enrolments[sourced_id] = planned


def _wanted_and_left(
    plan: Plan, faults: Faults
) -> tuple[dict[str, PlannedEnrolment], list[EnrolmentId]]:
    """Return the enrolments that the source has now, and the stored ones that it has no longer."""
    rows, known = plan.roster.enrolments, plan.stored.enrolments
    keys = {plan.stored.classes[key].classroom_id for key in plan.present_classes
            if key in plan.stored.classes}  # fmt: skip
    left_keys = {each.classroom_id for each in plan.left_classes}
    ours = keys | left_keys
    left_users = plan.leavers
    wanted: dict[str, PlannedEnrolment] = {}
    left: list[EnrolmentId] = []
    lines: dict[tuple[str, str], int] = {}
    for sourced_id, row in rows.items():
        old, person = known.get(sourced_id), plan.people.get(row.user)
        is_wanted = row.is_present and row.classroom in plan.present_classes and person is not None
        if not is_wanted or person is None or row.role not in ("student", "teacher"):
            if old and old.left_at is None and _class_key(old) in ours:
                left.append(old)
            else:
                default = Change.UNCHANGED if old else Change.IGNORED
                plan.count("enrollments", default, sourced_id)
            continue
        if person.is_student != (row.role == "student"):
            wrong = Message("This role differs from the person's role in the school.")
            faults.add(FILE, row.line, "role", wrong)
        elif old and (person.user is None or _user_key(old) != person.user.pk):
            wrong = Message("An enrolment can't pass to somebody else. Give it a new identifier.")
            faults.add(FILE, row.line, "userSourcedId", wrong)
        elif line := lines.get((row.classroom, row.user)):
            twice = Message("Line {line} enrols the same person in this class.", {"line": line})
            faults.add(FILE, row.line, "userSourcedId", twice)
        else:
            wanted[sourced_id] = PlannedEnrolment(row, old)
            lines[row.classroom, row.user] = row.line
    is_bulk = plan.roster.mode("enrollments") is Mode.BULK
    for sourced_id, old in known.items():
        if old.left_at is None and sourced_id not in rows:
            key = _class_key(old)
            is_over = key in left_keys or _user_key(old) in left_users
            if is_over or (is_bulk and key in keys):
                left.append(old)
    for old in plan.stored.other_enrolments:
        if old.left_at is None and (is_bulk or old.sourced_id in rows) and _class_key(old) in ours:
            left.append(old)
    return wanted, left


def _class_key(old: EnrolmentId) -> int:
    one = old.enrolment or old.teaching
    return one.classroom_id if one else 0


def _user_key(old: EnrolmentId) -> int:
    if old.enrolment:
        return old.enrolment.student_id
    return old.teaching.teacher_id if old.teaching else 0


class _Moves:
    """Finds the stored enrolment that becomes one of the roster."""

    def __init__(self, plan: Plan, left: list[EnrolmentId]) -> None:
        self.plan = plan
        self.left = {each.pk: each for each in left}
        self.left_of: dict[int, list[EnrolmentId]] = defaultdict(list)
        for each in left:
            if each.enrolment:
                self.left_of[each.enrolment.student_id].append(each)
        stored = plan.stored
        self.present = {
            stored.classes[key].classroom_id: key
            for key in plan.present_classes
            if key in stored.classes
        }
        self.known = {
            each.classroom_id for each in (*stored.classes.values(), *stored.other_classes)
        }
        with_id = {
            each.enrolment_id for each in (*stored.enrolments.values(), *stored.other_enrolments)
        }
        self.by_hand = {
            (each.classroom_id, each.student_id): each
            for enrolments in stored.lists.values()
            for each in enrolments
            if each.pk not in with_id
        }
        """The enrolments that no identifier belongs to, by class and student."""

    def find(self, planned: PlannedEnrolment, *, same_class: bool) -> Change | None:
        """Set the stored enrolment; return what happens to it, None if nothing is found."""
        old, person = planned.id, self.plan.people[planned.row.user]
        if person.user is None:
            return None
        known = self.plan.stored.classes.get(planned.row.classroom)
        by_hand = self.by_hand.get((known.classroom_id, person.user.pk)) if known else None
        if by_hand:
            planned.enrolment = by_hand
            return Change.CHANGED
        if old and old.enrolment:
            return self._known(planned, old, old.enrolment)
        for one in self.left_of[person.user.pk]:
            enrolment = one.enrolment
            now = self.present.get(enrolment.classroom_id) if enrolment else None
            if one.pk in self.left and now and (now == planned.row.classroom or not same_class):
                del self.left[one.pk]
                planned.id, planned.enrolment = one, enrolment
                return Change.CHANGED if now == planned.row.classroom else Change.MOVED
        return None

    def _known(self, planned: PlannedEnrolment, old: EnrolmentId, enrolment: Enrolment) -> Change:
        key = enrolment.classroom_id
        if self.present.get(key) == planned.row.classroom:
            planned.enrolment = enrolment
            return Change.UNCHANGED if old.left_at is None else Change.CHANGED
        # The list of a class that has left stays as it was, so the student gets a new enrolment.
        if key in self.present or key not in self.known:
            planned.enrolment = enrolment
        return Change.CHANGED if old.left_at else Change.MOVED


def _change_of_teacher(plan: Plan, planned: PlannedEnrolment) -> Change:
    old, known = planned.id, plan.stored.classes.get(planned.row.classroom)
    if old is None:
        return Change.NEW
    if known is None or _class_key(old) != known.classroom_id:
        return Change.MOVED
    return Change.CHANGED if old.left_at else Change.UNCHANGED


def _list_of(plan: Plan, classroom: str) -> list[Enrolment]:
    known = plan.stored.classes.get(classroom)
    return plan.stored.lists[known.classroom_id] if known else []


def _link_by_hand(
    plan: Plan,
    all_planned: list[tuple[str, PlannedEnrolment]],
    moves: _Moves,
    before: dict[str, Change],
    *,
    link: bool,
) -> None:
    """Find new students who were entered by hand with the same number and name.

    Without `link`, they become `matches` of the plan, which a teacher of the class can confirm.
    """
    by_hand = {
        (each.number, plain(each.student.name)): each
        for each in _list_of(plan, all_planned[0][1].row.classroom)
        if (each.classroom_id, each.student_id) in moves.by_hand
    }
    for sourced_id, planned in all_planned:
        row = planned.row
        person, student = plan.people[row.user], plan.students.get(row.user)
        if person.user or student is None or row.number is None:
            continue
        match = by_hand.get((row.number, plain(student.name)))
        if match is None:
            continue
        planned.enrolment = match
        if not link:
            if row.user not in {each.row.user for each in plan.matches.values()}:
                plan.matches[sourced_id] = planned
            continue
        before[sourced_id] = Change.CHANGED
        person.user = plan.linked[row.user] = match.student
        plan.recount("users", Change.NEW, Change.CHANGED, student.name)


def _set_aside_matches(plan: Plan, by_class: dict[str, list[tuple[str, PlannedEnrolment]]]) -> None:
    """Take students who wait for their teacher, with all their enrolments, out of the plan."""
    users = {planned.row.user for planned in plan.matches.values()}
    for user in users:
        plan.recount("users", Change.NEW, Change.WAITING, plan.students[user].name)
        del plan.students[user], plan.people[user], plan.user_schools[user]
    for classroom, all_planned in list(by_class.items()):
        by_class[classroom] = [each for each in all_planned if each[1].row.user not in users]
        for _sourced_id, planned in all_planned:
            if planned.row.user in users:
                planned.number = planned.row.number or 0
                plan.count("enrollments", Change.WAITING, _place(plan, planned))
        if not by_class[classroom]:
            del by_class[classroom]


def _number(
    plan: Plan, all_planned: list[PlannedEnrolment], leaving: set[int | None], faults: Faults
) -> None:
    """Give each enrolment of a class its number, the one of the roster or the one that it has."""
    present = _list_of(plan, all_planned[0].row.classroom)
    taken = {each.number: each.student.name for each in present if each.pk not in leaving}
    here = {each.pk for each in present}
    if len(all_planned) + len(taken) > MAX_STUDENTS:
        many = Message("A class holds at most {most} students.", {"most": MAX_STUDENTS})
        faults.add(FILE, all_planned[-1].row.line, "classSourcedId", many)
        return
    for planned in all_planned:
        number = planned.row.number
        if number is not None:
            if number in taken:
                wrong = Message(
                    "Number {number} is taken: {name}.", {"number": number, "name": taken[number]}
                )
                faults.add(FILE, planned.row.line, planned.row.number_column, wrong)
            planned.number = number
            taken[number] = _name(plan, planned)
    for planned in all_planned:
        one = planned.enrolment
        if planned.row.number is None and one and one.pk in here and one.number not in taken:
            planned.number = one.number
            taken[one.number] = _name(plan, planned)
    free: Iterator[int] = count(max(taken, default=0) + 1)
    for planned in all_planned:
        if not planned.number:
            planned.number = next(free)
            if planned.number > HIGHEST_NUMBER:
                high = Message("The number is too high.")
                faults.add(FILE, planned.row.line, planned.row.number_column, high)


def _name(plan: Plan, planned: PlannedEnrolment) -> str:
    if row := plan.roster.users.get(planned.row.user):
        return row.name
    user = plan.people[planned.row.user].user
    return user.name if user else ""
