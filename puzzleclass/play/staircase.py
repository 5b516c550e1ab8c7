"""The staircase: which board of an assignment comes next, by how the last one went.

The boards stand from easy to hard. Who solves one without a hint goes up by two, who solves it
with hints by one, and who leaves it unsolved goes down by one. Nobody gets a board twice: the next
one is, of those not had yet, the one nearest to that step; of two equally near the easier. The
way ends when the hardest board is solved, or no board is left.
"""

from django.db import transaction

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for
from puzzleclass.assignments.models import AssignedPuzzle, StairStep
from puzzleclass.play.models import FoundSolution, HintUse

STEPS = {StairStep.Outcome.ALONE: 2, StairStep.Outcome.HELPED: 1, StairStep.Outcome.LEFT: -1}


def climb(student: User, puzzle: AssignedPuzzle) -> AssignedPuzzle:
    """Take the step from this board, unless it was taken; return the student's latest board."""
    assignment = puzzle.assignment
    puzzles = list(assignment.puzzles.all())
    path = boards_for(student, [assignment])[assignment.pk]
    if puzzle != path[-1] or assignment.is_over:
        return path[-1]
    how = outcome_of(student, puzzle)
    chosen = next_on(puzzles, path, how)
    if chosen is None:
        return puzzle
    with transaction.atomic():
        # Two presses at the same moment are one step.
        step, _is_new = StairStep.objects.get_or_create(
            assignment=assignment,
            student=student,
            number=len(path),
            defaults={"puzzle": chosen, "outcome": how},
        )
    return step.puzzle


def outcome_of(student: User, puzzle: AssignedPuzzle) -> StairStep.Outcome:
    """Return how the board went till now. Two queries."""
    return outcome(
        FoundSolution.objects.filter(student=student, puzzle=puzzle).exists(),
        HintUse.objects.filter(attempt__student=student, attempt__puzzle=puzzle).exists(),
    )


def outcome(is_solved: bool, with_hints: bool) -> StairStep.Outcome:
    """Return what a board that was solved or not, with hints or without, counts as."""
    if not is_solved:
        return StairStep.Outcome.LEFT
    return StairStep.Outcome.HELPED if with_hints else StairStep.Outcome.ALONE


def next_on(
    puzzles: list[AssignedPuzzle], path: list[AssignedPuzzle], outcome: StairStep.Outcome
) -> AssignedPuzzle | None:
    """Return the board after this path; None where the way ends."""
    here = puzzles.index(path[-1])
    if here == len(puzzles) - 1 and outcome != StairStep.Outcome.LEFT:
        return None
    target = here + STEPS[outcome]
    had = {puzzle.pk for puzzle in path}
    left = [place for place, puzzle in enumerate(puzzles) if puzzle.pk not in had]
    if not left:
        return None
    return puzzles[min(left, key=lambda place: (abs(place - target), place))]
