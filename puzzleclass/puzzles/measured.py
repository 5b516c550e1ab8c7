"""How often other classes have solved a board: the only figures that leave a class, if it shares
them."""

from collections.abc import Iterable

from django.db.models import Sum

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Teaching
from puzzleclass.puzzles.models import BoardFigures, Measured, Puzzle, fingerprint

LEAST_STUDENTS = 10
"""The fewest students of other teachers' classes, taken together, about whom a figure is shown."""


def measure(puzzles: Iterable[Puzzle], teacher: User) -> None:
    """Set `measured` of the puzzles where enough is known about the board. One query.

    The teacher's own classes are left out. Otherwise the teacher could subtract them, and would
    learn how the few remaining students did.
    """
    by_board: dict[str, list[Puzzle]] = {}
    for puzzle in puzzles:
        by_board.setdefault(fingerprint(puzzle.kind_slug, puzzle.position), []).append(puzzle)
    own = Teaching.objects.filter(teacher=teacher).values("classroom")
    rows = BoardFigures.objects.filter(
        classroom__shares_figures=True, classroom__deleted_at=None, fingerprint__in=by_board
    )
    sums = (
        rows.exclude(classroom__in=own)
        .values("fingerprint")
        .annotate(Sum("students"), Sum("solved"))
        .order_by()
    )
    for board, students, solved in sums.filter(students__sum__gte=LEAST_STUDENTS).values_list(
        "fingerprint", "students__sum", "solved__sum"
    ):
        for puzzle in by_board[board]:
            puzzle.measured = Measured(students, solved)
