"""The audit log of the whole site for its administrators."""

from django.conf import settings
from django.http import HttpResponse

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_administrators
from puzzleclass.classes.audit_page import audit_page


@for_administrators("GET", "POST", within=RECENTLY)
def site_log(request: SignedInRequest) -> HttpResponse:
    """Show what was done on the site. POST downloads it as CSV."""
    return audit_page(request, None, settings.LOG_MONTHS, above="administration")
