"""Views for a teacher's sign-in and sign-up, and for everybody's sign-out.

Students sign in by the views of `classes`.
"""

import time
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from puzzleclass.accounts import passkeys, two_factor
from puzzleclass.accounts.first_press import made_by_first_press
from puzzleclass.accounts.forms import CodeForm, ConfirmForm, SignInForm, SignUpForm
from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import Invitation, User
from puzzleclass.accounts.sign_in import (
    CLASS_CODE,
    HALF_WAY,
    HALF_WAY_SECONDS,
    PROVEN_AT,
    SignedInRequest,
    ask_for_code,
    destination,
    end_session,
    for_teachers,
    record,
    sign_in_address,
    sign_teacher_in,
    wanted_page,
)
from puzzleclass.accounts.visitors import address_of, is_known_browser


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and request.user.is_authenticated:
        return redirect(destination(request))
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        teacher, is_shared = form.get_user(), form.cleaned_data["shared"]
        if two_factor.is_on(teacher):
            return ask_for_code(request, teacher, is_shared, wanted_page(request))
        return sign_teacher_in(request, teacher, is_shared, by_password=True)
    context = {
        "form": form,
        "next": wanted_page(request),
        "has_passkeys": not passkeys.why_not(request),
    }
    return render(request, "accounts/sign_in.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask a teacher whose password was right for a code."""
    proven = request.session.get(HALF_WAY, {})
    teacher = User.objects.filter(pk=proven.get("teacher"), is_active=True).first()
    is_good = time.time() - proven.get("at", 0) < HALF_WAY_SECONDS
    if not is_good or teacher is None or teacher.get_session_auth_hash() != proven["hash"]:
        return redirect("sign_in")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        is_known = is_known_browser(request, teacher.username)
        codes = two_factor.codes_left(teacher)
        if two_factor.check(teacher, form.cleaned_data["code"], is_known):
            del request.session[HALF_WAY]
            if (left := two_factor.codes_left(teacher)) < codes:
                used = _("You have used one of your recovery codes. Codes left: {number}")
                messages.info(request, used.format(number=left))
            return sign_teacher_in(request, teacher, is_shared=proven["shared"])
        lock = two_factor.code_lock(teacher, is_known)
        record(request, "code locked" if lock.is_closed else "wrong code", who=teacher.pk)
        text = (
            ngettext(
                "Too many wrong codes. Try again in {seconds} second.",
                "Too many wrong codes. Try again in {seconds} seconds.",
                lock.seconds,
            )
            if lock.is_closed
            else _("This code is wrong. Attempts left: {number}")
        )
        form.add_error(None, text.format(seconds=lock.seconds, number=lock.attempts_left))
    return render(
        request, "accounts/sign_in_code.html", {"form": form, "next": wanted_page(request)}
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if teacher := made_by_first_press(request):
        return sign_teacher_in(request, teacher, first_page="classroom_new", by_password=True)
    if not settings.SIGN_UP_OPEN and not Invitation.is_good(request.GET.get("invitation", "")):
        return render(request, "accounts/sign_up.html", status=403)
    form = SignUpForm(request.POST or None)
    if not form.is_valid():
        return render(request, "accounts/sign_up.html", {"form": form})
    if settings.SIGN_UP_OPEN and not _may_sign_up(request):
        form.add_error(
            None, _("Too many accounts have been created from here today. Try again tomorrow.")
        )
        return render(request, "accounts/sign_up.html", {"form": form}, status=429)
    made = _make_teacher(request, form)
    if made is None:
        if teacher := made_by_first_press(request):
            return sign_teacher_in(request, teacher, first_page="classroom_new", by_password=True)
        if not settings.SIGN_UP_OPEN:
            return render(request, "accounts/sign_up.html", status=403)
        return render(request, "accounts/sign_up.html", {"form": SignUpForm(request.POST)})
    teacher = made
    record(request, "signed up", who=teacher.pk)
    messages.success(request, _("Welcome. This is the first step: create your class."))
    return sign_teacher_in(request, teacher, first_page="classroom_new", by_password=True)


def _make_teacher(request: HttpRequest, form: SignUpForm) -> User | None:
    """Create the account; return None if a request at the same moment has used the invitation or
    the username."""
    try:
        with transaction.atomic():
            if not settings.SIGN_UP_OPEN and not Invitation.take(request.GET["invitation"]):
                return None
            return form.save()
    except IntegrityError:
        return None


def _may_sign_up(request: HttpRequest) -> bool:
    """Count one more account made from the visitor's address; return whether it is allowed."""
    key = f"sign-ups from {address_of(request)}"
    return spend(key, settings.MAX_SIGN_UPS_PER_DAY, timedelta(days=1))


@sensitive_post_parameters("password")
@for_teachers("GET", "POST")
def confirm(request: SignedInRequest) -> HttpResponse:
    """Ask a teacher who is signed in for the password once more."""
    form = ConfirmForm(request, request.POST or None)
    if form.is_valid():
        request.session[PROVEN_AT] = time.time()
        record(request, "password confirmed")
        return redirect(destination(request))
    own = request.user.passkeys
    context = {
        "form": form,
        "next": wanted_page(request),
        "has_passkeys": not passkeys.why_not(request) and own.exists(),
    }
    return render(request, "accounts/confirm.html", context)


@require_POST
def stay_signed_in(request: HttpRequest) -> HttpResponse:
    """Count as activity, which `SessionEndMiddleware` has stored; answer 403 after the session."""
    return HttpResponse(status=204 if request.user.is_authenticated else 403)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; make the browser forget pages and drafts, but not that it is known to a teacher.

    The next student at this computer finds the list of the same class. If the page signs an idle
    user out by itself (`static/session-timeout.js`), the browser keeps what has not been sent, and
    leads back.
    """
    code = request.session.get(CLASS_CODE)
    record(request, "signed out")
    if "idle" in request.POST:
        end_session(request, "idle")
        page = wanted_page(request) or reverse("home")
        return redirect(sign_in_address(request, "join" if code else "sign_in", page))
    logout(request)
    response = redirect("join_class", code) if code else redirect("home")
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response
