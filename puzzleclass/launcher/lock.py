"""One `manage.py run` for each folder of data."""

import fcntl
import os
from pathlib import Path
from typing import IO


class AlreadyRunning(Exception):
    """Another launcher holds the folder; its process number is the argument."""


def hold(folder: Path) -> IO[str]:
    """Return the open lock file, held until this process ends, however it ends.

    Raises AlreadyRunning, or OSError when the folder can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / "run.lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        raise AlreadyRunning(file.read().strip()) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file
