"""Prepare the start of the programs: one launcher for each folder, the port, the static files."""

import hashlib
import os
import socket
import sys
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from filelock import FileLock, Timeout

from puzzleclass.launcher.supervisor import run_to_the_end
from puzzleclass.static_files import keep_static_files

_QUEUE = 2048
"""The most connections that wait for a web process."""


class AlreadyRunning(Exception):
    """Another launcher holds the folder. The argument is the number of its process."""


def lock_folder(folder: Path) -> AbstractContextManager[FileLock]:
    """Return the folder's lock, which this process holds until the context or the process ends.

    Raises AlreadyRunning, and OSError when the folder can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock, holder = FileLock(folder / "run.lock"), folder / "run.pid"
    try:
        acquired = lock.acquire(blocking=False)
    except Timeout:
        raise AlreadyRunning(holder.read_text().strip()) from None
    holder.write_text(str(os.getpid()))
    return acquired


def listen(host: str, port: int, processes: int = 1) -> list[socket.socket]:
    """Return the sockets that listen there, for so many web processes to inherit.

    A web process could bind the port itself. The launcher does it for two reasons. A port that is
    in use is reported at once and in one line, before anything has been started. And while web
    processes restart after a crash, visitors wait in the socket's queue instead of being refused,
    so a student's move arrives a second late and is not lost.

    On Linux each process has a socket of its own, and the system deals connections out to them at
    random. From one socket, the process that wakes first would take most connections of a class,
    and it keeps them for the lesson. Other systems return one socket for all processes, because
    they don't deal connections out.

    Raises OSError (the port is in use, the host is not ours) and ValueError (there is no such
    port).
    """
    if not 0 < port < 2**16:  # getaddrinfo would use it modulo 2**16
        raise ValueError("there is no such port")
    alone = _bound(host, port)
    if processes == 1 or sys.platform != "linux":
        alone.listen(_QUEUE)
        return [alone]
    # A shared socket could be bound beside those of another site, which an unshared one can't.
    alone.close()
    with ExitStack() as stack:
        shared = [stack.enter_context(_bound(host, port, shares=True)) for _ in range(processes)]
        for each in shared:
            each.listen(_QUEUE)
        stack.pop_all()
        return shared


def _bound(host: str, port: int, *, shares: bool = False) -> socket.socket:
    """Return a socket that is bound to the port, alone or with others of this program."""
    family, kind, _protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind)
    try:
        if os.name == "posix":
            # This frees a port on which connections linger after a restart. On Windows it would let
            # two programs listen on the port.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shares:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def forget_metrics() -> None:
    """Delete the counts of processes that have ended, so that each run counts from zero."""
    for path in (Path(settings.VAR_DIR) / "metrics").glob("*"):
        path.unlink(missing_ok=True)


def run_apart(*command: str) -> str:
    """Run a command of the site, such as "migrate", in a process of its own. Return what it wrote
    to standard error.

    The memory that it takes is given back at its end; this process keeps what it once took for as
    long as the site runs. Raises CommandError with the fault that the command told.
    """
    program = (sys.executable, "-m", "puzzleclass", *command)
    status, output = run_to_the_end(program, settings.BASE_DIR)
    if status:
        fault = output.strip().splitlines() or [f"It ended with {status}."]
        raise CommandError(
            f"“{command[0]}” can't be run: {fault[-1].removeprefix('CommandError: ')}"
        )
    return output


def collect_static_files() -> bool:
    """Bring STATIC_ROOT up to date, and keep what an earlier release had collected there. Return
    whether there was anything to do."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    wanted = _digest_of_static_files()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    keep_static_files()
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
