"""Print what a command costs: seconds that pass, and seconds of a processor.

    python -m tests.cost .venv/bin/pytest -n 0 tests/releases

The processor's time includes that of all processes that the command starts, also of those that
outlive their parents, as the programs of a site do when a test kills its launcher. The shell's
`time` leaves those out. Linux only.
"""

import ctypes
import os
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def main(command: list[str]) -> int:
    """Run the command, wait for everything that it started, print the cost, and return its
    status."""
    # Processes whose parents have ended become children of this one, which then counts them.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    status = subprocess.call(command)
    passed = time.monotonic() - began
    try:
        while True:
            os.wait()
    except ChildProcessError:
        used = os.times()
    processor = used.children_user + used.children_system
    print(f"{passed:.0f} s passed, {processor:.0f} s of a processor: {' '.join(command)}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
