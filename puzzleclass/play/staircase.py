"""The staircase: which board of an assignment comes next, depending on how the last one went.

The boards are ordered from easy to hard. A student who solves one without a hint goes up by two, a
student who solves it with hints by one, and a student who leaves it unsolved goes down by one.
Nobody gets a board twice: the next one is the nearest to that step that the student has not had
yet, and the easier of two that are equally near. The staircase ends when the hardest board is
solved, or no board is left.
"""

from django.db import transaction

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for
from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle, StairStep
from puzzleclass.play.due import puzzle_states
from puzzleclass.play.models import HintUse

STEPS_BY_OUTCOME = {
    StairStep.Outcome.ALONE: 2,
    StairStep.Outcome.HELPED: 1,
    StairStep.Outcome.LEFT: -1,
}


def advance(student: User, puzzle: AssignedPuzzle) -> AssignedPuzzle:
    """Take the step from this board, unless it was already taken. Return the latest board."""
    assignment = puzzle.assignment
    puzzles = list(assignment.puzzles.all())
    path = boards_for(student, [assignment])[assignment.pk]
    if puzzle != path[-1] or is_over_for(assignment, student.pk):
        return path[-1]
    outcome = outcome_of(student, puzzle)
    next_puzzle = board_after(puzzles, path, outcome)
    if next_puzzle is None:
        return puzzle
    with transaction.atomic():
        # Two presses at the same moment count as one step.
        step, _is_new = StairStep.objects.get_or_create(
            assignment=assignment,
            student=student,
            number=len(path),
            defaults={"puzzle": next_puzzle, "outcome": outcome},
        )
    return step.puzzle


def outcome_of(student: User, puzzle: AssignedPuzzle) -> StairStep.Outcome:
    """Return the student's outcome at the board so far. Three queries at most."""
    return outcome(
        puzzle_states(student, [puzzle])[0].status.is_solved,
        HintUse.objects.filter(attempt__student=student, attempt__puzzle=puzzle).exists(),
    )


def outcome(is_solved: bool, with_hints: bool) -> StairStep.Outcome:
    """Return the outcome of a board that was solved or not, with hints or without."""
    if not is_solved:
        return StairStep.Outcome.LEFT
    return StairStep.Outcome.HELPED if with_hints else StairStep.Outcome.ALONE


def board_after(
    puzzles: list[AssignedPuzzle], path: list[AssignedPuzzle], outcome: StairStep.Outcome
) -> AssignedPuzzle | None:
    """Return the board that comes after this path; None if the staircase ends there."""
    current = puzzles.index(path[-1])
    if current == len(puzzles) - 1 and outcome != StairStep.Outcome.LEFT:
        return None
    target = current + STEPS_BY_OUTCOME[outcome]
    seen = {puzzle.pk for puzzle in path}
    unseen = [index for index, puzzle in enumerate(puzzles) if puzzle.pk not in seen]
    if not unseen:
        return None
    return puzzles[min(unseen, key=lambda index: (abs(index - target), index))]
