"""Classes with puzzles to solve, made inside a running installation."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tests.integration.processes import Site

MAKE = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import give
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle

def session_of(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value

teacher = User.objects.create_teacher(f"ono{{User.objects.count()}}", "Ono Emi", "stones")
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
given = give(classroom, teacher, due_at=due_at, puzzles=puzzles, **options)
boards = [f"/play/{{board.pk}}/" for board in given.puzzles.order_by("number")]
print(json.dumps({{
    "teacher": session_of(teacher),
    "student": session_of(student),
    "table": f"/assignments/{{given.pk}}/",
    "boards": boards,
    "keys": {{
        "class": classroom.pk,
        "place": classroom.enrolments.get().pk,
        "student": student.pk,
        "puzzle": puzzles[0].pk,
        "assignment": given.pk,
        "assigned": given.puzzles.get(number=1).pk,
    }},
}}))
"""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Two sessions, to be opened with `visit(..., session=...)`, and the pages' addresses."""

    teacher: str
    student: str
    table: str
    boards: tuple[str, ...]
    """The student's, in the puzzles' order."""
    keys: dict[str, int]
    """Of the class and what is in it: its first puzzle, too."""


def give_lesson(site: Site, puzzles: Sequence[tuple[str, str]], **options: object) -> Lesson:
    """Return a class of one that has been given these puzzles (kind and position).

    `options` are those of `puzzleclass.assignments.services.give`.
    """
    made = json.loads(site.manage(MAKE.format(puzzles=list(puzzles), options=options)))
    return Lesson(**made | {"boards": tuple(made["boards"])})
