"""Tries and the worker's words on them, for the tests of what a teacher sees."""

from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt
from solvers.kind import Answer

# o . / o o / . . / o o: the study's example.
SOLUTION = "1,1 2,1 2,2 4,2 4,1"
OTHER_SOLUTION = "1,1 2,1 4,1 4,2 2,2"
JAM = "2,1 1,1"
"""No move is left after these."""
LOST = "4,2"
"""Moves are left, but no solution."""


def tried(student: User, puzzle: AssignedPuzzle, *moves: str) -> Attempt:
    """Let the student make the moves at the puzzle, in the try under way; "undo" takes one back.

    All at one moment: no test depends on how long they took.
    """
    at = timezone.now()
    attempt = current_attempt(student, puzzle, at)
    for move in moves:
        action = "undo" if move == "undo" else "move"
        text = "" if move == "undo" else move
        attempt = take_step(attempt, attempt.next_step, action, text, at)
    return attempt


def answered(job: Job, value: int | None, proven: bool = True, **details: object) -> Job:
    """Let the job be done with this answer."""
    job.answer = Answer(value, proven=proven, details=details).to_json()
    job.state = Job.State.DONE
    job.save()
    return job


def reviewed(attempt: Attempt, fatal: int | None, left: list[str | None] | None = None) -> Job:
    """Let the try, as it stands, have been reviewed."""
    job = jobs.ask(
        attempt.puzzle.assignment.teacher,
        attempt.puzzle.kind_slug,
        "review",
        attempt.position_text,
    )
    return answered(job, fatal, left=left or [])


def counted(puzzle: AssignedPuzzle, value: int, proven: bool = True) -> Job:
    """Let the puzzle's solutions have been counted."""
    job = jobs.ask(puzzle.assignment.teacher, puzzle.kind_slug, "count", puzzle.position)
    return answered(job, value, proven)
