"""Changes to a class and its list of students."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from puzzleclass.accounts.locks import unlock
from puzzleclass.accounts.models import User, hash_of_pin, new_pin
from puzzleclass.classes.access import taught_classes
from puzzleclass.classes.grades import grade_of
from puzzleclass.classes.models import (
    HIGHEST_NUMBER,
    MAX_STUDENTS,
    Classroom,
    DataRecord,
    Enrolment,
    SignInCard,
    Teaching,
    new_class_code,
)
from puzzleclass.classes.personal_data import delete_all, log
from puzzleclass.classes.roster import Entry, is_unnamed, unnamed
from puzzleclass.classes.school_models import School

Pins = dict[int, str]
"""New PINs by the keys of the enrolments. The database keeps only their hashes."""


class ListChanged(Exception):
    """Raised when somebody else has taken one of the numbers meanwhile."""


def create_classroom(
    teacher: User,
    name: str,
    students: Sequence[Entry],
    grade: int | None = None,
    school: School | None = None,
) -> tuple[Classroom, Pins]:
    """Create a class of the teacher's; return it and the PINs of its students.

    Without a grade, the class gets the one that its name certainly shows.
    """
    others = set(taught_classes(teacher).exclude(grade=None).values_list("grade", flat=True))
    grade = grade or grade_of(name, others).grade
    users, pins = new_students(students)
    with transaction.atomic():
        classroom = Classroom.objects.create(name=name, grade=grade, school=school)
        classroom.teachers.add(teacher, through_defaults={"role": Teaching.Role.OWNER})
        return classroom, _enrol(classroom, students, users, pins)


def add_students(classroom: Classroom, students: Sequence[Entry]) -> Pins:
    """Add students to the class list; return their PINs. Raises ListChanged."""
    users, pins = new_students(students)
    with transaction.atomic():
        lock_list(classroom)
        taken = classroom.enrolments.values_list("number", flat=True)
        if not {entry.number for entry in students}.isdisjoint(taken):
            raise ListChanged
        return _enrol(classroom, students, users, pins)


def new_students(students: Sequence[Entry]) -> tuple[list[User], list[str]]:
    """Return accounts for the students, which are not stored yet, and their PINs.

    It is called before a transaction begins: a thousand hashes take a moment, and SQLite has only
    one writer.
    """
    pins = [new_pin() for _ in students]
    make = User.objects.new_student
    users = [make(e.display_name, pin, e.reading) for e, pin in zip(students, pins, strict=True)]
    return users, pins


def _enrol(
    classroom: Classroom, students: Sequence[Entry], users: list[User], pins: list[str]
) -> Pins:
    store_students(users)
    enrolments = Enrolment.objects.bulk_create(
        Enrolment(classroom=classroom, student=user, number=entry.number or 0)
        for entry, user in zip(students, users, strict=True)
    )
    return {enrolment.pk: pin for enrolment, pin in zip(enrolments, pins, strict=True)}


def store_students(users: Sequence[User]) -> None:
    """Store new accounts of students, and make their cards."""
    User.objects.bulk_create(users, batch_size=500)
    SignInCard.objects.bulk_create((SignInCard(student=user) for user in users), batch_size=500)


@transaction.atomic
def change_student(enrolment: Enrolment, name: str, number: int, reading: str = "") -> None:
    """Change the student's name, reading and number.

    The number must have been found free under `lock_list`.
    """
    student = enrolment.student
    # A student without a name is called by the number.
    student.name = unnamed(number) if is_unnamed(name, enrolment.number) else name
    student.reading = reading
    student.save(update_fields=["name", "reading"])
    enrolment.number = number
    enrolment.save(update_fields=["number"])


def with_last_here(enrolments: QuerySet[Enrolment]) -> QuerySet[Enrolment]:
    """Return the enrolments with `last_here`, when the student last signed in or did something.

    It is None if the student was never here. A student may have played without a sign-in that is
    stored: the sign-in is kept with the account, and attempts come along with imported data.
    """
    attempts = User.objects.filter(pk=OuterRef("student")).order_by()
    played = attempts.annotate(latest=Max("attempts__last_at")).values("latest")
    return enrolments.annotate(
        played_at=Subquery(played),
        last_here=Coalesce(
            Greatest("student__last_login", "played_at"), "student__last_login", "played_at"
        ),
    )


def lock_list(classroom: Classroom) -> None:
    """Keep others from numbering students of the class until the transaction ends."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)


def free_number(classroom: Classroom) -> int | None:
    """Return the number for one more student of the class, the next one if there is one; None if
    the class is full."""
    if classroom.enrolments.count() >= MAX_STUDENTS:
        return None
    highest = classroom.enrolments.aggregate(highest=Max("number"))["highest"] or 0
    if highest < HIGHEST_NUMBER:
        return highest + 1
    taken = set(classroom.enrolments.values_list("number", flat=True))
    return next(number for number in range(1, HIGHEST_NUMBER) if number not in taken)


