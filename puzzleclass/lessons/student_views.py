"""What every page of a student asks about the lesson, and the way into it."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.exceptions import BadRequest
from django.db.models import BigIntegerField, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_students
from puzzleclass.assignments.dealing import assigned_to, boards_for
from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import lesson_of_student
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.lessons.questions import running_question
from puzzleclass.lessons.reflections import ask_for_help, come, reflection_in
from puzzleclass.lessons.scenes import stage_of

_STATE = Prepared(
    lambda student, at: (
        Assignment.every.filter(
            assigned_to(student),
            Q(pace__begun_at__isnull=False) | Q(pk=at),
            classroom__enrolments__student=student,
            classroom__archived_at=None,
            is_draft=False,
        )
        .order_by()
        .values_list(
            "pk", "due_at", "late_until", "pace__begun_at", "pace__version", "pace__changed_at"
        )
    ),
    BigIntegerField,
    BigIntegerField,
)
"""The one query of a student's page that asks whether the lesson has changed."""


class _Row(NamedTuple):
    assignment: int
    due_at: datetime
    late_until: datetime | None
    begun_at: datetime | None
    version: int | None
    changed_at: datetime | None


@for_students("GET")
def lesson_now(request: SignedInRequest) -> HttpResponse:
    """Tell a student's page what the teacher has set, unless it shows that already (`have`).

    The page of a board says to which assignment the board belongs (`at`), and is told when that is
    closed.
    """
    at = read_key(request.GET.get("at", ""))
    rows = [_Row(*row) for row in _STATE(request.user.pk, at)]
    [is_over] = [_is_over(request.user, row) for row in rows if row.assignment == at] or [False]
    version = _version(rows) + (".over" if is_over else "")
    if request.GET.get("have") == version:
        return HttpResponse(status=NOTHING_NEW)
    context = {"version": version, "at": at, "is_over": is_over}
    if pace := lesson_of_student(request.user.pk):
        context |= _lesson(request.user, pace)
    return render(request, "lessons/_now.html", context)


def _is_over(student: User, row: _Row) -> bool:
    """Return whether the assignment takes no more moves of the student. One query at most."""
    assignment = Assignment(pk=row.assignment, due_at=row.due_at, late_until=row.late_until)
    return is_over_for(assignment, student.pk)


def _version(rows: list[_Row]) -> str:
    """Return a text that changes whenever the lesson of a student changes."""
    since = timezone.now() - Pace.LASTS
    begun = [
        (row.begun_at, row.assignment, row.version)
        for row in rows
        if row.begun_at and row.changed_at and row.changed_at > since
    ]
    return "{1}.{2}".format(*max(begun)) if begun else "0"


def _lesson(student: User, pace: Pace) -> dict[str, object]:
    """Return what a student's page shows of a lesson. Three queries."""
    question = running_question(pace.assignment)
    solving = question if question and question.is_solved_together else None
    answering = None if solving else question
    own = Attendance.objects.filter(assignment=pace.assignment, student=student).first()
    begins_in = pace.starts_at - timezone.now() if pace.starts_at else timedelta()
    away = own.put_away_at if own else None
    is_new, own_is_new = (
        bool(at and not (away and away >= at))
        for at in (pace.message_at, own.message_at if own else None)
    )
    return {
        "pace": pace,
        "question": answering,
        "stage": stage_of(answering, pace) if answering else "",
        "closes_in": question.closes_in if question else 0,
        "seconds": pace.seconds_left,
        "own": own,
        "is_new_here": not (own and own.came_at and pace.begun_at and own.came_at >= pace.begun_at),
        "looks_back": pace.looks_back and not reflection_in(student, pace).is_sent,
        "message": pace.message if is_new and not pace.is_paused else "",
        "own_is_new": own_is_new,
        "has_older": bool(
            (pace.message and not is_new and not pace.is_paused)
            or (own and own.message_at and (own.message or own.stamp) and not own_is_new)
        ),
        "hinted_at": own.message_at if own and not (own.message or own.stamp) else None,
        "is_solving_over": bool(solving and not solving.is_open),
        "begins_in": 0 if pace.is_paused else max(0, round(begins_in / timedelta(milliseconds=1))),
    }


@for_students("POST")
def lesson_message(request: SignedInRequest) -> HttpResponse:
    """Put the messages of the lesson away (`away`), show them again (`back`), or tell the teacher
    that the student has come (`come`), doesn't understand (`ask`), or does now (`unask`)."""
    pace = lesson_of_student(request.user.pk)
    do = request.POST.get("do", "")
    if do not in ("away", "back", "come", "ask", "unask"):
        raise BadRequest
    if do == "come":
        if pace:
            come(request.user, pace)
        return HttpResponse(status=NOTHING_NEW)
    if pace and do in ("ask", "unask"):
        ask_for_help(request.user, pace, asks=do == "ask")
    elif pace:
        Attendance.objects.update_or_create(
            assignment=pace.assignment,
            student=request.user,
            defaults={"put_away_at": timezone.now() if do == "away" else None},
        )
    context: dict[str, object] = {"at": read_key(request.POST.get("at", ""))}
    if pace:
        context |= _lesson(request.user, pace)
        context["version"] = f"{pace.pk}.{pace.version}"
    if not request.htmx:
        return redirect("home")
    return render(request, "lessons/_now.html", context)


@for_students("GET")
def lesson_enter(request: SignedInRequest) -> HttpResponse:
    """Lead a student into the lesson: to the question, the board of the class, or the first board
    that the student may open."""
    pace = lesson_of_student(request.user.pk)
    if pace is None:
        return redirect("home")
    if pace.looks_back:
        return redirect("look_back")
    question = running_question(pace.assignment)
    if question and not question.is_solved_together:
        return redirect("question", question.pk)
    if pace.board_id:
        return redirect("play", pace.board_id)
    boards = boards_for(request.user, [pace.assignment])[pace.assignment.pk]
    return redirect("play", boards[0].pk) if boards else redirect("home")
