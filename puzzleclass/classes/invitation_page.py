"""The page that asks a teacher whether he or she will take a place."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.translation import gettext as _

from puzzleclass.classes.invitations import Invitation


def is_declined(request: HttpRequest, asked: Invitation) -> bool:
    """Return whether the page's form (`do`) declines, after keeping that."""
    do = request.POST.get("do", "")
    if do not in ("accept", "decline"):
        raise BadRequest
    if do == "decline":
        asked.decline()
        messages.success(request, _("You have declined."))
    return do == "decline"
