"""What follows when somebody comes back from the provider of a school or a board with a proven
identity.

Nobody is found by an e-mail address. An account of the provider is linked with one of ours by its
`sub`: by its holder, who is signed in here, or by the identifier on the roster. Only people of the
school, or of the board's schools, are let in.
"""

import time
from typing import Any, cast

from allauth.socialaccount.models import SocialAccount
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import (
    AFTERWARDS,
    PROVEN_AT,
    ask_for_code,
    record,
    sign_teacher_in,
    wanted_page,
)
from puzzleclass.classes.access import get_owner_for_administrator, schools_of
from puzzleclass.classes.joining import A_DAY, enter_class, open_enrolment_of
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.roster import NAME_LENGTH, Entry, clean_name
from puzzleclass.classes.services import ListChanged, add_students, free_number
from puzzleclass.language.reader import say
from puzzleclass.school_accounts.models import SignInProvider
from solvers.message import Message

LOGIN, CONNECT, TEST = "login", "connect", "test"
"""What a sign-in at the provider is for."""

PENDING = "school_account"
"""Session key of a proven account of a provider that is not linked yet."""
PENDING_SECONDS = 600
MAX_ADDED_PER_DAY = 200
"""The most students who add themselves to a class in a day."""
SHOWN = 300
"""The most characters of a claim that the test shows."""

Claims = dict[str, Any]


class CannotLink(Exception):
    """Raised if an account can't be linked. The message says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def arrive(
    request: HttpRequest, key: int, user: User | None, claims: Claims, state: dict[str, Any]
) -> HttpResponse:
    """Answer somebody who has signed in at the provider. `user` is whom the account belongs to."""
    provider = get_object_or_404(SignInProvider.objects.select_related("school", "board"), pk=key)
    process = state["process"]
    if process == TEST:
        return _show_test(request, provider, user, claims)
    if not provider.is_on:
        return say_failed(request, key, Message("The school has switched this sign-in off."), state)
    if not provider.is_own(claims):
        record(request, "school account of a foreign domain", provider=key)
        foreign = Message("This account belongs to another school or is a private one.")
        return say_failed(request, key, foreign, state)
    code = str(state.get("code", ""))
    if process == CONNECT:
        if request.user.pk != state.get("user"):
            other = Message("Somebody else is signed in here now. Start again.")
            return say_failed(request, key, other, state)
        _keep_pending(request, provider, claims, code)
        return redirect("school_account_connect")
    try:
        user = user or _link_by_roster(request, provider, claims)
    except CannotLink as error:
        return say_failed(request, key, error.message, state)
    if user is None:
        _keep_pending(request, provider, claims, code)
        return redirect("school_account_unknown")
    return sign_in(request, provider, user, code, str(state.get("next") or ""))


def sign_in(
    request: HttpRequest, provider: SignInProvider, user: User, code: str, wanted: str = ""
) -> HttpResponse:
    """Sign in the holder of a linked account, a student preferably to the class of the code."""
    state = {"code": code}
    if not (user.is_active and _is_known(user, provider)):
        record(request, "school account refused", who=user.pk, provider=provider.pk)
        gone = Message("You are no longer on a class list of this school. Ask your teacher.")
        return say_failed(request, provider.pk, gone, state)
    # The page that was wanted was kept at the beginning; the provider's own words don't count.
    request.GET = QueryDict(urlencode({"next": wanted}))
    record(request, "school account", who=user.pk, provider=provider.pk)
    if user.is_student:
        enrolment = open_enrolment_of(user, code)
        if enrolment is None:
            closed = Message("Your class is closed right now. Your teacher opens it.")
            return say_failed(request, provider.pk, closed, state)
        return enter_class(request, enrolment)
    # The computer may be shared, so the session ends with the browser.
    if two_factor.is_on(user):
        return ask_for_code(request, user, True, wanted_page(request))
    response = sign_teacher_in(request, user, is_shared=True)
    # No password was typed, so exports and deletions ask for it.
    request.session[PROVEN_AT] = 0
    return response


def _is_known(user: User, provider: SignInProvider) -> bool:
    """Return whether the user belongs to a school whose people sign in at the provider."""
    return schools_of(user).filter(pk__in=provider.schools()).exists()


# Linking


def pending(request: HttpRequest) -> tuple[SignInProvider, dict[str, Any]] | None:
    """Return the provider and the account that wait to be linked; None if none does."""
    values = request.session.get(PENDING, {})
    if time.time() - values.get("at", 0) > PENDING_SECONDS:
        return None
    provider = SignInProvider.objects.filter(pk=values["provider"], is_on=True)
    row = provider.select_related("school", "board").first()
    return (row, values) if row else None


def _keep_pending(
    request: HttpRequest, provider: SignInProvider, claims: Claims, code: str
) -> None:
    label = next((claims[name] for name in ("name", "email", "sub") if claims.get(name)), "")
    request.session[PENDING] = {
        "provider": provider.pk,
        "sub": claims["sub"],
        "shown": str(label)[:NAME_LENGTH],
        "name": clean_name(str(claims.get("name") or ""))[:NAME_LENGTH],
        "code": code,
        "at": time.time(),
    }
    request.session[AFTERWARDS] = reverse("school_account_connect")


def link(request: HttpRequest, provider: SignInProvider, user: User, sub: str) -> None:
    """Link the provider's account with the user. Raises CannotLink."""
    if not _is_known(user, provider):
        raise CannotLink(Message("You are not on any class list of this school."))
    taken = Message("This account is connected with somebody else already. Tell your teacher.")
    if provider.accounts.filter(user=user).exclude(uid=sub).exists():
        raise CannotLink(
            Message("You are connected with another account already. Disconnect that one first.")
        )
    try:
        with transaction.atomic():
            account, _made = SocialAccount.objects.get_or_create(
                provider=provider.app_id, uid=sub, defaults={"user": user}
            )
    except IntegrityError:
        raise CannotLink(taken) from None
    if account.user_id != user.pk:
        raise CannotLink(taken)
    record(request, "school account connected", who=user.pk, provider=provider.pk)


