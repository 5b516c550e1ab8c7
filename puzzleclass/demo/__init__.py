"""A school to look around in: a teacher, two classes of 40, puzzles, and past lessons.

Nothing is written past the rules: every step goes through `play.services`, as if a
student had made it, and the counts and reviews are asked of the worker.
"""

import random
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.services import give
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.demo.boards import BOARDS
from puzzleclass.demo.names import class_list
from puzzleclass.demo.players import play
from puzzleclass.demo.questions import ask_in_advance
from puzzleclass.play.attempts import TimedStep, current_attempt, restart, take_steps
from puzzleclass.play.hints import ask_hint
from puzzleclass.play.models import HintUse, Step
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import get_kind

TEACHER = ("demo", "山田 先生", "puzzle-demo")
PIN = "1234"
CLASSES = (("5年1組", "KAYA52"), ("6年2組", "SHELL6"))
CLASS_SIZE = 40
SEED = 20100815
RECORD = "六路盤の記録"
"""The puzzle whose mark is below the best score there can be."""


def sign_ins() -> list[str]:
    """Return the demo's sign-ins, a line each, as far as they exist."""
    lines = []
    username, _, password = TEACHER
    if User.objects.filter(username=username).exists():
        lines.append(f"teacher   {username} / {password}")
    for name, code in CLASSES:
        if Classroom.objects.filter(code=code).exists():
            lines.append(f"students  class code {code} ({name}), any name, PIN {PIN}")
    return lines


@transaction.atomic
def make_demo() -> None:
    """Make the school. The database must hold no users."""
    rng = random.Random(SEED)
    teacher = User.objects.create_teacher(*TEACHER)
    taken: set[str] = set()
    fifth, sixth = (_make_class(teacher, name, code, rng, taken) for name, code in CLASSES)
    library = _make_library(teacher)
    goishi, tonari, maxstrings, kikazu = (
        library[kind] for kind in ("goishi", "tonari", "maxstrings", "kikazu")
    )
    now = timezone.now()
    last_week, next_week = now - timedelta(days=7), now + timedelta(days=6)

    past = give(fifth, teacher, "はじめての碁石拾い", now + timedelta(days=1), goishi[:4])
    _lesson(past, last_week, rng, present=0.97, minutes=25)
    Assignment.objects.filter(pk=past.pk).update(
        created_at=last_week, due_at=last_week + timedelta(days=3)
    )

    under_way = give(fifth, teacher, "碁石拾い その2", next_week, goishi[6:12])
    _lesson(under_way, now - timedelta(minutes=18), rng, present=0.9, minutes=16)

    other = give(sixth, teacher, "朝の十五分パズル", next_week, goishi[2:7] + goishi[13:14])
    _lesson(other, now - timedelta(days=1), rng, present=0.85, minutes=15)

    first_ones = [kind[at] for at in (0, 1) for kind in (tonari, maxstrings, kikazu)]
    mixed = give(
        sixth,
        teacher,
        "四つのゲームをためそう",
        next_week,
        goishi[2:3] + first_ones,
        shades=True,
        warns=True,
    )
    _lesson(mixed, now - timedelta(minutes=12), rng, present=0.8, minutes=10)
    ask_in_advance(teacher)

    record = next(puzzle for puzzle in maxstrings if puzzle.title == RECORD)
    records = give(sixth, teacher, "クラスの記録にいどもう", next_week, [record], shows_total=False)
    _lesson(records, now - timedelta(minutes=6), rng, present=0.8, minutes=5)


def _make_class(
    teacher: User, name: str, code: str, rng: random.Random, taken: set[str]
) -> Classroom:
    classroom = Classroom.objects.create(name=name, code=code)
    classroom.teachers.add(teacher)
    Enrolment.objects.bulk_create(
        Enrolment(
            classroom=classroom, student=User.objects.create_student(student, PIN), number=number
        )
        for number, student in enumerate(class_list(rng, CLASS_SIZE, taken), 1)
    )
    return classroom


def _make_library(teacher: User) -> dict[str, list[Puzzle]]:
    """Return the puzzles by kind."""
    return {
        slug: [
            Puzzle.objects.create(
                owner=teacher,
                kind_slug=slug,
                title=board.title,
                position=get_kind(slug).write(get_kind(slug).read(board.position)),
            )
            for board in boards
        ]
        for slug, boards in BOARDS.items()
    }


def _lesson(
    assignment: Assignment, start: datetime, rng: random.Random, present: float, minutes: int
) -> None:
    """Let the class work on the assignment from `start` on, for `minutes`."""
    end = start + timedelta(minutes=minutes)
    for student in assignment.classroom.students.all():
        if rng.random() > present:
            continue
        skill = rng.betavariate(2.5, 2)
        clock = start + timedelta(seconds=rng.randrange(90))
        for puzzle in assignment.puzzles.all():
            clock = _sitting(student, puzzle, clock, end, rng, skill)


def _sitting(
    student: User,
    puzzle: AssignedPuzzle,
    clock: datetime,
    end: datetime,
    rng: random.Random,
    skill: float,
) -> datetime:
    """Let a student sit at a puzzle; return the time at which the hands come off it."""
    # As in class: the pace is the student's, some moves want thought.
    pace = 3 + 6 * (1 - skill)
    attempt = current_attempt(student, puzzle, clock)
    way = next(board.way for board in BOARDS[puzzle.kind_slug] if board.title == puzzle.title)
    hints_left = puzzle.assignment.hints
    steps: list[TimedStep] = []
    for action, what in play(puzzle.kind, puzzle.start, rng, skill, way):
        clock += timedelta(seconds=rng.expovariate(1 / pace) + 0.8)
        if clock >= end:
            clock = end
            break
        if action in Step.Action:
            steps.append((action, what, clock))
            continue
        take_steps(attempt, steps)
        steps.clear()
        if action == "restart":
            attempt = restart(attempt, clock)
        elif hints_left:
            ask_hint(attempt, attempt.next_step, HintUse.Level(int(what)), clock)
            hints_left -= 1
    take_steps(attempt, steps)
    return min(end, clock + timedelta(seconds=5))
