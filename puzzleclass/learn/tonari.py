"""The page on Tonari Othello: how a search of 30 days became one of a blink."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.learn import tonari_pictures as pictures
from puzzleclass.learn import tonari_runs as runs
from puzzleclass.learn.tonari_runs import Run
from solvers.picture import Picture
from solvers.registry import get_kind
from solvers.tonari.lesson import endings, layers, mirrored, orientations
from solvers.tonari.study import STEPS

SECTION = {"section": "learn"}

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
class Last:
    """The ladder's last figure as the study prints it, and the true numbers beside it."""

    side: int
    printed: int
    endings: int | None
    up_to_mirror: int | None
    run: Run

    @property
    def agrees(self) -> bool:
        return self.printed == self.up_to_mirror


@require_GET
@never_cache
def learn_tonari(request: HttpRequest) -> HttpResponse:
    """The study's search, its ladder, and what comes after, with what was measured so far."""
    found = {(method.slug, side): runs.look_up(method, side) for method, side in runs.RUNS.values()}

    def of(method: runs.Method, *sides: int) -> list[Run]:
        return [found[method.slug, side] for side in sides or (3, 4)]

    plain = found["plain", 4]
    context = {
        "blink": plain,
        "every_order": [*of(runs.EVERY_ORDER, 3), Run(runs.EVERY_ORDER, 4)],
        "race": _race(found),
        "ladder": [
            {"number": i, "name": name, "text": text, "pictures": drawn, "runs": of(method)}
            for i, ((name, text), drawn, method) in enumerate(
                zip(STEPS, _step_pictures(), runs.PRUNINGS), 1
            )
        ],
        "plain": of(runs.PLAIN),
        "compiled": [*of(runs.COMPILED), *of(runs.ORDERS)],
        "arrows": of(runs.ARROWS),
        "last": _last(found),
        "larger": [
            *of(runs.PRUNINGS[-1], 5),
            *of(runs.PLAIN, 5),
            *of(runs.COMPILED, 5, 6),
            *of(runs.ORDERS, 5, 6),
            *of(runs.ARROWS, 5, 6),
        ],
        "missing": any(not run.is_quick and run.job is None for run in found.values()),
        **_drawn(),
    }
    return render(request, "learn/tonari.html", SECTION | context)


@require_http_methods(["GET", "POST"])
@never_cache
def learn_tonari_run(request: HttpRequest, method: str, side: int) -> HttpResponse:
    """One run's figures. A quick one is run anew by everybody; others a teacher's post asks for."""
    if (method, side) not in runs.RUNS:
        raise Http404
    run = Run(*runs.RUNS[method, side])
    if request.method == "POST":
        return _ask(request, run)
    if run.is_quick:
        runs.measure(run)
    return _shown(request, run)


@require_http_methods(["POST"])
@teacher_required
def learn_tonari_all(request: HttpRequest) -> HttpResponse:
    """Ask for everything on the page that nobody has asked for yet."""
    for method, side in runs.RUNS.values():
        run = runs.look_up(method, side)
        if not run.is_quick and run.job is None:
            runs.ask(request.user, run)
    return redirect("learn_tonari")


@teacher_required
def _ask(request: HttpRequest, run: Run) -> HttpResponse:
    if run.is_quick:
        raise Http404
    runs.ask(request.user, run)
    return _shown(request, run)


def _shown(request: HttpRequest, run: Run) -> HttpResponse:
    if request.htmx:
        run = runs.look_up(run.method, run.side)
        return render(request, "learn/_tonari_run.html", {"run": run})
    return redirect(f"{reverse('learn_tonari')}#run-{run.slug}")


def _race(found: Mapping[tuple[str, int], Run]) -> list[dict[str, object]]:
    """Return the methods on 4x4 with their times, the study's and ours, as bars."""
    lanes = []
    for method in runs.METHODS[:-1]:
        run = found.get((method.slug, 4)) or Run(method, 4)
        lanes.append(
            {
                "run": run,
                "printed": run.printed_seconds and pictures.bar(run.printed_seconds, "bar-printed"),
                "ours": run.seconds and pictures.bar(run.seconds, "bar-ours"),
            }
        )
    return lanes


def _step_pictures() -> tuple[tuple[Picture, ...], ...]:
    """Return what illustrates each step of the ladder, on the study's own examples."""
    return (
        (pictures.fates(),),
        (pictures.half(""),),
        (pictures.half("22 33 44", other=True),),
        (pictures.ending(4, PRINTED[-1]),),
        (pictures.numbered("22 33 23 34"), pictures.numbered("22 33 34 23")),
    )


def _last(found: Mapping[tuple[str, int], Run]) -> list[Last]:
    """Return the table of the ladder's last figures; 5x5 is counted by a worker."""
    rows = []
    for side, printed in ((3, 2), (4, 10)):
        boards = endings(get_kind(runs.SLUG).read(runs.position_text(side)))
        different = {min(board, _transposed(board, side)) for board in boards}
        rows.append(Last(side, printed, len(boards), len(different), found["ladder", side]))
    run = found["ladder", 5]
    details = run.answer["details"] if run.answer else {}
    numbers = [
        int(details[name]) if name in details else None
        for name in ("endings", "endings_up_to_symmetry")
    ]
    return [*rows, Last(5, 203, *numbers, run)]


def _transposed(board: int, side: int) -> int:
    """Return a set of cells mirrored in the diagonal from the top left."""
    cells = [divmod(at, side) for at in range(side * side) if board >> at & 1]
    return sum(1 << (column * side + row) for row, column in cells)


@cache
def _drawn() -> dict[str, object]:
    """Return the drawings that take a moment to work out; they never change."""
    kind = get_kind(runs.SLUG)
    small, board = kind.read(runs.position_text(3)), kind.read(runs.position_text(4))
    boards = [pictures.after(4, line).occupied for line in PRINTED]
    twins = [
        (i, j) for i, j in combinations(range(len(boards)), 2)
        if _transposed(boards[i], 4) == boards[j]
    ]  # fmt: skip
    paired = {number for pair in twins for number in pair}
    found = layers(small)
    classes = orientations(board)
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
        "sets": pictures.sets(small, found),
        "set_count": sum(map(len, found)),
        "lost_count": sum(not one.futures for layer in found for one in layer),
        "small_classes": [
            (one.orders, pictures.flips(3, list(one.arrows))) for one in orientations(small)
        ],
        "classes": [
            (one.orders, pictures.flips(4, list(one.arrows)), one.arrows == mirrored(one.arrows))
            for one in classes
        ],
        "class_sum": sum(one.orders for one in classes),
    }
