"""The page from which a teacher leads a lesson, and what students' pages ask about it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from zlib import crc32

from django.core.exceptions import BadRequest
from django.db.models import BigIntegerField
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.access import (
    get_assignment_for_teacher,
    get_changeable_assignment_for_teacher,
)
from puzzleclass.assignments.dealing import assigned_to, enrolments_of
from puzzleclass.assignments.models import Assignment, Pace
from puzzleclass.assignments.pace import (
    can_be_led,
    change_pace,
    end_lesson,
    running_pace,
    send_to,
    unlock_board,
)
from puzzleclass.assignments.services import close
from puzzleclass.classes.access import Right, check_not_archived, may_teach_now
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.forms.once import once, saves_as_page
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.lessons.models import PersonalMessage, Round, Vote
from puzzleclass.lessons.rounds import (
    RoundResult,
    begin_round,
    end_round,
    leave_round,
    result_of,
    running_round,
    show_places,
)
from puzzleclass.lessons.votes import Result, advance_vote, results_of, running_vote
from puzzleclass.stats.wall import wall_of

CLOCK_MINUTES = (1, 3, 5, 10, 15)
"""The times that the clock offers."""

# The student's side

_STATE = Prepared(
    lambda student, pk: (
        Assignment.every.filter(assigned_to(student), pk=pk, classroom__enrolments__student=student)
        .order_by()
        .values_list("due_at", "is_draft", "pace__version", "pace__changed_at")
    ),
    BigIntegerField,
    BigIntegerField,
)
"""The one query of a student's page that asks whether the lesson has changed."""


@for_students("GET")
def lesson_now(request: SignedInRequest, pk: int) -> HttpResponse:
    """Tell a student's page what the teacher has set, unless it shows that already (`have`)."""
    row = next(_STATE(request.user.pk, pk), None)
    if row is None or row[1]:
        raise Http404
    due_at, _is_draft, version, changed_at = row
    shown = _version(due_at, version, changed_at)
    if request.GET.get("have") == shown:
        return HttpResponse(status=NOTHING_NEW)
    assignment = get_object_or_404(Assignment.every.select_related("pace"), pk=pk)
    pace = running_pace(assignment)
    vote = running_vote(assignment)
    played = running_round(assignment) if pace and pace.starts_at else None
    begins_in = pace.starts_at - timezone.now() if pace and pace.starts_at else timedelta()
    context = {
        "assignment": assignment,
        "version": shown,
        "pace": pace,
        "personal": assignment.personal_messages.filter(student=request.user).first()
        if pace
        else None,
        "vote": vote,
        "seconds": _seconds_left(pace),
        "is_round_over": bool(played and played.ended_at),
        "begins_in": max(0, round(begins_in / timedelta(milliseconds=1))),
    }
    return render(request, "lessons/_now.html", context)


def _version(due_at: datetime, version: int | None, changed_at: datetime | None) -> str:
    """Return a text that changes whenever a student's page has to change."""
    now = timezone.now()
    is_running = changed_at is not None and now - changed_at < Pace.LASTS
    return f"{version if is_running else 0}{'.over' if due_at <= now else ''}"


def _seconds_left(pace: Pace | None) -> int | None:
    """Return the seconds left on the clock; None without a clock."""
    if pace is None or pace.clock_ends_at is None:
        return None
    return max(0, round((pace.clock_ends_at - timezone.now()).total_seconds()))


# The teacher's side