def _link_by_roster(request: HttpRequest, provider: SignInProvider, claims: Claims) -> User | None:
    """Link the student whom the roster names by the claim that the school has chosen, if there is
    exactly one. Raises CannotLink.

    Teachers link their accounts themselves. Otherwise, whoever sets up the provider of a school
    could sign in as any of its teachers.
    """
    student = provider.find_student(provider.owner, claims.get(provider.roster_claim))
    if student is None:
        return None
    link(request, provider, student, claims["sub"])
    return student


def may_add_students(provider: SignInProvider, code: str) -> Classroom | None:
    """Return the open class of a school of the provider to which new students may add
    themselves, if any."""
    if not (provider.adds_students and provider.tenant):
        return None
    classrooms = Classroom.objects.filter(school__in=provider.schools(), code=code)
    classroom = classrooms.first() if code else None
    return classroom if classroom and classroom.is_open else None


def add_student(
    request: HttpRequest, provider: SignInProvider, classroom: Classroom, kept: dict[str, Any]
) -> User:
    """Add the holder of the pending account to the class list. Raises CannotLink."""
    if provider.accounts.filter(uid=kept["sub"]).exists():
        raise CannotLink(Message("This account is connected already. Sign in again."))
    number = free_number(classroom)
    if number is None or not spend(f"added to class {classroom.pk}", MAX_ADDED_PER_DAY, A_DAY):
        raise CannotLink(Message("The class list is full. Tell your teacher."))
    entry = Entry(0, number=number, name=kept["name"])
    try:
        with transaction.atomic():
            [enrolment] = add_students(classroom, [entry])
            student = Enrolment.objects.select_related("student").get(pk=enrolment).student
            link(request, provider, student, kept["sub"])
    except ListChanged:
        raise CannotLink(Message("Many students are signing in at once. Try again.")) from None
    return student


# Pages


def say_failed(
    request: HttpRequest, key: int, message: Message, state: dict[str, Any], status: int = 403
) -> HttpResponse:
    """Say why nobody was signed in, and lead back to where the sign-in began."""
    provider = get_object_or_404(SignInProvider.objects.select_related("school", "board"), pk=key)
    record(request, "school account failed", provider=key)
    context = {
        "provider": provider,
        "reason": say(message),
        "code": state.get("code", ""),
        "is_test": state.get("process") == TEST,
    }
    return render(request, "school_accounts/failed.html", context, status=status)


def _show_test(
    request: HttpRequest, provider: SignInProvider, user: User | None, claims: Claims
) -> HttpResponse:
    """Show an administrator what the provider sends, and what would follow."""
    administrator = cast(User, request.user)
    owner = provider.owner
    get_owner_for_administrator(administrator, OwnerKey(type(owner), owner.pk))
    record(request, "school account tested", provider=provider.pk)
    context = {
        "provider": provider,
        "claims": [(name, str(value)[:SHOWN]) for name, value in sorted(claims.items())],
        "is_own": provider.is_own(claims),
        "holder": user,
        "on_roster": provider.find_student(provider.owner, claims.get(provider.roster_claim)),
    }
    return render(request, "school_accounts/tested.html", context)
