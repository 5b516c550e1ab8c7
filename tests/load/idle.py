"""`python -m tests.load.idle`: measure what an installation needs while nobody is there.

The stock of practice boards is full, so that no worker makes boards, and the worker has answered
one question, so that it has loaded the compiled kernels.
"""

import argparse
import tempfile
import time
from pathlib import Path

from tests.integration.processes import Site, wait_for
from tests.load.lesson import cpu_seconds
from tests.load.memory import growth, megabytes

FILL = """
from puzzleclass.puzzles.worlds import worlds
from puzzleclass.practice.models import MadeBoard
from puzzleclass.practice.stock import BOARDS_PER_LEVEL
from solvers.registry import kinds
MadeBoard.objects.bulk_create(
    MadeBoard(kind_slug=slug, level=level, position="x", fingerprint=f"{slug} {level} {number}")
    for slug, kind in kinds().items()
    for level in worlds(kind)
    for number in range(BOARDS_PER_LEVEL)
)
"""
ASK = """
from puzzleclass.accounts.models import User
from puzzleclass.jobs.services import ask
teacher = User.objects.create_user("idle", role="teacher")
ask(teacher, "goishi", "count", "ooo/ooo/ooo")
"""
UNFINISHED = "SELECT 1 FROM jobs_job WHERE state NOT IN ('done', 'failed', 'stopped')"


def main() -> None:
    """Start an installation, let it rest, and print its memory and its use of a core."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.idle", description=__doc__)
    parser.add_argument("--memory", default="1000", help="MEMORY_MB of the installation")
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = Site(folder / "var", folder / "log", MEMORY_MB=options.memory).prepare()
        site.manage(FILL)
        with site.start("--no-demo"):
            site.manage(ASK)
            wait_for(lambda: not site.rows(UNFINISHED), 60, "the answer")
            time.sleep(30)  # What the start left to do is over.
            began, samples = seconds_used(site), [megabytes(site)]
            time.sleep(options.seconds)
            used, samples = seconds_used(site) - began, [*samples, megabytes(site)]
            print(growth([samples[0], *samples, samples[1]]))
            print(f"{100 * used / options.seconds:.2f}% of a core")


def seconds_used(site: Site) -> float:
    """Return the seconds of processor time that all processes of the installation have used."""
    return sum(map(cpu_seconds, (site.process.pid, *site.family())))


if __name__ == "__main__":
    main()
