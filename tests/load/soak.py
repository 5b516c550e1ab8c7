"""`make soak`: kill the worker, web processes, Redis and PostgreSQL under load, many times.

Meanwhile students play, and teachers' counts are computed. In the end every answered step must be
in the database once, every count must be right, and no job may wait any more. The exit status is
the number of violations.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from solvers.question import finish
from solvers.registry import get_kind
from tests.integration.postgres import postgres
from tests.integration.processes import SOLVER, WEB, Site, wait_for
from tests.load.lesson import Outcome, hold_lesson
from tests.load.school import lesson, make_school

SETTLED_SECONDS = 180
"""Seconds within which everything that was under way at the last kill must have ended."""

ASK = """
from puzzleclass.accounts.models import User
from puzzleclass.jobs.services import ask
teacher = User.objects.filter(role="teacher").order_by("pk").first()
for board in {boards!r}:
    ask(teacher, "goishi", "count", board)
"""
ANSWERS = """
import json
from puzzleclass.jobs.models import Job
counts = Job.objects.filter(kind_slug="goishi", question="count", position__in={boards!r})
print(json.dumps({{
    "unfinished": Job.objects.exclude(state__in=Job.ENDED).count(),
    "broken off": Job.objects.filter(state="failed").count(),
    "counts": [(job.position, job.state, str(job.value)) for job in counts],
}}))
"""


def kill_all(site: Site, word: str) -> None:
    """Kill the launcher's children that have the word in their command lines, with signal 9."""
    for pid in site.children(word):
        os.kill(pid, signal.SIGKILL)


def victims(site: Site) -> dict[str, Callable[[], None]]:
    """Return what can be killed on an installation: name -> function that kills it."""
    return {
        "worker": lambda: kill_all(site, SOLVER),
        "web": lambda: kill_all(site, WEB),
        "Redis": lambda: kill_all(site, "redis"),
    }


def boards_to_count(number: int) -> list[str]:
    """Return this many different boards whose solutions take a moment to count."""
    kind, rng = get_kind("goishi"), random.Random(2)
    boards: dict[str, None] = {}
    while len(boards) < number:
        boards[kind.write(kind.sample(rng, 7))] = None
    return list(boards)


def soak(
    site: Site,
    kills: list[Callable[[], None]],
    *,
    students: int,
    pace: float,
    pause: float,
    counts: int,
) -> tuple[Outcome, list[str]]:
    """Hold a lesson on the installation while one kill comes every `pause` seconds.

    Returns the outcome of the lesson, and what is wrong with the counts.
    """
    boards, asked = lesson(), boards_to_count(counts)
    classes = make_school(site, students, boards)
    site.manage(ASK.format(boards=asked))
    arrival = students / 10

    async def kill_them() -> None:
        await asyncio.sleep(arrival + pause)
        for kill in kills:
            await asyncio.to_thread(kill)
            await asyncio.sleep(pause)

    async def hold() -> Outcome:
        killing = asyncio.create_task(kill_them())
        seconds = pause * (len(kills) + 1)
        outcome = await hold_lesson(
            site, classes, boards, pace=pace, seconds=seconds, arrival=arrival
        )
        await killing
        return outcome

    outcome = asyncio.run(hold())
    return outcome, faults_of_counts(site, asked)


def faults_of_counts(site: Site, asked: list[str]) -> list[str]:
    """Wait until no job is unfinished, and return what is wrong with the answers."""

    def answers() -> dict[str, object]:
        return json.loads(site.manage(ANSWERS.format(boards=asked)))

    try:
        wait_for(lambda: not answers()["unfinished"], SETTLED_SECONDS, "the end of all jobs")
    except AssertionError:
        return [f"{answers()['unfinished']} jobs are stuck"]
    found = {position: (state, value) for position, state, value in answers()["counts"]}
    kind, faults = get_kind("goishi"), []
    for board in asked:
        state, value = found.get(board, ("lost", ""))
        # A job whose worker has died twice fails. It says so, and can be asked again.
        if state == "failed":
            continue
        right = str(finish(kind.questions["count"].ask(kind, kind.read(board))).value)
        if (state, value) != ("done", right):
            faults.append(f"{board}: {state}, {value} in place of {right}")
    return faults


def main(arguments: list[str]) -> int:
    """Kill each process this many times in a random order; return the number of violations."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="of each")
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--pause", type=float, default=5, help="seconds between kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(postgres())
        site = Site(folder / "var", folder / "log", DATABASE_URL=server.url)
        stack.enter_context(site).start("--no-demo")

        def cut_power() -> None:
            server.kill()
            server.start()

        kills = [*victims(site).values(), cut_power] * options.kills
        random.Random(options.seed).shuffle(kills)
        outcome, faults = soak(
            site, kills, students=options.students, pace=2, pause=options.pause, counts=100
        )
    print(outcome.table(), *faults, f"{len(kills)} kills, {len(faults)} wrong counts", sep="\n")
    return len(faults) + (not outcome.is_whole)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
