"""The page of results that are published nowhere, and of questions that are still open."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from puzzleclass.http import Request
from puzzleclass.studies.figures import stored
from puzzleclass.studies.goishi_pictures import board, two_lines
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.pages import GOISHI, GalleryBoard, gallery, run, show_study
from puzzleclass.studies.result_figures import FullBoard, NewResults


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


@require_GET
@cache_for_guests()
def study_results(request: Request) -> HttpResponse:
    """Show the results, each with its proof or its program."""
    results = stored(NewResults)
    figures = results.figures
    tonari = {(each.rows, each.columns): each.orders for each in figures.tonari}
    lines = [size for size in figures.sizes if size.rows == 2]
    smallest = next(each for each in figures.few if each.different)
    parts = {
        **two_lines(),
        "lines": [
            (
                *(size.columns, size.all.boards, size.all.solvable),
                *(solvable_on_two_lines(size.columns), size.all.unique),
                *(size.full, full_on_two_lines(size.columns)),
            )
            for size in lines
        ],
        "longest": lines[-1].columns,
        "longest.boards": lines[-1].all.boards,
        "none": max(each.stones for each in figures.few if not each.different),
        "few.stones": tuple(str(each.stones) for each in figures.few),
        "few": tuple(each.different for each in figures.few),
        "few.most": max(each.stones for each in figures.few),
        "smallest": gallery(
            request, (GalleryBoard(board(text), puzzle=text) for text in smallest.examples), GOISHI
        ),
        "sizes": [
            (
                f"{size.rows} × {size.columns}",
                *(size.all.boards, size.all.solvable, size.all.unique),
                *(size.most_unique_stones, size.solutions, size.most, size.full),
            )
            for size in figures.sizes
            if size.rows > 2
        ],
        **{f"sequence.{name}": f"`{terms}`" for name, terms in sequences(figures.full).items()},
        "tonari.48": tonari[4, 8],
        "tonari.57": tonari[5, 7],
        "tonari": [(f"{e.rows} × {e.columns}", e.orders, e.classes) for e in figures.tonari],
        "run": run(results.run),
    }
    return show_study(request, "results", parts)


def sequences(full: Iterable[FullBoard]) -> dict[str, str]:
    """Return full boards as the OEIS writes integer sequences: the square boards, those of 2, 3, 4
    and 5 rows, and all of them as a triangle. The first n of each is 1."""
    counts = {(1, 1): 1} | {(each.rows, each.columns): each.solutions for each in full}

    def of(*sizes: tuple[int, int]) -> str:
        return ", ".join(str(counts[min(size), max(size)]) for size in sizes)

    largest = max(rows for rows, columns in counts if rows == columns)
    values = {"square": of(*((n, n) for n in range(1, largest + 1)))}
    for rows in range(2, largest):
        last = max(columns for each, columns in counts if each == rows)
        values[str(rows)] = of(*((rows, n) for n in range(1, last + 1)))
    triangle = ((k, n) for n in range(1, largest + 1) for k in range(1, n + 1))
    return values | {"triangle": of(*triangle)}
