"""Students into other classes: one of them, or several classes at the start of a school year.

A change is planned from a table, shown (the dry run), and then made in one transaction. It can be
undone for `ClassChange.UNDO_DAYS`. Nothing is deleted: tries stay with their students, and the
classes of last year keep their lists and are archived.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import (
    HIGHEST_NUMBER,
    MOST_STUDENTS,
    ClassChange,
    Classroom,
    Enrolment,
    Teaching,
)
from puzzleclass.classes.roster import Roster, plain, read_roster


@dataclass(slots=True)
class Move:
    """A student who goes into another class; a row of the table."""

    line: int
    place: Enrolment | None
    """Where the student is now."""
    to: str
    """The name of the class; empty for who goes nowhere."""
    number: int | None
    typed: str
    """How the row names the student."""
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """What a table asks for."""

    roster: Roster
    moves: list[Move]
    targets: dict[str, Classroom | None]
    """Name -> the class there is, None for one to be made."""

    @property
    def going(self) -> list[Move]:
        return [move for move in self.moves if move.to and not move.faults]

    @property
    def staying(self) -> int:
        """How many rows name no new class: they stay on last year's list alone."""
        return sum(not move.to and not move.faults for move in self.moves)

    @property
    def faulty(self) -> int:
        return sum(bool(move.faults) for move in self.moves)

    @property
    def sizes(self) -> list[tuple[str, int, bool]]:
        """Name, newcomers, and whether it is to be made, of each class."""
        sizes = Counter(move.to for move in self.going)
        return [(name, sizes[name], self.targets.get(name) is None) for name in sorted(sizes)]


@dataclass(frozen=True, slots=True)
class Done:
    """What a change did, so that it can be undone; all by keys."""

    made: list[int]
    """Classes."""
    archived: list[int]
    entered: list[tuple[int, int]]
    """Student and class."""
    left: list[tuple[int, int, int]]
    """Student, class and number."""


def open_classes(teacher: User) -> QuerySet[Classroom]:
    """Return the classes into which, and out of which, the teacher can move students."""
    return Classroom.objects.filter(in_class_of(teacher, right=Right.TEACH), archived_at=None)


def plan_change(teacher: User, sources: Iterable[Classroom], text: str) -> Plan:
    """Return what the table asks for, each row with its faults. Four queries."""
    roster = read_roster(text)
    sources = list(sources)
    places = list(
        Enrolment.objects.filter(classroom__in=sources).select_related("student", "classroom")
    )
    others = {
        room.name: room
        for room in open_classes(teacher).exclude(pk__in=[room.pk for room in sources])
    }
    by_number = {(plain(p.classroom.name), p.number): p for p in places}
    by_name = defaultdict(list)
    for place in places:
        by_name[plain(place.classroom.name), plain(place.student.name)].append(place)
    doubled = [name for name, n in Counter(plain(room.name) for room in sources).items() if n > 1]
    moves = []
    for entry in roster.entries:
        typed = " ".join(filter(None, (entry.class_name, str(entry.number or ""), entry.name)))
        move = Move(entry.line, None, entry.new_class, entry.new_number, typed, entry.faults)
        moves.append(move)
        class_name = plain(entry.class_name or (sources[0].name if len(sources) == 1 else ""))
        same = by_name[class_name, plain(entry.name)]
        if class_name in doubled:
            move.faults.append(_("Two of the classes have this name: rename one first."))
        elif entry.number is not None:
            move.place = by_number.get((class_name, entry.number))
        elif len(same) == 1:
            move.place = same[0]
        if move.place is None and not move.faults:
            move.faults.append(_("There is no such student in these classes."))
        elif move.place and entry.name and plain(entry.name) != plain(move.place.student.name):
            other = _("Number {number} of this class is {name}.")
            values = {"number": move.place.number, "name": move.place.student.name}
            move.faults.append(other.format(**values))
    plan = Plan(roster, moves, {m.to: others.get(m.to) for m in moves if m.to})
    if not roster.fault and moves and not any(move.to for move in moves):
        roster.fault = _("The table names no new class for anybody.")
    _check_twice(moves)
    _give_numbers(plan)
    return plan


def _check_twice(moves: Sequence[Move]) -> None:
    times = Counter(move.place.pk for move in moves if move.place)
    for move in moves:
        if move.place and times[move.place.pk] > 1:
            move.faults.append(_("This student stands in more than one row."))


