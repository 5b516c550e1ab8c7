"""Access to launches, and the pages that platforms may frame."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt

from puzzleclass.lti.models import Launch

P = ParamSpec("P")

LAUNCH = "lti_launch"
"""Session key of the launch by which the user has come."""


def for_platforms(
    *directives: str,
) -> Callable[[Callable[P, HttpResponse]], Callable[P, HttpResponse]]:
    """Let platforms do with the view's response what these directives of its policy are about.

    With `frame-ancestors`, a platform shows the response in a frame, so it must not depend on who
    is signed in. With `form-action`, its forms lead to a platform.
    """

    def decorate(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
        @wraps(view)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            schemes = ["https:", "http:"] if settings.LOCAL_SERVERS else ["https:"]
            with_policy: Any = csp_replace(dict.fromkeys(directives, schemes))
            answer = with_policy(view)
            if "frame-ancestors" in directives:
                answer = xframe_options_exempt(answer)
            response: HttpResponse = answer(*args, **kwargs)
            return response

        return wrapped

    return decorate


def own_launch(request: HttpRequest) -> Launch | None:
    """Return the launch by which the user of this session has come, if it is not too old."""
    since = timezone.now() - Launch.LASTS
    launches = Launch.objects.filter(pk=request.session.get(LAUNCH, 0), made_at__gte=since)
    launch = launches.select_related("platform__school").first()
    is_own = launch and launch.user_id in (None, request.user.pk)
    return launch if is_own else None
