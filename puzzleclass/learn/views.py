from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from puzzleclass.home import showpiece
from solvers.registry import get_kind


@dataclass(frozen=True, slots=True)
class Study:
    """A page of this app."""

    kind_slug: str
    url_name: str
    title: str
    summary: str

    @property
    def showpiece(self) -> dict[str, object]:
        return showpiece(get_kind(self.kind_slug))


STUDIES: tuple[Study, ...] = ()


@require_GET
def learn(request: HttpRequest) -> HttpResponse:
    """The list of the studies' pages."""
    return render(request, "learn/learn.html", {"studies": STUDIES, "section": "learn"})
