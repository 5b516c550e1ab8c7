"""The first thing that a class plays: a lesson plan, or a set of boards, assigned by one press."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments import services
from puzzleclass.assignments.forms import AssignmentForm, usual_due_date
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import change_pace
from puzzleclass.classes.models import Classroom
from puzzleclass.http import read_key
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.seen_kinds import seen_kinds
from puzzleclass.sharing.models import Pack, PackedPuzzle
from puzzleclass.sharing.phases import stored
from puzzleclass.sharing.plans import LessonPlan, plans, plans_for, sets_for, world_puzzles

MAX_INSTRUCTIONS = 1000
"""The most characters of the instructions of an assignment."""

SET_SIZE = 6
"""The number of boards of a set."""


@dataclass(frozen=True)
class Start:
    """A lesson that can be started: a plan, or boards of a world."""

    name: str
    """What the form sends to choose it."""
    title: str
    puzzles: Sequence[PackedPuzzle]
    plan: LessonPlan | Pack | None = None
    was_used: bool = False
    """Whether the class has had all of its boards."""


def starts_for(classroom: Classroom, grade: int | None) -> list[Start]:
    """Return what is offered to a class of the grade, what it has had already at the end.

    One query. The plans come before the sets.
    """
    had = set(
        AssignedPuzzle.objects.filter(assignment__classroom=classroom).values_list(
            "kind_slug", "position"
        )
    )
    names = [f"plan:{plan.slug}" for plan in plans_for(grade)]
    names += [f"set:{kind}:{level}" for kind, level in sets_for(grade)]
    starts = [start for name in names if (start := find_start(name, had))]
    return sorted(starts, key=lambda start: (start.plan is None, start.was_used))


def find_start(name: str, had: Set[tuple[str, str]] = frozenset()) -> Start | None:
    """Return what the form has chosen by this name; None if there is no such plan or set."""
    match name.split(":"):
        case ["plan", slug] if plan := plans().get(slug):
            title, puzzles = plan.title, plan.puzzles
        case ["set", kind, level] if kind in seen_kinds():
            plan = None
            puzzles = world_puzzles(kind, read_key(level))[:SET_SIZE]
            title = _title_of_set(puzzles) if puzzles else ""
        case _:
            return None
    if not puzzles:
        return None
    was_used = had >= {(puzzle.kind_slug, puzzle.position) for puzzle in puzzles}
    return Start(name, title, puzzles, plan, was_used)


def _title_of_set(puzzles: Sequence[PackedPuzzle]) -> str:
    """Return the kind and the numbers of the boards, which no other set has."""
    last = puzzles[-1].title.rpartition(" ")[2]
    return _("{first} to {last}").format(first=puzzles[0].title, last=last)


@transaction.atomic
def assign_start(classroom: Classroom, teacher: User, start: Start) -> Assignment:
    """Assign the boards to the whole class, due in a week. Nothing goes into a library.

    The settings are those of the teacher's last assignment, except for those of the plan. Its
    phases are copied, so that a later change of the plan moves nothing in the lesson.
    """
    last = services.last_assignment(teacher, classroom)
    terms = {name: getattr(last, name) for name in AssignmentForm.REMEMBERED} if last else {}
    if plan := start.plan:
        terms |= {
            "dealing": Assignment.Dealing.ALL,
            "wanted": plan.wanted,
            "shows_total": plan.shows_total,
            "instructions": plan.goal[:MAX_INSTRUCTIONS],
        }
    assignment = services.assign_puzzles(
        classroom,
        teacher,
        title=services.unused_title(classroom, start.title),
        due_at=usual_due_date(classroom),
        puzzles=[Puzzle(**puzzle.copied) for puzzle in start.puzzles],
        **terms,
    )
    if plan and plan.course:
        Pace.objects.create(assignment=assignment, phases=stored(plan.course))
    return assignment


def start_lesson(classroom: Classroom, teacher: User, start: Start) -> Assignment:
    """Assign the boards, and begin the lesson of a plan before its first phase."""
    assignment = assign_start(classroom, teacher, start)
    if start.plan:
        change_pace(assignment, led_by=teacher, shown="wait")
    return assignment
