"""Views for a launch: the login, the platform's answer, and the sign-in in the user's own tab."""

import secrets
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import (
    PROVEN_AT,
    SignedInRequest,
    ask_for_code,
    for_teachers,
    record,
    sign_teacher_in,
)
from puzzleclass.assignments.dealing import assigned_to, boards_for
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.joining import sign_in_to_class
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.roster import CLASS_LENGTH
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import create_classroom
from puzzleclass.errors import error_answer
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.lti import grades, launches, members, people
from puzzleclass.lti.access import LAUNCH, for_platforms, own_launch
from puzzleclass.lti.keys import public_keys
from puzzleclass.lti.launches import FRAME_FIELD
from puzzleclass.lti.models import Launch
from puzzleclass.lti.tokens import Claims, LaunchRefused
from puzzleclass.play.due import puzzle_states

FRAMES = ("iframe", "frame", "embed", "object")
"""The destinations of a request (`Sec-Fetch-Dest`) for a page inside another page."""

View = Callable[[HttpRequest], HttpResponse]


def explains_refusals(view: View) -> View:
    """Answer a refused launch with a page that says why, and log it."""

    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        try:
            return view(request)
        except LaunchRefused as refused:
            record(request, "launch refused", reason=refused.reason)
            return error_answer(request, 403, refused.message)

    return wrapped


@require_GET
def lti_jwks(request: HttpRequest) -> JsonResponse:
    """Return the site's public keys as a JSON Web Key Set."""
    return JsonResponse({"keys": public_keys()})


@csrf_exempt
@require_http_methods(["GET", "POST"])
def lti_login(request: HttpRequest) -> HttpResponse:
    """Begin a login: send the browser to the platform, or show the button in a frame.

    Browsers keep no cookies of a page in another site's frame, so a sign-in there could not be
    bound to the browser. The button continues in a tab of its own.
    """
    if _may_be_framed(request):
        return for_platforms("frame-ancestors")(_begin)(request)
    return _begin(request)


def _may_be_framed(request: HttpRequest) -> bool:
    """Return whether the login begins in a frame, or in a browser that does not say. The tab that
    the frame's button opens has the frame's word."""
    destination = request.headers.get("Sec-Fetch-Dest")
    if destination is None:
        return not _fields(request).get(FRAME_FIELD)
    return destination in FRAMES


def _fields(request: HttpRequest) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET


@explains_refusals
def _begin(request: HttpRequest) -> HttpResponse:
    login = launches.read_login(request)
    if _may_be_framed(request):
        fields = _fields(request).copy()
        fields[FRAME_FIELD] = word = secrets.token_urlsafe(32)
        context = {"again": f"{request.path}?{fields.urlencode()}", "word": word}
        return render(request, "lti/frame.html", context)
    browser = launches.browser_word(request)
    response = redirect(launches.authentication_url(request, login, browser))
    launches.bind_browser(response, browser)
    return response


@csrf_exempt
@require_POST
@explains_refusals
def lti_launch(request: HttpRequest) -> HttpResponse:
    """Store the platform's answer; show a page that sends the launch's word at once."""
    _launch, word = launches.receive(request)
    return render(request, "lti/launch.html", {"word": word})


@require_POST
@explains_refusals
def lti_open(request: HttpRequest) -> HttpResponse:
    """Redeem the launch's word: sign the user in, or ask a teacher for the account."""
    launch = launches.redeem(request)
    claims = launches.claims_of(launch)
    user = people.find_user(launch, claims)
    if user is None and claims.is_teacher:
        request.session[LAUNCH] = launch.pk
        return redirect("lti_account")
    if user and user.is_teacher:
        return _enter_as_teacher(request, launch, claims, user)
    if claims.is_teacher:
        raise LaunchRefused("role", people.STUDENTS_ACCOUNT)
    return _enter_as_student(request, launch, claims, user)


def _enter_as_student(
    request: HttpRequest, launch: Launch, claims: Claims, user: User | None
) -> HttpResponse:
    if claims.is_deep_linking:
        raise LaunchRefused("role", people.TEACHERS_CHOOSE)
    if claims.course is None:
        enrolment = people.enrolment_without_course(launch, user)
        Launch.objects.filter(pk=launch.pk).update(user=enrolment.student)
        sign_in_to_class(request, enrolment)
        return redirect("home")
    classroom, student = people.join_as_student(launch, claims, user)
    Launch.objects.filter(pk=launch.pk).update(user=student)
    sign_in_to_class(request, classroom.enrolments.select_related("student").get(student=student))
    return redirect(_page_for_student(request, launch, claims, student, classroom))


def _page_for_student(
    request: HttpRequest, launch: Launch, claims: Claims, student: User, classroom: Classroom
) -> str:
    """Return the address of the next board of the assignment, or of the home page."""
    key = _assignment(request, launch)
    visible = Assignment.objects.shown().filter(assigned_to(student), classroom=classroom, pk=key)
    if assignment := visible.first():
        states = puzzle_states(student, boards_for(student, [assignment])[assignment.pk])
        unsolved = [state for state in states if not state.status.is_solved]
        grades.remember_line_item(launch, claims, assignment)
        for state in (unsolved or states)[:1]:
            return state.url
    return reverse("home")


