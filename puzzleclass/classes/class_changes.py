"""Moving students into other classes: a few, or whole classes at the start of a school year.

A change is planned from a table, shown (the dry run), and then made in one transaction. It can be
undone for `ClassChange.UNDO_DAYS` days. Nothing is deleted: attempts stay with their students, and
last year's classes keep their lists and are archived.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, in_class_of, taught_classes
from puzzleclass.classes.grades import grade_of, year_in, year_like
from puzzleclass.classes.models import (
    GRADES,
    HIGHEST_NUMBER,
    MAX_STUDENTS,
    ClassChange,
    Classroom,
    Enrolment,
    Teaching,
)
from puzzleclass.classes.roster import Roster
from puzzleclass.classes.roster_contents import plain
from puzzleclass.classes.roster_reading import read_roster

LAST_SCHOOL_YEARS = frozenset({6, 9, 12})
"""The last grades of elementary, junior high and senior high school. Their students graduate."""


@dataclass(slots=True)
class StudentMove:
    """A row of the table: a student, and the class into which the student moves."""

    line: int
    enrolment: Enrolment | None
    """The student's present enrolment; None if the row names no student of the classes."""
    to: str
    """The name of the new class; empty if the student does not move."""
    number: int | None
    typed: str
    """The text by which the row names the student."""
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ClassChangePlan:
    """The moves that a table asks for."""

    roster: Roster
    moves: list[StudentMove]
    targets: dict[str, Classroom | None]
    """The new classes by name; None for a class that has to be created."""

    @property
    def going(self) -> list[StudentMove]:
        return [move for move in self.moves if move.to and not move.faults]

    @property
    def staying(self) -> int:
        """The number of rows without a new class. Their students stay only on last year's list."""
        return sum(not move.to and not move.faults for move in self.moves)

    @property
    def faulty(self) -> int:
        return sum(bool(move.faults) for move in self.moves)

    @property
    def can_be_made(self) -> bool:
        """Whether somebody moves, and the table was understood and has no faults."""
        is_understood = not self.roster.fault and not self.roster.open_questions
        return bool(self.going) and is_understood and not self.faulty

    @property
    def sizes(self) -> list[tuple[str, int, bool]]:
        """Each new class: its name, the number of newcomers, and whether it has to be created."""
        sizes = Counter(move.to for move in self.going)
        return [(name, sizes[name], self.targets.get(name) is None) for name in sorted(sizes)]


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a change, as keys, from which it can be undone."""

    made: list[int]
    """Classes that were created."""
    archived: list[int]
    entered: list[tuple[int, int]]
    """The student and the class of each new enrolment."""
    left: list[tuple[int, int, int]]
    """The student, the class and the number of each enrolment that was deleted."""


KEPT_SETTINGS = (
    *("school", "time_zone", "shows_names", "picture_pins", "idle_minutes"),
    *("practice", "garden", "records"),
)
"""The settings that a class takes along into the next school year."""


def name_next_year(classroom: Classroom) -> str:
    """Return a name for the class in the next school year: 6年1組 for 5年1組.

    Returns an empty text if the students graduate, or if the name shows no school year.
    """
    place = grade_of(classroom.name).place
    if place is None:
        return ""
    written = classroom.name[slice(*place)]
    year = year_in(written)
    if (classroom.grade or year) in LAST_SCHOOL_YEARS:
        return ""
    return classroom.name[: place[0]] + year_like(year + 1, written) + classroom.name[place[1] :]


def plan_change(
    teacher: User, sources: Iterable[Classroom], text: str, answers: Mapping[str, str]
) -> ClassChangePlan:
    """Return the plan that the table asks for, with the faults of each row. Four queries.

    `answers` are those to the questions about the table.
    """
    roster = read_roster(text, answers)
    sources = list(sources)
    enrolments = list(
        Enrolment.objects.filter(classroom__in=sources).select_related("student", "classroom")
    )
    others = {
        each.name: each
        for each in taught_classes(teacher).exclude(pk__in=[each.pk for each in sources])
    }
    by_number = {(plain(each.classroom.name), each.number): each for each in enrolments}
    by_name = defaultdict(list)
    for enrolment in enrolments:
        by_name[plain(enrolment.classroom.name), plain(enrolment.student.name)].append(enrolment)
    doubled = [name for name, n in Counter(plain(each.name) for each in sources).items() if n > 1]
    moves = []
    for entry in roster.entries:
        typed = " ".join(filter(None, (entry.class_name, str(entry.number or ""), entry.name)))
        move = StudentMove(entry.line, None, entry.new_class, entry.new_number, typed, entry.faults)
        moves.append(move)
        class_name = plain(entry.class_name or (sources[0].name if len(sources) == 1 else ""))
        same = by_name[class_name, plain(entry.name)]
        if class_name in doubled:
            move.faults.append(_("Two of the classes have this name. Rename one first."))
        elif entry.number is not None:
            move.enrolment = by_number.get((class_name, entry.number))
        elif len(same) == 1:
            move.enrolment = same[0]
        if move.enrolment is None and not move.faults:
            move.faults.append(_("There is no such student in these classes."))
        elif (
            move.enrolment
            and entry.name
            and plain(entry.name) != plain(move.enrolment.student.name)
        ):
            other = _("Number {number} of this class is {name}.")
            values = {"number": move.enrolment.number, "name": move.enrolment.student.name}
            move.faults.append(other.format(**values))
    plan = ClassChangePlan(roster, moves, {m.to: others.get(m.to) for m in moves if m.to})
    if not roster.fault and moves and not any(move.to for move in moves):
        roster.fault = _("The table contains no new class for any student.")
    _check_twice(moves)
    _number_newcomers(plan)
    return plan


def _check_twice(moves: Sequence[StudentMove]) -> None:
    times = Counter(move.enrolment.pk for move in moves if move.enrolment)
    for move in moves:
        if move.enrolment and times[move.enrolment.pk] > 1:
            move.faults.append(_("This student appears in more than one row."))


def _number_newcomers(plan: ClassChangePlan) -> None:
    """Check the numbers of the newcomers of each class.

    If the table has no numbers for a class, its newcomers are numbered in the order of the table.
    """
    names = {classroom.pk: classroom.name for classroom in plan.targets.values() if classroom}
    taken: dict[str, dict[int, int]] = defaultdict(dict)
    rows = Enrolment.objects.filter(classroom__in=names)
    for pk, number, student in rows.values_list("classroom", "number", "student"):
        taken[names[pk]][number] = student
    for name in plan.targets:
        going = [move for move in plan.moves if move.to == name and not move.faults]
        if len(going) + len(taken[name]) > MAX_STUDENTS:
            plan.roster.fault = _("A class holds at most {most} students.").format(
                most=MAX_STUDENTS
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
            if move.enrolment and move.enrolment.student_id in taken[name].values():
                move.faults.append(_("This student is already in the class."))


@transaction.atomic
def make_change(
    teacher: User, plan: ClassChangePlan, sources: Iterable[Classroom] = (), *, leave: bool = False
) -> ClassChange:
    """Move the students of the plan, and archive those of `sources` that the teacher owns.

    With `leave`, the students are removed from the lists that they are on; otherwise these lists
    stay as they were.
    """
    targets, made = dict(plan.targets), []
    for name, classroom in targets.items():
        if classroom is None:
            targets[name] = new = _following_class(name, plan)
            new.save()
            new.teachers.add(teacher, through_defaults={"role": Teaching.Role.OWNER})
            made.append(new.pk)
    going = [
        (move.number or 0, move.enrolment, classroom)
        for move in plan.going
        if move.enrolment and (classroom := targets[move.to])
    ]
    effects = Effects(made, [], [], [])
    for _number, enrolment, classroom in going:
        effects.entered.append((enrolment.student_id, classroom.pk))
        if leave:
            effects.left.append((enrolment.student_id, enrolment.classroom_id, enrolment.number))
    if leave:
        Enrolment.objects.filter(
            pk__in=[enrolment.pk for _number, enrolment, _classroom in going]
        ).delete()
    Enrolment.objects.bulk_create(
        Enrolment(classroom=classroom, student_id=enrolment.student_id, number=number)
        for number, enrolment, classroom in going
    )
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), archived_at=None)
    archived = owned.filter(pk__in=[classroom.pk for classroom in sources])
    effects.archived.extend(archived.values_list("pk", flat=True))
    Classroom.objects.filter(pk__in=effects.archived).update(archived_at=timezone.now())
    return ClassChange.objects.create(teacher=teacher, done=asdict(effects))


def _following_class(name: str, plan: ClassChangePlan) -> Classroom:
    """Return a new class for the next school year, not saved yet.

    It has the settings of the class from which most of its students come, and is a year above it.
    """
    origins = Counter(
        move.enrolment.classroom for move in plan.going if move.to == name and move.enrolment
    )
    origin, _number = origins.most_common(1)[0]
    grade = origin.grade and origin.grade + 1
    settings = {field: getattr(origin, field) for field in KEPT_SETTINGS}
    return Classroom(name=name, grade=grade if grade in GRADES else None, **settings)


def plan_moves(enrolments: Iterable[Enrolment], classroom: Classroom) -> ClassChangePlan:
    """Return the plan that moves these students to the end of another class's list."""
    moves = [
        StudentMove(line, enrolment, classroom.name, None, enrolment.student.name)
        for line, enrolment in enumerate(enrolments, 1)
    ]
    plan = ClassChangePlan(Roster(""), moves, {classroom.name: classroom})
    _number_newcomers(plan)
    return plan


