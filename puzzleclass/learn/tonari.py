"""The page on Tonari Othello: how a search that took 30 days became instant."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.http import Request
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.learn import tonari_methods as methods
from puzzleclass.learn import tonari_pictures as pictures
from puzzleclass.learn.figures import MethodRun, TonariFigures, duration_in_words, stored
from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.learn.study_figures import StudyFigures
from puzzleclass.learn.tonari_compared import compared_figures
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
"""The last solution of `PRINTED`, with its closed points filled in as they come up."""


@dataclass(frozen=True, slots=True)
class MethodFigure:
    """A method on a square board, with the study's figures, our own, and a run on this site."""

    method: Method
    side: int
    found: MethodRun | None
    """Our own run; None for every order on 4x4, which would take 30 days again."""
    job: Job | None = None
    """The job in which a worker repeats the run, if somebody has asked for one."""

    @property
    def slug(self) -> str:
        return f"{self.method.slug}-{self.side}"

    @property
    def time(self) -> Message | None:
        return duration_in_words(self.found.seconds) if self.found else None

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.has_ended

    @property
    def time_here(self) -> Message | None:
        """The time that the worker took."""
        if self.job is None or self.job.seconds is None or not self.job.known(Answer).proven:
            return None
        return duration_in_words(self.job.seconds)

    @property
    def printed_count(self) -> int | None:
        return self.method.printed_counts.get(self.side)

    @property
    def printed_time(self) -> Message | None:
        seconds = self.method.printed_seconds.get(self.side)
        return None if seconds is None else duration_in_words(seconds)

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
    run: MethodFigure

    @property
    def agrees(self) -> bool:
        return self.printed == self.up_to_mirror


@require_GET
@cache_for_guests()
def learn_tonari(request: HttpRequest) -> HttpResponse:
    """Show the study's search, its ladder and the methods after it, with the measured times."""
    stored_figures, others = stored(TonariFigures), stored(StudyFigures)
    found = {(run.method, run.side): run for run in stored_figures.figures.runs}
    keys = {run: _job_key(method, side) for run, (method, side) in _repeatable_runs().items()}
    jobs = services.find_all(keys.values())

    def figures_of(method: Method, *sides: int) -> list[MethodFigure]:
        runs = [(method.slug, side) for side in sides or (3, 4)]
        return [
            MethodFigure(
                method, run[1], found.get(run), jobs.get(keys[run]) if run in found else None
            )
            for run in runs
        ]

    context = {
        "run": stored_figures.run,
        "plain": figures_of(methods.PLAIN),
        "every_order": figures_of(methods.EVERY_ORDER),
        "race": [
            _race_lane(run) for method in methods.METHODS[:-1] for run in figures_of(method, 4)
        ],
        "ladder": [
            {"number": i, "name": name, "text": text, "pictures": drawn, "runs": figures_of(method)}
            for i, ((name, text), drawn, method) in enumerate(
                zip(STEPS, _step_pictures(), methods.PRUNINGS), 1
            )
        ],
        "compiled": [*figures_of(methods.COMPILED), *figures_of(methods.ORDERS)],
        "arrows": figures_of(methods.ARROWS),
        "last": [
            LastFigure(each.side, printed, each.boards, each.up_to_mirror, run)
            for each, printed, run in zip(
                stored_figures.figures.endings,
                (2, 10, 203),
                figures_of(methods.LADDER, 3, 4, 5),
                strict=True,
            )
        ],
        "larger": [
            *figures_of(methods.PRUNINGS[-1], 5),
            *figures_of(methods.PLAIN, 5),
            *figures_of(methods.COMPILED, 5, 6),
            *figures_of(methods.ORDERS, 5, 6),
            *figures_of(methods.ARROWS, 5, 6),
        ],
        "compared": compared_figures(stored_figures.figures, others.figures),
        "others_run": others.run,
        **_drawings(),
    }
    return render(request, "learn/tonari.html", context)


@require_http_methods(["GET", "POST"])
def learn_tonari_run(request: Request, method: str, side: int) -> HttpResponse:
    """Show the figures of one run. A teacher's POST asks a worker to repeat it."""
    if (method, side) not in _repeatable_runs():
        raise Http404
    run_method, _side = _repeatable_runs()[method, side]
    return (
        _repeat_run(request, run_method, side)
        if request.method == "POST"
        else _show_run(request, run_method, side)
    )


@cache
def _repeatable_runs() -> dict[tuple[str, int], tuple[Method, int]]:
    """Return slug and side -> method and side, for every run that a worker can repeat."""
    return {(each.slug, side): (each, side) for each in methods.METHODS for side in each.sides}


@for_teachers("POST")
def _repeat_run(request: SignedInRequest, method: Method, side: int) -> HttpResponse:
    board, options = methods.position_text(side), dict(method.options)
    services.ask(request.user, SLUG, method.question, board, options, again=True)
    return _show_run(request, method, side)


def _show_run(request: Request, method: Method, side: int) -> HttpResponse:
    if not request.htmx:
        return redirect(f"{reverse('learn_tonari')}#run-{method.slug}-{side}")
    found = {(run.method, run.side): run for run in stored(TonariFigures).figures.runs}
    key = _job_key(method, side)
    shown = MethodFigure(
        method, side, found.get((method.slug, side)), services.find_all([key]).get(key)
    )
    return render(request, "learn/_tonari_run.html", {"run": shown})


def _job_key(method: Method, side: int) -> str:
    """Return the key of the job in which a worker repeats the run."""
    kind = get_kind(SLUG)
    board = kind.write(kind.read(methods.position_text(side)))
    return job_key(SLUG, method.question, board, dict(method.options))


def _race_lane(run: MethodFigure) -> dict[str, object]:
    """Return a method on 4x4, with the study's time and ours as bars."""
    printed = run.method.printed_seconds.get(run.side)
    return {
        "run": run,
        "printed": printed and pictures.bar(printed, "bar-printed"),
        "ours": run.found and pictures.bar(run.found.seconds, "bar-ours"),
    }


def _step_pictures() -> tuple[tuple[Picture, ...], ...]:
    """Return the pictures of each step of the ladder, made from the study's own examples."""
    return (
        (pictures.empty_neighbours(),),
        (pictures.symmetric_half(""),),
        (pictures.symmetric_half("22 33 44", other=True),),
        (pictures.ending(4, PRINTED[-1]),),
        (pictures.numbered("22 33 23 34"), pictures.numbered("22 33 34 23")),
    )


def _transposed(board: int, side: int) -> int:
    """Return a set of cells, mirrored in the diagonal from the top left."""
    cells = [divmod(at, side) for at in range(side * side) if board >> at & 1]
    return sum(1 << (column * side + row) for row, column in cells)


@cache
def _drawings() -> dict[str, object]:
    """Return the drawings that take a moment to make. They never change, so they are cached."""
    kind = get_kind(SLUG)
    small = kind.read(methods.position_text(3))
    figures = stored(TonariFigures).figures
    boards = [pictures.position_after(4, line).occupied for line in PRINTED]
    twins = [
        (i, j) for i, j in combinations(range(len(boards)), 2)
        if _transposed(boards[i], 4) == boards[j]
    ]  # fmt: skip
    paired = {number for pair in twins for number in pair}
    return {
        "start": kind.draw(pictures.position_after(4, "")),
        "solved": kind.draw(pictures.position_after(4, SOLVED)),
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
