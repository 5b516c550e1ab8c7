"""Views for passkeys: signing in, proving oneself again, and the page on which they are kept."""

import json
import time
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from puzzleclass.accounts import passkeys, second_step
from puzzleclass.accounts.account_page import account_page
from puzzleclass.accounts.forms import PasskeyForm
from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.mail import notify
from puzzleclass.accounts.models import User
from puzzleclass.accounts.passkeys import MAX_ANSWER, Answer, PasskeyRefused
from puzzleclass.accounts.sign_in import (
    PROVEN_AT,
    RECENTLY,
    SignedInRequest,
    destination,
    for_teachers,
    record,
    sign_teacher_in,
    wanted_page,
)
from puzzleclass.accounts.visitors import address_of
from puzzleclass.http import read_key
from puzzleclass.language.reader import say
from solvers.message import Message

MAX_ASKED = 1000
"""The most questions for one address, which a whole staff room may share, in `PERIOD`."""
PERIOD = timedelta(minutes=10)


@require_POST
def passkey_question(request: HttpRequest) -> HttpResponse:
    """Return the question that a passkey is to sign: any teacher's, or that of the teacher who is
    signed in."""
    if not spend(f"passkeys from {address_of(request)}", MAX_ASKED, PERIOD):
        return HttpResponse(status=429)
    return JsonResponse(passkeys.ask_for_proof(request, _teacher_of(request)))


@sensitive_post_parameters("password", "passkey")
@require_POST
def passkey_sign_in(request: HttpRequest) -> HttpResponse:
    """Sign the holder of a passkey in.

    No code is asked for: the device has recognised its holder, so the passkey is two factors.
    """
    try:
        teacher = passkeys.prove(request, _answer(request))
    except PasskeyRefused as refused:
        return _again(request, "sign_in", refused)
    return sign_teacher_in(request, teacher, is_shared="shared" in request.POST)


@sensitive_post_parameters("password", "passkey")
@for_teachers("POST")
def passkey_confirm(request: SignedInRequest) -> HttpResponse:
    """Accept a passkey in the place of the password that is asked for once more."""
    try:
        passkeys.prove(request, _answer(request), request.user)
    except PasskeyRefused as refused:
        return _again(request, "confirm", refused)
    request.session[PROVEN_AT] = time.time()
    second_step.fulfil(request)
    return redirect(destination(request))


@for_teachers("POST", within=RECENTLY)
def passkey_new_question(request: SignedInRequest) -> HttpResponse:
    """Return what the browser needs to know to make a passkey."""
    try:
        return JsonResponse(passkeys.ask_for_new(request, request.user))
    except PasskeyRefused as refused:
        messages.error(request, say(refused.message))
        return HttpResponse(status=409)


@for_teachers("GET", "POST", within=RECENTLY)
def account_passkeys(request: SignedInRequest) -> HttpResponse:
    """List the teacher's passkeys; add or remove one."""
    teacher = request.user
    own = teacher.passkeys
    form = PasskeyForm(request.POST if "passkey" in request.POST else None)
    if "remove" in request.POST:
        passkey = get_object_or_404(own, pk=read_key(request.POST["remove"]))
        record(request, "passkey removed", passkey=passkey.pk)
        passkey.delete()
        notify(request, teacher.email, _("A passkey was removed from your account."))
        messages.success(request, _("“{name}” is removed.").format(name=passkey.name))
        return redirect("account_passkeys")
    if form.is_valid():
        try:
            added = passkeys.add(request, teacher, form.cleaned_data["name"], _answer(request))
        except PasskeyRefused as refused:
            messages.error(request, say(refused.message))
        else:
            second_step.fulfil(request)
            notify(request, teacher.email, _("A passkey was added to your account."))
            message = _("“{name}” is stored. From now on you can sign in with it in one press.")
            messages.success(request, message.format(name=added.name))
        return redirect("account_passkeys")
    stored = list(own.all())
    return account_page(
        request,
        "accounts/_passkeys.html",
        form=form,
        passkeys=stored,
        is_full=len(stored) >= passkeys.MAX_PASSKEYS,
        why_not=passkeys.why_not(request),
        public_url=settings.PUBLIC_URL,
    )


def _teacher_of(request: HttpRequest) -> User | None:
    user = request.user
    return user if isinstance(user, User) and user.is_teacher else None


def _answer(request: HttpRequest) -> Answer:
    """Return what the browser has answered. Raises PasskeyRefused if it is no JSON object."""
    text = request.POST.get("passkey", "")
    try:
        answer = json.loads(text) if len(text) <= MAX_ANSWER else None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise PasskeyRefused(Message("The browser has sent no passkey. Try again."))
    return answer


def _again(request: HttpRequest, page: str, refused: PasskeyRefused) -> HttpResponse:
    """Lead back to the page that asked, and say there why the passkey was refused."""
    messages.error(request, say(refused.message))
    response = redirect(page)
    if wanted := wanted_page(request):
        response["Location"] += f"?{urlencode({'next': wanted})}"
    return response
