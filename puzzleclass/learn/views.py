from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET

from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.learn.results_pictures import two_lines
from puzzleclass.puzzles.models import kind_with_picture
from solvers.registry import get_kind


@dataclass(frozen=True, slots=True)
class Study:
    """A page about a study."""

    kind_slug: str
    url_name: str
    title: str
    summary: str

    @property
    def kind_with_picture(self) -> dict[str, object]:
        return kind_with_picture(get_kind(self.kind_slug))


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
            "1,860 ways to place all shogi pieces on one board: from 50 hours to seconds, "
            "and a proof that 40 is the maximum."
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
@cache_for_guests()
def learn(request: HttpRequest) -> HttpResponse:
    """Show the list of the studies' pages."""
    context = {"studies": STUDIES, "new": two_lines()["there"]}
    return render(request, "learn/learn.html", context)
