"""The pace of a class at an assignment while its teacher leads the lesson.

Students' pages, and the steps that they send, follow these functions. Without a row, or some time
after the last change, an assignment is played as if nobody led.
"""

from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from solvers.message import Message

PAUSED = Message(
    "Your teacher has paused the boards. Your moves are kept, and you can continue soon."
)
NOT_YET = Message("It has not begun yet.")
NOTHING_SENT = dict.fromkeys(("absent_at", "asked_at", "message_at")) | {"message": "", "stamp": ""}
"""The values of `Attendance` outside a lesson."""
LOCKED = Message("Your teacher has not opened this board yet.")


def is_running(pace: Pace) -> bool:
    """Return whether the lesson has begun and not ended."""
    return pace.begun_at is not None and timezone.now() - pace.changed_at < Pace.LASTS


def running(prefix: str = "") -> Q:
    """Return the condition that the lesson at this path is running (`is_running`)."""
    since = timezone.now() - Pace.LASTS
    return Q(**{f"{prefix}begun_at__isnull": False, f"{prefix}changed_at__gt": since})


def running_pace(assignment: Assignment) -> Pace | None:
    """Return the assignment's pace if a lesson is running. One query, and none if it was read."""
    pace: Pace | None = getattr(assignment, "pace", None)
    return pace if pace and is_running(pace) else None


def lesson_of_student(student: int) -> Pace | None:
    """Return the running lesson of an assignment that the student (a pk) has; of two, the one begun
    last. One query.
    """
    lessons = Pace.objects.select_related("assignment__classroom").filter(
        running(),
        assigned_to(student, "assignment"),
        assignment__classroom__students=student,
        assignment__classroom__archived_at=None,
    )
    pace = lessons.order_by("-begun_at").first()
    if pace:
        pace.assignment.pace = pace
    return pace


def refusal_of(student: int, puzzle: AssignedPuzzle) -> Message | None:
    """Return why the board takes no steps now; None if it takes them. A pause holds practice, too.

    One query for practice, otherwise none if the assignment's `pace` was read.
    """
    if puzzle.assignment.is_practice:
        lesson = lesson_of_student(student)
        return PAUSED if lesson and lesson.is_paused else None
    pace = running_pace(puzzle.assignment)
    if pace is None:
        return None
    if pace.is_paused:
        return PAUSED
    if is_waiting(puzzle):
        return NOT_YET
    return LOCKED if is_locked(puzzle) else None


def is_waiting(puzzle: AssignedPuzzle) -> bool:
    """Return whether the board is hidden because the class is about to solve it together."""
    pace = running_pace(puzzle.assignment)
    return bool(pace and pace.starts_at and timezone.now() < pace.starts_at)


def board_instead(student: int, puzzle: AssignedPuzzle) -> int | None:
    """Return the key of the board to which a student who opens this one is led.

    That is the board at which the class is, whatever assignment or practice the student has opened,
    or the last open one if this one is locked. None if the student may stay. One query at most.
    """
    pace = running_pace(puzzle.assignment)
    if pace is None:
        elsewhere = lesson_of_student(student)
        return elsewhere.board_id if elsewhere else None
    if pace.board_id:
        return pace.board_id if pace.board_id != puzzle.pk else None
    if not is_locked(puzzle):
        return None
    opened = puzzle.assignment.puzzles.filter(number__lte=pace.open_boards)
    return opened.order_by("-number").values_list("pk", flat=True).first()


def can_be_led(assignment: Assignment) -> bool:
    """Return whether the class can be sent to a board, and boards can be locked.

    That needs boards that everybody has.
    """
    return assignment.dealing == Assignment.Dealing.ALL


def is_locked(puzzle: AssignedPuzzle) -> bool:
    """Return whether the teacher has not opened the board yet. Those of a gallery are open."""
    if puzzle.assignment.is_gallery:
        return False
    pace = running_pace(puzzle.assignment)
    return bool(pace and pace.open_boards is not None and puzzle.number > pace.open_boards)


@transaction.atomic
def change_pace(assignment: Assignment, **fields: object) -> Pace:
    """Change the pace, and begin a new lesson if the last one is over.

    A lesson that begins ends the others of the class. A change without fields tells the students'
    pages to look again.
    """
    now = timezone.now()
    pace, _is_new = Pace.objects.select_for_update().get_or_create(assignment=assignment)
    if not is_running(pace):
        fields = _begun_anew() | {"begun_at": now} | fields
        assignment.attendances.update(**NOTHING_SENT)
        others = Pace.objects.filter(assignment__classroom=assignment.classroom_id).exclude(
            pk=pace.pk
        )
        _update(others.filter(begun_at__isnull=False), now, _begun_anew())
    _update(Pace.objects.filter(pk=pace.pk), now, fields)
    pace.refresh_from_db()
    assignment.pace = pace
    return pace


def _update(paces: models.QuerySet[Pace], now: datetime, fields: dict[str, object]) -> None:
    paces.update(version=F("version") + 1, changed_at=now, **fields)


def pause(assignment: Assignment, **fields: object) -> None:
    """Hold all boards and the clocks. A pause of a paused class only changes the message."""
    pace = running_pace(assignment)
    began = pace.paused_at if pace and pace.is_paused else timezone.now()
    change_pace(assignment, is_paused=True, paused_at=began, **fields)


def resume(assignment: Assignment) -> None:
    """Let the boards and the clocks go on, and take back the message of the pause."""
    pace = running_pace(assignment)
    if pace is None or not pace.is_paused:
        return
    pause = timezone.now() - pace.paused_at if pace.paused_at else timedelta()
    ends_at = pace.clock_ends_at and pace.clock_ends_at + pause
    change_pace(
        assignment,
        is_paused=False,
        paused_at=None,
        message="",
        clock_ends_at=ends_at,
        plays_since=timezone.now(),
    )


def begin_activity(assignment: Assignment, **fields: object) -> Pace:
    """Change the pace for a new activity, which clears the messages of the last one."""
    assignment.attendances.update(message="", stamp="", message_at=None)
    cleared: dict[str, object] = {"is_asked": False, "plays_since": timezone.now()}
    cleared |= {"message": "", "message_at": None, "looks_back": False, "exit_board": None}
    return change_pace(assignment, **cleared | fields)


def end_lesson(assignment: Assignment) -> None:
    """Let students play as if nobody had led. Nothing happens if nobody has."""
    if hasattr(assignment, "pace"):
        assignment.attendances.update(**NOTHING_SENT)
        _update(Pace.objects.filter(assignment=assignment), timezone.now(), _begun_anew())
        assignment.pace.refresh_from_db()


def unlock_board(assignment: Assignment, number: int) -> None:
    """Open the boards up to the one with this number, among which students choose; 0 opens all."""
    last = assignment.puzzles.aggregate(last=Max("number"))["last"] or 0
    opened = number if 0 < number < last else None
    change_pace(assignment, open_boards=opened, board=None)


def send_to(board: AssignedPuzzle) -> Pace:
    """Lead all students to this board, which is opened if it was locked."""
    pace = running_pace(board.assignment)
    opened = pace.open_boards if pace else None
    if opened is not None and opened < board.number:
        opened = board.number
    return begin_activity(
        board.assignment, board=board, open_boards=opened, starts_at=None, shown="wall"
    )


def _begun_anew() -> dict[str, object]:
    """Return the fields of a pace as it is before anything was pressed."""
    unchanged = {"assignment", "phases", "version", "changed_at"}
    return {
        field.attname: field.get_default()
        for field in Pace._meta.local_concrete_fields
        if field.name not in unchanged
    }
