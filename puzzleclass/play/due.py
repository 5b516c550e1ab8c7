"""A student's assignments and their puzzles, and the student's status at each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BigIntegerField,
    CharField,
    Prefetch,
    QuerySet,
    prefetch_related_objects,
)
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to, boards_for, solutions_needed
from puzzleclass.assignments.due import Due, class_due, due_of, dues_of
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import is_locked
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.play.addresses import play_address
from puzzleclass.play.progress import with_results_of
from puzzleclass.play.status import PuzzleState, PuzzleStatus, status_of_board


@dataclass(frozen=True, slots=True)
class OwnPuzzle:
    """A puzzle in a student's list, with the student's status."""

    puzzle: AssignedPuzzle
    status: PuzzleStatus
    trial: str = ""
    """The name of the teacher's attempt at the puzzle; empty for a student."""
    has_feedback: bool = False
    """Whether a teacher has given feedback on an attempt."""
    knows_kind: bool = False
    """Whether the student has opened a puzzle of the kind that the page shows."""

    @property
    def url(self) -> str:
        """The address at which the puzzle is played."""
        if self.trial:
            return reverse("trial", args=[self.trial])
        return play_address(self.puzzle.pk, get_script_prefix())

    @property
    def is_locked(self) -> bool:
        """Whether the teacher has not opened the board yet in the lesson."""
        return not self.trial and is_locked(self.puzzle)

    @property
    def state(self) -> str:
        """The state in words for the student, who is not told that a board is stuck."""
        if self.is_locked:
            return _("Not open yet")
        if self.status.is_solved:
            return str(PuzzleState.SOLVED.label)
        begun, untouched = PuzzleState.IN_PROGRESS, PuzzleState.NOT_STARTED
        return str((begun if self.status.is_begun else untouched).label)

    @property
    def style(self) -> str:
        """The CSS class of the state's colour; empty before the first move."""
        return "ok" if self.status.is_solved else "busy" if self.status.is_begun else ""


@dataclass(frozen=True, slots=True)
class AssignmentState:
    """How far a student is with an assignment."""

    assignment: Assignment
    puzzles: list[OwnPuzzle]
    dates: Due

    @property
    def is_late(self) -> bool:
        """Whether the due date has passed, and late work is accepted."""
        return self.dates.at <= timezone.now() < self.dates.closes_at

    @property
    def is_begun(self) -> bool:
        return any(state.status.is_begun for state in self.puzzles)

    @property
    def solved(self) -> int:
        return sum(state.status.is_solved for state in self.puzzles)

    @property
    def next(self) -> OwnPuzzle | None:
        """The first unsolved puzzle; on a staircase the latest board, which leads to the next."""
        if self.assignment.dealing == Assignment.Dealing.STAIRCASE:
            return self.puzzles[-1] if self.puzzles else None
        return next((state for state in self.puzzles if not state.status.is_solved), None)


@dataclass(frozen=True, slots=True)
class OwnAssignments:
    """A student's assignments: the open ones, soonest first, and the past ones, latest first."""

    open: list[AssignmentState]
    over: list[AssignmentState]

    @property
    def has_feedback(self) -> bool:
        """Whether a past assignment has a teacher's feedback."""
        return any(puzzle.has_feedback for past in self.over for puzzle in past.puzzles)


def assignments_of(student: Any, at: Any = None) -> QuerySet[Assignment]:
    """Return the assignments that the student, a user or a key, sees at the time `at`, by default
    now, with their classes."""
    return (
        Assignment.objects.shown(at)
        .filter(
            assigned_to(student),
            classroom__students=student,
            classroom__archived_at=None,
            is_gallery=False,
        )
        .select_related("classroom", "pace")
    )


def state_of(student: User, assignment: Assignment) -> AssignmentState:
    """Return how far the student is with one assignment."""
    states = set_states(student, assignment)
    return AssignmentState(assignment, states, due_of(assignment, student.pk))


def due_for(student: User) -> OwnAssignments:
    """Return the student's assignments.

    Four queries at most, and five more if boards are dealt, however many assignments there are.
    """
    assignments = list(assignments_of(student))
    results = Prefetch("puzzles", with_results_of(student.pk, AssignedPuzzle.objects.all()))
    prefetch_related_objects(assignments, results)
    boards = boards_for(student, assignments)
    states = iter(_own_puzzles([puzzle for each in assignments for puzzle in boards[each.pk]]))
    due = OwnAssignments([], [])
    dates = dues_of(assignments, [student.pk])
    for assignment in assignments:
        mine = AssignmentState(
            assignment,
            [next(states) for _ in boards[assignment.pk]],
            dates.get((assignment.pk, student.pk)) or class_due(assignment),
        )
        is_over = mine.dates.closes_at <= timezone.now()
        (due.over if is_over else due.open).append(mine)
    due.open.sort(key=lambda mine: mine.dates.at)
    return due


def puzzle_states(
    student: User, puzzles: Iterable[AssignedPuzzle], kind: str = ""
) -> list[OwnPuzzle]:
    """Return each puzzle with the student's status, in the same order. Two queries at most.

    With the slug of a `kind`, each says whether the student knows that kind.
    """
    puzzles = list(puzzles)
    if not puzzles:
        return []
    keys = AssignedPuzzle.objects.only("pk").order_by()
    results = with_results_of(student.pk, keys, kind).in_bulk({puzzle.pk for puzzle in puzzles})
    return _own_puzzles(puzzles, results)


_SET = Prepared(
    lambda student, assignment, kind: with_results_of(
        student, AssignedPuzzle.objects.filter(assignment=assignment), kind
    ),
    BigIntegerField,
    BigIntegerField,
    CharField,
)
"""The puzzles of an assignment in their order, each with what a student has reached at it. A class
that opens a board asks for this all at once."""


def _own_puzzles(
    puzzles: Sequence[AssignedPuzzle], results: Mapping[int, Any] | None = None
) -> list[OwnPuzzle]:
    """Return the puzzles with the status that follows from the student's results (`results`, by
    primary key, or without them the puzzles themselves). One query at most."""
    needed = solutions_needed(puzzles)
    results = results or {puzzle.pk: puzzle for puzzle in puzzles}
    return [
        OwnPuzzle(
            puzzle,
            status_of_board(is_begun=own.is_begun, found=own.found, needed=needed[puzzle.pk]),
            has_feedback=own.has_feedback,
            knows_kind=own.knows_kind,
        )
        for puzzle in puzzles
        for own in [results[puzzle.pk]]
    ]


def set_states(student: User, assignment: Assignment, kind: str = "") -> list[OwnPuzzle]:
    """Return the student's boards of an assignment, in order, with the student's status at each.

    With the slug of a `kind`, each says whether the student knows that kind. Two queries at most,
    and four more if boards are dealt.
    """
    if assignment.dealing != Assignment.Dealing.ALL:
        return puzzle_states(student, boards_for(student, [assignment])[assignment.pk], kind)
    puzzles: list[Any] = list(_SET(student.pk, assignment.pk, kind))
    for puzzle in puzzles:
        puzzle.assignment = assignment
    return _own_puzzles(puzzles)


def unsolved_in_set(student: User, assignment: Assignment) -> list[AssignedPuzzle]:
    """Return the assignment's puzzles that the student has not solved, in order. Two queries at
    most."""
    states = set_states(student, assignment)
    return [state.puzzle for state in states if not state.status.is_solved]
