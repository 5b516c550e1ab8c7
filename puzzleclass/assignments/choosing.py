"""What an assignment's puzzles can be chosen from."""

from collections.abc import Iterable

from puzzleclass.accounts.models import User
from puzzleclass.assignments.forms import Choice
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import goal_of
from puzzleclass.puzzles.models import Puzzle


def choices_for(
    teacher: User, given: Iterable[AssignedPuzzle] = (), preselected: str = ""
) -> list[Choice]:
    """Return the given boards, then the teacher's library without those that are given.

    `preselected` is the pk of a puzzle as it came in the address; anything else is ignored.
    """
    given = list(given)
    library = list(
        Puzzle.objects.filter(owner=teacher).exclude(
            pk__in=[board.puzzle_id for board in given if board.puzzle_id]
        )
    )
    given_counts, library_counts = known_counts(given), known_counts(library)
    # What brought the teacher here comes first.
    library.sort(key=lambda puzzle: str(puzzle.pk) != preselected)
    return [
        *(
            Choice(
                f"given-{board.pk}",
                board,
                given_counts.get(board.pk),
                chosen=True,
                place=str(board.number),
                mark=goal_of(board),
            )
            for board in given
        ),
        *(_from_library(b, library_counts.get(b.pk), preselected) for b in library),
    ]


def _from_library(puzzle: Puzzle, count: Count | None, preselected: str) -> Choice:
    mark = goal_of(puzzle)
    return Choice(
        f"library-{puzzle.pk}",
        puzzle,
        count,
        chosen=str(puzzle.pk) == preselected,
        mark=mark,
        typed_mark=mark.typed if mark else "",
    )
