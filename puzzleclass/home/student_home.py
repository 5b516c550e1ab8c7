"""A student's home page: where to go on, daily boards, assignments, the garden, and what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Enrolment
from puzzleclass.gallery.services import galleries_of, news_of_author
from puzzleclass.play.due import OwnAssignments, due_for
from puzzleclass.play.models import Feedback
from puzzleclass.play.path import Path
from puzzleclass.practice import services
from puzzleclass.practice.access import all_let_practise
from puzzleclass.practice.garden import garden_of
from puzzleclass.practice.places import paths_for
from puzzleclass.practice.returning import due_positions
from puzzleclass.practice.services import daily_states
from puzzleclass.puzzles.worlds import kinds_with_worlds
from solvers.registry import AnyKind

NEWS_DAYS = 14
"""The number of days for which something is news."""

MAX_FEEDBACK = 3
"""The most pieces of a teacher's feedback among the news, the latest first."""


@dataclass(frozen=True, slots=True)
class NextBoard:
    """The board to go on to, which is shown as a large picture."""

    assigned: AssignedPuzzle | None = None
    """The first unsolved board of the assignment that is due first."""
    path: Path | None = None
    """If nothing is assigned, the path through the kind that was practised last."""
    introduction: AnyKind | None = None
    """For somebody who has practised nothing, the kind to begin with."""


def student_context(student: User, code: str | None) -> dict[str, Any]:
    """Return the context of a student's home page, in a fixed number of queries.

    `code` is the class code of the sign-in.
    """
    now, today = timezone.now(), services.today()
    since = now - timedelta(days=NEWS_DAYS)
    due, enrolments = due_for(student), _enrolments(student)
    classrooms = [enrolment.classroom for enrolment in enrolments]
    classroom = next(
        (each for each in classrooms if each.code == code), next(iter(classrooms), None)
    )
    practises = all_let_practise(classrooms)
    written = list(student.written_puzzles.select_related("shown_as"))
    paths = paths_for(student, classroom, kinds_with_worlds()) if classroom and practises else []
    garden = garden_of(classroom, today, student) if classroom and classroom.garden else None
    return {
        "messages_of_teachers": [
            each for each in enrolments if each.messaged_at and each.messaged_at >= since
        ],
        "due": due,
        "daily": daily_states(student, classroom) if classroom and practises else [],
        "returning": due_positions(student, today) if practises else [],
        "next_board": _next_board(due, paths),
        "path": paths[0] if paths else None,
        "feedback": _feedback(student, since),
        "written_news": news_of_author(student, written, since),
        "may_practise": practises,
        "has_gallery": bool(written) or any(each.has_gallery for each in enrolments),
        "garden": garden,
        "bed": garden.bed_of(today) if garden else None,
    }


def _next_board(due: OwnAssignments, paths: Sequence[Path]) -> NextBoard | None:
    for each in due.open:
        if each.next and not each.next.status.is_solved:
            return NextBoard(assigned=each.next.puzzle)
    if not paths:
        return None
    latest = paths[0]
    if latest.here is None and latest.kind.introduction:
        return NextBoard(introduction=latest.kind)
    return NextBoard(path=latest) if latest.current else None


def _enrolments(student: User) -> list[Any]:
    """Return the student's enrolments in running classes, the latest message of a teacher first,
    each with its class and with whether the class has a gallery. One query."""
    gallery = galleries_of(OuterRef("classroom"))
    enrolments = Enrolment.objects.filter(
        student=student, classroom__archived_at=None, classroom__deleted_at=None
    )
    enrolments = enrolments.select_related("classroom").annotate(has_gallery=Exists(gallery))
    return list(enrolments.order_by("-messaged_at"))


def _feedback(student: User, since: datetime) -> list[Feedback]:
    """Return the latest feedback since then at puzzles that the student can still open.

    One query, and another one if there is any feedback.
    """
    latest = Feedback.objects.filter(attempt__student=student, at__gte=since)
    if not latest.exists():
        return []
    recent = latest.filter(
        assigned_to(student, "attempt__puzzle__assignment"),
        attempt__puzzle__assignment__in=Assignment.objects.shown(),
        attempt__puzzle__assignment__classroom__students=student,
        attempt__puzzle__assignment__classroom__archived_at=None,
    )
    return list(recent.select_related("attempt__puzzle").order_by("-at")[:MAX_FEEDBACK])
