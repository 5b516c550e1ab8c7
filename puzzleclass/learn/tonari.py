"""The page on Tonari Othello: how a search of 30 days became one of a blink."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import Request, SignedInRequest
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job
from puzzleclass.learn import tonari_methods as methods
from puzzleclass.learn import tonari_pictures as pictures
from puzzleclass.learn.figures import MethodRun, TonariFigures, in_words, stored
from puzzleclass.learn.tonari_methods import Method
from solvers.answers import Answer
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import get_kind
from solvers.tonari.study import STEPS

SLUG = "tonari"
PRINTED = (
    "12 13 21 22 23 24 31 32 33 42 44",
    "12 13 21 22 23 24 31 32 34 42 43",
    "12 13 21 22 23 24 31 34 33 43 42",
    "12 13 21 22 23 24 34 33 32 41 43",
    "12 13 21 22 31 33 34 24 43 42",
    "12 13 21 22 33 32 34 24 41 43",
    "12 21 22 33 23 14 31 34 43 42",
    "12 21 22 33 23 14 32 34 41 43",
    "12 21 23 14 32 33 34 41 43",
    "22 33 23 13 24 32 31 42 44",
)
"""The ten solutions of 4x4 as the study prints them, without the start stone."""

SOLVED = "22 33 23 13 12 24 14 32 31 21 42 41 44 34 43"
"""The last of them with its closed points filled in where they come up."""


@dataclass(frozen=True, slots=True)
class Run:
    """A method on a square board: what the study printed, what we found, and a run here."""

    method: Method
    side: int
    found: MethodRun | None
    """None for every order on 4x4: nobody waits 30 days again."""
    job: Job | None = None
    """Somebody had a worker do it once more."""

    @property
    def slug(self) -> str:
        return f"{self.method.slug}-{self.side}"

    @property
    def time(self) -> Message | None:
        return in_words(self.found.seconds) if self.found else None

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.has_ended

    @property
    def time_here(self) -> Message | None:
        """What the worker took."""
        if self.job is None or self.job.seconds is None or not self.job.known(Answer).proven:
            return None
        return in_words(self.job.seconds)

    @property
    def printed_count(self) -> int | None:
        return self.method.printed_counts.get(self.side)

    @property
    def printed_time(self) -> Message | None:
        seconds = self.method.printed_seconds.get(self.side)
        return None if seconds is None else in_words(seconds)

    @property
    def agrees(self) -> bool:
        return self.found is not None and self.found.count == self.printed_count


@dataclass(frozen=True, slots=True)
class LastFigure:
    """The ladder's last figure as the study prints it, and the true numbers beside it."""

    side: int
    printed: int
    endings: int
    up_to_mirror: int
    run: Run

    @property
    def agrees(self) -> bool:
        return self.printed == self.up_to_mirror


@require_GET
def learn_tonari(request: HttpRequest) -> HttpResponse:
    """The study's search, its ladder, and what comes after, as it was measured."""
    kept = stored(TonariFigures)
    found = {(run.method, run.side): run for run in kept.figures.runs}

    def of(method: Method, *sides: int) -> list[Run]:
        return [_look_up(method, side, found) for side in sides or (3, 4)]

    context = {
        "run": kept.run,
        "plain": of(methods.PLAIN),
        "every_order": of(methods.EVERY_ORDER),
        "race": [_lane(run) for method in methods.METHODS[:-1] for run in of(method, 4)],
        "ladder": [
            {"number": i, "name": name, "text": text, "pictures": drawn, "runs": of(method)}
            for i, ((name, text), drawn, method) in enumerate(
                zip(STEPS, _step_pictures(), methods.PRUNINGS), 1
            )
        ],
        "compiled": [*of(methods.COMPILED), *of(methods.ORDERS)],
        "arrows": of(methods.ARROWS),
        "last": [
            LastFigure(each.side, printed, each.boards, each.up_to_mirror, run)
            for each, printed, run in zip(
                kept.figures.endings, (2, 10, 203), of(methods.LADDER, 3, 4, 5), strict=True
            )
        ],
        "larger": [
            *of(methods.PRUNINGS[-1], 5),
            *of(methods.PLAIN, 5),
            *of(methods.COMPILED, 5, 6),
            *of(methods.ORDERS, 5, 6),
            *of(methods.ARROWS, 5, 6),
        ],
        **_drawn(),
    }
    return render(request, "learn/tonari.html", context)


