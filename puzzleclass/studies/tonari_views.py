"""The page on Tonari Othello: how a search that took 30 days became instant."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import floor, log10

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.http import Request
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.studies import tonari_methods as methods
from puzzleclass.studies import tonari_pictures as pictures
from puzzleclass.studies.figures import (
    Endings,
    FlipClass,
    MethodRun,
    TonariFigures,
    duration_in_words,
    stored,
)
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.pages import GalleryBoard, figure, gallery, run, show_study
from puzzleclass.studies.printed_figures import PrintedFigures
from puzzleclass.studies.tonari_methods import SLUG, Method
from solvers.answers import Answer
from solvers.kind import Cell
from solvers.message import Message, gettext_noop
from solvers.registry import get_kind
from solvers.tonari import rules

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


SMALL_PRINTED = ("12 21 22 23 32", "22 13 31 33")
"""The two solutions of 3x3 as the study prints them."""

FAILED = "12 13 21 22 23 31 32 33"
"""An order on 3x3 that leaves white stones."""

LAST_FIGURES = {3: 2, 4: 10, 5: 203}
"""Side -> the last figure of the ladder, as the study prints it."""


@require_GET
@cache_for_guests()
def study_tonari(request: Request) -> HttpResponse:
    """Show the study's search, its ladder and the methods after it, with the measured times."""
    results, others = stored(TonariFigures), stored(PrintedFigures)
    run_of = {(run.method, run.side): run for run in results.figures.runs}
    keys = {run: _job_key(method, side) for run, (method, side) in _repeatable_runs().items()}
    jobs = services.find_all(keys.values())

    def figures_of(method: Method, *sides: int) -> list[MethodFigure]:
        runs = [(method.slug, side) for side in sides or (3, 4)]
        return [
            MethodFigure(
                method, run[1], run_of.get(run), jobs.get(keys[run]) if run in run_of else None
            )
            for run in runs
        ]

    def boxes(figures: Iterable[MethodFigure], *, named: bool = False) -> SafeString:
        context = {"runs": list(figures), "has_names": named}
        return render_to_string("studies/_tonari_runs.html", context, request)

    plain, race = figures_of(methods.PLAIN), methods.METHODS[:-1]
    lanes = [_race_lane(each) for method in race for each in figures_of(method, 4)]
    larger = (
        *figures_of(methods.PRUNINGS[-1], 5),
        *figures_of(methods.PLAIN, 5),
        *figures_of(methods.COMPILED, 5, 6),
        *figures_of(methods.ORDERS, 5, 6),
        *figures_of(methods.ARROWS, 5, 6),
    )
    parts = {
        **_drawings(),
        **_galleries(request),
        **_compared(results.figures, others.figures),
        "race": render_to_string("studies/_race.html", {"lanes": lanes}),
        "race.printed": figures_of(methods.EVERY_ORDER, 4)[0].printed_time,
        "race.ours": plain[1].time,
        "black": run_of["plain", 4].count,
        "runs.every": boxes(figures_of(methods.EVERY_ORDER)),
        **{f"runs.{n}": boxes(figures_of(method)) for n, method in enumerate(methods.PRUNINGS, 1)},
        "runs.ladder": boxes(figures_of(methods.LADDER, 3, 4, 5)),
        "runs.plain": boxes(plain),
        "runs.compiled": boxes((*figures_of(methods.COMPILED), *figures_of(methods.ORDERS))),
        "runs.arrows": boxes(figures_of(methods.ARROWS)),
        "runs.larger": boxes(larger, named=True),
        "last": [_last_row(each) for each in results.figures.endings],
        "run": run(results.run),
        "run.printed": run(others.run),
    }
    return show_study(request, "tonari", parts)


def _last_row(each: Endings) -> tuple[object, ...]:
    """Return the study's last figure for a board, and the true numbers beside it."""
    printed = LAST_FIGURES[each.side]
    verdict = "right" if printed == each.up_to_mirror else "wrong"
    return (
        f"{each.side} × {each.side}",
        f"{printed} {{{{ {verdict} }}}}",
        f"**{each.up_to_mirror}**",
        each.boards,
    )


def _compared(figures: TonariFigures, others: PrintedFigures) -> dict[str, object]:
    """Return our figures beside those that the study prints."""
    counts = {(each.method, each.side): each.count for each in figures.runs}
    left = {each.side: each for each in others.left_out}
    parts: dict[str, object] = {}
    for side in methods.ORDERS.sides:
        black, orders = (counts[each.slug, side] for each in (methods.COMPILED, methods.ORDERS))
        parts[f"share.{side}"] = f"{_written_out(100 * black / orders)}%"
        parts |= {f"black.{side}": black, f"orders.{side}": orders}
    return parts | {
        "second": ", ".join(_names(rules.moves(pictures.position_after(4, "")))),
        "tenth": len(list(rules.moves(pictures.position_after(4, "22 33 44")))),
        "left.4": f"{left[4].boards[0][0]}–{left[4].boards[-1][0]}",
        "left.3a": left[3].boards[0][0],
        "left.3b": left[3].boards[-1][0],
        "left.5a": left[5].boards[0][0],
        "left.5b": left[5].boards[-1][0],
        "closed": left[4].first_closed,
    }


