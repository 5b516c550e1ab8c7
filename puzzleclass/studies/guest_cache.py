"""A cache of the studies' pages for guests: readers who have not signed in get the same page.

A page of a study takes up to 100 ms of processor time, and a whole festival may read it. The page
of a user who has signed in contains a name and buttons, so it is made each time.
"""

import hashlib
import re
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth import SESSION_KEY
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language

from puzzleclass.http import Request
from puzzleclass.language.reader import reader

CACHE_SECONDS = 60
"""How long a page is kept. A worker's new answer appears on it after this time at the latest."""

P = ParamSpec("P")
View = Callable[Concatenate[Request, P], HttpResponse]

_TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[^"]+')


def cache_for_guests(*fields: str) -> Callable[[View[P]], View[P]]:
    """Return a decorator for a view whose page depends only on these fields of the query.

    A page is kept for each address, language (with or without furigana) and choice of signs and
    words. Pages for other fields, fragments and pages with a message are made each time.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def cached(request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not _is_same_for_guests(request, set(fields)):
                return view(request, *args, **kwargs)
            chosen = reader()
            named = f"{request.get_full_path()} {get_language()} {chosen.signs} {chosen.words}"
            key = hashlib.sha256(named.encode()).hexdigest()
            content: bytes | None = cache.get(key)
            if content is None:
                answer = view(request, *args, **kwargs)
                if answer.status_code != 200:
                    return answer
                content = answer.content
                cache.set(key, content, CACHE_SECONDS)
            # Each visitor has a CSRF token of their own.
            return HttpResponse(_TOKEN.sub(get_token(request).encode(), content))

        return cached

    return decorate


def _is_same_for_guests(request: Request, fields: set[str]) -> bool:
    """Return whether every guest gets the same page for this request."""
    return (
        request.method == "GET"
        and not request.htmx
        and SESSION_KEY not in request.session
        and set(request.GET) <= fields
        and not get_messages(request)
    )
