"""What is asked about a puzzle, and how far the answer is."""

from typing import Any

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Board


def can_ask(board: Board, question: str) -> bool:
    """Return whether the board's kind knows the question."""
    return question in board.kind.questions


def ask_about(
    user: User, board: Board, question: str, options: dict[str, Any] | None = None
) -> Job:
    """Have the question answered; also once more, when the last answer stopped at its limit."""
    return jobs.ask(user, board.kind_slug, question, board.position, options, again=True)


def job_about(
    user: User, board: Board, question: str, options: dict[str, Any] | None = None
) -> Job | None:
    """Return the question's job as far as the user may see it.

    An answer is everybody's. A job on its way is shown to those who asked for it; others
    join them by asking.
    """
    job = jobs.find(board.kind_slug, question, board.position, options)
    if job is None or job.state == Job.State.DONE or job.askers.filter(pk=user.pk).exists():
        return job
    return None