@transaction.atomic
def undo_change(change: ClassChange) -> None:
    """Undo the change as far as later changes allow. Undoing it a second time has no effect.

    Attempts made in the new classes stay with the students.
    """
    open_change = ClassChange.objects.filter(pk=change.pk, undone_at=None)
    if not open_change.update(undone_at=timezone.now()):
        return
    effects = Effects(**change.done)
    entered: dict[int, list[int]] = defaultdict(list)
    for student, classroom in effects.entered:
        entered[classroom].append(student)
    for classroom, students in entered.items():
        Enrolment.objects.filter(classroom=classroom, student__in=students).delete()
    Classroom.objects.filter(pk__in=effects.archived, deleted_at=None).update(archived_at=None)
    for student, classroom, number in effects.left:
        enrolments = Enrolment.objects.filter(classroom=classroom)
        exists = Classroom.objects.filter(pk=classroom).exists()
        if not exists or enrolments.filter(student=student).exists():
            continue
        if not User.objects.filter(pk=student).exists():
            continue
        # The lock keeps two students who enter the class at one moment from getting one number.
        list(Classroom.objects.select_for_update().filter(pk=classroom).values_list("pk"))
        if enrolments.filter(number=number).exists():
            number = (enrolments.aggregate(last=Max("number"))["last"] or 0) + 1
        Enrolment.objects.create(classroom_id=classroom, student_id=student, number=number)
    empty = Classroom.objects.filter(pk__in=effects.made, enrolments=None, assignments=None)
    empty.delete()
