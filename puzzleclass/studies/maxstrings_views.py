"""The page on the study 連数最大化問題: its tables beside ours, its proofs, its programme."""

from functools import cache, lru_cache
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.http import Request
from puzzleclass.studies import maxstrings_pictures as pictures
from puzzleclass.studies.figures import MaxStringsFigures, duration_in_words, stored
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.maxstrings_printed import BOUNDS, GLPK, HALVED, printed_rows
from puzzleclass.studies.maxstrings_questions import (
    QUESTIONS,
    SHOWN_SIDE,
    ask_about_square,
    board_questions,
)
from puzzleclass.studies.pages import run, show_study, stepper
from puzzleclass.studies.printed_figures import PrintedFigures
from solvers.maxstrings import study
from solvers.maxstrings.maximum import FORMULA_FROM, LARGEST, most_strings
from solvers.maxstrings.rules import STONES, score
from solvers.maxstrings.study import BOARDS, FIGURES, FIRST_TABLE, FORMS, GLPK_SECONDS, SECOND_TABLE

DEFAULT_SIDE = 30
LONGEST_DRAWN = 40
"""The most rows or columns of a board that is drawn."""


def _side_field(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=10_000, initial=DEFAULT_SIDE)


class SizeForm(forms.Form):
    rows = _side_field(pgettext_lazy("of points", "Rows"))
    columns = _side_field(pgettext_lazy("of points", "Columns"))


@require_http_methods(["GET", "POST"])
@cache_for_guests("n")
def study_maxstrings(request: Request) -> HttpResponse:
    """Show the page. A POST asks a worker a question about the open board."""
    if request.method == "POST":
        return ask(request)
    n = read_side(request.GET.get("n"))
    context = {
        "n": n,
        "most": most_strings(n, n),
        "picture": pictures.best_board(BOARDS[n - 1]),
        "sides": range(1, len(BOARDS) + 1),
        "asked": board_questions(request.user, n),
        "can_ask": n <= LARGEST,
    }
    if request.htmx:
        return render(request, "studies/_maxstrings_board.html", context)
    form = SizeForm(request.GET if "rows" in request.GET else None)
    size = {"size_form": form, "size": requested_size_facts(form)}
    best, others = stored(MaxStringsFigures), stored(PrintedFigures)
    parts = {
        **_constant_parts(),
        **_table_parts(best.figures, others.figures),
        "size": render_to_string("studies/_maxstrings_size.html", size, request),
        "calculate": render_to_string("studies/_maxstrings_board.html", context, request),
        "run": run(best.run),
        "run.printed": run(others.run),
    }
    return show_study(request, "maxstrings", parts)


@cache
def _constant_parts() -> dict[str, object]:
    """Return the pictures and what follows from the rules. They take a moment to make."""
    return {
        **{f"proof.{name}": picture for name, picture in pictures.proof_of_four().items()},
        "light.one": pictures.one_lamp(),
        "light.seven": pictures.lamps(tuple(BOARDS[6].split("/"))),
        "light.crosses": pictures.crosses(10),
        **{f"pattern.{name}": picture for name, picture in pictures.patterns().items()},
        **{f"cut.{name}": picture for name, picture in pictures.cuts().items()},
        **{f"misprint.{n}": pictures.best_board(BOARDS[n - 1]) for n in (7, 8, 15)},
        **{f"counted.{n}": strings_on(n) for n in (7, 15)},
        "matrix": format_html("<pre>{}</pre>", matrix()),
        "example": format_html(
            '<section class="scroll" tabindex="0"><pre class="small">{}</pre></section>',
            study.programme(("..", "..")).lp,
        ),
        "words": count_words(LARGEST),
        "lines": LARGEST,
        "patterns": _patterns(LARGEST),
        "bound.day": BOUNDS["day"],
        "bound.cuts": BOUNDS["cuts"],
        "halved": HALVED,
        "halved.before": round(GLPK[HALVED].default),
        "halved.after": round(GLPK[HALVED].cuts_default),
        "saved": f"{1 - GLPK[HALVED].cuts_default / GLPK[HALVED].default:.0%}",
    }


def _table_parts(found: MaxStringsFigures, others: PrintedFigures) -> dict[str, object]:
    """Return the tables, and the steppers in the reader's language."""
    record = found.best[LARGEST - 1]
    return {
        "stepper": stepper("lemma", pictures.lemma_frames(pictures.MIXED)),
        "stepper.six": stepper("six", pictures.lemma_frames(pictures.SIX)),
        "record.time": duration_in_words(record.seconds),
        "record.most": record.most,
        "compared.8": found.best[7].compared,
        "maxima": [_maximum_row(n, found) for n in range(1, len(BOARDS) + 1)],
        "printed": printed_rows(others),
        "positions": [(each.n, each.patterns, each.legal, each.best) for each in others.positions],
    }


def _maximum_row(n: int, found: MaxStringsFigures) -> tuple[object, ...]:
    """Return the row of the table for the n x n board."""
    most = most_strings(n, n)
    printed = (source.get(n) for source in (FIRST_TABLE, SECOND_TABLE, FIGURES))
    return (
        f"[{n}](?n={n}#board)",
        f"**{most}**",
        n * n - most,
        *(value if value == most else f"~~{value}~~ {{{{ misprint }}}}" if value else ""
          for value in printed),
        FORMS[n - 1] if n <= len(FORMS) else "",
        round(GLPK_SECONDS[n]) if n in GLPK_SECONDS else "",
        duration_in_words(found.best[n - 1].seconds) if n <= len(found.best) else "",
    )  # fmt: skip


def strings_on(n: int) -> int:
    """Return the number of strings on our best board of n lines, counted by the rules."""
    return score(tuple(BOARDS[n - 1].split("/")))


def matrix() -> str:
    """Return the study's figure 12: the checkerboard that its six strings become, as 0 and 1."""
    *_, last = pictures.lemma_boards(pictures.SIX)
    return "\n".join(" ".join("01"[sign in STONES] for sign in row) for row in last)


def _patterns(n: int) -> str:
    patterns = 3 ** (n * n)
    power = len(str(patterns)) - 1
    return f"3^{n * n} ≈ {patterns / 10**power:.2f} × 10^{power}"


@require_GET
def study_maxstrings_lp(request: HttpRequest, n: int) -> HttpResponse:
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
    return redirect(f"{reverse('study_maxstrings')}?n={n}#board")


def read_side(text: str | None) -> int:
    """Return the side that the text asks for, or `SHOWN` if the text is not a valid side."""
    sides = {str(n): n for n in range(1, len(BOARDS) + 1)}
    return sides.get(text or "", SHOWN_SIDE)


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


def count_words(n: int) -> int:
    """Return the number of words of length n (see `solvers.maxstrings.checkerboard`)."""
    first, rest, total = 0, 1, 1
    for _length in range(n):
        first, rest, total = first + rest, total, 2 * (first + rest) + total
    return total
