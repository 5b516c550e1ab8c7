"""A PostgreSQL server that belongs to one test."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.integration.processes import free_port, wait_for

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
PATH = os.pathsep.join([*map(str, reversed(BINARIES)), os.environ["PATH"]])
INITDB, SERVER = shutil.which("initdb", path=PATH), shutil.which("postgres", path=PATH)
# PostgreSQL refuses to run as root, and no other user can enter pytest's folders.
USER = "postgres" if os.geteuid() == 0 else None


class NotHere(Exception):
    """Raised when PostgreSQL can't be started on this machine. Its argument is the reason."""


@dataclass
class Postgres:
    """A running server, which can be killed and started again."""

    folder: Path
    port: int
    syncs: bool
    """Whether each commit waits for the disk. Without that, a killed server's files are whole as
    long as the machine itself does not stop."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        return f"postgres://puzzleclass@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the server and return when it accepts connections."""

        def is_ready() -> bool:
            # After a kill, its shared memory is free only when its last process has ended.
            if self.process.poll() is not None:
                self._begin()
            return b"ready to accept" in (self.folder / "log").read_bytes()

        self._begin()
        wait_for(is_ready, 60, "PostgreSQL")

    def _begin(self) -> None:
        options = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "fsync": "on" if self.syncs else "off",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                (SERVER, "-D", self.data, *settings),
                user=USER,
                cwd=self.folder,
                stderr=log,
                start_new_session=True,
            )

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # it would wait for its clients on SIGTERM
        self.process.wait(20)

    def kill(self) -> None:
        """Kill the server and all its processes with signal 9."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)


@contextmanager
def postgres(*, syncs: bool = True, kept: Path | None = None) -> Iterator[Postgres]:
    """Yield a server with an empty database, or with a copy of the data folder of an earlier one.
    Raise NotHere if it can't be started."""
    if not (INITDB and SERVER):
        raise NotHere("PostgreSQL's server binaries are not installed")
    if USER and USER not in {entry.pw_name for entry in pwd.getpwall()}:
        raise NotHere("PostgreSQL can't run as root, and there is no user postgres")
    folder = Path(tempfile.mkdtemp(prefix="puzzleclass-postgres-"))
    try:
        if USER:
            shutil.chown(folder, USER)
        server = Postgres(folder, free_port(), syncs)
        if kept:
            _copy(kept, server.data)
        else:
            _create(server.data)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _create(data: Path) -> None:
    subprocess.run(
        (INITDB, "-D", data, "-U", "puzzleclass", "--auth=trust", "-E", "UTF8", "--no-sync"),
        user=USER,
        cwd=data.parent,
        check=True,
        capture_output=True,
    )


def _copy(kept: Path, data: Path) -> None:
    shutil.copytree(kept, data)
    if USER:
        for path in (data, *data.rglob("*")):
            shutil.chown(path, USER)
