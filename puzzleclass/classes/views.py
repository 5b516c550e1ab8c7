"""What a teacher does with classes: the list, a class's page, its students and their PINs."""

from datetime import timedelta
from itertools import accumulate

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import BadRequest
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from puzzleclass.accounts.models import PIN_LENGTH
from puzzleclass.accounts.sign_in import record, teacher_required
from puzzleclass.classes import joining, services
from puzzleclass.classes.access import (
    Right,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
    in_class_of,
    may,
)
from puzzleclass.classes.forms import (
    ClassroomForm,
    NewClassroomForm,
    StudentForm,
    StudentsForm,
    twice,
)
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.http import SignedInRequest

SECTION = {"section": "classes"}

LESSON = timedelta(hours=1)

MINUTES = 10
"""How long a teacher's browser can show the PINs just made."""


# Classes


@require_GET
@teacher_required
def classroom_list(request: SignedInRequest) -> HttpResponse:
    """The teacher's classes."""
    classrooms = (
        Classroom.objects.filter(in_class_of(request.user))
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
def classroom_new(request: SignedInRequest) -> HttpResponse:
    """Make a class; with students the next page is the list of their PINs."""
    form = NewClassroomForm(request.POST or None)
    if not form.is_valid():
        return _form_page(request, "classes/classroom_new.html", {"form": form})
    names = form.cleaned_data["students"]
    classroom, pins = services.create_classroom(request.user, form.cleaned_data["name"], names)
    if not names:
        return redirect("classroom", classroom.pk)
    _say_who_is_there_twice(request, classroom, names)
    return _hand_over(request, redirect("pin_list", classroom.pk), classroom, pins)


@require_GET
@teacher_required
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """A class: how to sign in, who is in it, what it has been given."""
    shown = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    enrolments = shown.enrolments.select_related("student")
    context = {
        "classroom": shown,
        "join_url": request.build_absolute_uri(reverse("join_class", args=[shown.code])),
        "enrolments": enrolments,
        "kept_out": joining.kept_out(shown, [place.student for place in enrolments]),
        # Grouping drops a model's own order.
        "assignments": shown.assignments.annotate(puzzle_count=Count("puzzles")).order_by(
            "-due_at", "-pk"
        ),
        "form": StudentsForm(),
        "may_teach": may(shown, Right.TEACH),
        "may_own": may(shown, Right.OWN),
    }
    return render(request, "classes/classroom.html", SECTION | context)


@require_POST
@teacher_required
def classroom_door(request: SignedInRequest, pk: int) -> HttpResponse:
    """Open or close the class to students, open its locks, or give it another code."""
    classroom = get_classroom_for_teacher(request.user, pk)
    record(request, "class door", classroom=pk, do=request.POST.get("do", "")[:10])
    match request.POST.get("do"):
        case "lesson":
            services.let_in(classroom, timezone.now() + LESSON)
        case "close":
            services.let_in(classroom, timezone.now())
        case "always":
            services.let_in(classroom, None)
        case "unlock":
            joining.open_all(classroom)
        case "code":
            services.renew_code(classroom)
        case _:
            raise BadRequest
    return redirect("classroom", pk)


@require_http_methods(["GET", "POST"])
@teacher_required
def classroom_edit(request: SignedInRequest, pk: int) -> HttpResponse:
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
def classroom_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Say what goes with the class, then delete it."""
    doomed = get_classroom_for_teacher(request.user, pk, Right.OWN)
    if request.method == "GET":
        context = {"classroom": doomed, "loss": services.loss_of_classroom(doomed)}
        return render(request, "classes/classroom_delete.html", SECTION | context)
    services.delete_classroom(doomed)
    record(request, "class deleted", classroom=pk)
    done = _("“{name}” has been deleted.").format(name=doomed.name)
    messages.success(request, done, extra_tags="ok")
    return redirect("classroom_list")


# The list of students


@require_http_methods(["GET", "POST"])
@teacher_required
def students_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add students at the end of the list; the next page shows their PINs."""
    classroom = get_classroom_for_teacher(request.user, pk)
    form = StudentsForm(request.POST or None)
    if not form.is_valid():
        return _form_page(
            request, "classes/students_new.html", {"classroom": classroom, "form": form}
        )
    names = form.cleaned_data["students"]
    pins = services.add_students(classroom, names)
    _say_who_is_there_twice(request, classroom, names)
    return _hand_over(request, redirect("pin_list", pk), classroom, pins)


@require_http_methods(["GET", "POST"])
@teacher_required
def student_edit(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Change a student's name and number."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    form = StudentForm(changed, request.POST or None)
    if form.is_bound:
        with transaction.atomic():
            services.lock_list(changed.classroom)
            if form.is_valid():
                services.change_student(changed, **form.cleaned_data)
                return redirect("classroom", pk)
    return _form_page(request, "classes/student_edit.html", {"enrolment": changed, "form": form})


@require_http_methods(["GET", "POST"])
@teacher_required
def student_remove(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Say what goes with the student, then take the student off the list."""
    removed = get_enrolment_for_teacher(request.user, pk, enrolment)
    if request.method == "GET":
        context = {"enrolment": removed, "loss": services.loss_of_student(removed)}
        return render(request, "classes/student_remove.html", SECTION | context)
    services.remove_student(removed)
    record(request, "student removed", classroom=pk, student=removed.student_id)
    done = _("{name} is no longer in this class.").format(name=removed.student.name)
    messages.success(request, done, extra_tags="ok")
    return redirect("classroom", pk)


@require_POST
@teacher_required
def student_pin(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Give one student another PIN."""
    changed = get_enrolment_for_teacher(request.user, pk, enrolment)
    pins = services.renew_pins([changed])
    return _hand_over(request, redirect("pin_list", pk), changed.classroom, pins)


@require_http_methods(["GET", "POST"])
@teacher_required
def pin_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """The PINs made a moment ago, to be printed; POST makes new ones for the whole class."""
    classroom = get_classroom_for_teacher(request.user, pk)
    enrolments = classroom.enrolments.select_related("student")
    if request.method == "POST":
        pins = services.renew_pins(enrolments)
        return _hand_over(request, redirect("pin_list", pk), classroom, pins)
    pins = _handed_over(request, classroom)
    context = {
        "classroom": classroom,
        "join_url": request.build_absolute_uri(reverse("join_class", args=[classroom.code])),
        "slips": [(e, pins[e.pk]) for e in enrolments if e.pk in pins],
        "students": len(enrolments),
        "minutes": MINUTES,
    }
    return render(request, "classes/pin_list.html", SECTION | context)


def _say_who_is_there_twice(
    request: SignedInRequest, classroom: Classroom, names: list[str]
) -> None:
    """Say which of the names just added the class list now holds more than once."""
    listed = classroom.enrolments.values_list("student__name", flat=True)
    doubled = [name for name in twice(list(listed)) if name in names]
    if doubled:
        said = _("On the list more than once: {names}. The numbers tell them apart.")
        messages.warning(request, said.format(names=_(", ").join(doubled)), extra_tags="warn")


def _form_page(request: SignedInRequest, template: str, context: dict[str, object]) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, template, SECTION | context, status=status)


# PINs on their way to paper
#
# The database keeps hashes only. So that the list can be shown after a redirect, and
# printed a second time when the printer jams, the plain PINs travel in a signed cookie
# of the teacher's own browser, for one address and a few minutes. Nothing is stored here.


def _hand_over(
    request: SignedInRequest, response: HttpResponse, classroom: Classroom, pins: services.Pins
) -> HttpResponse:
    """Add the PINs to those this browser can still see; return the response."""
    students = Enrolment.objects.filter(pk__in=pins).values_list("student", flat=True)
    record(request, "PINs made", classroom=classroom.pk, students=list(students))
    shown = sorted((_handed_over(request, classroom) | pins).items())
    # A browser keeps 4 KB. The distances between the keys are mostly 1, so the PINs' digits are
    # nearly all there is to compress: a class of `HIGHEST_NUMBER` has room.
    keys = [key for key, pin in shown]
    steps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    digits = "".join(pin for key, pin in shown)
    response.set_cookie(
        f"pins-{classroom.pk}",
        signing.dumps([steps, digits], salt=_pins_salt(request), compress=True),
        max_age=MINUTES * 60,
        # Everything that makes PINs lies under this address, and must see the cookie to add to it.
        path=reverse("classroom", args=[classroom.pk]),
        httponly=True,
        secure=settings.HTTPS,
        samesite="Strict",
    )
    return response


def _handed_over(request: SignedInRequest, classroom: Classroom) -> services.Pins:
    """Return the PINs this teacher was given in this browser a moment ago."""
    stored = request.COOKIES.get(f"pins-{classroom.pk}", "")
    try:
        steps, digits = signing.loads(stored, salt=_pins_salt(request), max_age=MINUTES * 60)
    except signing.BadSignature:
        return {}
    pins = map("".join, zip(*[iter(digits)] * PIN_LENGTH, strict=True))
    return dict(zip(accumulate(steps), pins, strict=True))


def _pins_salt(request: SignedInRequest) -> str:
    # The next teacher at the same computer can't read them.
    return f"pins of {request.user.pk}"
