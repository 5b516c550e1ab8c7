"""A whole installation of its own for a test: real processes, a folder, a free port."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60

PS = ("ps", "-eww", "-o", "pid=,ppid=,stat=,args=")


def wait_for(what: Callable[[], object], seconds: float, why: str) -> object:
    """Return what `what` returns as soon as it is true. Fails the test after so long."""
    end = time.monotonic() + seconds
    while True:
        if found := what():
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {why}")
        time.sleep(0.05)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def processes() -> dict[int, tuple[int, str]]:
    """Return every living process: number -> (its parent's number, its command line)."""
    lines = subprocess.run(PS, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split(maxsplit=3) for line in lines]
    return {
        int(row[0]): (int(row[1]), row[3])
        for row in rows
        if len(row) == 4 and not row[2].startswith("Z")
    }


class Site:
    """`manage.py run` in a folder of its own."""

    def __init__(
        self, folder: Path, log: Path, port: int | None = None, **environment: str
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = log
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "HOST"}
        }
        self.environment = inherited | {
            "VAR_DIR": str(folder),
            "PORT": str(self.port),
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> "Site":
        """Start it and return when it says where it is."""
        self.begin(*options)
        wait_for(lambda: self.process.poll() is not None or self.is_up, START_SECONDS, "start")
        assert self.is_up, self.said
        return self

    def begin(self, *options: str) -> None:
        """Start it without waiting."""
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                (sys.executable, "manage.py", "run", *options),
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def is_up(self) -> bool:
        return f"PuzzleClass is at {self.address}/" in self.said

    def family(self) -> dict[int, str]:
        """Return the launcher's descendants: number -> command line."""
        everyone = processes()
        ours = {self.process.pid}
        while more := {pid for pid, (parent, _) in everyone.items() if parent in ours} - ours:
            ours |= more
        return {pid: everyone[pid][1] for pid in ours - {self.process.pid} if pid in everyone}

    def child(self, word: str) -> int:
        """Return the number of the launcher's own child whose command line has the word."""
        everyone = processes()
        return next(
            pid
            for pid, (parent, command) in everyone.items()
            if parent == self.process.pid and word in command
        )

    def kill_child(self, word: str) -> None:
        """kill -9 that child."""
        os.kill(self.child(word), signal.SIGKILL)

    def end(self, number: int = signal.SIGINT) -> float:
        """Send the signal; returns how many seconds the end took."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        return time.monotonic() - start

    def manage(self, code: str, timeout: float = 60) -> str:
        """Run Python code in another process with this installation's settings."""
        done = subprocess.run(
            (sys.executable, "-c", f"import django; django.setup()\n{code}"),
            cwd=ROOT,
            env=self.environment | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def row(self, query: str, *values: object) -> tuple[object, ...] | None:
        """Return the first row of a query to the SQLite database."""
        database = sqlite3.connect(f"file:{self.folder}/puzzleclass.sqlite3?mode=ro", uri=True)
        try:
            return database.execute(query, values).fetchone()
        finally:
            database.close()

    def clean_up(self) -> None:
        if self.process and self.process.poll() is None:
            family = self.family()
            self.process.kill()
            self.process.wait()
            for pid in family:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue


class Visitor:
    """A signed-in browser: `session` is a session's key."""

    TOKEN = "c" * 32

    def __init__(self, site: Site, session: str) -> None:
        self.site = site
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={self.TOKEN}",
            "X-CSRFToken": self.TOKEN,
            "HX-Request": "true",
            "Accept-Language": "en",
        }

    def get(self, path: str) -> str:
        """Return the page."""
        with urlopen(
            Request(f"{self.site.address}{path}", headers=self.headers), timeout=20
        ) as answer:
            return answer.read().decode()

    def send(self, path: str, fields: dict[str, str]) -> HTTPConnection:
        """Send a form and return the connection, its answer not yet read."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=20)
        headers = self.headers | {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", path, urlencode(fields), headers)
        return connection
