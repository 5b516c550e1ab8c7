"""Deep linking: a teacher chooses the assignment to which a link of the course leads.

The signed choice travels back to the platform in the teacher's browser. A platform that has opened
the site in a frame waits for the choice in that frame. The frame therefore asks for it by a word
that only the frame and the tab of the choice know.
"""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.http import NOTHING_NEW, read_key
from puzzleclass.lti import launches, people
from puzzleclass.lti.access import for_platforms, own_launch
from puzzleclass.lti.keys import sign
from puzzleclass.lti.models import Launch
from puzzleclass.lti.tokens import CLAIM, DEEP_LINKING, Claims
from puzzleclass.outbound.sessions import fault_of_address

MAX_SHOWN = 100
FULL_SCORE = 100
ANSWER_SECONDS = 600


@for_teachers("GET", "POST")
def lti_choose(request: SignedInRequest) -> HttpResponse:
    """Show the assignments of the course's class; sign the one that the teacher chooses."""
    launch = own_launch(request)
    claims = launches.claims_of(launch) if launch else None
    classroom = people.class_of(launch, claims) if launch and claims else None
    if launch is None or claims is None or claims.deep_linking is None or classroom is None:
        return redirect("home")
    assignments = (
        Assignment.objects.filter(in_class_of(request.user, "classroom", Right.TEACH))
        .filter(classroom=classroom, is_gallery=False, due_at__gt=timezone.now())
        .order_by("-pk")
    )
    if request.method == "POST":
        key = read_key(request.POST.get("assignment", ""))
        chosen = get_object_or_404(assignments, pk=key)
        launch.answer = sign(_answer(request, launch, claims, chosen))
        launch.save(update_fields=["answer"])
        record(request, "assignment linked", platform=launch.platform_id, assignment=key)
        if launch.frame_digest:
            return render(request, "lti/chosen.html", {"assignment": chosen})
        return for_platforms("form-action")(_return)(request, launch, claims)
    recent = assignments.prefetch_related("puzzles")[:MAX_SHOWN]
    context = {
        "classroom": classroom,
        "assignments": [(each, description(each)) for each in recent],
    }
    return render(request, "lti/choose.html", context)


def description(assignment: Assignment) -> str:
    """Return what the students get: how many boards, how they are dealt, how many solutions."""
    boards = len(assignment.puzzles.all())
    parts = [ngettext("{number} puzzle", "{number} puzzles", boards).format(number=boards)]
    if assignment.dealing != Assignment.Dealing.ALL:
        parts.append(assignment.get_dealing_display())
    if assignment.wanted > 1:
        text = _("{number} different solutions of each board")
        parts.append(text.format(number=assignment.wanted))
    return " · ".join(parts)


def _answer(
    request: HttpRequest, launch: Launch, claims: Claims, assignment: Assignment
) -> dict[str, Any]:
    """Return the message with the chosen link and its line item."""
    wanted = claims.deep_linking
    assert wanted is not None
    link: dict[str, Any] = {
        "type": "ltiResourceLink",
        "title": assignment.title,
        "text": description(assignment),
        "url": launches.target_of(assignment.pk, request),
    }
    if wanted.accept_lineitem:
        link["lineItem"] = {
            "label": assignment.title,
            "scoreMaximum": FULL_SCORE,
            "resourceId": str(assignment.pk),
        }
        link["submission"] = {"endDateTime": assignment.closes_at.isoformat()}
    now = int(timezone.now().timestamp())
    answer = {
        "iss": launch.platform.client_id,
        "aud": launch.platform.issuer,
        "iat": now,
        "exp": now + ANSWER_SECONDS,
        "nonce": secrets.token_urlsafe(24),
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0",
        f"{CLAIM}deployment_id": claims.deployment_id,
        f"{DEEP_LINKING}content_items": [link] if "ltiResourceLink" in wanted.accept_types else [],
    }
    if wanted.data:
        answer[f"{DEEP_LINKING}data"] = wanted.data
    return answer


def _return(request: HttpRequest, launch: Launch, claims: Claims) -> HttpResponse:
    """Return a page that posts the answer to the platform at once.

    Platforms redirect from this address to others of theirs, which the policy checks, too.
    """
    address = claims.deep_linking.deep_link_return_url if claims.deep_linking else ""
    if fault_of_address(address):
        return redirect("home")
    context = {"address": address, "answer": launch.answer}
    return render(request, "lti/return.html", context)


@require_safe
def lti_frame(request: HttpRequest, word: str) -> HttpResponse:
    """Return the choice to the frame that waits for it.

    The frame asks by HEAD: 204 while it has to wait, 410 if nothing will be chosen.
    """
    since = timezone.now() - Launch.LASTS
    framed = Launch.objects.filter(frame_digest=launches.digest(word)).select_related("platform")
    launch = framed.first()
    if launch is None:
        return HttpResponse(status=NOTHING_NEW)
    claims = launches.claims_of(launch)
    if not claims.is_deep_linking or launch.made_at < since:
        return HttpResponse(status=410)
    if not launch.answer:
        return HttpResponse(status=NOTHING_NEW)
    return for_platforms("form-action", "frame-ancestors")(_return)(request, launch, claims)
