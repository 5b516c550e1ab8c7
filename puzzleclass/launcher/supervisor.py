"""Keeps programs running until it is told to stop, then ends them with all they started."""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

GRACE_SECONDS = 3.5
"""From the request to end to the kill. Celery takes two to three, even with nothing to do."""

LONGEST_PAUSE = 30.0
STEADY_SECONDS = 20.0
"""Who has lived so long is restarted at once, as if it had never died before."""

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Program:
    """Something to start: its name for people, its command line, what it inherits."""

    name: str
    command: tuple[str, ...]
    files: tuple[int, ...] = ()
    """File descriptors that stay open in it."""
    folder: Path | None = None
    """Where it starts; without one, where we are."""


def start(program: Program) -> subprocess.Popen[bytes]:
    """Start the program at the head of its own process group. Raises OSError.

    A session of its own keeps the terminal's Ctrl-C from it: ending is our business, and
    has an order.
    """
    parent = os.getpid()

    def prepare() -> None:
        end_with_parent()
        if os.getppid() != parent:  # the parent died before the line above
            os._exit(1)

    return subprocess.Popen(
        program.command,
        stdin=subprocess.DEVNULL,
        cwd=program.folder,
        pass_fds=program.files,
        start_new_session=True,
        preexec_fn=prepare,
    )


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the process and of those it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_with_parent() -> None:
    """Let the kernel end this process when its parent dies, however it dies (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass(slots=True)
class Watched:
    """A program and its current process, if it has one."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    deaths: int = 0
    due_at: float = 0.0


class Supervisor:
    """Starts, restarts and ends programs; `asked_to_stop` once a signal has come."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.asked_to_stop = False
        self._breaks_off = False
        self.watched: list[Watched] = []
        # Python writes a byte here for every signal, so that `tend` wakes at once.
        self._bell, bell = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.asked_to_stop = True
        if self._breaks_off:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def breaking_off(self) -> Iterator[None]:
        """Do work of our own that a signal breaks off, with KeyboardInterrupt."""
        self._breaks_off = True
        try:
            if self.asked_to_stop:
                raise KeyboardInterrupt
            yield
        finally:
            self._breaks_off = False

    def add(self, program: Program) -> None:
        """Start the program and keep it running. Raises OSError when it can't be started."""
        watched = Watched(program)
        self._start(watched)
        self.watched.append(watched)

    def tend(self, seconds: float) -> None:
        """Wait so long at most, or until a signal; restart who has died and is due."""
        now = time.monotonic()
        due = [watched.due_at - now for watched in self.watched if watched.process is None]
        pause = max(0.0, min([seconds, *due]))
        if select.select([self._bell], [], [], pause)[0]:
            os.read(self._bell, 4096)
        if self.asked_to_stop:
            return
        for watched in self.watched:
            if watched.process is None:
                if time.monotonic() >= watched.due_at:
                    self._start(watched)
            elif watched.process.poll() is not None:
                self._bury(watched, watched.process)

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> bool:
        """Tend until `is_ready`; returns False when it took too long or we are to stop."""
        end = time.monotonic() + seconds
        while not self.asked_to_stop and time.monotonic() < end:
            if is_ready():
                return True
            self.tend(0.05)
        return False

    def end(
        self, programs: Collection[Program] | None = None, seconds: float = GRACE_SECONDS
    ) -> None:
        """End these programs, or all: ask, wait, kill; with everything they started."""
        ending = [
            watched.process
            for watched in self.watched
            if watched.process and (programs is None or watched.program in programs)
        ]
        for process in ending:
            process.terminate()
        deadline = time.monotonic() + seconds
        for process in ending:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
            end_group(process)
            process.wait()
        self.watched = [watched for watched in self.watched if watched.process not in ending]

    def _start(self, watched: Watched) -> None:
        watched.process = start(watched.program)
        watched.started_at = time.monotonic()

    def _bury(self, watched: Watched, process: subprocess.Popen[bytes]) -> None:
        now = time.monotonic()
        end_group(process)
        watched.deaths = 1 if now - watched.started_at >= STEADY_SECONDS else watched.deaths + 1
        pause = min(LONGEST_PAUSE, 0.25 * 2**watched.deaths)
        watched.process, watched.due_at = None, now + pause
        self.say(
            f"{watched.program.name} has ended (status {process.returncode}); "
            f"it starts again in {pause:g} s."
        )
