"""Views for a student's sign-in: by class code, number or name, and PIN, or by a card's QR code."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.models import User, hash_of_pin
from puzzleclass.accounts.sign_in import ENDED, record, wanted_page
from puzzleclass.classes import joining
from puzzleclass.classes.join_forms import JoinForm, PinForm, WhoForm, WholeForm
from puzzleclass.classes.joining import enter_class, open_enrolment_of
from puzzleclass.classes.models import Classroom, Enrolment, SignInCard
from puzzleclass.language import furigana

MAX_BUTTONS = 60
"""The most students who have a button each. In a larger class, students type their number."""

PICTURES = (
    *(gettext_lazy("moon"), gettext_lazy("sun"), gettext_lazy("flower"), gettext_lazy("fish")),
    *(gettext_lazy("house"), gettext_lazy("star"), gettext_lazy("tree"), gettext_lazy("car")),
    *(gettext_lazy("umbrella"), gettext_lazy("apple")),
)
"""The pictures for the digits 0 to 9, in classes with picture PINs."""


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    form = JoinForm(request, request.POST or None)
    if form.is_valid():
        return _redirect_onward(request, "join_class", form.cleaned_data["code"])
    # Of the child who types a code, the grade is not known yet.
    with furigana.by_class(request, wanted=True):
        return render(request, "classes/join.html", {"form": form, "next": wanted_page(request)})


@require_http_methods(["GET", "HEAD", "POST"])
def join_class(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for the student's number or name. The class decides whether names are shown."""
    form = JoinForm(request, {"code": code})
    if not form.is_valid():
        return _ask_for_code_again(request, form)
    classroom = form.classroom
    if form.cleaned_data["code"] != code:
        return _redirect_onward(request, "join_class", form.cleaned_data["code"])
    if classroom is None:
        return _ask_for_everything(request, code)
    if not classroom.is_open:
        return _say_closed(request, classroom)
    if not classroom.takes_pins:
        return render(request, "classes/join_class.html", {"classroom": classroom})
    with furigana.by_class(request, classroom.furigana):
        return _ask_who(request, classroom)


def _ask_who(request: HttpRequest, classroom: Classroom) -> HttpResponse:
    who = WhoForm(classroom, request.POST or None)
    if who.is_valid():
        return _redirect_onward(request, "join_student", classroom.code, who.number)
    enrolments = classroom.enrolments.values_list("number", "student__name", "student__reading")
    context = {
        "classroom": classroom,
        "form": who,
        "enrolments": enrolments[: MAX_BUTTONS + 1] if not classroom.shows_names else enrolments,
        "most": MAX_BUTTONS,
        "next": wanted_page(request),
    }
    return render(request, "classes/join_class.html", context)


@sensitive_post_parameters("pin")
@require_http_methods(["GET", "POST"])
def join_student(request: HttpRequest, code: str, number: int) -> HttpResponse:
    code_form = JoinForm(request, {"code": code})
    if not code_form.is_valid():
        return _ask_for_code_again(request, code_form)
    classroom = code_form.classroom
    if classroom is None:
        return _ask_for_everything(request, code_form.cleaned_data["code"], number)
    if not classroom.is_open:
        return _say_closed(request, classroom)
    if not classroom.takes_pins:
        return _redirect_onward(request, "join_class", code)
    enrolment = get_object_or_404(classroom.enrolments.select_related("student"), number=number)
    with furigana.by_class(request, classroom.furigana):
        return _ask_for_pin(request, enrolment)


