"""The whole site in one process, for systems without fork, Unix sockets or a Redis (Windows).

The web server runs in the main thread and one Celery worker in another. Its messages stay in the
memory of the process, its pool consists of threads, and its clock is one more thread. Compiled
kernels let other threads run meanwhile, so that pages are answered during a count.
docs/decisions/one-process.md compares this with other ways.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from celery import signals
from celery.worker import state

from puzzleclass.celery import app
from puzzleclass.launcher import web
from puzzleclass.launcher.kernels import Compilation
from puzzleclass.launcher.programs import ALL_QUEUES, BEAT_SECONDS, THREADS_FOR_ALL_QUEUES

LEAVING_SECONDS = 5
"""Seconds for which a thread may finish its current step at the end."""


def serve_alone(listening: socket.socket) -> None:
    """Answer requests and work on jobs until a signal tells the process to end."""
    with suppress(KeyboardInterrupt), _worker():
        web.serve(listening)


@contextmanager
def _worker() -> Iterator[None]:
    """Run a worker of all queues during the context, from the moment at which the solvers are
    compiled. At its end, the jobs that it holds are handed back, so that the next start continues
    with them."""
    compilation = Compilation()
    # Celery's own program sends these two signals. It can't run in a thread, because it handles the
    # signals of the system.
    worker = app.WorkController(
        ready_callback=lambda consumer: signals.worker_ready.send(sender=consumer),
        hostname="worker@here",
        queues=ALL_QUEUES,
        pool="threads",
        concurrency=THREADS_FOR_ALL_QUEUES,
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        heartbeat_interval=BEAT_SECONDS,
    )

    def start() -> None:
        if compilation.finish():
            worker.start()

    thread = Thread(target=start, name="worker")
    thread.start()
    try:
        yield
    finally:
        compilation.stop()
        signals.worker_shutting_down.send(worker.hostname, sig="SIGTERM", how="Warm", exitcode=0)
        # The worker's own thread stops it, between two messages.
        state.should_stop = 0
        thread.join()
        # What its threads work on notices that it has been handed back.
        for other in threading.enumerate():
            if not other.daemon and other is not threading.current_thread():
                other.join(LEAVING_SECONDS)
