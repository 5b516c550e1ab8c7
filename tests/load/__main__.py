"""`make load`: hold lessons of many students on installations with all their real processes.

The clients sign in, open puzzles, make moves and take them back, ask for hints and solve, while
teachers watch the class table. The program prints how long the answers took, and compares the
database with what was sent: nothing may be lost. Its exit status is not 0 if something was.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.integration.postgres import postgres
from tests.integration.processes import Site
from tests.load.lesson import Outcome, bytes_stored, hold_lesson
from tests.load.school import lesson, make_school
from tests.load.slow import slow_visitors

DATABASES = ("sqlite", "postgresql")


def main(arguments: list[str]) -> int:
    """Hold the lessons that the command line names; return how many of them lost something."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--students", type=int, nargs="+", default=[40, 200, 1000])
    parser.add_argument("--database", choices=DATABASES, nargs="+", default=list(DATABASES))
    parser.add_argument("--pace", type=float, default=4, help="seconds from step to step")
    parser.add_argument("--seconds", type=float, default=60, help="of steps, in each lesson")
    parser.add_argument("--arrival", type=float, help="seconds in which all sign in")
    parser.add_argument("--generators", type=int, default=1, help="processes of clients")
    parser.add_argument("--cores", type=int, help="of the site; the clients get the others, if any")
    parser.add_argument("--slow", type=int, default=0, help="connections held meanwhile")
    parser.add_argument("--storing", action="store_true", help="boards in the second half")
    options = parser.parse_args(arguments)
    faulty = 0
    for database in options.database:
        for students in options.students:
            print(f"\n{database}, {students} students, a step in {options.pace:g} s", flush=True)
            outcome = run(database, students, options)
            print(outcome.table(), flush=True)
            faulty += not outcome.is_whole
    return faulty


def run(database: str, students: int, options: argparse.Namespace) -> Outcome:
    """Hold one lesson on an installation of its own."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {}
        with site_on_cores(options.cores):
            if database == "postgresql":
                urls["DATABASE_URL"] = stack.enter_context(postgres()).url
            site = Site(folder / "var", folder / "log", **urls)
            stack.enter_context(site).start("--no-demo")
        boards = lesson()
        classes = make_school(site, students, boards)

        async def hold() -> Outcome:
            async with slow_visitors(site, options.slow):
                return await hold_lesson(
                    site,
                    classes,
                    boards,
                    pace=options.pace,
                    seconds=options.seconds,
                    arrival=options.arrival or students / 10,
                    generators=options.generators,
                    storing=options.storing,
                )

        outcome = asyncio.run(hold())
        if urls:
            step, answer = bytes_stored(site)
            print(f"{step:.0f} bytes stored for a step, {answer:.0f} for an answer")
        return outcome


@contextmanager
def site_on_cores(number: int | None) -> Iterator[None]:
    """Start processes on the first cores inside the `with` block, and on the others after it.

    Without a number, and where all cores are the site's, the site and the clients share all cores.
    Linux alone knows how to do this.
    """
    every = sorted(os.sched_getaffinity(0)) if number else []
    if number:
        os.sched_setaffinity(0, every[:number])
    try:
        yield
    finally:
        if number:
            os.sched_setaffinity(0, every[number:] or every)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
