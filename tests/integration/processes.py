"""A whole installation for a test, with real processes, a folder and a free port of its own."""

import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TypeVar

from tests import prepared

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120
WEB = "puzzleclass.launcher.web"
SOLVER = "--queues solve"
"""The part of a command line that identifies the worker that counts, not the one for hints."""
SMALL = "1000"
"""The megabytes of memory (`MEMORY_MB`) with which a site has one web process and one worker. Its
start takes 6 s of a processor instead of 13."""
ONLY_WORKER = "--pool threads"
"""The part of a command line that identifies the worker of a small site."""
END_SECONDS, SECOND_START_SECONDS = 10, 20
"""Seconds for the end and for a second start, a multiple of what is promised: a machine that runs
tests runs several of them at a time."""

T = TypeVar("T")

CONSOLE = """
import contextlib, io, json, sys, traceback
import django
django.setup()
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connections
PBKDF2PasswordHasher.iterations = 1
for line in sys.stdin:
    said, fault = io.StringIO(), ""
    with contextlib.redirect_stdout(said):
        try:
            exec(json.loads(line), {})
        except Exception:
            fault = traceback.format_exc()
    connections.close_all()
    print(json.dumps([said.getvalue(), fault]), flush=True)
"""
"""A program that runs each line of code it receives, and answers with its output and its error.

The passwords of the teachers that it makes are hashed cheaply. The site checks them as ever, and
hashes them anew when somebody signs in.
"""

PS = ("ps", "-eww", "-o", "pid=,ppid=,stat=,args=")


def wait_for(what: Callable[[], T], seconds: float, why: str) -> T:
    """Return the result of `what` as soon as it is true. Fail the test after `seconds` seconds."""
    end = time.monotonic() + seconds
    while True:
        if found := what():
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {why}")
        time.sleep(0.05)


def free_port() -> int:
    """Return a free port below those that the kernel assigns to connections, so that none of these
    takes it before its owner does."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def processes() -> dict[int, tuple[int, str]]:
    """Return every living process: its number -> (its parent's number, its command line)."""
    lines = subprocess.run(PS, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split(maxsplit=3) for line in lines]
    return {
        int(row[0]): (int(row[1]), row[3])
        for row in rows
        if len(row) == 4 and not row[2].startswith("Z")
    }


class Site:
    """An installation of `manage.py run` in a folder of its own.

    As a context manager it ends at the exit, with all processes that it has started.
    """

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
        self.console: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> "Site":
        """Start the installation and return when it has printed its address."""
        self.begin(*options)
        wait_for(lambda: self.process.poll() is not None or self.is_up, START_SECONDS, "start")
        assert self.is_up, self.said
        return self

    def prepare(self) -> "Site":
        """Copy into its folder what the first start creates, so that the start need not create
        it."""
        prepared.copy_to(self.folder)
        return self

    def start_prepared(self) -> "Site":
        """Start the installation in a folder with an empty database."""
        return self.prepare().start("--no-demo")

    def begin(self, *options: str, command: str = "run") -> None:
        """Start the installation, or its pages alone (`serve`), without waiting for it."""
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                (sys.executable, "manage.py", command, *options),
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
        """Return the number of a process of the launcher that has the word in its command line."""
        return wait_for(lambda: self.children(word), 30, f"a process with {word!r}")[0]

    def children(self, word: str) -> list[int]:
        """Return the numbers of all the launcher's processes with the word in their command
        lines."""
        return [pid for pid, command in self.family().items() if word in command]

    def kill_child(self, word: str) -> None:
        """Kill the launcher's process that has the word in its command line, with signal 9."""
        os.kill(self.child(word), signal.SIGKILL)

    @contextmanager
    def worker_held(self) -> Iterator[None]:
        """Stop all jobs inside the `with` block, so that no job ends before the test has acted on
        it. The only worker of a small site stops altogether.

        The block must be shorter than the silence that is allowed to a worker
        (`jobs.transitions.STALE_SECONDS`).
        """
        if workers := self.children(SOLVER):
            pool = [pid for pid, (parent, _) in processes().items() if parent in workers]
        else:
            pool = self.children(ONLY_WORKER)
        wait_for(lambda: self._hold(pool), 10, "a moment in which the worker writes nothing")
        try:
            yield
        finally:
            for pid in pool:
                os.kill(pid, signal.SIGCONT)

    def _hold(self, pool: list[int]) -> bool:
        for pid in pool:
            os.kill(pid, signal.SIGSTOP)
        # A process that was stopped in the middle of a transaction would lock out all others.
        database = sqlite3.connect(self.folder / "puzzleclass.sqlite3", timeout=1)
        try:
            database.execute("BEGIN IMMEDIATE")
            return True
        except sqlite3.OperationalError:
            for pid in pool:
                os.kill(pid, signal.SIGCONT)
            return False
        finally:
            database.close()

    def end(self, number: int = signal.SIGINT) -> float:
        """Send the signal and return how many seconds the end took."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(60)
        return time.monotonic() - start

    def manage(self, code: str, timeout: float = 120) -> str:
        """Run Python code with this installation's settings and return what it printed.

        The code runs in a process beside the site. That process is kept, because loading Django
        takes a second or two.
        """
        if self.console is None:
            self.console = subprocess.Popen(
                (sys.executable, "-c", CONSOLE),
                cwd=ROOT,
                env=self.environment | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        end = Timer(timeout, self.console.kill)
        end.start()
        try:
            print(json.dumps(code), file=self.console.stdin, flush=True)
            answer = self.console.stdout.readline()
        finally:
            end.cancel()
        assert answer, f"the console ended, or took longer than {timeout} s"
        said, fault = json.loads(answer)
        assert not fault, fault
        return said.strip()

    def static(self, name: str) -> str:
        """Return the address of a static file."""
        manifest = json.loads((self.folder / "static" / "staticfiles.json").read_text())
        return f"/static/{manifest['paths'][name]}"

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows of a query to the SQLite database."""
        database = sqlite3.connect(f"file:{self.folder}/puzzleclass.sqlite3?mode=ro", uri=True)
        try:
            return database.execute(query, values).fetchall()
        finally:
            database.close()

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *fault: object) -> None:
        if self.console:
            with self.console:
                self.console.kill()
        if self.process and self.process.poll() is None:
            family = self.family()
            self.process.kill()
            self.process.wait()
            for pid in family:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
