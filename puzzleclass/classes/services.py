"""What a teacher does to a class and its list of students."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from puzzleclass.accounts.models import User, hash_of_pin, new_pin, unlock
from puzzleclass.classes.models import (
    Classroom,
    DataRecord,
    Enrolment,
    SignInCard,
    Teaching,
    new_class_code,
)
from puzzleclass.classes.personal_data import delete_all, log
from puzzleclass.classes.roster import Entry, is_unnamed, unnamed

Pins = dict[int, str]
"""Enrolment pk -> the PIN just given. The database keeps only its hash."""


class ListChanged(Exception):
    """Somebody else has taken one of the numbers meanwhile."""


def create_classroom(teacher: User, name: str, students: Sequence[Entry]) -> tuple[Classroom, Pins]:
    """Return a new class of the teacher's and the PINs of its students."""
    users, pins = _new_students(students)
    with transaction.atomic():
        classroom = Classroom.objects.create(name=name)
        classroom.teachers.add(teacher, through_defaults={"role": Teaching.Role.OWNER})
        return classroom, _enrol(classroom, students, users, pins)


def add_students(classroom: Classroom, students: Sequence[Entry]) -> Pins:
    """Add students to the class list; return their PINs. Raises ListChanged."""
    users, pins = _new_students(students)
    with transaction.atomic():
        lock_list(classroom)
        taken = classroom.enrolments.values_list("number", flat=True)
        if not {entry.number for entry in students}.isdisjoint(taken):
            raise ListChanged
        return _enrol(classroom, students, users, pins)


def _new_students(students: Sequence[Entry]) -> tuple[list[User], list[str]]:
    # Outside of any transaction: a thousand hashes take a moment, and SQLite has one writer.
    pins = [new_pin() for _ in students]
    make = User.objects.new_student
    users = [make(e.called, pin, e.reading) for e, pin in zip(students, pins, strict=True)]
    return users, pins


def _enrol(
    classroom: Classroom, students: Sequence[Entry], users: list[User], pins: list[str]
) -> Pins:
    User.objects.bulk_create(users, batch_size=500)
    places = Enrolment.objects.bulk_create(
        Enrolment(classroom=classroom, student=user, number=entry.number or 0)
        for entry, user in zip(students, users, strict=True)
    )
    SignInCard.objects.bulk_create(SignInCard(student=user) for user in users)
    return {place.pk: pin for place, pin in zip(places, pins, strict=True)}


@transaction.atomic
def change_student(enrolment: Enrolment, name: str, number: int, reading: str = "") -> None:
    """Rename and renumber. The number must have been found free under `lock_list`."""
    student = enrolment.student
    # Who has no name is called by the number.
    student.name = unnamed(number) if is_unnamed(name, enrolment.number) else name
    student.reading = reading
    student.save(update_fields=["name", "reading"])
    enrolment.number = number
    enrolment.save(update_fields=["number"])


def lock_list(classroom: Classroom) -> None:
    """Let nobody else number students of the class until the transaction ends."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)


def renew_pins(enrolments: Iterable[Enrolment]) -> Pins:
    """Give each student another PIN and open the locks; the old ones no longer work."""
    places = list(enrolments)
    pins = {place.pk: new_pin() for place in places}
    students = [place.student for place in places]
    for place in places:
        place.student.password = hash_of_pin(pins[place.pk])
    with transaction.atomic():
        User.objects.bulk_update(students, ["password"], batch_size=200)
        unlock(*(key for student in students for key in student.pin_keys))
    return pins


def make_cards(classroom: Classroom) -> None:
    """Give a card to each student of the class who has none."""
    without = classroom.students.filter(card=None)
    SignInCard.objects.bulk_create(
        (SignInCard(student=student) for student in without), ignore_conflicts=True
    )


@transaction.atomic
def renew_card(student: User) -> None:
    """Give the student another card; the one printed before signs nobody in."""
    revoke_card(student)
    SignInCard.objects.create(student=student)


@transaction.atomic
def revoke_card(student: User) -> None:
    """Let the student's card sign nobody in, and sign out whoever came in as the student."""
    SignInCard.objects.filter(student=student).delete()
    student.sign_out_everywhere()


def renew_code(classroom: Classroom) -> None:
    """Give the class another code; the old one leads nowhere."""
    classroom.code = new_class_code()
    classroom.save(update_fields=["code"])


def let_in(classroom: Classroom, until: datetime | None) -> None:
    """Let students sign in until then; None: always."""
    classroom.joins_until = until
    classroom.save(update_fields=["joins_until"])


def students_of_this_class_alone(classroom: Classroom) -> QuerySet[User]:
    """Return the students who are in no other class: they go when their place here goes."""
    elsewhere = Enrolment.objects.exclude(classroom=classroom).values("student")
    return classroom.students.exclude(pk__in=elsewhere)


@dataclass(frozen=True, slots=True)
class Loss:
    """What goes when a student or a class goes."""

    students: int
    """Students who are in no other class: they are deleted altogether."""
    assignments: int
    tries: int


def loss_of_student(enrolment: Enrolment) -> Loss:
    """Return what is deleted when the student is taken off the list."""
    alone = students_of_this_class_alone(enrolment.classroom).filter(pk=enrolment.student_id)
    begun = Count("attempts", filter=Q(attempts__next_step__gt=0))
    tries = alone.annotate(tries=begun).values_list("tries", flat=True)
    return Loss(students=len(tries), assignments=0, tries=sum(tries))


def loss_of_classroom(classroom: Classroom) -> Loss:
    """Return what is deleted with the class; tries in practice count as any."""
    begun = Q(puzzles__attempts__next_step__gt=0)
    given = classroom.assignments(manager="every").aggregate(
        assignments=Count("pk", filter=Q(is_practice=False), distinct=True),
        tries=Count("puzzles__attempts", filter=begun),
    )
    return Loss(students=students_of_this_class_alone(classroom).count(), **given)


@transaction.atomic
def remove_student(enrolment: Enrolment, actor: User) -> DataRecord | None:
    """Take the student off the list; one who is in no other class is deleted, tries and all.

    Returns the receipt of a deletion.
    """
    alone = students_of_this_class_alone(enrolment.classroom).filter(pk=enrolment.student_id)
    if not alone.exists():
        enrolment.delete()
        return None
    place = Enrolment(number=enrolment.number, student_id=enrolment.student_id)
    rows = delete_all(None, alone)
    return log(actor, DataRecord.Action.DELETED, enrolment.classroom, rows, place)


@transaction.atomic
def delete_classroom(classroom: Classroom, actor: User) -> DataRecord:
    """Delete the class, its assignments with all tries, and the students it alone has.

    Returns the receipt.
    """
    rows = delete_all(classroom, students_of_this_class_alone(classroom))
    return log(actor, DataRecord.Action.DELETED, classroom, rows)
