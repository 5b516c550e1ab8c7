"""Classes: the list, a class's own page, making, renaming and deleting one."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.access import teacher_required
from puzzleclass.accounts.locks import closed_among
from puzzleclass.classes import services
from puzzleclass.classes.access import get_classroom_for_teacher
from puzzleclass.classes.forms import ClassroomForm, NewClassroomForm, StudentsForm
from puzzleclass.classes.fresh_pins import hand_over
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.student_views import say_who_is_there_twice

SECTION = {"section": "classes"}


@require_GET
@teacher_required
def classroom_list(request: HttpRequest) -> HttpResponse:
    """The teacher's classes."""
    classrooms = (
        Classroom.objects.filter(teachers=request.user)
        .annotate(
            student_count=Count("enrolments", distinct=True),
            open_count=Count(
                "assignments", filter=Q(assignments__due_at__gt=timezone.now()), distinct=True
            ),
        )
        .order_by("name", "pk")
    )
    return render(request, "classes/classroom_list.html", SECTION | {"classrooms": classrooms})


@require_http_methods(["GET", "POST"])
@teacher_required
def classroom_new(request: HttpRequest) -> HttpResponse:
    """Make a class; with students the next page is the list of their PINs."""
    form = NewClassroomForm(request.POST or None)
    if not form.is_valid():
        return _form_page(request, "classes/classroom_new.html", {"form": form})
    names = form.cleaned_data["students"]
    classroom, pins = services.create_classroom(request.user, form.cleaned_data["name"], names)
    if not names:
        return redirect("classroom", classroom.pk)
    say_who_is_there_twice(request, classroom, names)
    return hand_over(request, redirect("pin_list", classroom.pk), classroom, pins)


@require_GET
@teacher_required
def classroom(request: HttpRequest, pk: int) -> HttpResponse:
    """A class: how to sign in, who is in it, what it has been given."""
    shown = get_classroom_for_teacher(request.user, pk)
    enrolments = shown.enrolments.select_related("student")
    context = {
        "classroom": shown,
        "join_url": request.build_absolute_uri(reverse("join_class", args=[shown.code])),
        "enrolments": enrolments,
        "closed_locks": closed_among(place.student.pin_key for place in enrolments),
        # Grouping drops a model's own order.
        "assignments": shown.assignments.annotate(puzzle_count=Count("puzzles")).order_by(
            "-due_at", "-pk"
        ),
        "form": StudentsForm(),
    }
    return render(request, "classes/classroom.html", SECTION | context)


@require_http_methods(["GET", "POST"])
@teacher_required
def classroom_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename the class."""
    changed = get_classroom_for_teacher(request.user, pk)
    # The page's own title is the stored name, not the one being typed.
    context = {"classroom": changed, "old_name": changed.name}
    form = ClassroomForm(request.POST or None, instance=changed)
    if not form.is_valid():
        return _form_page(request, "classes/classroom_edit.html", context | {"form": form})
    form.save()
    return redirect("classroom", pk)


@require_http_methods(["GET", "POST"])
@teacher_required
def classroom_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what goes with the class, then delete it."""
    doomed = get_classroom_for_teacher(request.user, pk)
    if request.method == "GET":
        context = {"classroom": doomed, "loss": services.loss_of_classroom(doomed)}
        return render(request, "classes/classroom_delete.html", SECTION | context)
    services.delete_classroom(doomed)
    done = _("“{name}” has been deleted.").format(name=doomed.name)
    messages.success(request, done, extra_tags="ok")
    return redirect("classroom_list")


def _form_page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, template, SECTION | context, status=status)