def _ask_for_pin(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    classroom, number = enrolment.classroom, enrolment.number
    student = enrolment.student
    form = PinForm(request.POST or None)
    if form.is_valid():
        if joining.check_pin(request, classroom, student, form.cleaned_data["pin"]):
            return enter_class(request, enrolment)
        _add_wrong_pin_error(request, classroom, student, form)
    context = {
        "classroom": classroom,
        "called": furigana.name_shown(student.name, student.reading)
        if classroom.shows_names
        else _("No. {number}").format(number=number),
        "lock": None if joining.is_known(request, classroom) else student.pin_lock(),
        "may_guess": joining.may_guess_pins(request, classroom),
        "number": number,
        "form": form,
        "digits": [(digit, PICTURES[int(digit)]) for digit in "1234567890"],
        "next": wanted_page(request),
        # The page that was open belongs to the student who was signed in.
        "next_for_others": "" if request.session.get(ENDED) else wanted_page(request),
    }
    return render(request, "classes/join_student.html", context)


def _add_wrong_pin_error(
    request: HttpRequest, classroom: Classroom, student: User, form: PinForm
) -> None:
    """Add to the form that the PIN is wrong, unless a lock has closed; the page then says that."""
    if joining.is_known(request, classroom):
        record(request, "wrong PIN", who=student.pk, classroom=classroom.pk, known=True)
        form.add_error("pin", _("This PIN is wrong."))
        return
    lock = student.pin_lock()
    event = "PIN locked" if lock.is_closed else "wrong PIN"
    record(request, event, who=student.pk, classroom=classroom.pk)
    if not lock.is_closed:
        wrong = _("This PIN is wrong. Attempts left: %(number)s")
        form.add_error("pin", wrong % {"number": lock.attempts_left})


@sensitive_post_parameters("pin")
def _ask_for_everything(request: HttpRequest, code: str, number: int | None = None) -> HttpResponse:
    """Ask for number and PIN together, and say only whether they fit the code.

    A code that doesn't exist, a class that is closed and a wrong PIN get the same answer. So
    somebody who guesses codes learns nothing without a PIN.
    """
    form = WholeForm(request.POST if "who" in request.POST else None, initial={"who": number})
    if form.is_valid():
        classroom = Classroom.objects.filter(code=code).first()
        enrolment = _find_enrolment(form.cleaned_data["who"], classroom)
        pin = form.cleaned_data["pin"]
        if enrolment is None:
            # This takes as much work as for a student who exists.
            hash_of_pin(pin)
        elif joining.check_pin(request, enrolment.classroom, enrolment.student, pin):
            return enter_class(request, enrolment)
        record(request, "wrong code or PIN", who=enrolment and enrolment.student_id)
        form.add_error(
            None,
            _(
                "The class code, the number and the PIN do not match. Check each of them. If all "
                "are right, ask your teacher: the class may be closed."
            ),
        )
    digits = [(digit, PICTURES[int(digit)]) for digit in "1234567890"]
    context = {"form": form, "code": code, "digits": digits, "next": wanted_page(request)}
    return render(request, "classes/join_whole.html", context)


def _find_enrolment(who: str, classroom: Classroom | None) -> Enrolment | None:
    """Return the student with this number or name; None if there is none, the class is closed, or
    its school takes no PINs."""
    if classroom is None or not (classroom.is_open and classroom.takes_pins):
        return None
    form = WhoForm(classroom, {"who": who})
    if not form.is_valid():
        return None
    return classroom.enrolments.select_related("student").get(number=form.number)


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def join_by_card(request: HttpRequest, word: str) -> HttpResponse:
    """Sign in the holder of a card. Its QR code leads to a page that posts itself."""
    card = SignInCard.by_word(word)
    if card is None:
        return render(request, "classes/card_sign_in.html", {"is_void": True}, status=404)
    enrolment = open_enrolment_of(card.student)
    if enrolment and not enrolment.classroom.takes_cards:
        code = enrolment.classroom.code
        return render(
            request, "classes/card_sign_in.html", {"is_off": True, "code": code}, status=403
        )
    if enrolment is None:
        return render(request, "classes/card_sign_in.html", {"is_closed": True}, status=403)
    if request.method == "GET":
        return render(request, "classes/card_sign_in.html", {"classroom": enrolment.classroom})
    return enter_class(request, enrolment)


def _ask_for_code_again(request: HttpRequest, form: JoinForm) -> HttpResponse:
    """Ask for the class code again: the one in the address is mistyped or out of date."""
    context = {"form": form, "next": wanted_page(request)}
    return render(request, "classes/join.html", context, status=404)


def _say_closed(request: HttpRequest, classroom: Classroom) -> HttpResponse:
    """Say that the class is closed, without showing who is in it."""
    context = {"classroom": classroom, "is_closed": True}
    return render(request, "classes/join_class.html", context, status=403)


def _redirect_onward(request: HttpRequest, name: str, *args: object) -> HttpResponse:
    """Redirect to the next page of the sign-in, and pass on which page was wanted."""
    url = reverse(name, args=args)
    next_page = wanted_page(request)
    return redirect(f"{url}?{urlencode({'next': next_page})}" if next_page else url)
