"""Access to the API: a token, a quota, and errors as problem details (RFC 9457).

A token lets a script see what its teacher sees on the pages. Without a valid token every address is
answered with 401, whether or not it exists. With one, the class of somebody else is missing (404).
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import HttpResponse
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt

from puzzleclass.accounts.locks import lock_of, spend
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.accounts.time_zones import zone_named
from puzzleclass.api.models import ApiToken
from puzzleclass.errors import QuotaReached, error_answer
from puzzleclass.http import Request
from solvers.message import Message

MAX_REQUESTS = 120
"""The most requests of all tokens of a teacher in a period."""
PERIOD = timedelta(minutes=1)

NO_TOKEN = Message(
    "This address needs a token in the header “Authorization: Bearer …”. Create one on the page of "
    "your account."
)
BAD_TOKEN = Message(
    "This token is not valid: it has been deleted, has expired or was not copied whole. Create a "
    "new one on the page of your account."
)

P = ParamSpec("P")
ApiView = Callable[Concatenate[SignedInRequest, P], HttpResponse]


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
        _spend(teacher.pk)
        token.note_use()
        try:
            with timezone.override(zone_named(teacher.time_zone)):
                return view(cast(SignedInRequest, request), *args, **kwargs)
        except BadQuery as fault:
            return error_answer(request, 400, fault.message)

    return guarded


def _unauthorized(request: Request, said: Message, challenge: str) -> HttpResponse:
    response = error_answer(request, 401, said)
    response["WWW-Authenticate"] = challenge
    return response


def _spend(teacher: int) -> None:
    """Count a request of the teacher (pk). Raises QuotaReached."""
    key = f"api {teacher}"
    if not spend(key, MAX_REQUESTS, PERIOD):
        left = lock_of(key).counts_until - timezone.now()
        raise QuotaReached(
            Message(
                "At most {most} requests are answered in a minute. Wait {n} s.",
                {"most": MAX_REQUESTS, "n": (seconds := max(1, int(left.total_seconds()) + 1))},
            ),
            seconds,
        )
