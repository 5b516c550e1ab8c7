"""Keep programs running until told to stop, then end them with all processes that they started."""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

GRACE_SECONDS = 3.5
"""Seconds from the request to end until the kill. Celery takes two to three, even when it is
idle."""

LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 20.0
"""Seconds after which a program counts as steady. It is then restarted as if it had never died
before."""

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Program:
    """A program to start: its name for people, its command line, and what it inherits."""

    name: str
    command: tuple[str, ...]
    files: tuple[int, ...] = ()
    """The file descriptors that stay open in it."""
    folder: Path | None = None
    """The working directory; None for that of this process."""


def start(program: Program) -> subprocess.Popen[bytes]:
    """Start the program as the leader of its own session. Raises OSError.

    In a session of its own, the program does not receive Ctrl-C from the terminal: the supervisor
    ends its programs in a certain order.
    """
    return subprocess.Popen(
        program.command,
        stdin=subprocess.DEVNULL,
        cwd=program.folder,
        pass_fds=program.files,
        start_new_session=True,
        preexec_fn=_ending_with(os.getpid()),
    )


def run_to_the_end(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run a command in the folder. Return its exit status, and what it wrote to standard error.

    If a signal interrupts this process meanwhile, the command ends with all processes that it has
    started. Otherwise it would meet the same command of the next start. Raises OSError.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # Ctrl-C reaches this process alone, which then ends the other one.
        start_new_session=True,
        preexec_fn=_ending_with(os.getpid()),
    ) as process:
        try:
            _, output = process.communicate()
        except BaseException:
            end_group(process)
            raise
    return process.returncode, output.decode(errors="replace")


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the process and, except on Windows, of the processes that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def end_with_parent() -> None:
    """Let the kernel end this process when its parent dies, however it dies (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _ending_with(parent: int) -> Callable[[], None] | None:
    """Return what a child runs before its program, so that it ends with this parent; None where
    systems can't fork (Windows)."""

    def prepare() -> None:
        end_with_parent()
        if os.getppid() != parent:  # the parent had died before that
            os._exit(1)

    return prepare if hasattr(os, "fork") else None


def let_signals_interrupt() -> None:
    """Let the signals that end a program raise KeyboardInterrupt, as Ctrl-C does.

    Otherwise they would end this process at once, and what it has started would go on.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):  # Windows alone has SIGBREAK, and no SIGHUP.
            signal.signal(getattr(signal, name), signal.default_int_handler)


@dataclass(slots=True)
class Watched:
    """A program and its current process; None while it waits to be restarted."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    deaths: int = 0
    due_at: float = 0.0


class Supervisor:
    """Starts, restarts and ends programs. `asked_to_stop` is true once a signal has come."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.asked_to_stop = False
        self._is_interruptible = False
        self.watched: list[Watched] = []
        # Python writes a byte to this pipe for every signal, so that `watch` wakes at once.
        self._wakeup_pipe, write_fd = os.pipe()
        os.set_blocking(self._wakeup_pipe, False)
        os.set_blocking(write_fd, False)
        signal.set_wakeup_fd(write_fd, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.asked_to_stop = True
        if self._is_interruptible:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Run a block that a signal interrupts with KeyboardInterrupt."""
        self._is_interruptible = True
        try:
            if self.asked_to_stop:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_interruptible = False

    def add(self, program: Program) -> None:
        """Start the program and keep it running. Raises OSError when it can't be started."""
        watched = Watched(program)
        self._start(watched)
        self.watched.append(watched)

    def watch(self, seconds: float) -> None:
        """Wait for a signal, at most for this time, and restart the programs that have died and are
        due."""
        now = time.monotonic()
        due = [watched.due_at - now for watched in self.watched if watched.process is None]
        pause = max(0.0, min([seconds, *due]))
        if select.select([self._wakeup_pipe], [], [], pause)[0]:
            os.read(self._wakeup_pipe, 4096)
        if self.asked_to_stop:
            return
        for watched in self.watched:
            if watched.process is None:
                if time.monotonic() >= watched.due_at:
                    self._start(watched)
            elif watched.process.poll() is not None:
                self._plan_restart(watched, watched.process)

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> bool:
        """Tend the programs until `is_ready`. Return False when that took too long or a signal
        came."""
        end = time.monotonic() + seconds
        while not self.asked_to_stop and time.monotonic() < end:
            if is_ready():
                return True
            self.watch(0.05)
        return False

    def end(
        self, programs: Collection[Program] | None = None, seconds: float = GRACE_SECONDS
    ) -> None:
        """End these programs, or all, with everything they started: ask, wait, kill."""
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

    def _plan_restart(self, watched: Watched, process: subprocess.Popen[bytes]) -> None:
        now = time.monotonic()
        end_group(process)
        watched.deaths = 1 if now - watched.started_at >= STEADY_SECONDS else watched.deaths + 1
        pause = min(LONGEST_PAUSE_SECONDS, 0.25 * 2**watched.deaths)
        watched.process, watched.due_at = None, now + pause
        self.say(
            f"{watched.program.name} has ended (status {process.returncode}); "
            f"it starts again in {pause:g} s."
        )
