"""The page on the study 連数最大化問題: its tables beside ours, its proofs, its programme."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.http import Request
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.learn import maxstrings_pictures as pictures
from puzzleclass.learn.figures import BestStrings, MaxStringsFigures, duration_in_words, stored
from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.learn.maxstrings_compared import compared_figures
from puzzleclass.learn.maxstrings_compared import rows as printed_rows
from puzzleclass.learn.study_figures import StudyFigures
from solvers.maxstrings import study
from solvers.maxstrings.maximum import FORMULA_FROM, LARGEST, most_strings
from solvers.maxstrings.rules import score
from solvers.maxstrings.study import BOARDS, FIGURES, FIRST_TABLE, FORMS, GLPK_SECONDS, SECOND_TABLE
from solvers.message import Message, gettext_noop
from solvers.picture import Picture

KIND = "maxstrings"
SHOWN_SIDE = 7
"""The side of the board that is open at first: the study's first misprint."""
MISPRINTS = (7, 8, 15)
DEFAULT_SIDE = 30
LONGEST_DRAWN = 40
"""The most rows or columns of a board that is drawn."""

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
"""What a teacher may ask about a board -> the kind's question, its options, and its title here."""


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure of the study."""

    value: int | None
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """The row of the table for the n x n board."""

    n: int

    @property
    def most(self) -> int:
        return most_strings(self.n, self.n)

    @property
    def empty(self) -> int:
        return self.n**2 - self.most

    @property
    def printed(self) -> list[PrintedFigure]:
        """The values in the study's table 1, in its table 2 and in the captions of its figures."""
        values = [source.get(self.n) for source in (FIRST_TABLE, SECOND_TABLE, FIGURES)]
        return [PrintedFigure(value, value not in (None, self.most)) for value in values]

    @property
    def forms(self) -> int | None:
        return FORMS[self.n - 1] if self.n <= len(FORMS) else None

    @property
    def glpk(self) -> float | None:
        """The time that GLPK took, in seconds, as in the study's table 1."""
        return GLPK_SECONDS.get(self.n)

    @property
    def counted(self) -> int:
        """The number of strings on the board that is shown, counted by the rules."""
        return score(tuple(BOARDS[self.n - 1].split("/")))

    @property
    def found(self) -> BestStrings | None:
        """Our own result; None for boards that are too large for the workers."""
        best = stored(MaxStringsFigures).figures.best
        return best[self.n - 1] if self.n <= len(best) else None

    @property
    def time(self) -> Message | None:
        """The time that our own result took."""
        return duration_in_words(self.found.seconds) if self.found else None

    @property
    def picture(self) -> Picture:
        return pictures.best_board(BOARDS[self.n - 1])


@dataclass(frozen=True)
class BoardQuestion:
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
        """Whether the user waits for the answer, or should read why there is none."""
        return self.is_mine and not self.is_answered

    @property
    def bounds(self) -> Message | None:
        """The bounds that are known while the job runs."""
        return self.job.note_message if self.job and not self.job.has_ended else None

    @property
    def seconds(self) -> float | None:
        return self.job.seconds if self.job else None


def _side_field(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=10_000, initial=DEFAULT_SIDE)


class SizeForm(forms.Form):
    rows = _side_field(pgettext_lazy("of points", "Rows"))
    columns = _side_field(pgettext_lazy("of points", "Columns"))


@require_http_methods(["GET", "POST"])
@cache_for_guests("n")
def learn_maxstrings(request: Request) -> HttpResponse:
    """Show the page. A POST asks a worker a question about the open board."""
    if request.method == "POST":
        return ask(request)
    n = read_side(request.GET.get("n"))
    context = {
        "board": TableRow(n),
        "asked": board_questions(request.user, n),
        "can_ask": n <= LARGEST,
    }
    context["sides"] = range(1, len(BOARDS) + 1)
    if request.htmx:
        return render(request, "learn/_maxstrings_board.html", context)
    size = SizeForm(request.GET if "rows" in request.GET else None)
    others = stored(StudyFigures)
    return render(
        request,
        "learn/maxstrings.html",
        context
        | {
            "rows": [TableRow(n) for n in range(1, len(BOARDS) + 1)],
            "misprints": [TableRow(n) for n in MISPRINTS],
            "proof": proof_pictures(),
            "frames": frames(),
            "light": lamp_pictures(),
            "size_form": size,
            "size": requested_size_facts(size),
            "words": count_words(LARGEST),
            "record": TableRow(LARGEST),
            "printed_rows": printed_rows(others.figures),
            "printed": compared_figures(),
            "positions": others.figures.positions,
            "others_run": others.run,
            "run": stored(MaxStringsFigures).run,
            "example": study.programme(("..", "..")).lp,
        },
    )


@require_GET
def learn_maxstrings_lp(request: HttpRequest, n: int) -> HttpResponse:
    """Return the integer programme of an n x n board as a file; `?cuts=1` adds the study's cuts."""
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
    n = read_side(request.POST.get("n"))
    key = request.POST.get("question", "")
    if key not in QUESTIONS or n > LARGEST:
        raise Http404
    ask_about_square(request.user, n, key)
    return redirect(f"{reverse('learn_maxstrings')}?n={n}#board")


def ask_about_square(teacher: User, n: int, key: str) -> None:
    """Ask one of `QUESTIONS` about the empty n x n board."""
    question, options, _name = QUESTIONS[key]
    jobs.ask(teacher, KIND, question, f"{n}x{n}", options)


def read_side(text: str | None) -> int:
    """Return the side that the text asks for, or `SHOWN` if the text is not a valid side."""
    sides = {str(n): n for n in range(1, len(BOARDS) + 1)}
    return sides.get(text or "", SHOWN_SIDE)


def board_questions(user: User | AnonymousUser, n: int) -> list[BoardQuestion]:
    """Return the questions about an n x n board; none if it is too large for the workers."""
    if n > LARGEST:
        return []
    found = []
    for key, (question, options, title) in QUESTIONS.items():
        job = jobs.find(KIND, question, f"{n}x{n}", options)
        is_mine = job is not None and job.askers.filter(pk=user.pk).exists()
        found.append(BoardQuestion(key, title, job, is_mine))
    return found


def requested_size_facts(form: SizeForm) -> dict[str, object]:
    """Return the facts about the size in the form, or nothing if the form is not valid."""
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
    from solvers.maxstrings import best  # loads NumPy, 11 MB that no other page needs

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
def lamp_pictures() -> dict[str, Picture]:
    """Return the pictures of one lamp, of the lamps of the best 7x7 board, and of the pattern."""
    return {
        "one": pictures.one_lamp(),
        "seven": pictures.lamps(tuple(BOARDS[6].split("/"))),
        "crosses": pictures.crosses(10),
    }


def count_words(n: int) -> int:
    """Return the number of words of length n (see `solvers.maxstrings.checkerboard`)."""
    first, rest, total = 0, 1, 1
    for _length in range(n):
        first, rest, total = first + rest, total, 2 * (first + rest) + total
    return total