def _enter_as_teacher(
    request: HttpRequest, launch: Launch, claims: Claims, teacher: User
) -> HttpResponse:
    """Let the teacher join the class of the course, and sign the teacher in."""
    Launch.objects.filter(pk=launch.pk).update(user=teacher)
    classroom = people.class_of(launch, claims)
    if classroom and claims.is_teacher:
        people.join_as_teacher(classroom, teacher, claims)
        members.ask_for_members(launch, claims)
    page = _page_for_teacher(request, launch, claims, teacher, classroom)
    if request.user.is_authenticated and request.user.pk != teacher.pk:
        logout(request)
    request.session[LAUNCH] = launch.pk
    if two_factor.is_on(teacher) and not request.user.is_authenticated:
        return ask_for_code(request, teacher, is_shared=True, next_page=page)
    response = sign_teacher_in(request, teacher, is_shared=True, first_page=page)
    if teacher.has_usable_password():
        # The password itself has not been typed. What asks for it goes on asking.
        del request.session[PROVEN_AT]
    return response


def _page_for_teacher(
    request: HttpRequest, launch: Launch, claims: Claims, teacher: User, classroom: Classroom | None
) -> str:
    if claims.course and classroom is None and claims.is_teacher:
        return reverse("lti_class")
    if claims.is_deep_linking and classroom:
        return reverse("lti_choose")
    key = _assignment(request, launch)
    seen = Assignment.objects.filter(in_class_of(teacher, "classroom"), classroom=classroom, pk=key)
    if assignment := seen.first():
        grades.remember_line_item(launch, claims, assignment)
        return reverse("assignment", args=[key])
    if classroom:
        return reverse("classroom", args=[classroom.pk])
    return reverse("home")


def _assignment(request: HttpRequest, launch: Launch) -> int:
    return launches.read_target(launch.claims["target"], request) or 0


# What a teacher is asked at the first launch


@require_http_methods(["GET", "POST"])
@explains_refusals
def lti_account(request: HttpRequest) -> HttpResponse:
    """Ask a teacher whom the site does not know yet: an account that exists, or a new one?"""
    launch = own_launch(request)
    if launch is None or launch.user_id:
        return redirect("home")
    claims = launches.claims_of(launch)
    own = request.user if request.user.is_authenticated and request.user.is_teacher else None
    if request.method == "POST":
        if request.POST.get("do") == "link" and own:
            people.link_user(launch, claims, own)
            record(request, "account linked", platform=launch.platform_id)
            return _enter_as_teacher(request, launch, claims, own)
        if request.POST.get("do") == "new":
            teacher = people.make_teacher(launch, claims)
            record(request, "signed up", who=teacher.pk, platform=launch.platform_id)
            return _enter_as_teacher(request, launch, claims, teacher)
    context = {
        "launch": launch,
        "own": own,
        "sign_in": f"{reverse('sign_in')}?{urlencode({'next': request.path})}",
    }
    return render(request, "lti/account.html", context)


class CourseForm(forms.Form):
    """The class to which a course belongs: one of the teacher's, or a new one."""

    classroom = forms.ModelChoiceField(
        Classroom.objects.none(),
        label=pgettext_lazy("school", "Class"),
        required=False,
        empty_label=gettext_lazy("A new class"),
    )
    name = forms.CharField(
        label=gettext_lazy("Name of the new class"), max_length=CLASS_LENGTH, required=False
    )

    school = forms.ModelChoiceField(
        School.objects.none(), label=gettext_lazy("School of the new class"), empty_label=None
    )

    def __init__(
        self, teacher: User, schools: QuerySet[School], *args: object, **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if len(schools) > 1:
            self.fields["school"].queryset = schools  # type: ignore[attr-defined]
        else:
            del self.fields["school"]
        owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), archived_at=None)
        self.fields["classroom"].queryset = owned  # type: ignore[attr-defined]

    def clean(self) -> None:
        if not self.cleaned_data.get("classroom") and not self.cleaned_data.get("name"):
            self.add_error("name", _("Name the new class, or choose one of your classes."))


@for_teachers("GET", "POST")
@once()
def lti_class(request: SignedInRequest) -> HttpResponse:
    """Ask which class belongs to the course from which the teacher has come."""
    launch = own_launch(request)
    claims = launches.claims_of(launch) if launch else None
    if launch is None or claims is None or not claims.is_teacher or claims.course is None:
        return redirect("home")
    classroom = people.class_of(launch, claims)
    if classroom is None:
        schools = people.schools_for(launch, request.user)
        initial = {"name": people.class_name(claims)}
        form = CourseForm(request.user, schools, request.POST or None, initial=initial)
        if not form.is_valid():
            return form_page(request, "lti/class.html", {"form": form, "course": claims.course})
        classroom = form.cleaned_data["classroom"]
        if classroom is None:
            school = form.cleaned_data.get("school") or schools.first()
            name = form.cleaned_data["name"]
            classroom, _pins = create_classroom(request.user, name, [], school=school)
        people.link_class(launch, claims, classroom)
        members.ask_for_members(launch, claims)
        record(request, "course linked", platform=launch.platform_id, classroom=classroom.pk)
        text = _("The students of the course join “{name}” when they open PuzzleClass there.")
        messages.success(request, text.format(name=classroom.name))
    return redirect(_page_for_teacher(request, launch, claims, request.user, classroom))
