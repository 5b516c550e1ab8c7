"""A teacher's home page: what to do now, the open assignments, and where to find puzzles."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.access import Right, in_class_of, may
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.gallery.services import waiting_in_class
from puzzleclass.jobs.services import failed_lately
from puzzleclass.lti.grades import refused_scores
from puzzleclass.play.needs import stuck_now
from puzzleclass.play.progress import Progress
from puzzleclass.play.status import PuzzleState
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.rosters.consent import open_requests
from puzzleclass.rosters.models import StudentMatch
from puzzleclass.sharing.plans import plans
from puzzleclass.stats.ledger import Tally, read_ledger
from solvers.registry import AnyKind, collection, kinds

T = TypeVar("T")

MAX_ROWS = 3
"""The most assignments and classes of each sort under "Needs attention"."""

MAX_REFUSED = 50
"""The most assignments with refused scores that are counted."""

MAX_CARDS = 6
"""The most assignments and of classes on the page. The list of classes leads to the rest."""

MAX_PUZZLES = 4
"""The most of the teacher's latest puzzles."""


class Beginning(Generic[T]):
    """The beginning of a list that may be long."""

    def __init__(self, rows: Sequence[T], most: int) -> None:
        self.rows = rows[:most]
        self.more = max(0, len(rows) - most)
        """The number of rows that are not shown."""

    def __bool__(self) -> bool:
        return bool(self.rows)


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


@dataclass(frozen=True)
class RunningAssignment:
    """An assignment that is not over yet, and how far its class is."""

    assignment: Assignment
    puzzles: Sequence[AssignedPuzzle]
    progress: Progress
    all: Tally
    """The puzzles of all students together."""

    @cached_property
    def stuck_now(self) -> int:
        """The number of students who are stuck now."""
        return len(stuck_now(self.assignment, self.progress))

    @property
    def not_begun(self) -> set[int]:
        """The students who have puzzles of it and have begun none."""
        asked = {
            student
            for (student, _), each in self.progress.items()
            if each.state != PuzzleState.NOT_ASSIGNED
        }
        begun = {student for (student, _), each in self.progress.items() if each.is_begun}
        return asked - begun


@dataclass(frozen=True, slots=True)
class ReadyPuzzles:
    """The ready collection of a kind, with one of its boards."""

    kind: AnyKind
    board: Puzzle
    number: int


def teacher_context(teacher: User) -> dict[str, object]:
    """Return what a teacher's home page shows. The number of queries does not depend on it."""
    classrooms = _classrooms(teacher)
    assignable = [classroom for classroom in classrooms if may(classroom, Right.TEACH)]
    puzzles = list(Puzzle.objects.filter(owner=teacher)[:MAX_PUZZLES])
    running = _running(teacher)
    templates = teacher.templates.annotate(puzzle_count=Count("puzzles")).order_by("title", "pk")
    now = {
        "stuck": Beginning([each for each in running if each.stuck_now], MAX_ROWS),
        "due_tomorrow": _due_tomorrow(running),
        "lessons": Beginning(_next_lessons(running), MAX_ROWS),
        "handed_in": sum(room.handed_in for room in assignable),
        "waiting": Beginning([room for room in assignable if room.handed_in], MAX_ROWS),
        "empty": Beginning([room for room in assignable if not room.student_count], MAX_ROWS),
        "unconfirmed": Beginning([room for room in assignable if room.has_matches], MAX_ROWS),
        "roster_requests": Beginning(list(open_requests(teacher)), MAX_ROWS),
        "failed_jobs": failed_lately(teacher).count(),
        "refused": Beginning(_with_refused_scores(teacher), MAX_ROWS),
    }
    return {
        "now": now,
        "has_something_now": any(now.values()),
        "steps": FirstSteps(
            classroom=next(iter(assignable), None),
            has_class=bool(classrooms),
            has_cards=any(classroom.has_sign_ins for classroom in classrooms),
            has_lesson=any(classroom.has_assignments for classroom in classrooms),
        ),
        "running": Beginning(running, MAX_CARDS),
        "classrooms": Beginning(classrooms, MAX_CARDS),
        "assignable": assignable,
        "templates": list(templates),
        "plans": [(plan, plan.puzzles[0]) for plan in plans().values()],
        "ready": _ready_puzzles(),
        "puzzles": puzzles,
    }


