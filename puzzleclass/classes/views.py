"""Views for a teacher's classes: the list, a class's page, its settings, archiving, deletion."""

from copy import copy
from datetime import timedelta

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes import joining, services
from puzzleclass.classes.access import (
    Right,
    administers_anything,
    check_not_archived,
    get_classroom_for_teacher,
    in_class_of,
    may,
)
from puzzleclass.classes.forms import ClassroomForm
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.personal_data import overdue_classes
from puzzleclass.classes.settings_page import settings_page
from puzzleclass.database.bin import KEPT, move_to_bin
from puzzleclass.forms.once import once
from puzzleclass.language.folding import contains_all

LESSON = timedelta(hours=1)

CLASSES_PER_PAGE = 60


# Classes


@for_teachers("GET")
def classroom_list(request: SignedInRequest) -> HttpResponse:
    """List the teacher's classes.

    `?archived=` lists the archived ones, and `?q=` those whose names contain the text.
    """
    archived = "archived" in request.GET
    mine = Classroom.objects.filter(in_class_of(request.user))
    shown = mine.filter(archived_at__isnull=not archived)
    word = request.GET.get("q", "")[:60].strip()
    if word:
        shown = shown.filter(contains_all(word.split(), "name"))
    classrooms = shown.annotate(
        student_count=Count("enrolments", distinct=True),
        open_count=Count(
            "assignments",
            filter=Q(
                assignments__due_at__gt=timezone.now(),
                assignments__is_gallery=False,
                assignments__is_practice=False,
            ),
            distinct=True,
        ),
    ).order_by("-archived_at", "name", "pk")
    page = Paginator(classrooms, CLASSES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "classrooms": page.object_list,
        "overdue": overdue_classes(request.user),
        "archived": archived,
        "archived_count": mine.exclude(archived_at=None).count(),
        "word": word,
        "has_school": administers_anything(request.user),
    }
    return render(request, "classes/classroom_list.html", context)


@for_teachers("GET")
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a class: its assignments."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    context = {
        "classroom": classroom,
        "tab": "assignments",
        "has_students": classroom.enrolments.exists(),
        # A query that groups rows ignores the model's own order.
        "assignments": classroom.assignments.filter(is_gallery=False)
        .annotate(puzzle_count=Count("puzzles"))
        .order_by("-due_at", "-pk"),
        "may_teach": may(classroom, Right.TEACH),
        "goes_on": classroom.archived_at is None and may(classroom, Right.TEACH),
    }
    return render(request, "classes/classroom.html", context)


@for_teachers("POST")
def classroom_door(request: SignedInRequest, pk: int) -> HttpResponse:
    """Open or close the class to students, open its locks, or give it a new code."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    record(request, "class door", classroom=pk, do=request.POST.get("do", "")[:10])
    match request.POST.get("do"):
        case "lesson":
            services.open_until(classroom, timezone.now() + LESSON)
        case "close":
            services.open_until(classroom, timezone.now())
        case "always":
            services.open_until(classroom, None)
        case "unlock":
            joining.reset_locks(classroom)
        case "code":
            services.renew_code(classroom)
        case _:
            raise BadRequest
    return redirect("class_students", pk)


@for_teachers("POST")
def classroom_archive(request: SignedInRequest, pk: int) -> HttpResponse:
    """Archive the class, or restore it. Nothing is deleted."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.OWN)
    classroom.archived_at = timezone.now() if request.POST.get("do") == "archive" else None
    classroom.save(update_fields=["archived_at"])
    record(request, "class archived", classroom=pk, is_archived=bool(classroom.archived_at))
    return redirect("classroom_edit", pk)


@for_teachers("GET", "POST")
@once()
def classroom_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the settings of the class, its teachers, and what can be done with it as a whole."""
    right = Right.LOOK if request.method == "GET" else Right.TEACH
    classroom = get_classroom_for_teacher(request.user, pk, right)
    # The form changes a copy, so that the page shows the stored name and not the typed one.
    form = ClassroomForm(request.user, request.POST or None, instance=copy(classroom))
    if not form.is_valid():
        return settings_page(request, classroom, form=form)
    form.save()
    if "school" in form.changed_data:
        record(request, "class of school", classroom=pk, school=form.instance.school_id)
    messages.success(request, _("Saved."))
    return redirect("classroom_edit", pk)


@for_teachers("GET", "POST", within=RECENTLY)
@once()
def classroom_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what is deleted with the class, then move it to the bin, or delete it for good."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.OWN)
    if request.method == "GET":
        loss = services.loss_of_classroom(classroom)
        return settings_page(request, classroom, "deletion", loss=loss, days=KEPT.days)
    if request.POST.get("do") != "now":
        with transaction.atomic():
            move_to_bin(
                request,
                Classroom.objects.filter(pk=pk),
                _("“{name}” is in the bin. Nobody can sign in to it.").format(name=classroom.name),
            )
            services.close_deleted()
        record(request, "class moved to the bin", classroom=pk)
        return redirect("classroom_list")
    receipt = services.delete_classroom(classroom, request.user)
    record(request, "class deleted", classroom=pk)
    messages.success(request, _("“{name}” has been deleted.").format(name=classroom.name))
    return redirect("data_record", receipt.pk)
