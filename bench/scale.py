"""Project the measured figures to a prefecture and a country: `python -m bench.scale`.

This is the arithmetic of docs/scale.md, and it writes the table of that page. `Measurements` holds
the measured figures and the commands that measured them. `Assumptions` holds the assumptions.
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
class Measurements:
    """Figures measured on two cores of a small machine, by the commands in docs/scale.md."""

    step_core_seconds: float = 0.0111
    """The processor time of the web processes for a step, with its share of openings, hints and
    tables (`make load LOAD="--students 200"`, SQLite)."""
    step_core_seconds_postgresql: float = 0.0138
    """The processor time of the web processes for a step on PostgreSQL."""
    requests_per_step: float = 1.74
    """The number of all requests of a lesson, divided by the number of its steps."""
    bytes_per_step: float = 300.0
    """The size of a step on PostgreSQL's disk, with its indexes and its share of the attempt
    (`make load`)."""
    bytes_per_answer: float = 12_000.0
    """The size of a stored hint or review with its indexes (`make load`). It is an upper bound: the
    few answers of a lesson leave pages of the indexes half empty."""


@cache
def solver_seconds(question: str) -> float:
    """Return a worker's mean processor time, in seconds, for the question.

    It is asked about boards of the demo lessons after some moves.
    """
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
            finish(asked.ask(kind, position))  # The first call compiles.
            began = time.process_time()
            finish(asked.ask(kind, position))
            taken.append(time.process_time() - began)
    return sum(taken) / len(taken)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Assumptions about the use of the site. Options of the command change them."""

    share_in_a_week: float = 0.25
    """The share of all students who have a lesson with puzzles in a week."""
    lessons_an_hour: int = 5
    """The number of lessons in a school day."""
    days: int = 5
    """The number of school days in a week."""
    peak: float = 2.0
    """How many times busier the busiest lesson of the week is than the mean one."""
    minutes: float = 30.0
    """The minutes that students spend at the boards in a lesson."""
    pace: float = 6.0
    """The seconds between a student's steps, including pauses and the teacher's explanations."""
    hints: float = 2.0
    """The number of hints that a student takes in a lesson."""
    attempts: float = 6.0
    """The number of attempts that a student makes in a lesson. Each is reviewed."""
    around_a_job: float = 0.05
    """A worker's processor seconds for a job besides the solver: message, rows, answer."""
    weeks: int = 35
    """The number of school weeks in a year."""
    use: float = 0.6
    """The share of a core that is used at the peak."""
    core_month: float = 25.0
    """The price, in US dollars, of a core and 4 GB of memory for a month at a large provider."""
    gigabyte_month: float = 0.15
    """The price, in US dollars, of a gigabyte of database disk a month, with copy and backups."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The resources that a number of students needs."""

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


def scale(
    students: int, measured: Measurements, assumed: Assumptions, *, sqlite: bool = False
) -> Scale:
    """Return what the students need at the busiest moment of a week, and in a year."""
    lessons = students * assumed.share_in_a_week
    at_once = min(
        students, math.ceil(lessons / (assumed.lessons_an_hour * assumed.days) * assumed.peak)
    )
    steps = at_once / assumed.pace
    per_step = measured.step_core_seconds if sqlite else measured.step_core_seconds_postgresql
    web = math.ceil(steps * per_step / assumed.use)
    seconds = assumed.minutes * 60
    hint, review = solver_seconds("hint"), solver_seconds("review")
    work = assumed.hints * (hint + assumed.around_a_job) + assumed.attempts * (
        review + assumed.around_a_job
    )
    workers = math.ceil(at_once * work / seconds / assumed.use)
    steps_a_year = lessons * assumed.weeks * seconds / assumed.pace
    answers_a_year = lessons * assumed.weeks * (assumed.hints + assumed.attempts)
    stored = steps_a_year * measured.bytes_per_step + answers_a_year * measured.bytes_per_answer
    gigabytes = stored / 1e9
    # For every step the database works about half as long as the web process.
    database = math.ceil(web / 2)
    dollars = (web + workers + database) * assumed.core_month + gigabytes * assumed.gigabyte_month
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
    lines = [
        ("", [f"{name}" for name in names]),
        ("--:", ["--:"] * len(scales)),
        ("students", [f"{column.students:,}" for column in scales]),
        ("at the boards at once", [f"{column.at_once:,}" for column in scales]),
        ("steps a second", [f"{column.steps:,.0f}" for column in scales]),
        ("requests a second", [f"{column.requests:,.0f}" for column in scales]),
        ("rows written a second", [f"{column.writes:,.0f}" for column in scales]),
        ("cores for pages", [f"{column.web_cores:,}" for column in scales]),
        ("cores for hints and reviews", [f"{column.worker_cores:,}" for column in scales]),
        ("stored a year, GB", [f"{column.gigabytes_a_year:,.1f}" for column in scales]),
        ("US dollars a month", [f"{column.dollars_a_month:,.0f}" for column in scales]),
        (
            "US cents a student and year",
            [f"{column.cents_a_student_a_year:,.0f}" for column in scales],
        ),
    ]
    return "\n".join("| " + " | ".join([head, *cells]) + " |" for head, cells in lines)


def main() -> None:
    """Write the table into the page, with the figures that the command line changes."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--students", type=int, nargs=4, default=[500, 20_000, 200_000, 9_000_000])
    for group in (Measurements, Assumptions):
        for field in fields(group):
            option = "--" + field.name.replace("_", "-")
            parser.add_argument(option, type=type(field.default), default=field.default)
    arguments = vars(parser.parse_args())
    measured, assumed = (
        group(**{field.name: arguments[field.name] for field in fields(group)})
        for group in (Measurements, Assumptions)
    )
    made = table([scale(students, measured, assumed) for students in arguments["students"]])
    text = PAGE.read_text(encoding="utf-8")
    marked = re.compile(f"{MARKS[0]}.*{MARKS[1]}", re.DOTALL)
    PAGE.write_text(marked.sub(f"{MARKS[0]}\n{made}\n{MARKS[1]}", text), encoding="utf-8")
    print(made)


if __name__ == "__main__":
    main()