@require_http_methods(["GET", "POST"])
def learn_tonari_run(request: Request, method: str, side: int) -> HttpResponse:
    """One run's figures; a teacher's post has a worker do it once more."""
    known = {(each.slug, n): each for each in methods.METHODS for n in each.sides}
    if (method, side) not in known:
        raise Http404
    if request.method == "POST":
        return _ask(request, known[method, side], side)
    return _shown(request, known[method, side], side)


@for_teachers("POST")
def _ask(request: SignedInRequest, method: Method, side: int) -> HttpResponse:
    board, options = methods.position_text(side), dict(method.options)
    services.ask(request.user, SLUG, method.question, board, options, again=True)
    return _shown(request, method, side)


def _shown(request: Request, method: Method, side: int) -> HttpResponse:
    if not request.htmx:
        return redirect(f"{reverse('learn_tonari')}#run-{method.slug}-{side}")
    found = {(run.method, run.side): run for run in stored(TonariFigures).figures.runs}
    return render(request, "learn/_tonari_run.html", {"run": _look_up(method, side, found)})


def _look_up(method: Method, side: int, found: Mapping[tuple[str, int], MethodRun]) -> Run:
    """Return the run with the worker's last one, if anybody asked for it."""
    figure = found.get((method.slug, side))
    if figure is None:
        return Run(method, side, None)
    board, options = methods.position_text(side), dict(method.options)
    return Run(method, side, figure, services.find(SLUG, method.question, board, options))


def _lane(run: Run) -> dict[str, object]:
    """Return a method on 4x4 with its times, the study's and ours, as bars."""
    printed = run.method.printed_seconds.get(run.side)
    return {
        "run": run,
        "printed": printed and pictures.bar(printed, "bar-printed"),
        "ours": run.found and pictures.bar(run.found.seconds, "bar-ours"),
    }


def _step_pictures() -> tuple[tuple[Picture, ...], ...]:
    """Return what illustrates each step of the ladder, on the study's own examples."""
    return (
        (pictures.fates(),),
        (pictures.half(""),),
        (pictures.half("22 33 44", other=True),),
        (pictures.ending(4, PRINTED[-1]),),
        (pictures.numbered("22 33 23 34"), pictures.numbered("22 33 34 23")),
    )


def _transposed(board: int, side: int) -> int:
    """Return a set of cells mirrored in the diagonal from the top left."""
    cells = [divmod(at, side) for at in range(side * side) if board >> at & 1]
    return sum(1 << (column * side + row) for row, column in cells)


@cache
def _drawn() -> dict[str, object]:
    """Return the drawings that take a moment to work out; they never change."""
    kind = get_kind(SLUG)
    small = kind.read(methods.position_text(3))
    figures = stored(TonariFigures).figures
    boards = [pictures.after(4, line).occupied for line in PRINTED]
    twins = [
        (i, j) for i, j in combinations(range(len(boards)), 2)
        if _transposed(boards[i], 4) == boards[j]
    ]  # fmt: skip
    paired = {number for pair in twins for number in pair}
    return {
        "start": kind.draw(pictures.after(4, "")),
        "solved": kind.draw(pictures.after(4, SOLVED)),
        "printed": [
            {
                "number": i + 1,
                "line": line,
                "picture": pictures.ending(4, line, axis=i in paired),
                "twin": next((sum(pair) - i + 1 for pair in twins if i in pair), None),
            }
            for i, line in enumerate(PRINTED)
        ],
        "twins": [
            {"picture": pictures.ending(4, PRINTED[i], axis=True), "number": i + 1}
            for pair in twins
            for i in pair
        ],
        "sets": pictures.sets(small, figures.sets),
        "set_count": sum(map(len, figures.sets)),
        "lost_count": sum(not one.futures for layer in figures.sets for one in layer),
        "small_classes": [
            (one.orders, pictures.flips(3, one.arrows)) for one in figures.small_classes
        ],
        "classes": [
            (one.orders, pictures.flips(4, one.arrows), one.is_own_mirror)
            for one in figures.classes
        ],
        "class_sum": sum(one.orders for one in figures.classes),
    }
