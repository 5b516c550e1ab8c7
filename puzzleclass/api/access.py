"""Access to the API: a token, a quota, and errors as problem details (RFC 9457).

A token lets a script see what its teacher sees on the pages; a school's token, the classes of the
school. Without a valid token every address is
answered with 401, whether or not it exists. With one, the class of somebody else is missing (404).
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt

from puzzleclass.accounts.locks import lock_of, spend
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.accounts.time_zones import zone_named
from puzzleclass.api.models import ApiToken
from puzzleclass.assignments.access import get_assignment_for_teacher
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import School
from puzzleclass.errors import QuotaReached, error_answer
from puzzleclass.http import Request
from solvers.message import Message

MAX_REQUESTS = 120
"""The most requests of all tokens of a teacher, or of a school, in a period."""
PERIOD = timedelta(minutes=1)

NO_TOKEN = Message(
    "This address needs a token in the header “Authorization: Bearer …”. Create one on the page of "
    "your account."
)
BAD_TOKEN = Message(
    "This token is not valid: it has been deleted, has expired or was not copied whole. Create a "
    "new one on the page of your account."
)


class TokenRequest(SignedInRequest):
    """The request that `for_tokens` passes to a view."""

    school: School | None
    """The school whose classes the token opens; None for the classes of `user`."""


P = ParamSpec("P")
ApiView = Callable[Concatenate[TokenRequest, P], HttpResponse]


class BadQuery(Exception):
    """A parameter of the address can't be understood. `message` names it, and what it may be."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def for_tokens(view: ApiView[P]) -> Callable[Concatenate[Request, P], HttpResponse]:
    """Let requests with a valid token enter the view, in the language and the time zone of the
    token's teacher. The view only reads, so it accepts only GET."""

    @csrf_exempt
    @wraps(view)
    def guarded(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method != "GET":
            response = error_answer(request, 405, Message("This address can only be read (GET)."))
            response["Allow"] = "GET"
            return response
        scheme, _space, word = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not word.strip():
            return _unauthorized(request, NO_TOKEN, "Bearer")
        token = ApiToken.by_word(word.strip())
        if token is None:
            return _unauthorized(request, BAD_TOKEN, 'Bearer error="invalid_token"')
        request.user = teacher = token.teacher
        # Errors that the view raises are answered in this language, too. The next request activates
        # its own.
        translation.activate(teacher.language or translation.get_language())
        _spend(f"school {token.school_id}" if token.school_id else str(teacher.pk))
        token.note_use()
        entered = cast(TokenRequest, request)
        entered.school = token.school
        try:
            with timezone.override(zone_named(teacher.time_zone)):
                return view(entered, *args, **kwargs)
        except BadQuery as fault:
            return error_answer(request, 400, fault.message)

    return guarded


def readable_classes(request: TokenRequest) -> QuerySet[Classroom]:
    """Return the classes that the token opens."""
    if request.school:
        return request.school.classrooms.filter(deleted_at=None)
    return Classroom.objects.filter(in_class_of(request.user))


def get_readable_class(request: TokenRequest, pk: int) -> Classroom:
    """Return a class that the token opens. Raises Http404."""
    return get_object_or_404(readable_classes(request), pk=pk)


def get_readable_assignment(request: TokenRequest, pk: int) -> Assignment:
    """Return an assignment of a class that the token opens, for a school not a draft. Raises
    Http404."""
    if request.school is None:
        return get_assignment_for_teacher(request.user, pk, Right.LOOK)
    rows = Assignment.objects.select_related("classroom", "teacher", "pace")
    own = rows.filter(classroom__in=readable_classes(request), is_draft=False)
    return get_object_or_404(own, pk=pk)


def _unauthorized(request: Request, said: Message, challenge: str) -> HttpResponse:
    response = error_answer(request, 401, said)
    response["WWW-Authenticate"] = challenge
    return response


def _spend(whose: str) -> None:
    """Count a request of a teacher or a school. Raises QuotaReached."""
    key = f"api {whose}"
    if not spend(key, MAX_REQUESTS, PERIOD):
        left = lock_of(key).counts_until - timezone.now()
        raise QuotaReached(
            Message(
                "At most {most} requests are answered in a minute. Wait {n} s.",
                {"most": MAX_REQUESTS, "n": (seconds := max(1, int(left.total_seconds()) + 1))},
            ),
            seconds,
        )
