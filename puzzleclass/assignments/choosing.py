"""What an assignment's puzzles can be chosen from."""

from collections.abc import Iterable

from puzzleclass.accounts.models import User
from puzzleclass.assignments.forms import Choice
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.puzzles.counts import known_counts
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
            Choice(f"given-{b.pk}", b, given_counts.get(b.pk), chosen=True, place=str(b.number))
            for b in given
        ),
        *(
            Choice(f"library-{b.pk}", b, library_counts.get(b.pk), chosen=str(b.pk) == preselected)
            for b in library
        ),
    ]
