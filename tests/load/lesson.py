"""A lesson of many students at once on a running installation, and its outcome."""

import asyncio
import json
import math
import os
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from tests.integration.processes import WEB, Site
from tests.load.memory import growth, sampled
from tests.load.people import PATIENCE_SECONDS, Browser, Record, Student, Teacher
from tests.load.school import Board, LoadClass

SIZES = """
from django.db import connection
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, Step
def each(model, *others):
    names = [of._meta.db_table for of in (model, *others)]
    total = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
    cursor.execute(total, [names])
    return cursor.fetchone()[0] / max(1, model.objects.count())
with connection.cursor() as cursor:
    cursor.execute("VACUUM FULL")
    print(each(Step, Attempt), each(Job, Job.askers.through))
"""
REPORT = """
import json
from puzzleclass.play.models import Attempt, Step
found = {str(key): [] for key in Attempt.objects.values_list("key", flat=True)}
steps = Step.objects.order_by("attempt_id", "number")
for key, number, action, move in steps.values_list("attempt__key", "number", "action", "move"):
    assert number == len(found[str(key)]), "a step is missing"
    found[str(key)].append((action, move))
print(json.dumps({
    "steps": found,
    "solved": Attempt.objects.filter(state="solved").count(),
    "short": [str(a.key) for a in Attempt.objects.all() if a.next_step != len(found[str(a.key)])],
}))
"""

