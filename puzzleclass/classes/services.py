"""What a teacher does to a class and its list of students."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from puzzleclass.accounts.models import User, new_pin
from puzzleclass.classes.models import Classroom, Enrolment, new_class_code

Pins = dict[int, str]
"""Enrolment pk -> the PIN just given. The database keeps only its hash."""


@transaction.atomic
def create_classroom(teacher: User, name: str, students: Iterable[str]) -> tuple[Classroom, Pins]:
    """Return a new class of the teacher's and the PINs of its students."""
    classroom = Classroom.objects.create(name=name)
    classroom.teachers.add(teacher)
    return classroom, add_students(classroom, students)


@transaction.atomic
def add_students(classroom: Classroom, names: Iterable[str]) -> Pins:
    """Add students at the end of the class list; return their PINs."""
    lock_list(classroom)
    last = classroom.enrolments.aggregate(last=Max("number"))["last"] or 0
    pins = {}
    for number, name in enumerate(names, last + 1):
        pin = new_pin()
        enrolment = classroom.enrolments.create(
            student=User.objects.create_student(name, pin), number=number
        )
        pins[enrolment.pk] = pin
    return pins


@transaction.atomic
def change_student(enrolment: Enrolment, name: str, number: int) -> None:
    """Rename and renumber. The number must have been found free under `lock_list`."""
    enrolment.student.name = name
    enrolment.student.save(update_fields=["name"])
    enrolment.number = number
    enrolment.save(update_fields=["number"])


def lock_list(classroom: Classroom) -> None:
    """Let nobody else number students of the class until the transaction ends."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)


@transaction.atomic
def renew_pins(enrolments: Iterable[Enrolment]) -> Pins:
    """Give each student another PIN; the old ones no longer work."""
    pins = {}
    for enrolment in enrolments:
        pins[enrolment.pk] = new_pin()
        enrolment.student.set_pin(pins[enrolment.pk])
    return pins


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
    """Return what is deleted with the class."""
    begun = Q(puzzles__attempts__next_step__gt=0)
    given = classroom.assignments.aggregate(
        assignments=Count("pk", distinct=True), tries=Count("puzzles__attempts", filter=begun)
    )
    return Loss(students=students_of_this_class_alone(classroom).count(), **given)


@transaction.atomic
def remove_student(enrolment: Enrolment) -> None:
    """Take the student off the list; one who is in no other class is deleted, tries and all."""
    if students_of_this_class_alone(enrolment.classroom).filter(pk=enrolment.student_id).exists():
        enrolment.student.delete()
    else:
        enrolment.delete()


@transaction.atomic
def delete_classroom(classroom: Classroom) -> None:
    """Delete the class, its assignments with all tries, and the students it alone has."""
    # Read first: the list of students goes with the class.
    students = list(students_of_this_class_alone(classroom).values_list("pk", flat=True))
    classroom.delete()
    User.objects.filter(pk__in=students).delete()
