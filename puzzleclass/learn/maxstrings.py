"""The study 連数最大化問題: its tables beside ours, its proofs in pictures, its programme."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import Request, SignedInRequest
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.learn import maxstrings_pictures as pictures
from puzzleclass.learn.figures import BestStrings, MaxStringsFigures, in_words, stored
from solvers.maxstrings import best, study
from solvers.maxstrings.maximum import FORMULA_FROM, LARGEST, most_strings
from solvers.maxstrings.rules import score
from solvers.maxstrings.study import BOARDS, FIGURES, FIRST_TABLE, FORMS, SECOND_TABLE, SECONDS
from solvers.message import Message, gettext_noop
from solvers.picture import Picture

KIND = "maxstrings"
SHOWN = 7
"""The board that is open at first: the study's first misprint."""
MISPRINTS = (7, 8, 15)
DEFAULT_SIDE = 30
LONGEST_DRAWN = 40
"""Rows or columns of the boards of any size that are drawn."""

QUESTIONS = {
    "best": ("best", {}, gettext_noop("The maximum, with a proof")),
    "count": ("count", {}, gettext_noop("The number of best forms")),
    "programme": (
        "model",
        {"cuts": "no", "solver": "highs"},
        gettext_noop("The integer programme, by HiGHS"),
    ),
    "cuts": (
        "model",
        {"cuts": "yes", "solver": "highs"},
        gettext_noop("The integer programme with the symmetry cuts, by HiGHS"),
    ),
}
"""What a teacher may ask of a board -> the kind's question, its options, and its name here."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure of the study."""

    value: int | None
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of the table."""

    n: int

    @property
    def most(self) -> int:
        return most_strings(self.n, self.n)

    @property
    def empty(self) -> int:
        return self.n**2 - self.most

    @property
    def printed(self) -> list[Printed]:
        """Table 1, table 2, the captions of the figures."""
        values = [source.get(self.n) for source in (FIRST_TABLE, SECOND_TABLE, FIGURES)]
        return [Printed(value, value not in (None, self.most)) for value in values]

    @property
    def forms(self) -> int | None:
        return FORMS[self.n - 1] if self.n <= len(FORMS) else None

    @property
    def glpk(self) -> float | None:
        """Seconds, as in the study's table 1."""
        return SECONDS.get(self.n)

    @property
    def counted(self) -> int:
        """The strings of the board that is shown, by the rules."""
        return score(tuple(BOARDS[self.n - 1].split("/")))

    @property
    def found(self) -> BestStrings | None:
        """How we found the maximum; None for boards larger than workers take."""
        best = stored(MaxStringsFigures).figures.best
        return best[self.n - 1] if self.n <= len(best) else None

    @property
    def time(self) -> Message | None:
        """What that took."""
        return in_words(self.found.seconds) if self.found else None

    @property
    def picture(self) -> Picture:
        return pictures.best_board(BOARDS[self.n - 1])


@dataclass(frozen=True)
class Asked:
    """A question about the board that is open, and what is known of its answer."""

    key: str
    title: str
    job: Job | None
    is_mine: bool

    @property
    def is_answered(self) -> bool:
        return self.job is not None and self.job.state == Job.State.DONE

    @property
    def has_card(self) -> bool:
        """The user waits for it, or should hear why there is no answer."""
        return self.is_mine and not self.is_answered

    @property
    def bounds(self) -> Message | None:
        """The bounds that are known while it runs."""
        return self.job.note_message if self.job and not self.job.has_ended else None

    @property
    def seconds(self) -> float | None:
        return self.job.seconds if self.job else None


def _side(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=10_000, initial=DEFAULT_SIDE)


class SizeForm(forms.Form):
    rows = _side(_("Rows"))
    columns = _side(_("Columns"))


@require_http_methods(["GET", "POST"])
def learn_maxstrings(request: Request) -> HttpResponse:
    """The page; a POST puts a question about the open board to the worker."""
    if request.method == "POST":
        return ask(request)
    n = open_board(request.GET.get("n"))
    context = {"board": TableRow(n), "asked": asked(request.user, n), "can_ask": n <= LARGEST}
    context["sides"] = range(1, len(BOARDS) + 1)
    if request.htmx:
        return render(request, "learn/_maxstrings_board.html", context)
    size = SizeForm(request.GET if "rows" in request.GET else None)
    return render(
        request,
        "learn/maxstrings.html",
        context
        | {
            "rows": [TableRow(n) for n in range(1, len(BOARDS) + 1)],
            "misprints": [TableRow(n) for n in MISPRINTS],
            "proof": proof_pictures(),
            "frames": frames(),
            "light": light_pictures(),
            "size_form": size,
            "size": any_size(size),
            "words": words(LARGEST),
            "record": TableRow(LARGEST),
            "run": stored(MaxStringsFigures).run,
            "example": study.programme(("..", "..")).lp,
        },
    )


