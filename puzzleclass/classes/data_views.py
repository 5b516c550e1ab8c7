"""Data protection: export, the log, and the receipts of what was deleted."""

from tempfile import TemporaryFile
from typing import cast

from django.conf import settings
from django.core.paginator import Paginator
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from puzzleclass.accounts.sign_in import recently_signed_in, record, teacher_required
from puzzleclass.classes import personal_data
from puzzleclass.classes.access import (
    Right,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
)
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment
from puzzleclass.classes.views import RECENTLY, SECTION
from puzzleclass.http import SignedInRequest

LINES_A_PAGE = 50


@require_POST
@teacher_required
@recently_signed_in(RECENTLY)
def classroom_data(request: SignedInRequest, pk: int) -> HttpResponse:
    """Everything that is stored about the class, as a ZIP."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.OWN)
    students = classroom.students.values_list("pk", flat=True)
    return _export(request, personal_data.class_roots(classroom), classroom, students=students)


@require_POST
@teacher_required
@recently_signed_in(RECENTLY)
def student_data(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Everything that is stored about a student, as a ZIP."""
    place = get_enrolment_for_teacher(request.user, pk, enrolment, Right.OWN)
    roots = personal_data.student_roots(place.student)
    return _export(request, roots, place.classroom, place)


def _export(
    request: SignedInRequest,
    roots: personal_data.Roots,
    classroom: Classroom,
    place: Enrolment | None = None,
    students: object = (),
) -> HttpResponse:
    # FileResponse closes it.
    file = TemporaryFile()  # noqa: SIM115
    rows = personal_data.write_export(file, roots, students)  # type: ignore[arg-type]
    personal_data.log(request.user, DataRecord.Action.EXPORTED, classroom, rows, place)
    record(request, "data exported", classroom=classroom.pk)
    file.seek(0)
    name = f"{classroom.name}{f' {place.number}' if place else ''}"
    safe = "".join("-" if sign in '\\/:*?"<>|' else sign for sign in name if sign.isprintable())
    name = f"{safe} {timezone.localdate():%Y-%m-%d}.zip"
    return cast(HttpResponse, FileResponse(file, as_attachment=True, filename=name))


@require_GET
@teacher_required
def data_log(request: SignedInRequest) -> HttpResponse:
    """Who exported, deleted and looked at what: the teacher's own doing, and in classes owned."""
    records = personal_data.log_for(request.user)
    context = {
        "page": Paginator(records, LINES_A_PAGE).get_page(request.GET.get("page")),
        "years": settings.KEPT_YEARS,
        "overdue": personal_data.overdue_classes(request.user),
    }
    return render(request, "classes/data_log.html", SECTION | context)


@require_GET
@teacher_required
def data_record(request: SignedInRequest, pk: int) -> HttpResponse:
    """A line of the log as a receipt, to be printed."""
    shown = get_object_or_404(personal_data.log_for(request.user), pk=pk)
    tables = [(_table_name(label), number) for label, number in shown.rows.items()]
    context = {"record": shown, "tables": tables, "total": sum(shown.rows.values())}
    return render(request, "classes/data_record.html", SECTION | context)


def _table_name(label: str) -> str:
    """Return what a table's rows are called on the screens; others by their own name."""
    names = {
        "accounts.User": _("Students"),
        "classes.Classroom": _("Classes"),
        "classes.Enrolment": _("Places on class lists"),
        "classes.SignInCard": _("Cards"),
        "classes.StudentNote": _("Notes of teachers"),
        "classes.Group": _("Groups"),
        "assignments.Assignment": _("Assignments"),
        "assignments.AssignedPuzzle": _("Puzzles given"),
        "assignments.Part": _("Parts in assignments"),
        "assignments.StairStep": _("Steps on staircases"),
        "assignments.WrittenPuzzle": _("Puzzles written"),
        "play.Attempt": _("Tries"),
        "play.Step": _("Steps"),
        "play.HintUse": _("Hints taken"),
        "play.FoundSolution": _("Solutions found"),
        "play.BestScore": _("Best scores"),
    }
    return names.get(label, label)
