"""The first minute with a kind: its tiny boards, one after the other, for everybody."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.sign_in import wanted
from puzzleclass.http import Request
from puzzleclass.practice import scratch
from solvers.registry import AnyKind, UnknownKind, get_kind


def get_kind_or_404(slug: str) -> AnyKind:
    """Return the kind. Raises Http404."""
    try:
        return get_kind(slug)
    except UnknownKind:
        raise Http404 from None


@require_http_methods(["GET", "POST"])
def introduction(request: Request, kind_slug: str, number: int = 1) -> HttpResponse:
    """Show the board of this number, or play on it. `next` is where to go afterwards."""
    kind = get_kind_or_404(kind_slug)
    if not 1 <= number <= len(kind.introduction):
        raise Http404
    tiny = kind.introduction[number - 1]
    board = scratch.play(request, kind, kind.read(tiny.position))
    way = {"next": wanted(request)} if wanted(request) else {}
    addresses = [
        reverse("introduction", args=[kind.slug, place], query=way)
        for place in range(1, len(kind.introduction) + 1)
    ]
    context = {
        "tiny": tiny,
        "number": number,
        "addresses": addresses,
        "url": addresses[number - 1],
        "following": addresses[number] if number < len(addresses) else "",
        "afterwards": wanted(request) or reverse("home"),
        "solved": "practice/_introduction_solved.html",
    }
    return scratch.answer(request, board, "practice/introduction.html", context)
