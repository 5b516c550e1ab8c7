"""A teacher's sign-in and sign-up, and everybody's sign-out. Students come in by `classes`."""

import time
from datetime import timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.forms import CodeForm, ConfirmForm, SignInForm, SignUpForm
from puzzleclass.accounts.models import Invitation, User, spend
from puzzleclass.accounts.sign_in import (
    CLASS_CODE,
    PROVEN_AT,
    address_of,
    destination,
    end_with_browser,
    for_teachers,
    is_known_browser,
    record,
    remember_browser,
    wanted,
)
from puzzleclass.http import SignedInRequest
from puzzleclass.language import A_YEAR, keep_choices

HALF_WAY = "half_way"
"""Session key: whose password was right, and is asked for a code now."""
HALF_WAY_SECONDS = 600

CHOICES = ("language", "signs", "words")
"""Of the account, kept in the browser from the sign-in on."""


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and request.user.is_authenticated:
        return redirect(destination(request))
    form = SignInForm(request, request.POST or None)
    if form.is_valid():
        teacher, is_shared = form.get_user(), form.cleaned_data["shared"]
        if two_factor.is_on(teacher):
            return _ask_for_code(request, teacher, is_shared)
        return welcome(request, teacher, is_shared)
    return render(request, "accounts/sign_in.html", {"form": form, "next": wanted(request)})


def _ask_for_code(request: HttpRequest, teacher: User, is_shared: bool) -> HttpResponse:
    """Lead to the second step of the sign-in, which knows whose password was right."""
    proven = {"teacher": teacher.pk, "hash": teacher.get_session_auth_hash()}
    request.session[HALF_WAY] = proven | {"shared": is_shared, "at": time.time()}
    return redirect(f"{reverse('sign_in_code')}?{urlencode({'next': wanted(request)})}")


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
                used = _("You have used up one of your recovery codes. Left: {number}")
                messages.info(request, used.format(number=left))
            return welcome(request, teacher, is_shared=proven["shared"])
        lock = two_factor.code_lock(teacher, is_known)
        record(request, "code locked" if lock.is_closed else "wrong code", who=teacher.pk)
        said = (
            _("Too many wrong codes. Wait, then try again. Seconds to wait: {seconds}")
            if lock.is_closed
            else _("This code is not right. Tries left: {number}")
        )
        form.add_error(None, said.format(seconds=lock.seconds, number=lock.tries_left))
    return render(request, "accounts/sign_in_code.html", {"form": form, "next": wanted(request)})


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not settings.SIGN_UP_OPEN and not Invitation.is_good(request.GET.get("invitation", "")):
        return render(request, "accounts/sign_up.html", status=403)
    form = SignUpForm(request.POST or None)
    if not form.is_valid():
        return render(request, "accounts/sign_up.html", {"form": form})
    if settings.SIGN_UP_OPEN and not _may_sign_up(request):
        form.add_error(None, _("Too many accounts have been made from here today. Try tomorrow."))
        return render(request, "accounts/sign_up.html", {"form": form}, status=429)
    with transaction.atomic():
        # Two at the same moment: the second finds it taken.
        if not settings.SIGN_UP_OPEN and not Invitation.take(request.GET["invitation"]):
            return render(request, "accounts/sign_up.html", status=403)
        teacher = form.save()
    record(request, "signed up", who=teacher.pk)
    said = _("Welcome, {name}. Make your class here; everything else can wait.")
    messages.success(request, said.format(name=teacher.name))
    return welcome(request, teacher, first_page="classroom_new")


def _may_sign_up(request: HttpRequest) -> bool:
    """Count one more account that is made at the visitor's address; return whether it may be."""
    key = f"sign-ups from {address_of(request)}"
    return spend(key, settings.MOST_SIGN_UPS_A_DAY, timedelta(days=1))


def welcome(
    request: HttpRequest, teacher: User, is_shared: bool = False, first_page: str = "home"
) -> HttpResponse:
    """Sign the teacher in and go to the page that was wanted, else to the first one."""
    login(request, teacher)
    onward = redirect(wanted(request) or first_page)
    chosen = {name: getattr(teacher, name) for name in CHOICES if getattr(teacher, name)}
    keep_choices(request, onward, chosen, None if is_shared else A_YEAR)
    if is_shared:
        end_with_browser(request)
        return onward
    return remember_browser(request, onward, teacher.username)


@sensitive_post_parameters("password")
@for_teachers("GET", "POST")
def confirm(request: SignedInRequest) -> HttpResponse:
    """Ask a teacher who is signed in for the password once more."""
    form = ConfirmForm(request, request.POST or None)
    if form.is_valid():
        request.session[PROVEN_AT] = time.time()
        record(request, "password confirmed")
        return redirect(destination(request))
    return render(request, "accounts/confirm.html", {"form": form, "next": wanted(request)})


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; the browser forgets pages and drafts, but not that it is known to a teacher.

    The next student at this computer finds the list of the same class.
    """
    code = request.session.get(CLASS_CODE)
    record(request, "signed out")
    logout(request)
    onward = redirect("join_class", code) if code else redirect("home")
    onward["Clear-Site-Data"] = '"cache", "storage"'
    return onward
