"""The addresses that scripts read, the OpenAPI document, and the page about both."""

from datetime import date, datetime
from typing import Any, cast

from django.db.models import Count, F
from django.http import HttpResponse, JsonResponse
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from puzzleclass.accounts.account_page import connections_page
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.api.access import MAX_REQUESTS, BadQuery, for_tokens
from puzzleclass.api.answers import (
    ROWS_PER_PAGE,
    STATES,
    AssignmentEntry,
    AssignmentPage,
    ClassEntry,
    ClassPage,
    ClassResultEntry,
    ClassResultPage,
    PuzzleEntry,
    PuzzlePage,
    ResultEntry,
    ResultPage,
    StudentEntry,
    StudentPage,
    answer,
    local,
)
from puzzleclass.api.openapi import described, document
from puzzleclass.assignments.access import get_assignment_for_teacher
from puzzleclass.classes import personal_data
from puzzleclass.classes.access import Right, get_classroom_for_teacher, in_class_of
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.http import Request
from puzzleclass.stats.assignment_ledger import PuzzleColumn, assignment_ledger
from puzzleclass.stats.class_ledger import class_ledger
from puzzleclass.stats.ledger import Cell, Work
from solvers.message import Message


@for_tokens
def api_classes(request: SignedInRequest) -> HttpResponse:
    """List the teacher's classes, also the archived ones."""
    mine = Classroom.objects.filter(in_class_of(request.user)).select_related("school")
    classrooms = mine.annotate(own_role=F("teachings__role"), size=Count("enrolments"))

    def row(classroom: Any) -> ClassEntry:
        return ClassEntry(
            classroom.pk,
            classroom.name,
            classroom.grade,
            classroom.school.name if classroom.school else None,
            classroom.own_role,
            classroom.size,
            classroom.archived_at is not None,
        )

    return answer(request, ClassPage, classrooms.order_by("name", "pk"), row)


@for_tokens
def api_students(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the students of a class."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    enrolments = classroom.enrolments.select_related("student").order_by("number")

    def row(each: Enrolment) -> StudentEntry:
        return StudentEntry(each.student_id, each.number, each.student.name, each.student.reading)

    return _with_names(request, classroom, answer(request, StudentPage, enrolments, row))


@for_tokens
def api_assignments(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the assignments of a class, the latest due date first."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    assignments = classroom.assignments.annotate(size=Count("puzzles")).order_by("-due_at", "-pk")

    def row(each: Any) -> AssignmentEntry:
        return AssignmentEntry(
            each.pk,
            each.title,
            local(each.starts_at),
            cast(datetime, local(each.due_at)),
            each.is_draft,
            each.is_gallery,
            each.size,
        )

    return answer(request, AssignmentPage, assignments, row)


@for_tokens
def api_puzzles(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the puzzles of an assignment, with what the class has reached at each."""
    page = assignment_ledger(get_assignment_for_teacher(request.user, pk, Right.LOOK))

    def row(each: PuzzleColumn) -> PuzzleEntry:
        puzzle, count, goal = each.puzzle, each.count, each.goal
        return PuzzleEntry(
            puzzle.pk,
            puzzle.number,
            puzzle.title,
            puzzle.kind_slug,
            puzzle.position,
            str(count.value) if count else None,
            bool(count and count.proven),
            each.given,
            each.solved,
            str(each.found_together),
            goal.score if goal else None,
            each.score,
        )

    return answer(request, PuzzlePage, page.columns, row)


@for_tokens
def api_results(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the results of each student at each puzzle of an assignment, as on its page."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    rows = assignment_ledger(assignment).rows
    cells = [(row.enrolment, row.work, cell) for row in rows for cell in row.work.row]

    def row(each: tuple[Enrolment, Work, Cell]) -> ResultEntry:
        enrolment, work, cell = each
        puzzle, status = cell.puzzle, cell.status
        return ResultEntry(
            enrolment.student_id,
            enrolment.number,
            enrolment.student.name,
            puzzle.pk,
            puzzle.number,
            puzzle.title,
            STATES[status.state],
            status.was_stuck,
            str(status.found),
            str(status.needed),
            status.attempts,
            status.seconds,
            cell.hints,
            cell.score,
            local(status.since),
            cast(datetime, local(work.due.at)),
            cast(datetime, local(assignment.due_at)),
            cell.is_late,
            work.absent_on,
        )

    return _with_names(request, assignment.classroom, answer(request, ResultPage, cells, row))


@for_tokens
def api_class_results(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the results of each student at each assignment of a class, as in its grade book."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    room = class_ledger(classroom, _day(request, "due_from"), _day(request, "due_until"))
    works = [
        (enrolment, work)
        for enrolment in room.enrolments
        for work in room.ledger.works_of(enrolment.student_id)
    ]

    def row(each: tuple[Enrolment, Work]) -> ClassResultEntry:
        enrolment, work = each
        return ClassResultEntry(
            enrolment.student_id,
            enrolment.number,
            enrolment.student.name,
            work.assignment.pk,
            work.assignment.title,
            cast(datetime, local(work.due.at)),
            work.given,
            work.begun,
            work.solved,
            work.stuck,
            work.was_stuck,
            work.hints,
            work.seconds,
            cast(datetime, local(work.assignment.due_at)),
            work.late,
            work.absent_on,
        )

    page = answer(request, ClassResultPage, works, row, cut=room.is_cut)
    return _with_names(request, classroom, page)


@require_safe
def openapi(request: Request) -> HttpResponse:
    """Return the OpenAPI document, with descriptions in the reader's language."""
    return JsonResponse(document(request))


@require_safe
def api_page(request: Request) -> HttpResponse:
    """Show what scripts can read. The page is made from the OpenAPI document."""
    made = document(request)
    context = {
        "server": made["servers"][0]["url"],
        "addresses": described(made),
        "most": MAX_REQUESTS,
        "rows": ROWS_PER_PAGE,
    }
    return connections_page(request, "api/_api.html", **context)


def _day(request: Request, name: str) -> date | None:
    """Return the day that a parameter names; None if it is left out. Raises BadQuery."""
    text = request.GET.get(name)
    if text is None:
        return None
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise BadQuery(
            Message("The parameter “{name}” must be a day such as 2026-04-01.", {"name": name})
        )
    return day


def _with_names(
    request: SignedInRequest, classroom: Classroom, response: HttpResponse
) -> HttpResponse:
    """Log that students' names have left the site, once a day for each teacher and class; return
    the response."""
    personal_data.log_daily(request.user, DataRecord.Action.EXPORTED, classroom)
    return response
