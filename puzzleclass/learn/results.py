"""The page of results that are published nowhere, and of questions that are still open."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET

from puzzleclass.learn.figures import stored
from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.learn.open_questions import QUESTIONS
from puzzleclass.learn.result_figures import BoardCensus, FullBoard, NewResults
from puzzleclass.learn.results_pictures import few_stones, two_lines
from puzzleclass.tables.charts import NumberTable, Words, table


def solvable_on_two_lines(columns: int) -> int:
    """Return how many boards of two rows have a solution, by the formula that follows from the
    theorem of the page.

    Of the boards that reach over w >= 2 columns, 5 * 4^(w - 2) have two stones in an outer column,
    and 2 * 3^(w - 2) are chains from a lone stone to a lone stone. They are added up over all w
    and all places; 3 boards stand in each single column.
    """
    return int(10 * 4**columns + 9 * 3**columns + 6 * columns - 19) // 18


def full_on_two_lines(columns: int) -> int:
    """Return the number of solutions of a full board with two rows.

    The formula has not been proven. It fits all boards that have been counted so far.
    """
    return int(2 * 3**columns + 2**columns + 2 * (-1) ** columns) // 3


@dataclass(frozen=True, slots=True)
class Sequence:
    """Full boards as an integer sequence, as the OEIS writes them down."""

    name: Words
    terms: str
    offset: int
    """The n of the first term."""


@require_GET
@cache_for_guests()
def learn_results(request: HttpRequest) -> HttpResponse:
    """Show the results, each with its proof or its program."""
    kept = stored(NewResults)
    found = kept.figures
    tonari = {(each.rows, each.columns): each for each in found.tonari}
    lines = [size for size in found.sizes if size.rows == 2]
    context = {
        "run": kept.run,
        "pictures": two_lines(),
        "longest": lines[-1],
        "few": found.few,
        "few_pictures": few_stones(next(each for each in found.few if each.different)),
        "no_puzzle": max(each.stones for each in found.few if not each.different),
        "largest": max(found.few, key=lambda each: each.stones),
        "sequences": list(sequences(found.full)),
        "tonari_records": [tonari[4, 8], tonari[5, 7]],
        "tables": {
            "lines": _lines(lines),
            "sizes": _sizes(size for size in found.sizes if size.rows > 2),
            "few": table(
                [_("Stones"), *(str(each.stones) for each in found.few)],
                [[_("Puzzles with one solution"), *(each.different for each in found.few)]],
            ),
            "tonari": table(
                [_("Board"), _("Orders to all black"), _("Classes of orders")],
                ([f"{e.rows} × {e.columns}", e.orders, e.classes] for e in found.tonari),
            ),
        },
        "questions": QUESTIONS,
    }
    return render(request, "learn/results.html", context)


def _lines(sizes: Iterable[BoardCensus]) -> NumberTable:
    """Return the table of the boards on two lines: counted, and by the formulas."""
    return table(
        [
            "n",
            pgettext_lazy("their number", "Boards"),
            _("Can be solved"),
            _("By the formula"),
            _("Exactly one solution"),
            _("Solutions of the full board"),
            _("By the formula"),
        ],
        (
            [
                *(size.columns, size.all.boards, size.all.solvable),
                *(solvable_on_two_lines(size.columns), size.all.unique),
                *(size.full, full_on_two_lines(size.columns)),
            ]
            for size in sizes
        ),
    )


def _sizes(sizes: Iterable[BoardCensus]) -> NumberTable:
    """Return the table of the larger censuses."""
    return table(
        [
            _("Board"),
            pgettext_lazy("their number", "Boards"),
            _("Can be solved"),
            _("Exactly one solution"),
            _("Most stones with one solution"),
            _("Solutions of all boards together"),
            _("Most solutions"),
            _("Solutions of the full board"),
        ],
        (
            [
                f"{size.rows} × {size.columns}",
                *(size.all.boards, size.all.solvable, size.all.unique),
                *(size.most_unique_stones, size.solutions, size.most, size.full),
            ]
            for size in sizes
        ),
    )


def sequences(full: Iterable[FullBoard]) -> Iterator[Sequence]:
    """Yield the square boards, those of 2, 3, 4 and 5 rows, and all of them as a triangle."""
    counts = {(1, 1): 1} | {(each.rows, each.columns): each.solutions for each in full}

    def of(*sizes: tuple[int, int]) -> str:
        return ", ".join(str(counts[min(size), max(size)]) for size in sizes)

    largest = max(rows for rows, columns in counts if rows == columns)
    yield Sequence(_("n × n"), of(*((n, n) for n in range(1, largest + 1))), 1)
    for rows in range(2, largest):
        last = max(columns for each, columns in counts if each == rows)
        sizes = [(rows, n) for n in range(1, last + 1)]
        yield Sequence(f"{rows} × n", of(*sizes), 1)
    triangle = [(k, n) for n in range(1, largest + 1) for k in range(1, n + 1)]
    yield Sequence(_("n × k for k = 1 to n, read row by row"), of(*triangle), 1)
