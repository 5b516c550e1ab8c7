"""The addresses of pages that have become a part of another page. They stay valid for good."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.http import urlencode
from django.views.generic import RedirectView

from puzzleclass.http import Middleware

MOVED = {
    "group_list": "/classes/%(pk)s/students/",
    "match_list": "/classes/%(pk)s/students/",
    "student_pin": "/classes/%(pk)s/students/%(enrolment)s/#pin",
}
"""The name of an address -> where a GET of it leads, with the fields of the address."""


urlpatterns = [
    path(
        "classes/<key:pk>/groups/",
        RedirectView.as_view(
            url=MOVED["group_list"], query_string=True, http_method_names=["get", "head"]
        ),
        name="group_list",
    )
]


class MovedMiddleware(Middleware):
    """Middleware that leads a GET of an address in `MOVED`, which accepts only POST, to its page.

    The query goes with it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != 405 or request.method != "GET" or match is None:
            return response
        page = MOVED.get(match.url_name or "")
        if page is None:
            return response
        page, hash_sign, part = (page % match.kwargs).partition("#")
        query = urlencode(request.GET, doseq=True)
        joint = "&" if "?" in page else "?"
        return redirect(
            f"{page}{joint}{query}{hash_sign}{part}" if query else page + hash_sign + part
        )