def renew_pins(enrolments: Iterable[Enrolment]) -> Pins:
    """Give each student a new PIN in place of the old one, and open the locks."""
    enrolments = list(enrolments)
    pins = {enrolment.pk: new_pin() for enrolment in enrolments}
    students = [enrolment.student for enrolment in enrolments]
    for enrolment in enrolments:
        enrolment.student.password = hash_of_pin(pins[enrolment.pk])
    with transaction.atomic():
        User.objects.bulk_update(students, ["password"], batch_size=200)
        User.objects.filter(pk__in=[student.pk for student in students]).update(
            sign_outs=F("sign_outs") + 1
        )
        unlock(*(key for student in students for key in student.pin_keys))
    return pins


def make_cards(classroom: Classroom) -> None:
    """Make a card for each student of the class who has none."""
    without = classroom.students.filter(card=None)
    SignInCard.objects.bulk_create(
        (SignInCard(student=student) for student in without), ignore_conflicts=True
    )


@transaction.atomic
def renew_card(student: User) -> None:
    """Give the student a new card. The old one no longer works."""
    revoke_card(student)
    SignInCard.objects.create(student=student)


@transaction.atomic
def revoke_card(student: User) -> None:
    """Make the student's card invalid, and sign out everybody who is signed in as the student."""
    SignInCard.objects.filter(student=student).delete()
    student.sign_out_everywhere()


def send_message(enrolments: Iterable[Enrolment], text: str) -> None:
    """Show a message to these students in place of the last one. An empty text takes it back."""
    Enrolment.objects.filter(pk__in=[enrolment.pk for enrolment in enrolments]).update(
        message=text, messaged_at=timezone.now() if text else None
    )


def renew_code(classroom: Classroom) -> None:
    """Give the class a new code. The old one no longer works."""
    classroom.code = new_class_code()
    classroom.save(update_fields=["code"])


def open_until(classroom: Classroom, until: datetime | None) -> None:
    """Let students sign in until this time, or always if it is None."""
    classroom.joins_until = until
    classroom.save(update_fields=["joins_until"])


def students_only_in(classroom: Classroom) -> QuerySet[User]:
    """Return the students who are in no other class. They are deleted with their enrolment here."""
    elsewhere = Enrolment.objects.exclude(classroom=classroom).values("student")
    return classroom.students.exclude(pk__in=elsewhere)


@dataclass(frozen=True, slots=True)
class Loss:
    """The amount of data that is deleted with a student or a class."""

    students: int
    """Students who are in no other class and are deleted altogether."""
    assignments: int
    attempts: int


def loss_of_student(enrolment: Enrolment) -> Loss:
    """Return what is deleted when the student is removed from the list."""
    alone = students_only_in(enrolment.classroom).filter(pk=enrolment.student_id)
    begun = Count("attempts", filter=Q(attempts__next_step__gt=0))
    attempts = alone.annotate(attempt_count=begun).values_list("attempt_count", flat=True)
    return Loss(students=len(attempts), assignments=0, attempts=sum(attempts))


def loss_of_classroom(classroom: Classroom) -> Loss:
    """Return what is deleted with the class, including attempts in practice."""
    begun = Q(puzzles__attempts__next_step__gt=0)
    counts = classroom.assignments(manager="every").aggregate(
        assignments=Count("pk", filter=Q(is_practice=False), distinct=True),
        attempts=Count("puzzles__attempts", filter=begun),
    )
    return Loss(students=students_only_in(classroom).count(), **counts)


@transaction.atomic
def remove_student(enrolment: Enrolment, actor: User) -> DataRecord | None:
    """Remove the student from the list.

    A student who is in no other class is deleted with all attempts. Returns the receipt of a
    deletion.
    """
    alone = students_only_in(enrolment.classroom).filter(pk=enrolment.student_id)
    if not alone.exists():
        enrolment.delete()
        return None
    removed = Enrolment(number=enrolment.number, student_id=enrolment.student_id)
    rows = delete_all(None, alone)
    return log(actor, DataRecord.Action.DELETED, enrolment.classroom, rows, removed)


def close_deleted() -> None:
    """Archive the classes in the bin, so that nobody can sign in to them or play."""
    in_bin = Classroom.objects.filter(deleted_at__isnull=False, archived_at=None)
    in_bin.update(archived_at=F("deleted_at"))


def restore_classrooms(deleted: QuerySet[Classroom]) -> None:
    """Restore classes from the bin. Those that were not archived before are open again."""
    keys = list(deleted.values_list("pk", flat=True))
    restored = Classroom.objects.filter(pk__in=keys)
    restored.filter(archived_at=F("deleted_at")).update(archived_at=None)
    restored.update(deleted_at=None, kept_at=timezone.now())


@transaction.atomic
def delete_classroom(classroom: Classroom, actor: User | None, event: str = "") -> DataRecord:
    """Delete the class for good, with its assignments, attempts, and students who are in no other
    class.

    Returns the receipt, which names the `event` if it is a rule. The site itself, which empties the
    bin, is no actor.
    """
    rows = delete_all(classroom, students_only_in(classroom))
    return log(actor, DataRecord.Action.DELETED, classroom, rows, event=event)


def delete_expired_classes() -> Iterator[int]:
    """Delete for good the classes that have been in the bin for its time, each with a receipt.

    Yield the number of deleted rows, class by class.
    """
    for classroom in Classroom.expired():
        yield sum(delete_classroom(classroom, None, "bin").rows.values())
