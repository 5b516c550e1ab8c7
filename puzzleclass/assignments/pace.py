"""The pace of a class at an assignment while its teacher leads the lesson.

Students' pages, and the steps that they send, follow these functions. Without a row, or some time
after the last change, an assignment is played as if nobody led.
"""

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Pace
from solvers.message import Message

PAUSED = Message(
    "Your teacher has paused the boards. Your moves are kept, and you can continue soon."
)
NOT_YET = Message("The round has not begun yet.")
LOCKED = Message("Your teacher has not opened this board yet.")


def running_pace(assignment: Assignment) -> Pace | None:
    """Return the assignment's pace if a lesson is running. One query, and none if it was read."""
    pace: Pace | None = getattr(assignment, "pace", None)
    return pace if pace and timezone.now() - pace.changed_at < Pace.LASTS else None


def refusal_of(puzzle: AssignedPuzzle) -> Message | None:
    """Return why the board takes no steps now; None if it takes them."""
    pace = running_pace(puzzle.assignment)
    if pace is None:
        return None
    if pace.is_paused:
        return PAUSED
    if is_waiting(puzzle):
        return NOT_YET
    return LOCKED if _is_locked(puzzle, pace) else None


def is_waiting(puzzle: AssignedPuzzle) -> bool:
    """Return whether the board is hidden because a round is about to begin."""
    pace = running_pace(puzzle.assignment)
    return bool(pace and pace.starts_at and timezone.now() < pace.starts_at)


def board_instead(puzzle: AssignedPuzzle) -> int | None:
    """Return the key of the board to which a student who opens this one is led.

    That is the board at which the class is, or the last open one if this one is locked. None if the
    student may stay. One query at most.
    """
    pace = running_pace(puzzle.assignment)
    if pace is None:
        return None
    if pace.board_id:
        return pace.board_id if pace.board_id != puzzle.pk else None
    if not _is_locked(puzzle, pace):
        return None
    opened = puzzle.assignment.puzzles.filter(number__lte=pace.open_boards)
    return opened.order_by("-number").values_list("pk", flat=True).first()


def can_be_led(assignment: Assignment) -> bool:
    """Return whether the class can be sent to a board, and boards can be locked.

    That needs boards that everybody has.
    """
    return assignment.dealing == Assignment.Dealing.ALL


def _is_locked(puzzle: AssignedPuzzle, pace: Pace) -> bool:
    return pace.open_boards is not None and puzzle.number > pace.open_boards


@transaction.atomic
def change_pace(assignment: Assignment, **fields: object) -> Pace:
    """Change the pace, and begin with a new one if the last lesson is over.

    A change without fields tells the students' pages to look again.
    """
    now = timezone.now()
    pace, _is_new = Pace.objects.select_for_update().get_or_create(assignment=assignment)
    if now - pace.changed_at >= Pace.LASTS:
        fields = _begun_anew() | fields
    Pace.objects.filter(pk=pace.pk).update(version=F("version") + 1, changed_at=now, **fields)
    pace.refresh_from_db()
    assignment.pace = pace
    return pace


def end_lesson(assignment: Assignment) -> None:
    """Let students play as if nobody had led. Nothing happens if nobody has."""
    if hasattr(assignment, "pace"):
        change_pace(assignment, **_begun_anew())


def unlock_board(assignment: Assignment, number: int) -> None:
    """Open one more board; the first one if all boards were open.

    `number` is that of the board. A press that is repeated because its answer was lost opens no
    other board.
    """
    pace = running_pace(assignment)
    if number != ((pace and pace.open_boards) or 0) + 1:
        return
    last = assignment.puzzles.aggregate(last=Max("number"))["last"] or 0
    change_pace(assignment, open_boards=number if number < last else None)


def send_to(board: AssignedPuzzle) -> Pace:
    """Lead all students to this board, which is opened if it was locked."""
    pace = running_pace(board.assignment)
    opened = pace.open_boards if pace else None
    if opened is not None and opened < board.number:
        opened = board.number
    return change_pace(board.assignment, board=board, open_boards=opened)


def _begun_anew() -> dict[str, object]:
    """Return the fields of a pace as it is before anything was pressed."""
    kept = {"assignment", "version", "changed_at"}
    return {
        field.attname: field.get_default()
        for field in Pace._meta.local_concrete_fields
        if field.name not in kept
    }
