"""What a student has to do: the puzzles of a set, the assignments, and how far each has come."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for, given_to, solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.play.models import Attempt, FoundSolution


@dataclass(frozen=True, slots=True)
class PuzzleState:
    """How far a student is with a puzzle."""

    puzzle: AssignedPuzzle
    is_begun: bool
    found: int
    """Different solutions found."""
    needed: int = 1
    """So many of them make it done."""
    trial: str = ""
    """The name of a teacher's try at it, where this is one."""
    has_feedback: bool = False
    """A teacher has said something of a try."""

    @property
    def url(self) -> str:
        """Where it is played."""
        place = ("trial", self.trial) if self.trial else ("play", self.puzzle.pk)
        return reverse(place[0], args=[place[1]])

    @property
    def is_solved(self) -> bool:
        return self.found >= self.needed


@dataclass(frozen=True, slots=True)
class AssignmentState:
    """How far a student is with an assignment."""

    assignment: Assignment
    puzzles: list[PuzzleState]

    @property
    def is_begun(self) -> bool:
        return any(state.is_begun for state in self.puzzles)

    @property
    def solved(self) -> int:
        return sum(state.is_solved for state in self.puzzles)

    @property
    def next(self) -> PuzzleState | None:
        """The first puzzle that isn't solved; of a staircase the latest, which leads on."""
        if self.assignment.dealing == Assignment.Dealing.STAIRCASE:
            return self.puzzles[-1] if self.puzzles else None
        return next((state for state in self.puzzles if not state.is_solved), None)


@dataclass(frozen=True, slots=True)
class Due:
    """A student's assignments: those still open, soonest first, and those over, latest first."""

    open: list[AssignmentState]
    over: list[AssignmentState]

    @property
    def has_feedback(self) -> bool:
        """Whether a teacher has said something about what is over."""
        return any(state.has_feedback for mine in self.over for state in mine.puzzles)


def due_for(student: User) -> Due:
    """Return what the student has been given. Four queries, and three more where boards are dealt
    out, whatever there is."""
    assignments = list(
        Assignment.objects.shown()
        .filter(given_to(student), classroom__students=student, is_gallery=False)
        .select_related("classroom")
        .prefetch_related("puzzles")
    )
    boards = boards_for(student, assignments)
    states = iter(puzzle_states(student, (p for a in assignments for p in boards[a.pk])))
    due = Due([], [])
    for assignment in assignments:
        mine = AssignmentState(assignment, [next(states) for _ in boards[assignment.pk]])
        (due.over if assignment.is_over else due.open).append(mine)
    due.open.reverse()
    return due


def puzzle_states(student: User, puzzles: Iterable[AssignedPuzzle]) -> list[PuzzleState]:
    """Return the student's state for each of the puzzles, in the same order. Two queries, three
    where more than one solution is asked for."""
    puzzles = list(puzzles)
    mine = {"student": student, "puzzle__in": puzzles}
    tries = Attempt.objects.filter(**mine, next_step__gt=0).order_by()
    begun: dict[int | None, bool] = {}
    for key, feedback in tries.values_list("puzzle", "feedback"):
        begun[key] = begun.get(key, False) or feedback is not None
    found = dict(
        FoundSolution.objects.filter(**mine)
        .order_by()
        .values_list("puzzle")
        .annotate(found=Count("pk"))
    )
    needed = solutions_needed(puzzles)
    return [
        PuzzleState(
            puzzle,
            puzzle.pk in begun,
            found.get(puzzle.pk, 0),
            needed[puzzle.pk],
            has_feedback=begun.get(puzzle.pk, False),
        )
        for puzzle in puzzles
    ]