def _classrooms(teacher: User) -> list[Any]:
    """Return the teacher's classes, each with the role of the teacher, `student_count`,
    `handed_in`, `has_assignments`, `has_matches` and `has_sign_ins`."""
    matches = StudentMatch.objects.filter(enrolment__classroom=OuterRef("pk"))
    assignments = Assignment.objects.filter(classroom=OuterRef("pk"), is_gallery=False)
    signing_in = Enrolment.objects.filter(classroom=OuterRef("pk")).exclude(
        student__card=None, student__last_login=None
    )
    return list(
        Classroom.objects.filter(in_class_of(teacher), archived_at=None)  # type: ignore[no-redef]
        .annotate(
            student_count=Count("enrolments"),
            role=F("teachings__role"),
            handed_in=_waiting_count(),
            has_assignments=Exists(assignments),
            has_matches=Exists(matches),
            has_sign_ins=Exists(signing_in),
        )
        # An aggregate drops the model's default ordering.
        .order_by("name", "pk")
    )


def _with_refused_scores(teacher: User) -> list[Assignment]:
    """Return the assignments whose scores a learning platform has refused. The teacher may send
    them again."""
    own = in_class_of(teacher, "assignment__classroom", right=Right.TEACH)
    refused = refused_scores(own & Q(assignment__classroom__archived_at=None))
    found = Assignment.objects.filter(pk__in=refused.values("column__assignment"))
    return list(found.select_related("classroom").order_by("-due_at", "-pk")[:MAX_REFUSED])


def _waiting_count() -> Coalesce:
    """Return an expression for the number of puzzles that wait in the class's gallery."""
    waiting = waiting_in_class(OuterRef("pk")).order_by()
    counts = waiting.values("classroom").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts), 0)


def _running(teacher: User) -> list[RunningAssignment]:
    """Return the assignments in the teacher's classes that are not over, the next due one first."""
    assignments = (
        Assignment.objects.filter(
            in_class_of(teacher, "classroom"),
            classroom__archived_at=None,
            is_gallery=False,
            due_at__gt=timezone.now(),
        )
        .select_related("classroom", "pace")
        .prefetch_related("puzzles")
        .order_by("due_at", "pk")
    )
    ledger = read_ledger(assignments)
    return [
        RunningAssignment(
            each.assignment, each.puzzles, progress, ledger.of_assignment(each.assignment)
        )
        for each, progress in zip(ledger.classes, ledger.progress, strict=True)
    ]


def _next_lessons(running: list[RunningAssignment]) -> list[RunningAssignment]:
    """Return the assignments that start or are due today, and the one that comes after them."""
    published = [each for each in running if not each.assignment.is_draft]
    coming = sorted(published, key=lambda each: _next_date(each.assignment))
    today = [each for each in coming if _is_today(_next_date(each.assignment))]
    return coming[: len(today) + 1]


def _due_tomorrow(running: list[RunningAssignment]) -> list[tuple[Assignment, list[User]]]:
    """Return the assignments that are due tomorrow, with the students who have not begun.

    One query, if there are such students.
    """
    tomorrow = timezone.localdate() + timedelta(days=1)
    waiting = [
        (each.assignment, students)
        for each in running
        if each.assignment.is_shown
        and timezone.localdate(each.assignment.due_at) == tomorrow
        and (students := each.not_begun)
    ]
    names = User.objects.in_bulk({key for _, students in waiting for key in students})
    return [(each, [names[key] for key in sorted(students)]) for each, students in waiting]


def _next_date(assignment: Assignment) -> datetime:
    """Return when the assignment starts, or when it is due if it has started."""
    if assignment.starts_at and not assignment.is_shown:
        return assignment.starts_at
    return assignment.due_at


def _is_today(moment: datetime) -> bool:
    return timezone.localdate(moment) == timezone.localdate()


def _ready_puzzles() -> list[ReadyPuzzles]:
    """Return the ready collections, each with the board in its middle."""
    shown = []
    for slug, kind in kinds().items():
        if collected := collection(kind):
            middle = collected[len(collected) // 2]
            board = Puzzle(kind_slug=slug, position=middle.position)
            shown.append(ReadyPuzzles(kind, board, len(collected)))
    return shown
