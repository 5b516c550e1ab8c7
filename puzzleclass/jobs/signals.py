"""What a Celery worker does when it starts and when it is told to end."""

from celery.signals import (
    beat_embedded_init,
    worker_init,
    worker_process_init,
    worker_shutting_down,
)
from django.db import connection

from puzzleclass.jobs import transitions
from puzzleclass.jobs.sending import RUN_TASK
from puzzleclass.launcher.children import end_with_parent


@worker_init.connect
def warm_up(**kwargs: object) -> None:
    """Load the compiled kernels before the pool is forked: no user waits for a compiler."""
    from solvers.warm import warm

    # Compiled at installation; loading them takes a question no more than its first step.
    warm(0.05)


@worker_process_init.connect
@beat_embedded_init.connect
def leave_no_orphan(**kwargs: object) -> None:
    """A child that outlived its worker would count on for nobody, or sweep for ever."""
    end_with_parent()


@worker_shutting_down.connect
def hand_back(**kwargs: object) -> None:
    """Put the jobs in this worker's hands back to waiting.

    The processes that work on them notice within a second that they have lost them, so
    the worker ends soon, and another one, or the same after its restart, goes on at once.
    """
    from celery.worker import state

    for request in list(state.active_requests):
        if request.name == RUN_TASK:
            transitions.hand_back(request.args[0])
    # A process forked from here on must not inherit the connection.
    connection.close()
