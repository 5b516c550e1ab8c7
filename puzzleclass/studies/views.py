from django.http import HttpResponse
from django.views.decorators.http import require_GET

from puzzleclass.http import Request
from puzzleclass.puzzles.models import kind_with_picture
from puzzleclass.studies.goishi_pictures import two_lines
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.pages import show_study
from solvers.registry import get_kind

KINDS = ("goishi", "kikazu", "maxstrings", "tonari")
"""The kinds that come from a study with a page."""


@require_GET
@cache_for_guests()
def studies(request: Request) -> HttpResponse:
    """Show the list of the studies' pages."""
    pictures = {slug: kind_with_picture(get_kind(slug))["picture"] for slug in KINDS}
    return show_study(request, "index", {**pictures, "results": two_lines()["there"]})
