"""The Celery tasks, thin: what they do is in `runner` and `sweeper`."""

from celery import shared_task

from puzzleclass.jobs import runner, sweeper

SWEEP_EXPIRES_SECONDS = 5
"""As long as from one sweep to the next: those a busy worker missed need not be made up for."""


@shared_task
def run(pk: int) -> None:
    """Work on the job, if it is still to be had."""
    runner.run(pk)


@shared_task(expires=SWEEP_EXPIRES_SECONDS)
def sweep() -> None:
    """Look after the jobs that nobody looks after."""
    sweeper.sweep()
