"""Take from Python what it lacks on Windows, as far as Python for Linux can do without it."""

import asyncio
import os
import signal
import subprocess
import sys

import billiard.compat
import celery.platforms
import filelock

# These decide by the name of the system what they need. They are loaded before it is taken away.
_LOADED = (asyncio, billiard.compat, celery.platforms, filelock, subprocess)

for module in ("fcntl", "grp", "pwd", "resource"):
    sys.modules[module] = None  # type: ignore[assignment]
for holder, names in (
    (os, ("fork", "forkpty", "getuid", "killpg", "nice", "sched_getaffinity", "sysconf")),
    (signal, ("SIGCHLD", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGXCPU")),
):
    for name in names:
        delattr(holder, name)
