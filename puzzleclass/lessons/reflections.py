"""What students say in a lesson, and what their teacher reads of it when the lesson is over."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core import signing
from django.db import transaction
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to, enrolments_of
from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.reflections import Reflection
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.progress import Progress, class_progress
from puzzleclass.play.status import PuzzleStatus

SALT = "look back"
SENT_WITHIN = 24 * 3600
"""The seconds after which a page on which a student looks back is no longer taken. A sentence that
was typed when the lesson ended, or without a network, is not lost."""


def ticket_of(pace: Pace) -> str:
    """Return the signed name of the lesson, which the page of a student sends back."""
    began = pace.begun_at.isoformat() if pace.begun_at else ""
    fields = [pace.assignment_id, began, pace.exit_board_id, pace.message]
    return signing.dumps(fields, salt=SALT)


@dataclass(frozen=True)
class Ticket:
    """A lesson at which a student looks back, and the board that comes after it."""

    assignment: Assignment
    lesson_at: datetime
    board: int | None
    prompt: str = ""
    """What the students were asked to look back at."""


def read_ticket(student: User, text: str) -> Ticket | None:
    """Return the lesson that the page names, if the student has its assignment; otherwise None."""
    try:
        # A page that was sent by an earlier release names no prompt.
        pk, began, board, *prompt = signing.loads(text, salt=SALT, max_age=SENT_WITHIN)
    except signing.BadSignature:
        return None
    own = Assignment.objects.filter(
        assigned_to(student.pk), pk=pk, classroom__enrolments__student=student
    ).first()
    return Ticket(own, datetime.fromisoformat(began), board, *prompt) if own else None


def reflection_in(student: User, pace: Pace) -> Reflection:
    """Return what the student has said in the lesson, or an empty reflection. One query."""
    said = Reflection.objects.filter(assignment=pace.assignment_id, student=student)
    own = said.filter(lesson_at=pace.begun_at).first() if pace.begun_at else None
    return own or Reflection(assignment_id=pace.assignment_id, student=student)


def looked_back(pace: Pace) -> set[int]:
    """Return the students (pk) who have sent a face or a sentence in this lesson. One query."""
    if pace.begun_at is None:
        return set()
    said = Reflection.objects.filter(assignment=pace.assignment_id, lesson_at=pace.begun_at)
    return {each.student_id for each in said if each.is_sent}


def look_back(student: User, ticket: Ticket, face: str, sentence: str) -> Reflection:
    """Store a face, a sentence, or both. What is not sent stays as it was."""
    said = {"face": face, "sentence": " ".join(sentence.split())[: Reflection.LONGEST_SENTENCE]}
    board = ticket.assignment.puzzles.filter(pk=ticket.board).first() if ticket.board else None
    reflection, _is_new = Reflection.objects.update_or_create(
        assignment=ticket.assignment,
        student=student,
        lesson_at=ticket.lesson_at,
        defaults={name: text for name, text in said.items() if text}
        | {"puzzle": board, "at": timezone.now()},
    )
    return reflection


def come(student: User, pace: Pace) -> None:
    """Note that the student has come to the lesson, which ends an absence."""
    Attendance.objects.update_or_create(
        assignment=pace.assignment,
        student=student,
        defaults={"came_at": timezone.now(), "absent_at": None, "absent_on": None},
    )


@transaction.atomic
def ask_for_help(student: User, pace: Pace, *, asks: bool = True) -> None:
    """Note that the student doesn't understand, or that it has passed. Absence ends with it."""
    now = timezone.now()
    own, _is_new = Attendance.objects.select_for_update().get_or_create(
        assignment=pace.assignment, student=student
    )
    if bool(own.asked_at) is asks:
        return
    own.asked_at, own.absent_at, own.absent_on = now if asks else None, None, None
    own.save(update_fields=["asked_at", "absent_at", "absent_on"])
    if asks and pace.begun_at:
        said, _is_new = Reflection.objects.get_or_create(
            assignment=pace.assignment, student=student, lesson_at=pace.begun_at
        )
        said.asked = [*said.asked, now.isoformat()][-Reflection.MAX_ASKED :]
        said.save(update_fields=["asked"])


class Said(NamedTuple):
    """A student with what the student has said in a lesson."""

    enrolment: Enrolment
    reflection: Reflection | None
    exit: PuzzleStatus | None
    """How the student did at the board after the lesson; None without one."""

    @property
    def asked(self) -> list[datetime]:
        """The times at which the student asked for help."""
        texts = self.reflection.asked if self.reflection else []
        return [datetime.fromisoformat(text) for text in texts]


@dataclass(frozen=True)
class Lesson:
    """What the students have said in one lesson."""

    began_at: datetime
    students: list[Said]
    """All students of the assignment, in the order of the class list."""

    @property
    def faces(self) -> list[tuple[Reflection.Face, int]]:
        """How many students have chosen each face."""
        chosen = Counter(each.reflection.face for each in self.students if each.reflection)
        return [(face, chosen[face.value]) for face in Reflection.Face]

    @property
    def silent(self) -> list[Enrolment]:
        """Those who have sent neither a face nor a sentence."""
        return [
            each.enrolment
            for each in self.students
            if not (each.reflection and each.reflection.is_sent)
        ]


def lessons_of(assignment: Assignment) -> list[datetime]:
    """Return when the lessons began in which somebody has said something, the latest first."""
    rows = assignment.reflections.order_by("-lesson_at").values_list("lesson_at", flat=True)
    return list(rows.distinct())


def lesson_of(assignment: Assignment, began_at: datetime) -> Lesson:
    """Return what the students have said in the lesson. Six queries at most."""
    said = assignment.reflections.filter(lesson_at=began_at).select_related("puzzle")
    by_student = {each.student_id: each for each in said}
    boards = {each.puzzle for each in by_student.values() if each.puzzle}
    enrolments = list(enrolments_of(assignment).select_related("student").order_by("number"))
    students = [each.student_id for each in enrolments]
    progress = class_progress(assignment, list(boards), students) if boards else {}
    return Lesson(
        began_at, [_said(each, by_student.get(each.student_id), progress) for each in enrolments]
    )


def _said(enrolment: Enrolment, reflection: Reflection | None, progress: Progress) -> Said:
    board = reflection.puzzle_id if reflection else None
    return Said(
        enrolment, reflection, progress.get((enrolment.student_id, board)) if board else None
    )


def stamp_all(teacher: User, assignment: Assignment, stamp: str) -> int:
    """Give each student's latest attempt at the assignment the stamp; return their number.

    Two queries. Comments stay.
    """
    students = enrolments_of(assignment).order_by().values("student")
    latest: dict[int, int] = {}
    begun = Attempt.objects.filter(
        puzzle__assignment=assignment, student__in=students, next_step__gt=0
    )
    for student, attempt in begun.order_by("last_at", "pk").values_list("student", "pk"):
        latest[student] = attempt
    _give(teacher, latest.values(), stamp)
    return len(latest)


def _give(teacher: User, attempts: Iterable[int], stamp: str) -> None:
    now = timezone.now()
    Feedback.objects.bulk_create(
        [Feedback(attempt_id=each, teacher=teacher, stamp=stamp, at=now) for each in attempts],
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["teacher", "stamp", "at"],
    )
