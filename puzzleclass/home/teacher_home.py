"""A teacher's home page: what to do now, the open assignments, and where to find puzzles."""

from dataclasses import dataclass

from django.db.models import Count

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.home.notices import Beginning, notices_of
from puzzleclass.puzzles.kind_names import shown_board
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.seen_kinds import seen_kinds
from puzzleclass.sharing.plans import plans
from solvers.registry import AnyKind, collection

MAX_CARDS = 6
"""The most assignments and of classes on the page. The list of classes leads to the rest."""

MAX_PUZZLES = 4
"""The most of the teacher's latest puzzles."""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """Which of the three steps to the first lesson a new teacher has done."""

    classroom: Classroom | None
    """The class in which the teacher goes on; None if there is none to which puzzles can be
    assigned."""
    has_class: bool
    has_cards: bool
    """Whether a student has a card or has signed in without one."""
    has_lesson: bool

    @property
    def are_done(self) -> bool:
        """Whether the last step is done, with or without cards."""
        return self.has_class and self.has_lesson


@dataclass(frozen=True, slots=True)
class ReadyPuzzles:
    """The ready collection of a kind, with one of its boards."""

    kind: AnyKind
    board: Puzzle
    number: int


def teacher_context(teacher: User) -> dict[str, object]:
    """Return what a teacher's home page shows. The number of queries does not depend on it."""
    desk = notices_of(teacher)
    templates = teacher.templates.annotate(puzzle_count=Count("puzzles")).order_by("title", "pk")
    return {
        "now": desk.notices,
        "steps": FirstSteps(
            classroom=next(iter(desk.assignable), None),
            has_class=bool(desk.classrooms),
            has_cards=any(classroom.has_sign_ins for classroom in desk.classrooms),
            has_lesson=any(classroom.has_assignments for classroom in desk.classrooms),
        ),
        "running": Beginning(desk.running, MAX_CARDS),
        "classrooms": Beginning(desk.classrooms, MAX_CARDS),
        "assignable": desk.assignable,
        "templates": list(templates),
        "plans": [(plan, plan.puzzles[0]) for plan in plans().values()],
        "ready": _ready_puzzles(),
        "puzzles": list(Puzzle.objects.filter(owner=teacher)[:MAX_PUZZLES]),
    }


def _ready_puzzles() -> list[ReadyPuzzles]:
    """Return the ready collections, each with the board in its middle."""
    ready = []
    for kind in seen_kinds().values():
        if collected := collection(kind):
            ready.append(ReadyPuzzles(kind, shown_board(kind), len(collected)))
    return ready
