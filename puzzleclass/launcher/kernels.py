"""Compile the solvers while pages are being answered: at the first start, and after an update."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from puzzleclass.launcher.supervisor import Program, end_group, start
from puzzleclass.launcher.times import tell_time

COMMAND = (sys.executable, "-m", "solvers.warm")
GIVES_WAY = 10
"""The `nice` value of the compilation. Pages are answered first."""


def is_compiling() -> bool:
    """Return whether workers wait until the solvers are compiled. Pages then say so."""
    return _mark().exists()


def _mark() -> Path:
    return Path(settings.VAR_DIR) / "compiling-solvers"


class Compilation:
    """The compilation of the solvers in a process of its own. `finish` waits for it, and `stop`
    ends it, from another thread as well."""

    def __init__(self) -> None:
        from solvers.warm import is_compiled  # It loads numba, which only workers need.

        self.began_at = time.monotonic()
        self.process: subprocess.Popen[bytes] | None = None
        if not is_compiled():
            print("Compiling the solvers in the background; it takes a minute or two.", flush=True)
            _mark().touch()
            self.process = start(Program("The compiler", COMMAND, folder=settings.BASE_DIR))
            with suppress(AttributeError):  # Windows has no such priorities.
                os.setpriority(os.PRIO_PROCESS, self.process.pid, GIVES_WAY)

    def finish(self) -> bool:
        """Wait until the solvers are compiled, and return whether they are."""
        if self.process:
            try:
                status = self.process.wait()
            except BaseException:
                self.stop()
                raise
            finally:
                _mark().unlink(missing_ok=True)
            if status:
                print(f"The solvers can't be compiled (status {status}).", flush=True)
                return False
            print("The solvers are compiled.", flush=True)
            tell_time("solvers", self.began_at)
        return True

    def stop(self) -> None:
        """End the compilation. The next start begins it anew."""
        if self.process:
            end_group(self.process)