def _names(cells: Iterable[Cell]) -> list[str]:
    return [f"{row + 1}{column + 1}" for row, column in cells]


def _written_out(percent: float) -> str:
    """Return a percentage below 10 with three digits that count, without a power of ten."""
    return f"{percent:.{2 - floor(log10(percent))}f}"


@require_http_methods(["GET", "POST"])
def study_tonari_run(request: Request, method: str, side: int) -> HttpResponse:
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
        return redirect(f"{reverse('study_tonari')}#run-{method.slug}-{side}")
    runs = {(run.method, run.side): run for run in stored(TonariFigures).figures.runs}
    key = _job_key(method, side)
    figure = MethodFigure(
        method, side, runs.get((method.slug, side)), services.find_all([key]).get(key)
    )
    return render(request, "studies/_tonari_run.html", {"run": figure})


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


def _transposed(board: int, side: int) -> int:
    """Return a set of cells, mirrored in the diagonal from the top left."""
    cells = [divmod(at, side) for at in range(side * side) if board >> at & 1]
    return sum(1 << (column * side + row) for row, column in cells)


@cache
def _drawings() -> dict[str, object]:
    """Return the drawings that take a moment to make. They never change, so they are cached."""
    kind = get_kind(SLUG)
    figures = stored(TonariFigures).figures
    small, large = ([each.orders for each in found]
                    for found in (figures.small_classes, figures.classes))  # fmt: skip
    return {
        "start": kind.draw(pictures.position_after(4, "")),
        "solved": kind.draw(pictures.position_after(4, SOLVED)),
        "failed": kind.draw(pictures.position_after(3, FAILED)),
        "step.1": pictures.empty_neighbours(),
        "step.2": pictures.symmetric_half(""),
        "step.3": pictures.symmetric_half("22 33 44", other=True),
        "step.4": pictures.ending(4, PRINTED[-1]),
        "step.5a": pictures.numbered("22 33 23 34"),
        "step.5b": pictures.numbered("22 33 34 23"),
        "sets": figure(
            pictures.sets(kind.read(methods.position_text(3)), figures.sets), scrolls=True
        ),
        "sets.count": sum(map(len, figures.sets)),
        "sets.lost": sum(not one.futures for layer in figures.sets for one in layer),
        "classes.sum3": " + ".join(map(str, small)),
        "classes.sum4": sum(large),
    }


def twins() -> list[tuple[int, int]]:
    """Return the pairs of `PRINTED` that are mirror images of each other, counted from 1."""
    boards = [pictures.position_after(4, line).occupied for line in PRINTED]
    pairs = combinations(enumerate(boards, 1), 2)
    return [(i, j) for (i, first), (j, second) in pairs if _transposed(first, 4) == second]


def _galleries(request: Request) -> dict[str, object]:
    figures = stored(TonariFigures).figures
    twin_of = {one: other for pair in twins() for one, other in (pair, pair[::-1])}

    def printed(number: int, line: str) -> GalleryBoard:
        twin = twin_of.get(number)
        text = Message("mirror image of {n}", {"n": twin}) if twin else ""
        picture = pictures.ending(4, line, axis=bool(twin))
        return GalleryBoard(picture, str(number), text, is_marked=bool(twin))

    def classes(side: int, found: Iterable[FlipClass]) -> SafeString:
        return gallery(
            request,
            (
                GalleryBoard(
                    pictures.flips(side, one.arrows),
                    Message("{n} orders", {"n": f"{one.orders:,}"}),
                    gettext_noop("its own mirror image") if side > 3 and one.is_own_mirror else "",
                )
                for one in found
            ),
        )

    return {
        "printed.3": gallery(
            request,
            (GalleryBoard(pictures.ending(3, line), f"11 {line}") for line in SMALL_PRINTED),
        ),
        "printed.4": gallery(request, (printed(n, line) for n, line in enumerate(PRINTED, 1))),
        "twins": gallery(
            request,
            (
                GalleryBoard(
                    pictures.ending(4, PRINTED[number - 1], axis=True),
                    Message("Solution {n} of the study", {"n": number}),
                )
                for pair in twins()
                for number in pair
            ),
        ),
        "classes.3": classes(3, figures.small_classes),
        "classes.4": classes(4, figures.classes),
    }
