"""Tells a load balancer or Compose whether this web process can serve."""

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

PATH = "/healthz"


class HealthMiddleware:
    """Answers `/healthz`: 200 when the database answers, else 503.

    Stands before everything else, because those who ask come by no host name of ours,
    without HTTPS and without a session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != PATH:
            return self.get_response(request)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError:
            return HttpResponse("no database\n", status=503, content_type="text/plain")
        return HttpResponse("ok\n", content_type="text/plain")
