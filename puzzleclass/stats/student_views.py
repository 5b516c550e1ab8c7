"""A student's page, the notes on it, and the printed sheets of a whole class."""

from contextlib import suppress
from datetime import date, timedelta

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import Right, get_classroom_for_teacher, in_class_of
from puzzleclass.classes.models import NOTE_LENGTH, Enrolment, StudentNote
from puzzleclass.classes.personal_data import log_view
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.stats.access import assignments_of_student, get_student_for_teacher
from puzzleclass.stats.ledger import read_ledger
from puzzleclass.stats.student_sheet import sheets_of
from puzzleclass.stats.week import Week, week_sheets

A_WORKING_DAY = timedelta(hours=8)
"""How long ago the teacher's password may have been entered when a student's page is opened."""

SHEETS_PER_PAGE = 50

FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2100, 1, 1)
"""The days whose weeks can be asked for."""


@for_teachers("GET", within=A_WORKING_DAY)
def student(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show everything about a student, and log that the teacher has looked at it."""
    enrolment = get_student_for_teacher(request.user, pk)
    log_view(request.user, enrolment)
    gallery = _with_gallery(request)
    assignments = assignments_of_student(request.user, enrolment.student, gallery=gallery)
    [sheet] = sheets_of([enrolment], read_ledger(assignments, [pk]))
    context = {
        "enrolment": enrolment,
        "may_teach": may_teach(request.user, pk),
        "groups": enrolment.groups.all(),
        "gallery": gallery,
        "words": _with_words(request),
        "sheet": sheet,
        "notes": enrolment.student.notes.select_related("author"),
        "note_length": NOTE_LENGTH,
    }
    return render(request, "stats/student.html", context)


@for_teachers("GET", within=A_WORKING_DAY)
def student_sheets(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a sheet about each student's work in the class, for printing, and log the view."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    log_view(request.user, classroom)
    enrolments = classroom.enrolments.select_related("student", "classroom")
    page = Paginator(enrolments, SHEETS_PER_PAGE).get_page(request.GET.get("page"))
    gallery = _with_gallery(request)
    assignments = classroom.assignments.counted(gallery=gallery).prefetch_related("puzzles")
    ledger = read_ledger(assignments.order_by("-due_at", "-pk"))
    context = {
        "classroom": classroom,
        "page": page,
        "paper_sheets": sheets_of(list(page), ledger),
        "gallery": gallery,
        "words": _with_words(request),
    }
    return render(request, "stats/student_sheets.html", context)


@for_teachers("GET", within=A_WORKING_DAY)
def student_weeks(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a sheet about each student's week in the class, for printing, and log the view."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    log_view(request.user, classroom)
    week = Week.of(_day_in(request.GET.get("week", "")) or timezone.localdate())
    enrolments = classroom.enrolments.select_related("student", "classroom")
    page = Paginator(enrolments, SHEETS_PER_PAGE).get_page(request.GET.get("page"))
    sheets = week_sheets(classroom, list(page), week)
    context = {"classroom": classroom, "page": page, "week": week, "paper_sheets": sheets}
    return render(request, "stats/student_weeks.html", context)


def _with_gallery(request: SignedInRequest) -> bool:
    """Return whether the page is to count the gallery, too."""
    return request.GET.get("gallery") == "on"


def _with_words(request: SignedInRequest) -> bool:
    """Return whether the sheet for the parents is to have what the student has said in lessons."""
    return request.GET.get("words") == "on"


def _day_in(text: str) -> date | None:
    """Return the day that an address names; None if it names none that a calendar has."""
    with suppress(ValueError):
        day = date.fromisoformat(text)
        return day if FIRST_DAY <= day <= LAST_DAY else None
    return None


def may_teach(teacher: User, student: int) -> bool:
    """Return whether the teacher may write notes about the student."""
    rows = Enrolment.objects.filter(in_class_of(teacher, "classroom", Right.TEACH))
    return rows.filter(student=student).exists()


@for_teachers("POST")
@once()
def student_note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add a note about the student, or delete one of the teacher's own notes."""
    enrolment = get_student_for_teacher(request.user, pk, Right.TEACH)
    if "delete" in request.POST:
        key = request.POST["delete"]
        notes = StudentNote.objects.filter(student=pk, author=request.user)
        get_object_or_404(notes, pk=read_key(key)).delete()
        return redirect("student", pk)
    text = request.POST.get("text", "").strip().replace("\0", "")
    if not text:
        fault = _("Write a note first.")
    elif len(text) > NOTE_LENGTH:
        fault = _("A note has at most {most} characters.").format(most=NOTE_LENGTH)
    elif enrolment.student.notes.count() >= StudentNote.MAX_COUNT:
        fault = _("There are {most} notes already. Delete one first.").format(
            most=StudentNote.MAX_COUNT
        )
    else:
        enrolment.student.notes.create(author=request.user, text=text)
        return redirect("student", pk)
    messages.error(request, fault)
    return redirect("student", pk)
