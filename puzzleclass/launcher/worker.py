"""A worker: `python -m puzzleclass.launcher.worker OPTIONS` takes the options of `celery worker`.

Celery's own program also loads its other commands, among them one with a terminal's editor, which
take 6 MB in each worker.
"""

import os
import signal
import sys
from collections.abc import Sequence

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from puzzleclass.celery import app
from puzzleclass.launcher.kernels import Compilation
from puzzleclass.launcher.supervisor import let_signals_interrupt


def work(options: Sequence[str]) -> None:
    """Be a worker until a signal ends this process."""
    # The launcher has run Django's checks, which load all views; workers need no views.
    os.environ["CELERY_SKIP_CHECKS"] = "true"
    worker(options, obj=CLIContext(app=app, no_color=None, workdir=None, quiet=True))


def main() -> None:
    """Let the solvers be compiled if they are not, then be a worker of all queues."""
    let_signals_interrupt()
    try:
        is_compiled = Compilation().finish()
    except KeyboardInterrupt:
        return
    if not is_compiled:
        sys.exit(1)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    work(sys.argv[1:])


if __name__ == "__main__":
    main()
