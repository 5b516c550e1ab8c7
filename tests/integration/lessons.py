"""Classes with puzzles to solve, created inside a running installation."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tests.integration.processes import Site

MAKE = """
import json
from datetime import timedelta
from secrets import token_hex
from django.test import Client
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle

def session_of(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value

teacher = User.objects.create_teacher(f"ono-{{token_hex(4)}}", "Ono Emi", "stones")
student = User.objects.create_student("Abe Haruto", "1234")
classroom = Classroom.objects.create(name="5-1")
classroom.teachers.add(teacher)
classroom.enrolments.create(student=student, number=1)
puzzles = [
    Puzzle.objects.create(owner=teacher, kind_slug=kind, title=kind, position=position)
    for kind, position in {puzzles!r}
]
due_at = timezone.now() + timedelta(days=1)
options = {{"title": "A lesson", **{options!r}}}
assignment = assign_puzzles(classroom, teacher, due_at=due_at, puzzles=puzzles, **options)
boards = [f"/play/{{board.pk}}/" for board in assignment.puzzles.order_by("number")]
print(json.dumps({{
    "teacher": session_of(teacher),
    "student": session_of(student),
    "table": f"/assignments/{{assignment.pk}}/",
    "boards": boards,
    "keys": {{
        "class": classroom.pk,
        "place": classroom.enrolments.get().pk,
        "student": student.pk,
        "puzzle": puzzles[0].pk,
        "assignment": assignment.pk,
        "assigned": assignment.puzzles.get(number=1).pk,
    }},
}}))
"""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A class with assigned puzzles: two sessions for `visit(..., session=...)`, and page
    addresses."""

    teacher: str
    student: str
    table: str
    boards: tuple[str, ...]
    """The addresses of the student's boards, in the order of the puzzles."""
    keys: dict[str, int]
    """The primary keys of the class and of its contents, including its first puzzle."""


def give_lesson(site: Site, puzzles: Sequence[tuple[str, str]], **options: object) -> Lesson:
    """Create a class with one student and assign these puzzles (kind and position) to it.

    `options` are those of `puzzleclass.assignments.services.assign_puzzles`.
    """
    made = json.loads(site.manage(MAKE.format(puzzles=list(puzzles), options=options)))
    return Lesson(**made | {"boards": tuple(made["boards"])})


STOP_JOBS = """
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.transitions import stop
for job in Job.objects.filter(ended_at=None):
    stop(job)
"""


def stop_counting(site: Site) -> None:
    """Stop the jobs that wait and run, for boards whose counts take minutes of the processor."""
    site.manage(STOP_JOBS)
