"""A student's sign-in: the class code, the own number or name, the PIN; or a card's QR code."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from puzzleclass import furigana
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import destination, record, sign_in_student, wanted
from puzzleclass.classes import joining
from puzzleclass.classes.forms import JoinForm, PinForm, WhoForm
from puzzleclass.classes.models import Classroom, SignInCard

MOST_BUTTONS = 60
"""Numbers that are there to be pressed; in a larger class they are typed."""

PICTURES = (
    *(gettext_lazy("moon"), gettext_lazy("sun"), gettext_lazy("flower"), gettext_lazy("fish")),
    *(gettext_lazy("house"), gettext_lazy("star"), gettext_lazy("tree"), gettext_lazy("car")),
    *(gettext_lazy("umbrella"), gettext_lazy("apple")),
)
"""What stands for the digits from 0 on, in classes with PINs of pictures."""


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    form = JoinForm(request, request.POST or None)
    if form.is_valid():
        return _onward(request, "join_class", form.classroom.code)
    return render(request, "classes/join.html", {"form": form, "next": wanted(request)})


@require_http_methods(["GET", "HEAD", "POST"])
def join_class(request: HttpRequest, code: str) -> HttpResponse:
    """Ask who it is: by buttons with numbers, or a field; names are shown if the class wants it."""
    form = JoinForm(request, {"code": code})
    if not form.is_valid():
        return _mend_code(request, form)
    classroom = form.classroom
    if form.cleaned_data["code"] != code:
        return _onward(request, "join_class", classroom.code)
    if not classroom.lets_in:
        return _closed(request, classroom)
    who = WhoForm(classroom, request.POST or None)
    if who.is_valid():
        return _onward(request, "join_student", code, who.number)
    places = classroom.enrolments.values_list("number", "student__name")
    context = {
        "classroom": classroom,
        "form": who,
        "places": places[: MOST_BUTTONS + 1] if not classroom.shows_names else places,
        "most": MOST_BUTTONS,
        "next": wanted(request),
    }
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
            return _welcome(request, classroom, student)
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
        "called": student.name
        if classroom.shows_names
        else _("No. {number}").format(number=number),
        "lock": student.pin_lock(is_known),
        "may_guess": joining.may_guess_pins(request, classroom),
        "number": number,
        "form": form,
        "digits": [(digit, PICTURES[int(digit)]) for digit in "1234567890"],
        "next": wanted(request),
    }
    return render(request, "classes/join_student.html", context)


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def join_by_card(request: HttpRequest, word: str) -> HttpResponse:
    """What a card's QR code leads to: the page sends itself, and the holder is signed in."""
    card = SignInCard.by_word(word)
    if card is None:
        return render(request, "classes/card_sign_in.html", {"is_void": True}, status=404)
    places = card.student.enrolments.select_related("classroom")
    classes = [place.classroom for place in places.order_by("-pk")]
    classroom = next((one for one in classes if one.lets_in), None)
    if classroom is None:
        return render(request, "classes/card_sign_in.html", {"is_closed": True}, status=403)
    if request.method == "GET":
        return render(request, "classes/card_sign_in.html", {"classroom": classroom})
    return _welcome(request, classroom, card.student)


def _welcome(request: HttpRequest, classroom: Classroom, student: User) -> HttpResponse:
    sign_in_student(request, student, classroom.code, classroom.idle_minutes)
    if classroom.furigana is not None:
        request.session[furigana.SWITCH] = classroom.furigana
    return joining.remember_browser(redirect(destination(request)), classroom)


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
