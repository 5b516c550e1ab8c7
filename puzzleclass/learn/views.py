from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET

from puzzleclass.puzzles.models import showpiece
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


STUDIES: tuple[Study, ...] = (
    Study(
        "goishi",
        "learn_goishi",
        gettext_noop("33 million boards, all counted"),
        gettext_noop(
            "A school's poster asked what makes Goishi Hiroi hard. Here every board up to 5 × 5 "
            "answers. And counting one takes a millisecond, no longer two minutes."
        ),
    ),
    Study(
        "kikazu",
        "learn_kikazu",
        gettext_noop("Forty pieces, no attack"),
        gettext_noop(
            "1,860 ways to stand all shogi pieces on one board: from 50 hours to seconds, and a "
            "proof that 40 is the most."
        ),
    ),
    Study(
        "maxstrings",
        "learn_maxstrings",
        gettext_noop("Lamps on a Go board"),
        gettext_noop(
            "How many strings fit on a Go board? 40 days of computing become seconds, and three "
            "misprints come to light."
        ),
    ),
    Study(
        "tonari",
        "learn_tonari",
        gettext_noop("From 30 days to a blink"),
        gettext_noop(
            "Tonari Othello: how the study cut its search down step by step, and how a better "
            "idea needs no cutting at all."
        ),
    ),
)


@require_GET
def learn(request: HttpRequest) -> HttpResponse:
    """The list of the studies' pages."""
    return render(request, "learn/learn.html", {"studies": STUDIES})
