"""A student's home page: where to go on, today's boards, the assignments, and what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Enrolment
from puzzleclass.gallery.services import has_gallery, news_of_author
from puzzleclass.play.due import Due, due_for
from puzzleclass.play.models import Feedback
from puzzleclass.play.records import shows_records
from puzzleclass.practice import services
from puzzleclass.practice.access import may_practise
from puzzleclass.practice.returning import due_positions
from puzzleclass.practice.services import DailyBoard, daily_boards

NEWS_DAYS = 14
"""The number of days for which something is news."""

MAX_FEEDBACK = 3
"""The most pieces of a teacher's feedback among the news, the latest first."""


@dataclass(frozen=True, slots=True)
class NextBoard:
    """The board to go on to, which is shown as a large picture."""

    assigned: AssignedPuzzle | None = None
    """The first unsolved board of the assignment that is due first."""
    daily: DailyBoard | None = None
    """If nothing is assigned, the first unsolved board of today."""


def student_context(student: User) -> dict[str, Any]:
    """Return the context of a student's home page, in a fixed number of queries."""
    now = timezone.now()
    since = now - timedelta(days=NEWS_DAYS)
    due, practises = due_for(student), may_practise(student)
    daily = daily_boards(student) if practises else []
    returning = due_positions(student, services.today()) if practises else []
    return {
        "messages_of_teachers": list(_messages(student, since)),
        "due": due,
        "daily": daily,
        "returning": returning,
        "next_board": _next_board(due, daily),
        "feedback": _feedback(student, since),
        "written_news": news_of_author(student, since),
        "may_practise": practises,
        "has_gallery": has_gallery(student),
        "shows_records": shows_records(student),
    }


def _next_board(due: Due, daily: Sequence[DailyBoard]) -> NextBoard | None:
    for each in due.open:
        if each.next and not each.next.status.is_solved:
            return NextBoard(assigned=each.next.puzzle)
    first = next((board for board in daily if not board.is_solved), None)
    return NextBoard(daily=first) if first else None


def _messages(student: User, since: datetime) -> QuerySet[Enrolment]:
    """Return the student's places in classes, with the messages that their teachers have written
    since then."""
    places = Enrolment.objects.filter(student=student, classroom__archived_at=None)
    return places.filter(messaged_at__gte=since).order_by("-messaged_at")


def _feedback(student: User, since: datetime) -> list[Feedback]:
    """Return the latest feedback since then at puzzles that the student can still open.

    One query, and another one if there is any feedback.
    """
    latest = Feedback.objects.filter(attempt__student=student, at__gte=since)
    if not latest.exists():
        return []
    shown = latest.filter(
        assigned_to(student, "attempt__puzzle__assignment"),
        attempt__puzzle__assignment__in=Assignment.objects.shown(),
        attempt__puzzle__assignment__classroom__students=student,
        attempt__puzzle__assignment__classroom__archived_at=None,
    )
    return list(shown.select_related("attempt__puzzle").order_by("-at")[:MAX_FEEDBACK])
