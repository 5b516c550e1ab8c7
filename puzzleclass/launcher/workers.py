"""All workers, as forks of one process: `python -m puzzleclass.launcher.workers`.

That process has loaded Django, the tasks and the compiled kernels before it forks, so that the
workers share their memory instead of each having 150 MB of its own. At the first start, and after a
change of the solvers, it lets them be compiled before that.
"""

import contextlib
import gc
import signal
import sys
import time
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess

import django

from puzzleclass.celery import app
from puzzleclass.launcher.kernels import Compilation
from puzzleclass.launcher.programs import WORKERS, Worker
from puzzleclass.launcher.supervisor import end_with_parent, let_signals_interrupt
from puzzleclass.launcher.worker import work
from solvers.warm import warm

PAUSE_SECONDS = 1.0
"""Seconds before workers that have died start again."""


def main() -> None:
    """Keep all workers running until a signal ends this process, and let them end before it."""
    let_signals_interrupt()
    running: dict[Worker, ForkProcess] = {}
    with contextlib.suppress(KeyboardInterrupt):
        try:
            django.setup()
            app.loader.import_default_modules()
            if not Compilation().finish():
                sys.exit(1)
            warm()
            # A collection in a fork would otherwise write to the pages of all objects, and so make
            # copies of them.
            gc.collect()
            gc.freeze()
            while True:
                running |= {worker: _start(worker) for worker in WORKERS if worker not in running}
                connection.wait([process.sentinel for process in running.values()])
                time.sleep(PAUSE_SECONDS)
                for worker, process in list(running.items()):
                    if not process.is_alive():
                        status = process.exitcode
                        print(f"{worker.name} has ended ({status}) and starts again.", flush=True)
                        del running[worker]
        finally:
            for process in running.values():
                process.terminate()
            for process in running.values():
                process.join()


def _start(worker: Worker) -> ForkProcess:
    process = get_context("fork").Process(target=_work, args=(worker,), name=worker.name)
    process.start()
    return process


def _work(worker: Worker) -> None:
    end_with_parent()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    # Celery shows the options in the list of processes.
    sys.argv[1:] = worker.options
    work(worker.options)


if __name__ == "__main__":
    main()
