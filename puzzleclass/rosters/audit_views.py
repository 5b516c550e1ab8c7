"""The audit logs of a school and of a board for their administrators."""

from django.conf import settings
from django.http import HttpResponse

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers
from puzzleclass.classes.access import get_board_for_administrator, get_school_for_administrator
from puzzleclass.classes.audit_page import audit_page


@for_teachers("GET", "POST", within=RECENTLY)
def school_log(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what was done with the school's data. POST downloads it as CSV."""
    school = get_school_for_administrator(request.user, pk)
    return audit_page(request, school, school.log_months or settings.LOG_MONTHS)


@for_teachers("GET", "POST", within=RECENTLY)
def board_log(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what was done with the data of the board and its schools. POST downloads it as CSV."""
    return audit_page(request, get_board_for_administrator(request.user, pk), settings.LOG_MONTHS)
