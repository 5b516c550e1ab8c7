"""The page on which a teacher explores what random boards are like."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.language import say
from puzzleclass.making.access import get_kind_that_knows
from puzzleclass.making.forms import OptionsForm
from solvers.kind import PuzzleError
from solvers.registry import AnyKind

QUESTION = "survey"

SHOWN = 6
"""Surveys in one chart: more lines can't be told apart."""


CHARTS = {
    "solvable": (_("Boards that can be solved, in %"), False),
    "median": (_("Solutions of a board that can be solved (median)"), True),
    "level": (_("Difficulty for a careful player (level)"), False),
    "unique": (_("Boards with exactly one solution, in %"), False),
}
"""What is charted -> its title, and whether it grows so fast that the scale is logarithmic."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the boards with one number of stones are like, as the charts show it."""

    stones: int
    boards: int
    is_all: bool
    """These are all boards that there are."""
    solvable: float
    unique: float
    """In per cent."""
    undecided: int
    median: int | None
    is_bound: bool
    """The median is only a lower bound."""
    level: float | None


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey that has been asked for, as far as it has come."""

    job: Job
    title: str
    rows: list[Row]


@require_http_methods(["GET", "POST"])
@never_cache
@teacher_required
def puzzle_explore(request: HttpRequest, kind_slug: str) -> HttpResponse:
    """How often random boards can be solved, how many solutions they have, how hard they are."""
    kind, question = get_kind_that_knows(kind_slug, QUESTION)
    form = OptionsForm(question, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            jobs.ask(request.user, kind.slug, QUESTION, question.position, form.options())
            return redirect("puzzle_explore", kind.slug)
        except PuzzleError as error:
            form.add_error(None, say(error.message))
    surveys = _surveys(request.user, kind)
    context = {
        "section": "puzzles",
        "kind": kind,
        "form": form,
        "surveys": surveys,
        "charts": _charts(surveys),
    }
    template = "making/_surveys.html" if request.htmx else "making/puzzle_explore.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _surveys(user: User, kind: AnyKind) -> list[Survey]:
    """Return the user's last surveys, the latest first."""
    asked = Job.objects.filter(askers=user, kind_slug=kind.slug, question=QUESTION)
    return [
        Survey(job, _title(kind, job), [_row(found) for found in job.details.get("survey", ())])
        for job in asked.order_by("-asked_at")[:SHOWN]
    ]


def _title(kind: AnyKind, job: Job) -> str:
    """Return the size of the boards, and how many were looked at."""
    size = kind.questions[QUESTION].options["size"].write(job.options["size"])
    return f"{size} · {job.options['boards']}"


def _row(found: dict[str, Any]) -> Row:
    return Row(
        found["stones"],
        found["boards"],
        found["is_all"],
        round(100 * found["solvable"] / found["boards"], 1),
        round(100 * found["unique"] / found["boards"], 1),
        found["undecided"],
        None if found["median"] is None else int(found["median"]),
        found["is_bound"],
        found["careful_level"],
    )


def _charts(surveys: list[Survey]) -> list[dict[str, Any]]:
    """Return what explore.js draws: a line for each survey in each chart."""
    return [
        {
            "name": name,
            "title": str(title),
            "across": str(_("Number of stones")),
            "isLogarithmic": is_logarithmic,
            "lines": [
                {
                    "label": survey.title,
                    "points": [
                        {"x": row.stones, "y": getattr(row, name)}
                        for row in survey.rows
                        if getattr(row, name) is not None
                    ],
                }
                for survey in surveys
                if survey.rows
            ],
        }
        for name, (title, is_logarithmic) in CHARTS.items()
    ]
