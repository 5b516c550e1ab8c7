"""Prepare the start of the programs: one launcher for each folder, the port, the static files."""

import fcntl
import hashlib
import os
import socket
from pathlib import Path
from typing import IO

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


class AlreadyRunning(Exception):
    """Another launcher holds the folder. The argument is the number of its process."""


def lock_folder(folder: Path) -> IO[str]:
    """Return the open lock file, which this process holds until it ends, however it ends.

    Raises AlreadyRunning, and OSError when the folder can't be written.
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


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there, for the web processes to inherit.

    A web process could bind the port itself. The launcher does it for two reasons. A port that is
    in use is reported at once and in one line, before anything has been started. And while web
    processes restart after a crash, visitors wait in the socket's queue instead of being refused,
    so a student's move arrives a second late and is not lost.

    Raises OSError (the port is in use, the host is not ours) and ValueError (there is no such
    port).
    """
    if not 0 < port < 2**16:  # getaddrinfo would use it modulo 2**16
        raise ValueError("there is no such port")
    family, kind, _protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind)
    try:
        # This frees a port on which connections linger after a restart.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError:
        listening.close()
        raise
    return listening


def forget_metrics() -> None:
    """Delete the counts of processes that have ended, so that each run counts from zero."""
    for path in (Path(settings.VAR_DIR) / "metrics").glob("*"):
        path.unlink(missing_ok=True)


def collect_static_files() -> bool:
    """Bring STATIC_ROOT up to date. Return whether there was anything to do."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    wanted = _digest_of_static_files()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True


def _digest_of_static_files() -> str:
    total = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            with storage.open(path) as file:
                total.update(f"\0{path}\0".encode() + file.read())
    return total.hexdigest()
