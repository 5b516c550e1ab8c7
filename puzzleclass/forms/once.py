"""A form that is sent twice makes one thing.

The page carries a one-time key (`{% once %}`). The first request with a key inserts its row and
does its work in one transaction. A second request with the same key waits for that transaction:
SQLite lets one writer in, and PostgreSQL lets nobody insert the same key meanwhile. Then it finds
the row and leads to the page that the first one has led to. If the first one has failed, or has
shown its form again, there is no row, and the second one is worked on.

A key belongs to a user and to an address. Somebody else who sends it makes a thing of their own.
"""

import re
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.forms import merging
from puzzleclass.forms.models import KEY_LENGTH, SentForm
from puzzleclass.http import Request

FIELD = "once"
"""The field of a form with its key."""

_KEY = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}")

P = ParamSpec("P")
R = TypeVar("R", bound=Request)
View = Callable[Concatenate[R, P], HttpResponse]


def new_key() -> str:
    """Return a key for a form that is about to be shown."""
    return secrets.token_hex(KEY_LENGTH // 2)


def saves_always(request: Request) -> bool:
    return True


def saves_as_page(request: Request) -> bool:
    """Return whether the form was sent to be saved, and not for a preview of a list or a file."""
    return not request.htmx and not request.FILES


def saves_without_step(request: Request) -> bool:
    """Return whether the form was sent to be saved, and not for a step (`do`) on the page."""
    return request.POST.get("do", "save") == "save"


def once(saves: Callable[[Request], bool] = saves_always) -> Callable[[View[R, P]], View[R, P]]:
    """Let the view work only once on a form, however often it is sent.

    The decorator stands below the one that says who may enter. The view does its work in a
    transaction, and leads to another page when it is done. `saves` keeps requests out that change
    nothing, such as previews, so that nobody waits for them.
    """

    def decorate(view: View[R, P]) -> View[R, P]:
        @wraps(view)
        def guarded(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            key = request.POST.get(FIELD, "")
            if not _KEY.fullmatch(key) or not saves(request):
                return view(request, *args, **kwargs)
            assert isinstance(request.user, get_user_model())
            with transaction.atomic():
                if merging.FIELD in request.POST:
                    _wait_for_others(request.path)
                sent, is_first = SentForm.objects.get_or_create(
                    user=request.user, address=request.path, key=key
                )
                if not is_first:
                    return _lead_to(request, sent.to)
                response = view(request, *args, **kwargs)
                _remember(sent, response)
            return response

        guarded.is_once = True  # type: ignore[attr-defined]
        return guarded

    return decorate


def _remember(sent: SentForm, response: HttpResponse) -> None:
    """Store where the response leads. A form that is shown again can be sent again."""
    sent.to = response.get("HX-Redirect") or response.get("Location") or ""
    if not sent.to:
        sent.delete()
        return
    sent.save(update_fields=["to"])
    own = SentForm.objects.filter(user=sent.user_id).order_by("-pk")
    if surplus := own.values_list("pk", flat=True)[
        SentForm.MAX_COUNT : SentForm.MAX_COUNT + 1
    ].first():
        own.filter(pk__lte=surplus).delete()


def _wait_for_others(address: str) -> None:
    """Let requests that change the same thing compare it one after the other.

    SQLite's transactions do so by themselves.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [address])


def _lead_to(request: Request, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
