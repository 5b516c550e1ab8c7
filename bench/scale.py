"""From measured figures to a prefecture and a country: `python -m bench.scale`.

The arithmetic of docs/scale.md, and nothing else: what was measured stands in `Measured` with the
command that measured it, what is supposed in `Supposed`. Writes the table of the page.
"""

import argparse
import math
import random
import re
import time
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from solvers.question import finish
from solvers.registry import demo_boards, kinds

PAGE = Path(__file__).parent.parent / "docs" / "scale.md"
MARKS = ("<!-- bench.scale -->", "<!-- /bench.scale -->")


@dataclass(frozen=True, slots=True)
class Measured:
    """On two cores of a small machine; the commands stand in docs/scale.md."""

    step_core_seconds: float = 0.0111
    """Processor time of the web processes for a step and what comes with it: opening, hints, the
    table (`make load LOAD="--students 200"`, SQLite)."""
    step_core_seconds_postgresql: float = 0.0138
    """The same on PostgreSQL."""
    requests_per_step: float = 1.74
    """All requests of the lesson, for each step."""
    bytes_per_step: float = 300.0
    """On PostgreSQL's disk, with its indexes and its share of the try (`make load`)."""
    bytes_per_answer: float = 12_000.0
    """A stored hint or review with its indexes, measured so too. A bound from above: a lesson's few
    answers leave pages of the indexes half empty."""


@cache
def solver_seconds(question: str) -> float:
    """Return a worker's processor time for the question about a board of the demo lessons, half
    way, on average."""
    taken = []
    for kind in kinds().values():
        if question not in kind.questions:
            continue
        for board in demo_boards(kind)[:4]:
            position, rng = kind.read(board.position), random.Random(1)
            for _ in range(4):
                moves = list(kind.moves(position))
                if moves:
                    position = kind.play(position, rng.choice(moves))
            asked = kind.questions[question]
            finish(asked.ask(kind, position))  # compiles
            began = time.process_time()
            finish(asked.ask(kind, position))
            taken.append(time.process_time() - began)
    return sum(taken) / len(taken)


@dataclass(frozen=True, slots=True)
class Supposed:
    """How it is used. Change them to your own."""

    share_in_a_week: float = 0.25
    """Of all students, that have a lesson with puzzles in a week."""
    lessons_an_hour: int = 5
    """Lessons of a school day; the days of a week are `days`."""
    days: int = 5
    peak: float = 2.0
    """The busiest lesson of the week beside the mean one."""
    minutes: float = 30.0
    """At the boards in a lesson."""
    pace: float = 6.0
    """Seconds between a student's steps; teachers who talk, hands that rest."""
    hints: float = 2.0
    """Of a student in a lesson."""
    tries: float = 6.0
    """Of a student in a lesson; each is reviewed."""
    around_a_job: float = 0.05
    """Processor seconds of a worker for a job besides the solver: message, rows, answer."""
    weeks: int = 35
    """Of school in a year."""
    use: float = 0.6
    """How much of a core is used at the peak."""
    core_month: float = 25.0
    """US dollars for a core and 4 GB of memory for a month, at a large provider."""
    gigabyte_month: float = 0.15
    """US dollars for a gigabyte of a database's disk, with its copy and backups."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What so many students need."""

    students: int
    at_once: int
    steps: float
    requests: float
    web_cores: int
    worker_cores: int
    writes: float
    gigabytes_a_year: float
    dollars_a_month: float

    @property
    def cents_a_student_a_year(self) -> float:
        return self.dollars_a_month * 12 * 100 / self.students


def scale(students: int, measured: Measured, supposed: Supposed, *, sqlite: bool = False) -> Scale:
    """Return what so many students need at the busiest moment of a week, and in a year."""
    lessons = students * supposed.share_in_a_week
    at_once = min(
        students, math.ceil(lessons / (supposed.lessons_an_hour * supposed.days) * supposed.peak)
    )
    steps = at_once / supposed.pace
    per_step = measured.step_core_seconds if sqlite else measured.step_core_seconds_postgresql
    web = math.ceil(steps * per_step / supposed.use)
    seconds = supposed.minutes * 60
    hint, review = solver_seconds("hint"), solver_seconds("review")
    work = supposed.hints * (hint + supposed.around_a_job) + supposed.tries * (
        review + supposed.around_a_job
    )
    workers = math.ceil(at_once * work / seconds / supposed.use)
    steps_a_year = lessons * supposed.weeks * seconds / supposed.pace
    answers_a_year = lessons * supposed.weeks * (supposed.hints + supposed.tries)
    stored = steps_a_year * measured.bytes_per_step + answers_a_year * measured.bytes_per_answer
    gigabytes = stored / 1e9
    # The database works for every step about half as long as the web process.
    database = math.ceil(web / 2)
    dollars = (web + workers + database) * supposed.core_month + gigabytes * supposed.gigabyte_month
    return Scale(
        students,
        at_once,
        steps,
        steps * measured.requests_per_step,
        web,
        workers,
        steps * 2,
        gigabytes,
        dollars,
    )


def table(scales: list[Scale]) -> str:
    """Return the table of the page."""
    names = ["a school", "a city", "a prefecture", "the country"]
    rows = [
        ("", [f"{name}" for name in names]),
        ("--:", ["--:"] * len(scales)),
        ("students", [f"{of.students:,}" for of in scales]),
        ("at the boards at once", [f"{of.at_once:,}" for of in scales]),
        ("steps a second", [f"{of.steps:,.0f}" for of in scales]),
        ("requests a second", [f"{of.requests:,.0f}" for of in scales]),
        ("rows written a second", [f"{of.writes:,.0f}" for of in scales]),
        ("cores for pages", [f"{of.web_cores:,}" for of in scales]),
        ("cores for hints and reviews", [f"{of.worker_cores:,}" for of in scales]),
        ("stored a year, GB", [f"{of.gigabytes_a_year:,.1f}" for of in scales]),
        ("US dollars a month", [f"{of.dollars_a_month:,.0f}" for of in scales]),
        ("US cents a student and year", [f"{of.cents_a_student_a_year:,.0f}" for of in scales]),
    ]
    return "\n".join("| " + " | ".join([head, *cells]) + " |" for head, cells in rows)


def main() -> None:
    """Write the table into the page, with what the command line changes."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--students", type=int, nargs=4, default=[500, 20_000, 200_000, 9_000_000])
    for of in (Measured, Supposed):
        for one in fields(of):
            option = "--" + one.name.replace("_", "-")
            parser.add_argument(option, type=type(one.default), default=one.default)
    given = vars(parser.parse_args())
    measured, supposed = (
        of(**{one.name: given[one.name] for one in fields(of)}) for of in (Measured, Supposed)
    )
    made = table([scale(students, measured, supposed) for students in given["students"]])
    text = PAGE.read_text(encoding="utf-8")
    marked = re.compile(f"{MARKS[0]}.*{MARKS[1]}", re.DOTALL)
    PAGE.write_text(marked.sub(f"{MARKS[0]}\n{made}\n{MARKS[1]}", text), encoding="utf-8")
    print(made)


if __name__ == "__main__":
    main()
