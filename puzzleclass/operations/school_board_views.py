"""A page for the school board: what is stored where, what the web filter must allow, how to leave.

It is filled in from the settings of this installation, and from what the teacher's own schools have
connected. Only an administrator of the site sees what all schools have.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.address import absolute
from puzzleclass.classes.access import schools_of
from puzzleclass.database.bin import KEPT
from puzzleclass.lti.models import Platform
from puzzleclass.rosters.models import RosterImport
from puzzleclass.school_accounts.models import GOOGLE_ISSUER, MICROSOFT_ISSUER, SignInProvider

MAX_NAMED = 50
"""The most learning platforms, and providers of accounts, that the page names."""

_KNOWN_ISSUERS: dict[str, str] = {
    SignInProvider.Kind.GOOGLE: GOOGLE_ISSUER,
    SignInProvider.Kind.MICROSOFT: MICROSOFT_ISSUER,
}


@for_teachers("GET")
def school_board(request: SignedInRequest) -> HttpResponse:
    """Show the page for the school board."""
    address = absolute("/", request)
    own = _of_schools_of(request.user)
    platforms = Platform.objects.filter(own).values_list("auth_url", flat=True)
    providers = SignInProvider.objects.filter(own, is_on=True).values_list("kind", "issuer")
    context = {
        "address": address,
        "is_encrypted": urlsplit(address).scheme == "https",
        "is_sqlite": connection.vendor == "sqlite",
        "email_host": settings.EMAIL_HOST,
        "platforms": _hosts(platforms[:MAX_NAMED]),
        "providers": _hosts(
            _KNOWN_ISSUERS.get(kind, issuer) for kind, issuer in providers[:MAX_NAMED]
        ),
        "years": settings.KEPT_YEARS,
        "idle_minutes": settings.IDLE_MINUTES,
        "bin_days": KEPT.days,
        "import_days": RosterImport.UNDO_DAYS,
        "sign_up_open": settings.SIGN_UP_OPEN,
        "time_zone": settings.TIME_ZONE,
    }
    return render(request, "operations/school_board.html", context)


def _of_schools_of(teacher: User) -> Q:
    """Return the condition that a platform or a provider serves one of the teacher's schools."""
    if teacher.is_staff:
        return Q()
    schools = schools_of(teacher).order_by()
    boards = Q(board__in=schools.values("board")) | Q(board__in=teacher.boards.all())
    return Q(school__in=schools.values("pk")) | boards


def _hosts(addresses: Iterable[str]) -> list[str]:
    """Return the names of the servers at these addresses, each once."""
    return sorted({urlsplit(address).hostname or "" for address in addresses})
