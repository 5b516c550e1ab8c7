"""Find how much memory and how many cores this machine has."""

import os
from pathlib import Path

CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Where Linux states the limit of a container, in its second and its first version."""

UNKNOWN_MB = 8192
"""The megabytes that are assumed when the system does not tell its memory."""


def memory_mb(limits: tuple[Path, ...] = CGROUP_LIMITS) -> int:
    """Return the megabytes of memory that this machine, or the container on it, has."""
    try:
        known = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, OSError, ValueError):
        known = []
    for path in limits:
        try:
            known.append(int(path.read_text()))
        except (OSError, ValueError):
            continue  # no such version, or the word "max"
    return min(known, default=UNKNOWN_MB << 20) >> 20


def cores() -> int:
    """Return the number of cores that this process may use."""
    # macOS and Windows can't tell which of the machine's cores these are.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