SAMPLES = 20
"""How often the memory is measured during a lesson, whatever its length."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the clients saw of a lesson, and how the database differs from it."""

    record: Record
    seconds: float
    """Seconds during which steps were made, without the sign-in."""
    web_seconds: list[float]
    """Seconds of processor time that each web process used meanwhile."""
    memory: list[dict[str, float]]
    """The megabytes of the installation's processes during the lesson, by role."""
    sent: int
    """The number of steps that were answered."""
    lost: int
    """The number of answered steps that are not in the database."""
    unsent: int
    """The number of steps in the database that nobody made."""
    wrong: int
    """The number of attempts whose state does not fit their steps, plus the difference between the
    solved attempts in the database and those that the clients solved."""

    @property
    def is_whole(self) -> bool:
        return not (self.lost or self.unsent or self.wrong)

    @property
    def answers(self) -> int:
        """The number of all requests that were answered, including those of the sign-in."""
        return sum(map(len, self.record.seconds.values()))

    def quantile(self, share: float, *names: str) -> float:
        """Return the seconds within which this share of the answers to the named requests came."""
        times = sorted(s for name in names for s in self.record.seconds.get(name, ()))
        return times[math.ceil(share * len(times)) - 1] if times else math.nan

    def table(self) -> str:
        """Return a line for each sort of request, with p50, p95 and p99 in milliseconds."""
        names = sorted(self.record.seconds, key=lambda name: -len(self.record.seconds[name]))
        rows = [f"{'':22}{'answers':>8}{'p50':>8}{'p95':>8}{'p99':>8}  ms"]
        for title, of in [*((name, (name,)) for name in names), ("steps", ("move", "undo"))]:
            number = sum(len(self.record.seconds.get(name, ())) for name in of)
            times = (f"{self.quantile(share, *of) * 1000:8.0f}" for share in (0.5, 0.95, 0.99))
            rows.append(f"{title:22}{number:8}{''.join(times)}")
        faults = ", ".join(f"{n} x {what}" for what, n in sorted(self.record.faults.items()))
        steps, all_of_them = self.sent / self.seconds, self.answers / self.seconds
        cores = " + ".join(f"{each / self.seconds:.2f}" for each in self.web_seconds)
        rows.append(
            f"{steps:.1f} steps/s, {all_of_them:.1f} requests/s; "
            f"processor time of the web: {sum(self.web_seconds) / self.sent * 1000:.1f} ms a step, "
            f"{cores} cores"
        )
        rows.append(growth(self.memory))
        rows.append(
            f"errors: {faults or 'none'}; steps sent: {self.sent}, lost: {self.lost}, "
            f"never sent: {self.unsent}, wrong attempts: {self.wrong}"
        )
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the clients of one process sent and got."""

    record: Record
    sent: dict[str, list[tuple[str, str]]]
    """Key of an attempt -> the steps that were answered, as (action, move)."""
    solved: int


async def hold_lesson(
    site: Site,
    classes: list[LoadClass],
    boards: list[Board],
    *,
    pace: float,
    seconds: float,
    arrival: float,
    generators: int = 1,
    storing: bool = False,
) -> Outcome:
    """Let the students of all classes sign in within `arrival` seconds, and then make a step every
    `pace` seconds for `seconds` seconds, while their teachers watch.

    The clients run in as many processes of their own as there are `generators`. All processes begin
    to play at the same moment. With `storing`, the students' browsers store boards in the second
    half.
    """
    context = get_context("spawn")
    start = context.Barrier(generators + 1)
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(generators, context, _keep, (start,)) as pool:
        parts = [
            loop.run_in_executor(
                pool,
                _attend,
                *(site.address, classes[n::generators], boards, pace, seconds, arrival, storing),
            )
            for n in range(generators)
        ]
        await asyncio.to_thread(start.wait, arrival + PATIENCE_SECONDS)
        began, worked = time.monotonic(), web_seconds(site)
        memory = await sampled(site, seconds / SAMPLES, lambda: all(part.done() for part in parts))
        seen = await asyncio.gather(*parts)
        taken = time.monotonic() - began
        worked = [after - before for before, after in zip(worked, web_seconds(site))]
    return compare(site, seen, taken, worked, memory)


def _keep(start: Barrier) -> None:
    """Keep the moment at which all processes begin to play. Runs once in each process."""
    global _start
    _start = start


def _attend(
    address: str,
    classes: list[LoadClass],
    boards: list[Board],
    pace: float,
    seconds: float,
    arrival: float,
    storing: bool,
) -> Seen:
    """Be all students and teachers of the classes. Runs in a process of its own."""

    async def attend() -> Seen:
        record = Record()
        async with _people(address, classes, boards, record) as (students, teachers):
            everybody: list[Student | Teacher] = [*teachers, *students]
            gap = arrival / len(everybody)

            async def arrive(person: Student | Teacher, number: int) -> None:
                await asyncio.sleep(number * gap)
                await person.sign_in()

            await asyncio.gather(*(arrive(person, n) for n, person in enumerate(everybody)))
            await asyncio.to_thread(_start.wait, arrival + PATIENCE_SECONDS)
            began = time.monotonic()

            def is_over() -> bool:
                return time.monotonic() - began > seconds

            await asyncio.gather(
                *(student.play(pace, is_over) for student in students),
                *(student.store(seconds / 2, is_over) for student in students if storing),
                *(teacher.watch(is_over) for teacher in teachers),
            )
        sent = {key: steps for student in students for key, steps in student.sent.items()}
        return Seen(record, sent, sum(student.solved for student in students))

    return asyncio.run(attend())


def bytes_stored(site: Site) -> tuple[float, float]:
    """Return the bytes on PostgreSQL's disk for a step, with its share of the attempt, and for an
    answer.

    Indexes are included.
    """
    step, answer = map(float, site.manage(SIZES).split())
    return step, answer


def web_seconds(site: Site) -> list[float]:
    """Return the seconds of processor time that each living web process has used so far."""
    family = sorted(site.family().items())
    return [cpu_seconds(pid) for pid, command in family if WEB in command]


def cpu_seconds(pid: int) -> float:
    """Return the seconds of processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _people(
    address: str, classes: list[LoadClass], boards: list[Board], record: Record
) -> AsyncIterator[tuple[list[Student], list[Teacher]]]:
    students = [
        Student(address, record, of, number, boards)
        for of in classes
        for number in range(1, of.size + 1)
    ]
    teachers = [Teacher(address, record, of) for of in classes]
    everybody: list[Browser] = [*students, *teachers]
    try:
        yield students, teachers
    finally:
        for person in everybody:
            await person.close()


def compare(
    site: Site,
    seen: list[Seen],
    seconds: float,
    worked: list[float],
    memory: list[dict[str, float]],
) -> Outcome:
    """Return the outcome of comparing the steps in the database with those that were answered."""
    report = json.loads(site.manage(REPORT))
    record, sent = Record(), {}
    for each in seen:
        record.add(each.record)
        sent |= each.sent
    stored = {key: [tuple(step) for step in steps] for key, steps in report["steps"].items()}
    lost = unsent = 0
    for key in sent.keys() | stored.keys():
        ours, theirs = sent.get(key, []), stored.get(key, [])
        same = next(
            (n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs))
        )
        lost += len(ours) - same
        unsent += len(theirs) - same
    solved = sum(each.solved for each in seen)
    return Outcome(
        record,
        seconds,
        worked,
        memory,
        sum(map(len, sent.values())),
        lost,
        unsent,
        len(report["short"]) + abs(report["solved"] - solved),
    )
