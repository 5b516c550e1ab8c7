"""One child process: started so that it can't outlive us, ended with all it started."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Program:
    """Something to start: its name for people, its command line, what it inherits."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    """Added to ours."""
    files: tuple[int, ...] = ()
    """File descriptors that stay open in it."""


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
        env=os.environ | dict(program.environment),
        stdin=subprocess.DEVNULL,
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
