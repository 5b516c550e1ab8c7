"""A school inside an installation: classes of 40 students, each with the same lesson."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from puzzleclass.demo.players import find_solution
from solvers.kind import split_moves
from solvers.registry import demo_boards, kinds
from tests.integration.processes import Site

CLASS_SIZE = 40
PIN = "2580"
PASSWORD = "seven quiet stones"
HINTS = 3
"""The number of hints for each puzzle."""

MAKE = """
import json
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.puzzles.models import Puzzle

made, left = [], {students}
with transaction.atomic():
    while left > 0:
        name = f"load{{User.objects.count()}}"
        teacher = User.objects.create_teacher(name, name, {password!r})
        classroom = Classroom.objects.create(name=name)
        classroom.teachers.add(teacher)
        size = min(left, {size})
        Enrolment.objects.bulk_create(
            Enrolment(classroom=classroom, number=number,
                      student=User.objects.create_student(f"{{name}} {{number}}", {pin!r}))
            for number in range(1, size + 1)
        )
        puzzles = [
            Puzzle.objects.create(owner=teacher, kind_slug=kind, title=kind, position=position)
            for kind, position in {boards!r}
        ]
        due_at = timezone.now() + timedelta(days=1)
        assignment = assign_puzzles(classroom, teacher, "A lesson", due_at, puzzles, hints={hints})
        made.append({{
            "teacher": name,
            "code": classroom.code,
            "size": size,
            "table": f"/assignments/{{assignment.pk}}/",
            "puzzles": [puzzle.pk for puzzle in assignment.puzzles.order_by("number")],
        }})
        left -= size
print(json.dumps(made))
"""


@dataclass(frozen=True, slots=True)
class Board:
    """A puzzle of the lesson, with a solution."""

    kind: str
    position: str
    way: tuple[str, ...]
    """The moves of the solution as texts."""


@dataclass(frozen=True, slots=True)
class LoadClass:
    """A class: the sign-in of its teacher and students, and the addresses of its lesson."""

    teacher: str
    code: str
    size: int
    table: str
    puzzles: tuple[int, ...]
    """Primary keys of the assigned puzzles, in the order of `lesson()`."""


def lesson() -> list[Board]:
    """Return two boards of every kind, each with a solution."""
    found = []
    for slug, kind in kinds().items():
        boards = [board for board in _ways(slug) if len(board.way) < 40]
        found += boards[:2]
        assert boards, f"no board of {kind.slug} with a way"
    return found


def _ways(slug: str) -> Iterator[Board]:
    kind, rng = kinds()[slug], random.Random(1)
    for board in demo_boards(kind):
        start = kind.read(board.position)
        moves = [kind.read_move(move) for move in split_moves(board.solution)] or find_solution(
            kind, start, rng
        )
        if moves:
            position = kind.write(start)
            yield Board(slug, position, tuple(kind.write_move(move) for move in moves))


def make_school(site: Site, students: int, boards: list[Board]) -> list[LoadClass]:
    """Create classes for this many students in the installation, and assign the boards to them."""
    code = MAKE.format(
        students=students,
        size=CLASS_SIZE,
        pin=PIN,
        password=PASSWORD,
        hints=HINTS,
        boards=[(board.kind, board.position) for board in boards],
    )
    made = json.loads(site.manage(code, timeout=600))
    return [LoadClass(**row | {"puzzles": tuple(row["puzzles"])}) for row in made]
