"""A student's sign-in: the class code, the own name on the list, the PIN."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import destination, record, sign_in_student, wanted
from puzzleclass.classes import joining
from puzzleclass.classes.forms import JoinForm, PinForm
from puzzleclass.classes.models import Classroom


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    form = JoinForm(request, request.POST or None)
    if form.is_valid():
        return _onward(request, "join_class", form.classroom.code)
    return render(request, "classes/join.html", {"form": form, "next": wanted(request)})


@require_safe
def join_class(request: HttpRequest, code: str) -> HttpResponse:
    form = JoinForm(request, {"code": code})
    if not form.is_valid():
        return _mend_code(request, form)
    if form.cleaned_data["code"] != code:
        return _onward(request, "join_class", form.classroom.code)
    if not form.classroom.lets_in:
        return _closed(request, form.classroom)
    enrolments = form.classroom.enrolments.select_related("student")
    context = {"classroom": form.classroom, "enrolments": enrolments, "next": wanted(request)}
    return render(request, "classes/join_class.html", context)


@sensitive_post_parameters("pin")
@require_http_methods(["GET", "POST"])
def join_student(request: HttpRequest, code: str, number: int) -> HttpResponse:
    code_form = JoinForm(request, {"code": code})
    if not code_form.is_valid():
        return _mend_code(request, code_form)
    classroom = code_form.classroom
    if not classroom.lets_in:
        return _closed(request, classroom)
    student = get_object_or_404(User, enrolments__classroom=classroom, enrolments__number=number)
    form = PinForm(request.POST or None)
    is_known = joining.is_known(request, classroom)
    if form.is_valid():
        if joining.check_pin(request, classroom, student, form.cleaned_data["pin"]):
            sign_in_student(request, student, classroom.code)
            return joining.remember_browser(redirect(destination(request)), classroom)
        lock = student.pin_lock(is_known)
        event = "PIN locked" if lock.is_closed else "wrong PIN"
        record(request, event, who=student.pk, classroom=classroom.pk)
        if not lock.is_closed:
            form.add_error(
                "pin",
                _("This PIN is not right. Tries left: %(number)s") % {"number": lock.tries_left},
            )
    context = {
        "classroom": classroom,
        "student": student,
        "lock": student.pin_lock(is_known),
        "may_guess": joining.may_guess_pins(request, classroom),
        "number": number,
        "form": form,
        "next": wanted(request),
    }
    return render(request, "classes/join_student.html", context)


def _mend_code(request: HttpRequest, form: JoinForm) -> HttpResponse:
    """A printed link of last year, or one mistyped: the field is there to mend it."""
    context = {"form": form, "next": wanted(request)}
    return render(request, "classes/join.html", context, status=404)


def _closed(request: HttpRequest, classroom: Classroom) -> HttpResponse:
    """The class takes nobody in now; who is in it is not shown either."""
    context = {"classroom": classroom, "is_closed": True}
    return render(request, "classes/join_class.html", context, status=403)


def _onward(request: HttpRequest, name: str, *args: object) -> HttpResponse:
    """Go to the next page of a student's sign-in; the page that was wanted stays known."""
    url = reverse(name, args=args)
    next_page = wanted(request)
    return redirect(f"{url}?{urlencode({'next': next_page})}" if next_page else url)