def _give_numbers(plan: Plan) -> None:
    """Number the newcomers of each class in the order of the table, where it has no numbers."""
    rooms = {room.pk: room.name for room in plan.targets.values() if room}
    taken: dict[str, dict[int, int]] = defaultdict(dict)
    rows = Enrolment.objects.filter(classroom__in=rooms)
    for pk, number, student in rows.values_list("classroom", "number", "student"):
        taken[rooms[pk]][number] = student
    for name in plan.targets:
        going = [move for move in plan.moves if move.to == name and not move.faults]
        if len(going) + len(taken[name]) > MOST_STUDENTS:
            plan.roster.fault = _("A class holds at most {most} students.").format(
                most=MOST_STUDENTS
            )
        times = Counter(move.number for move in going)
        if not any(move.number for move in going):
            for move, number in zip(going, count(max(taken[name], default=0) + 1)):
                move.number = number
            times = Counter()
        for move in going:
            if move.number is None:
                move.faults.append(_("The new number is missing."))
            elif move.number in taken[name] or times[move.number] > 1:
                twice = _("Number {number} is taken in the new class.")
                move.faults.append(twice.format(number=move.number))
            elif not 1 <= move.number <= HIGHEST_NUMBER:
                move.faults.append(_("The number is too high."))
            if move.place and move.place.student_id in taken[name].values():
                move.faults.append(_("Is in the class already."))


@transaction.atomic
def make_change(
    teacher: User, plan: Plan, sources: Iterable[Classroom] = (), *, leave: bool = False
) -> ClassChange:
    """Move the students of the plan; archive those of the sources that the teacher owns.

    With `leave` students go from the lists they stand on, else these stay as they were.
    """
    rooms, made = dict(plan.targets), []
    for name, room in rooms.items():
        if room is None:
            rooms[name] = new = Classroom.objects.create(name=name)
            new.teachers.add(teacher, through_defaults={"role": Teaching.Role.OWNER})
            made.append(new.pk)
    going = [
        (move.number or 0, move.place, room)
        for move in plan.going
        if move.place and (room := rooms[move.to])
    ]
    done = Done(made, [], [], [])
    for _number, place, room in going:
        done.entered.append((place.student_id, room.pk))
        if leave:
            done.left.append((place.student_id, place.classroom_id, place.number))
    if leave:
        Enrolment.objects.filter(pk__in=[place.pk for _number, place, _room in going]).delete()
    Enrolment.objects.bulk_create(
        Enrolment(classroom=room, student_id=place.student_id, number=number)
        for number, place, room in going
    )
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), archived_at=None)
    over = owned.filter(pk__in=[room.pk for room in sources])
    done.archived.extend(over.values_list("pk", flat=True))
    Classroom.objects.filter(pk__in=done.archived).update(archived_at=timezone.now())
    return ClassChange.objects.create(teacher=teacher, done=asdict(done))


def plan_of_one(place: Enrolment, room: Classroom) -> Plan:
    """Return the plan that moves one student, to the end of another class's list."""
    last = room.enrolments.aggregate(last=Max("number"))["last"] or 0
    move = Move(1, place, room.name, last + 1, place.student.name)
    if room.enrolments.filter(student=place.student_id).exists():
        move.faults.append(_("Is in the class already."))
    return Plan(Roster(""), [move], {room.name: room})


@transaction.atomic
def undo_change(change: ClassChange) -> None:
    """Put back what the change did, as far as nobody has changed it again. Twice does nothing.

    Work done in the new classes stays stored with the students.
    """
    mine = ClassChange.objects.filter(pk=change.pk, undone_at=None)
    if not mine.update(undone_at=timezone.now()):
        return
    done = Done(**change.done)
    entered: dict[int, list[int]] = defaultdict(list)
    for student, room in done.entered:
        entered[room].append(student)
    for room, students in entered.items():
        Enrolment.objects.filter(classroom=room, student__in=students).delete()
    Classroom.objects.filter(pk__in=done.archived).update(archived_at=None)
    for student, room, number in done.left:
        back = Enrolment.objects.filter(classroom=room)
        is_there = Classroom.objects.filter(pk=room).exists()
        if not is_there or back.filter(student=student).exists():
            continue
        if not User.objects.filter(pk=student).exists():
            continue
        if back.filter(number=number).exists():
            number = (back.aggregate(last=Max("number"))["last"] or 0) + 1
        Enrolment.objects.create(classroom_id=room, student_id=student, number=number)
    empty = Classroom.objects.filter(pk__in=done.made, enrolments=None, assignments=None)
    empty.delete()
