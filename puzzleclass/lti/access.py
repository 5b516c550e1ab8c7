"""Access to launches, and the pages that platforms may frame."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from puzzleclass.lti.models import Launch

LAUNCH = "lti_launch"
"""Session key of the launch by which the user has come."""


def allow_framing(response: HttpResponse) -> None:
    """Let platforms show the response in a frame. It must not depend on who is signed in."""
    response.xframe_options_exempt = True
    policy = getattr(response, "_csp_replace", {})
    schemes = ["https:", "http:"] if settings.LOCAL_SERVERS else ["https:"]
    response._csp_replace = policy | {"frame-ancestors": schemes}  # type: ignore[attr-defined]


def own_launch(request: HttpRequest) -> Launch | None:
    """Return the launch by which the user of this session has come, if it is not too old."""
    since = timezone.now() - Launch.LASTS
    found = Launch.objects.filter(pk=request.session.get(LAUNCH, 0), made_at__gte=since)
    launch = found.select_related("platform__school").first()
    is_own = launch and launch.user_id in (None, request.user.pk)
    return launch if is_own else None
