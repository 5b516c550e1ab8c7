from django.conf import settings
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from puzzleclass.accounts.forms import JoinForm, PinForm, SignInForm, SignUpForm
from puzzleclass.accounts.models import User
from puzzleclass.accounts.places import remember_browser
from puzzleclass.accounts.sessions import CLASS_CODE, sign_in_student
from puzzleclass.classes.models import Classroom

# Teachers


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and request.user.is_authenticated:
        return redirect(destination(request))
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        return welcome(request, form.get_user())
    return render(request, "accounts/sign_in.html", {"form": form, "next": wanted(request)})


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if form.is_valid():
        return welcome(request, form.save())
    return render(request, "accounts/sign_up.html", {"form": form})


def welcome(request: HttpRequest, teacher: User) -> HttpResponse:
    """Sign the teacher in and go to the page that was wanted."""
    login(request, teacher)
    return remember_browser(request, redirect(destination(request)), teacher.username)


# Students


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    form = JoinForm(request.POST or None)
    if form.is_valid():
        return onward(request, "join_class", form.classroom.code)
    return render(request, "accounts/join.html", {"form": form, "next": wanted(request)})


@never_cache
@require_safe
def join_class(request: HttpRequest, code: str) -> HttpResponse:
    form = JoinForm({"code": code})
    if not form.is_valid():
        # A printed link of last year, or one mistyped: the field is there to mend it.
        context = {"form": form, "next": wanted(request)}
        return render(request, "accounts/join.html", context, status=404)
    if form.cleaned_data["code"] != code:
        return onward(request, "join_class", form.classroom.code)
    enrolments = form.classroom.enrolments.select_related("student")
    context = {"classroom": form.classroom, "enrolments": enrolments, "next": wanted(request)}
    return render(request, "accounts/join_class.html", context)


@never_cache
@sensitive_post_parameters("pin")
@require_http_methods(["GET", "POST"])
def join_student(request: HttpRequest, code: str, number: int) -> HttpResponse:
    classroom = get_object_or_404(Classroom, code=code)
    student = get_object_or_404(User, enrolments__classroom=classroom, enrolments__number=number)
    form = PinForm(request.POST or None)
    if form.is_valid():
        if student.check_pin(form.cleaned_data["pin"]):
            sign_in_student(request, student, code)
            return redirect(destination(request))
        lock = student.pin_lock
        if not lock.is_closed:
            form.add_error(
                "pin",
                _("This PIN is not right. Tries left: %(number)s") % {"number": lock.tries_left},
            )
    context = {
        "classroom": classroom,
        "student": student,
        "lock": student.pin_lock,
        "number": number,
        "form": form,
        "next": wanted(request),
    }
    return render(request, "accounts/join_student.html", context)


# Both


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out. The next student at this computer finds the list of the same class."""
    code = request.session.get(CLASS_CODE)
    logout(request)
    return redirect("join_class", code) if code else redirect("home")


def wanted(request: HttpRequest) -> str:
    """Return the page the sign-in was asked for, if it is one of ours, else an empty text."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return url if is_ours else ""


def destination(request: HttpRequest) -> str:
    """Return where to go after the sign-in."""
    return wanted(request) or resolve_url(settings.LOGIN_REDIRECT_URL)


def onward(request: HttpRequest, name: str, *args: object) -> HttpResponse:
    """Go to the next page of a student's sign-in, and take along the page that was wanted."""
    url = resolve_url(name, *args)
    next_page = wanted(request)
    return redirect(f"{url}?{urlencode({'next': next_page})}" if next_page else url)
