"""The addresses that scripts read, the OpenAPI document, and the page about both."""

from datetime import date, datetime
from typing import Any, cast

from django.db.models import CharField, Count, F, Q, Value
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.views.decorators.http import require_safe

from puzzleclass.accounts.account_page import connections_page
from puzzleclass.api.access import (
    MAX_REQUESTS,
    BadQuery,
    TokenRequest,
    for_tokens,
    get_readable_assignment,
    get_readable_class,
    readable_classes,
)
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
from puzzleclass.classes import personal_data
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.http import Request
from puzzleclass.play.models import Attempt
from puzzleclass.rosters.models import ClassId, UserId
from puzzleclass.stats.assignment_ledger import PuzzleColumn, assignment_ledger
from puzzleclass.stats.class_ledger import class_ledger
from puzzleclass.stats.ledger import Cell, Work
from solvers.message import Message


@for_tokens
def api_classes(request: TokenRequest) -> HttpResponse:
    """List the classes that the token opens, also the archived ones."""
    role = Value(None, output_field=CharField()) if request.school else F("teachings__role")
    classrooms = readable_classes(request).select_related("school")
    classrooms = classrooms.annotate(own_role=role, size=Count("enrolments"))
    named = ClassId.objects.filter(source__school=request.school, left_at=None)
    ids = dict(named.order_by("-pk").values_list("classroom", "sourced_id"))

    def row(classroom: Any) -> ClassEntry:
        return ClassEntry(
            classroom.pk,
            classroom.name,
            classroom.grade,
            classroom.school.name if classroom.school else None,
            classroom.own_role,
            classroom.size,
            classroom.archived_at is not None,
            ids.get(classroom.pk),
        )

    return answer(request, ClassPage, classrooms.order_by("name", "pk"), row)


@for_tokens
def api_students(request: TokenRequest, pk: int) -> HttpResponse:
    """List the students of a class."""
    classroom = get_readable_class(request, pk)
    enrolments = classroom.enrolments.select_related("student").order_by("number")
    ids = _student_ids(request, classroom)

    def row(each: Enrolment) -> StudentEntry:
        student = each.student
        return StudentEntry(
            student.pk, each.number, student.name, student.reading, ids.get(student.pk)
        )

    return _with_names(request, classroom, answer(request, StudentPage, enrolments, row))


@for_tokens
def api_assignments(request: TokenRequest, pk: int) -> HttpResponse:
    """List the assignments of a class, the latest due date first."""
    classroom = get_readable_class(request, pk)
    assignments = classroom.assignments.annotate(size=Count("puzzles")).order_by("-due_at", "-pk")
    if request.school:
        assignments = assignments.filter(is_draft=False)

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
def api_puzzles(request: TokenRequest, pk: int) -> HttpResponse:
    """List the puzzles of an assignment, with what the class has reached at each."""
    page = assignment_ledger(get_readable_assignment(request, pk))

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
def api_results(request: TokenRequest, pk: int) -> HttpResponse:
    """List the results of each student at each puzzle of an assignment, as on its page."""
    assignment = get_readable_assignment(request, pk)
    ledger = assignment_ledger(assignment)
    worked = _worked_since(request, Q(puzzle__assignment=assignment), "puzzle")
    cells = [
        (row.enrolment, row.work, cell)
        for row in ledger.rows
        for cell in row.work.row
        if worked is None or (row.enrolment.student_id, cell.puzzle.pk) in worked
    ]
    ids = _student_ids(request, assignment.classroom)

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
            ids.get(enrolment.student_id),
            None if (first := ledger.ledger.first_solved(cell)) is None else bool(first),
        )

    return _with_names(request, assignment.classroom, answer(request, ResultPage, cells, row))


@for_tokens
def api_class_results(request: TokenRequest, pk: int) -> HttpResponse:
    """List the results of each student at each assignment of a class, as in its grade book."""
    classroom = get_readable_class(request, pk)
    room = class_ledger(classroom, _day(request, "due_from"), _day(request, "due_until"))
    own = Q(puzzle__assignment__in=room.assignments)
    worked = _worked_since(request, own, "puzzle__assignment")
    works = [
        (enrolment, work)
        for enrolment in room.enrolments
        for work in room.ledger.works_of(enrolment.student_id)
        if worked is None or (enrolment.student_id, work.assignment.pk) in worked
    ]
    ids = _student_ids(request, classroom)

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
            ids.get(enrolment.student_id),
            room.ledger.first_solved(work),
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


def _worked_since(request: Request, own: Q, place: str) -> set[tuple[int, int]] | None:
    """Return the students with the places (puzzles or assignments) at which they have worked since
    the time that the parameter `since` names; None if it is left out. Raises BadQuery."""
    text = request.GET.get("since")
    if text is None:
        return None
    try:
        since = parse_datetime(text)
    except ValueError:
        since = None
    if since is None or timezone.is_naive(since):
        raise BadQuery(
            Message(
                "The parameter “{name}” must be a time with its zone, such as "
                "2026-04-01T09:00:00Z.",
                {"name": "since"},
            )
        )
    rows = Attempt.objects.filter(Q(last_at__gte=since) | Q(arrived_at__gte=since), own)
    return set(rows.order_by().values_list("student", place).distinct())


def _student_ids(request: TokenRequest, classroom: Classroom) -> dict[int, str]:
    """Return the identifiers on the school's roster of the students of the class; nothing for the
    token of a teacher."""
    named = UserId.objects.filter(
        source__school=request.school, left_at=None, user__enrolments__classroom=classroom
    )
    return dict(named.order_by("-pk").values_list("user", "sourced_id")) if request.school else {}


def _with_names(
    request: TokenRequest, classroom: Classroom, response: HttpResponse
) -> HttpResponse:
    """Log that students' names have left the site, once a day for each teacher and class; return
    the response."""
    personal_data.log_daily(request.user, DataRecord.Action.EXPORTED, classroom, "API")
    return response
