"""View for a teacher: whether a school's roster means him or her, and which classes it may take."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.http import read_key
from puzzleclass.rosters.consent import classes_to_give


@for_teachers("GET", "POST")
def roster_request(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what a school's roster says of the teacher. POST agrees or declines (`do`)."""
    asked = get_object_or_404(
        request.user.roster_requests.select_related("source__school", "teacher"), pk=pk
    )
    classes = classes_to_give(asked)
    if request.method == "GET":
        context = {
            "asked": asked,
            "school": asked.source.school,
            "classes": classes,
            "given": set(asked.given.values_list("pk", flat=True)),
        }
        return render(request, "rosters/roster_request.html", context)
    do = request.POST.get("do", "")
    if do not in ("agree", "decline"):
        raise BadRequest
    agrees = do == "agree"
    chosen = {read_key(key) for key in request.POST.getlist("classes")} if agrees else set()
    with transaction.atomic():
        asked.agrees, asked.answered_at = agrees, timezone.now()
        asked.save(update_fields=["agrees", "answered_at"])
        asked.given.set(classes.filter(pk__in=chosen))
    record(request, "roster answered", school=asked.source.school_id, asked=pk, agrees=agrees)
    name = asked.source.school.name
    message = (
        _("You have agreed. {school} links your account at its next import.")
        if agrees
        else _("You have declined. {school} does not learn of it.")
    )
    messages.success(request, message.format(school=name))
    return redirect("home")
