"""What a Celery worker does when it starts."""

from celery.signals import worker_init, worker_process_init

from puzzleclass.launcher.children import end_with_parent


@worker_init.connect
def warm_up(**kwargs: object) -> None:
    """Load the compiled kernels before the pool is forked: no user waits for a compiler."""
    from solvers.warm import warm

    warm()


@worker_process_init.connect
def leave_no_orphan(**kwargs: object) -> None:
    """A process of the pool that outlived its worker would count on for nobody."""
    end_with_parent()