@require_GET
def learn_maxstrings_lp(request: HttpRequest, n: int) -> HttpResponse:
    """The integer programme of an n x n board as a file; with the study's cuts on `?cuts=1`."""
    if not 1 <= n <= LARGEST:
        raise Http404
    has_cuts = request.GET.get("cuts") == "1"
    file = study.programme(("." * n,) * n, cuts=has_cuts).lp
    name = f"max-strings-{n}{'-cuts' if has_cuts else ''}.lp"
    return HttpResponse(
        file,
        content_type="text/plain; charset=ascii",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@for_teachers("POST")
def ask(request: SignedInRequest) -> HttpResponse:
    n = open_board(request.POST.get("n"))
    key = request.POST.get("question", "")
    if key not in QUESTIONS or n > LARGEST:
        raise Http404
    ask_about_square(request.user, n, key)
    return redirect(f"{reverse('learn_maxstrings')}?n={n}#board")


def ask_about_square(teacher: User, n: int, key: str) -> None:
    """Have one of `QUESTIONS` answered for the empty n x n board."""
    question, options, _name = QUESTIONS[key]
    jobs.ask(teacher, KIND, question, f"{n}x{n}", options)


def open_board(text: str | None) -> int:
    """Return the side of the board that is asked for; the first misprint's for anything else."""
    sides = {str(n): n for n in range(1, len(BOARDS) + 1)}
    return sides.get(text or "", SHOWN)


def asked(user: User | AnonymousUser, n: int) -> list[Asked]:
    """Return the questions about an n x n board; none above the largest that workers take."""
    if n > LARGEST:
        return []
    found = []
    for key, (question, options, title) in QUESTIONS.items():
        job = jobs.find(KIND, question, f"{n}x{n}", options)
        is_mine = job is not None and job.askers.filter(pk=user.pk).exists()
        found.append(Asked(key, title, job, is_mine))
    return found


def any_size(form: SizeForm) -> dict[str, object]:
    """Return the maximum of a board of any size, and a good board where it can be drawn; nothing
    for sizes that can't be read."""
    if not form.is_bound:
        return size_facts(DEFAULT_SIDE, DEFAULT_SIDE)
    if not form.is_valid():
        return {}
    return size_facts(form.cleaned_data["rows"], form.cleaned_data["columns"])


@lru_cache(64)
def size_facts(rows: int, columns: int) -> dict[str, object]:
    most = most_strings(rows, columns)
    facts: dict[str, object] = {
        "rows": rows,
        "columns": columns,
        "points": rows * columns,
        "most": most,
        "empty": rows * columns - most,
        "by_formula": min(rows, columns) >= FORMULA_FROM,
        "by_period": min(rows, columns) < FORMULA_FROM and max(rows, columns) > LARGEST,
    }
    if max(rows, columns) > LONGEST_DRAWN:
        return facts
    board = best.good_board(rows, columns)
    gap = most - score(board)
    return facts | {"picture": pictures.board(board), "drawn": most - gap, "gap": gap}


@cache
def frames() -> list[dict[str, object]]:
    return pictures.lemma_frames()


@cache
def proof_pictures() -> dict[str, Picture]:
    return pictures.proof_of_four()


@cache
def light_pictures() -> dict[str, Picture]:
    """Return the pictures of the lamps: one, those of the best board of seven lines, the endless
    pattern."""
    return {
        "one": pictures.one_lamp(),
        "seven": pictures.lamps(tuple(BOARDS[6].split("/"))),
        "crosses": pictures.crosses(10),
    }


def words(n: int) -> int:
    """Return the number of words of length n (see `solvers.maxstrings.checkerboard`)."""
    first, rest, total = 0, 1, 1
    for _length in range(n):
        first, rest, total = first + rest, total, 2 * (first + rest) + total
    return total