@for_teachers("GET")
def lesson(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the page of a lesson; for HTMX, nothing unless a press on any device changed it."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    if assignment.is_gallery:
        raise Http404
    asked = _asked(assignment)
    if request.htmx and request.GET.get("have") == _version_of(assignment, asked):
        return HttpResponse(status=NOTHING_NEW)
    return _lesson_page(request, assignment, asked)


@for_teachers("POST")
@once(saves_as_page)
def lead(request: SignedInRequest, pk: int) -> HttpResponse:
    """Do what a button of the lesson page says: the field `do` is a name of `ACTIONS`, and a colon
    and a value where the action needs one."""
    assignment = get_changeable_assignment_for_teacher(request.user, pk)
    check_not_archived(assignment.classroom)
    name, _colon, value = request.POST.get("do", "").partition(":")
    if name not in ACTIONS:
        raise BadRequest
    ACTIONS[name](assignment, value, request.POST)
    if not request.htmx:
        return redirect("lesson", pk)
    return _lesson_page(request, assignment, _asked(assignment))


def _asked(assignment: Assignment) -> Result | RoundResult | None:
    """Return the vote or the round that the stage shows, if there is one."""
    if vote := running_vote(assignment):
        return results_of([vote])[0]
    running = running_round(assignment)
    return result_of(running) if running else None


def _lesson_page(
    request: SignedInRequest, assignment: Assignment, asked: Result | RoundResult | None
) -> HttpResponse:
    """Return the page of a lesson; for HTMX, all of it that a press can change."""
    pace = running_pace(assignment)
    named = pace is not None and not pace.hides_names
    # The fragment of the wall asks for the same board again and again.
    shown = wall_of(assignment, pace.board_id if pace else None, named=named)
    at = next((board for board in shown.puzzles if pace and board.pk == pace.board_id), None)
    here = at or next(iter(shown.puzzles), None)
    context = {
        "assignment": assignment,
        "pace": pace,
        "at": at,
        "boards": shown.puzzles,
        "wall": shown,
        "tiles": shown.tiles,
        "only": str(at.pk) if at else "",
        "named": named,
        "version": _version_of(assignment, asked),
        "result": asked if isinstance(asked, Result) else None,
        "round_result": asked if isinstance(asked, RoundResult) else None,
        "seconds": _seconds_left(pace),
        "clock_minutes": CLOCK_MINUTES,
        "can_teach": may_teach_now(assignment, assignment.classroom),
        "can_be_led": can_be_led(assignment) and len(shown.puzzles) > 1,
        "here": here,
        "round_board": here if can_be_led(assignment) else None,
        "enrolments": enrolments_of(assignment).select_related("student"),
    }
    template = "lessons/_lesson.html" if request.htmx else "lessons/lesson.html"
    return render(request, template, context)


def _version_of(assignment: Assignment, asked: Result | RoundResult | None) -> str:
    """Return a text that changes with everything on the lesson page except the wall."""
    pace = getattr(assignment, "pace", None)
    version = _version(assignment.due_at, pace and pace.version, pace and pace.changed_at)
    if asked is None:
        return version
    shown = asked.version
    return f"{version}.{crc32(repr(shown).encode()):x}"


# What the buttons do. Each gets the assignment, the value after the colon and the form's fields.


def _pause(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, is_paused=True, **_typed(fields))


def _resume(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, is_paused=False, message="")


def _send(assignment: Assignment, value: str, fields: QueryDict) -> None:
    board = get_object_or_404(assignment.puzzles, pk=read_key(value))
    if can_be_led(assignment):
        send_to(board)


def _free(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, board=None)


def _unlock(assignment: Assignment, value: str, fields: QueryDict) -> None:
    """Open the board with this number if it is the next one."""
    if can_be_led(assignment):
        unlock_board(assignment, read_key(value))


def _unlock_all(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, open_boards=None)


def _clock(assignment: Assignment, value: str, fields: QueryDict) -> None:
    """Start the clock with this many minutes; stop it with 0."""
    minutes = min(read_key(value), Pace.LONGEST_CLOCK)
    ends_at = timezone.now() + timedelta(minutes=minutes) if minutes else None
    change_pace(assignment, clock_ends_at=ends_at)


def _say(assignment: Assignment, value: str, fields: QueryDict) -> None:
    """Send what was typed to the student (`to`), or to everybody.

    An empty text takes back what the student was told.
    """
    typed = _typed(fields)
    student = read_key(fields.get("to", ""))
    if not student:
        if typed:
            change_pace(assignment, **typed)
        return
    enrolment = get_object_or_404(enrolments_of(assignment), student=student)
    own = PersonalMessage.objects.filter(assignment=assignment, student=enrolment.student_id)
    if typed:
        own.update_or_create(
            assignment=assignment,
            student_id=enrolment.student_id,
            defaults={"text": typed["message"], "at": timezone.now()},
        )
    else:
        own.delete()
    change_pace(assignment)


def _unsay(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, message="")


def _names(assignment: Assignment, value: str, fields: QueryDict) -> None:
    change_pace(assignment, hides_names=value != "show")


def _vote(assignment: Assignment, value: str, fields: QueryDict) -> None:
    """Bring the running vote to a stage (the value)."""
    if vote := running_vote(assignment):
        advance_vote(assignment.teacher, vote, value)


def _round(assignment: Assignment, value: str, fields: QueryDict) -> None:
    """Begin a round at a board (its key), or do with the running one what the value says."""
    running = running_round(assignment)
    if value in ROUND_ACTIONS:
        if running:
            ROUND_ACTIONS[value](running)
        return
    board = get_object_or_404(assignment.puzzles, pk=read_key(value))
    board.assignment = assignment
    if can_be_led(assignment) and not assignment.is_over:
        begin_round(board)


ROUND_ACTIONS: dict[str, Callable[[Round], None]] = {
    "end": end_round,
    "leave": leave_round,
    "places": partial(show_places, shows_places=True),
    "no-places": partial(show_places, shows_places=False),
}


def _close(assignment: Assignment, value: str, fields: QueryDict) -> None:
    _vote(assignment, Vote.Stage.OVER, fields)
    _round(assignment, "leave", fields)
    close(assignment)
    end_lesson(assignment)


def _end(assignment: Assignment, value: str, fields: QueryDict) -> None:
    _vote(assignment, Vote.Stage.OVER, fields)
    _round(assignment, "leave", fields)
    assignment.personal_messages.all().delete()
    end_lesson(assignment)


def _typed(fields: QueryDict) -> dict[str, str]:
    """Return the typed message as the field of a pace; nothing if none was typed."""
    text = " ".join(fields.get("message", "").split())[: PersonalMessage.LONGEST]
    return {"message": text} if text else {}


Action = Callable[[Assignment, str, QueryDict], None]

ACTIONS: dict[str, Action] = {
    "pause": _pause,
    "resume": _resume,
    "send": _send,
    "free": _free,
    "unlock": _unlock,
    "unlock_all": _unlock_all,
    "clock": _clock,
    "say": _say,
    "unsay": _unsay,
    "names": _names,
    "vote": _vote,
    "round": _round,
    "close": _close,
    "end": _end,
}
"""What the buttons of the lesson page do, by the name that they send."""
