"""What a teacher should look at: the notices of the home page and of the daily e-mail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.access import Right, in_class_of, may
from puzzleclass.classes.invitations import AdministratorInvitation, Invitation
from puzzleclass.classes.models import Classroom, Enrolment, TeachingInvitation
from puzzleclass.gallery.services import waiting_in_class
from puzzleclass.jobs.services import failed_lately
from puzzleclass.lti.grades import refused_scores
from puzzleclass.play.needs import stuck_now
from puzzleclass.play.progress import Progress
from puzzleclass.rosters.consent import open_requests
from puzzleclass.rosters.failures import FailedImport, failed_imports, schools_with_notices
from puzzleclass.rosters.models import RosterRequest, StudentMatch
from puzzleclass.rosters.retention import Deletion, announced
from puzzleclass.stats.ledger import Work, have_begun, have_finished, read_ledger
from puzzleclass.workshop.inventing import waiting_kinds

T = TypeVar("T")
Asked = TypeVar("Asked", bound=Invitation)

MAX_ROWS = 3
"""The most assignments and classes of each sort under "Needs attention"."""

MAX_REFUSED = 50
"""The most assignments with refused scores that are counted."""


class Beginning(Generic[T]):
    """The beginning of a list that may be long."""

    def __init__(self, rows: Sequence[T], most: int) -> None:
        self.rows = rows[:most]
        self.more = max(0, len(rows) - most)
        """The number of rows that are not shown."""

    def __bool__(self) -> bool:
        return bool(self.rows)


@dataclass(frozen=True)
class RunningAssignment:
    """An assignment that is not over yet, and how far its class is."""

    assignment: Assignment
    puzzles: Sequence[AssignedPuzzle]
    progress: Progress
    works: Sequence[Work]
    """What each student who has puzzles of it has done."""

    @cached_property
    def stuck_now(self) -> int:
        """The number of students who are stuck now."""
        return len(stuck_now(self.assignment, self.progress))

    @property
    def begun(self) -> int:
        """The number of students who have begun one of its puzzles."""
        return have_begun(self.works)

    @property
    def finished(self) -> int:
        """The number of students who have solved all of their puzzles."""
        return have_finished(self.works)

    @property
    def not_begun(self) -> set[int]:
        """The students who have puzzles of it and have begun none."""
        return {work.student for work in self.works if not work.begun}


@dataclass(frozen=True, slots=True)
class LateStarters:
    """An assignment that is due tomorrow, with the students who have not begun it."""

    assignment: Assignment
    students: list[User]


@dataclass(frozen=True, slots=True)
class Notices:
    """What a teacher should look at. The false ones are nothing to look at."""

    stuck: Beginning[RunningAssignment]
    due_tomorrow: list[LateStarters]
    lessons: Beginning[RunningAssignment]
    handed_in: int
    """The number of puzzles that wait in galleries."""
    waiting: Beginning[Any]
    """The classes in whose galleries puzzles wait."""
    empty: Beginning[Any]
    """The classes without students."""
    unconfirmed: Beginning[Any]
    """The classes with students who are to be matched with a roster."""
    roster_requests: Beginning[RosterRequest]
    invitations: Beginning[AdministratorInvitation]
    """The schools and boards that the teacher is asked to administer."""
    class_invitations: Beginning[TeachingInvitation]
    """The classes that the teacher is asked to teach."""
    failed_imports: list[FailedImport]
    refused: Beginning[Assignment]
    failed_jobs: int
    deletions: Beginning[Deletion]
    """What the rules of schools delete soon."""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class Desk:
    """The classes of a teacher and their open assignments, with the notices about them."""

    classrooms: list[Any]
    """Each with the teacher's `role`, `student_count`, `handed_in`, `has_assignments`,
    `has_matches` and `has_sign_ins`."""
    assignable: list[Any]
    """Those to which the teacher can assign puzzles."""
    running: list[RunningAssignment]
    notices: Notices


def notices_of(teacher: User) -> Desk:
    """Return the teacher's notices, and what they are about. The number of queries is constant."""
    classrooms = _classrooms(teacher)
    assignable = [classroom for classroom in classrooms if may(classroom, Right.TEACH)]
    running = _running(teacher)
    schools = schools_with_notices(teacher)
    notices = Notices(
        stuck=Beginning([each for each in running if each.stuck_now], MAX_ROWS),
        due_tomorrow=_due_tomorrow(running),
        lessons=Beginning(_next_lessons(running), MAX_ROWS),
        handed_in=sum(room.handed_in for room in assignable),
        waiting=Beginning([room for room in assignable if room.handed_in], MAX_ROWS),
        empty=Beginning([room for room in assignable if not room.student_count], MAX_ROWS),
        unconfirmed=Beginning([room for room in assignable if room.has_matches], MAX_ROWS),
        roster_requests=Beginning(list(open_requests(teacher)), MAX_ROWS),
        invitations=_invitations(AdministratorInvitation, teacher),
        class_invitations=_invitations(TeachingInvitation, teacher),
        failed_imports=failed_imports(schools),
        refused=Beginning(_with_refused_scores(teacher), MAX_ROWS),
        failed_jobs=failed_lately(teacher).count(),
        deletions=Beginning(announced(teacher, schools), MAX_ROWS),
    )
    return Desk(classrooms, assignable, running, notices)


def _invitations(model: type[Asked], teacher: User) -> Beginning[Asked]:
    """Return the questions of a sort to the teacher."""
    return Beginning(list(model.open_for(teacher)[: model.MAX_SHOWN]), MAX_ROWS)


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


def _waiting_count() -> CombinedExpression:
    """Return an expression for the number of puzzles and kinds that wait in the class's gallery."""
    puzzles, kinds = (
        rows.order_by().values("classroom").annotate(n=Count("pk")).values("n")
        for rows in (waiting_in_class(OuterRef("pk")), waiting_kinds(OuterRef("pk")))
    )
    return Coalesce(Subquery(puzzles), 0) + Coalesce(Subquery(kinds), 0)


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
        RunningAssignment(each.assignment, each.puzzles, progress, ledger.works_at(each.assignment))
        for each, progress in zip(ledger.classes, ledger.progress, strict=True)
    ]


def _next_lessons(running: list[RunningAssignment]) -> list[RunningAssignment]:
    """Return the assignments that start or are due today, and the one that comes after them."""
    published = [each for each in running if not each.assignment.is_draft]
    coming = sorted(published, key=lambda each: _next_date(each.assignment))
    today = [each for each in coming if _day_after(_next_date(each.assignment), each.assignment, 0)]
    return coming[: len(today) + 1]


def _due_tomorrow(running: list[RunningAssignment]) -> list[LateStarters]:
    """Return the assignments that are due tomorrow and that some students have not begun.

    One query, if there are such students.
    """
    waiting = [
        (each.assignment, students)
        for each in running
        if each.assignment.is_shown
        and _day_after(each.assignment.due_at, each.assignment, 1)
        and (students := each.not_begun)
    ]
    names = User.objects.in_bulk({key for _, students in waiting for key in students})
    return [LateStarters(each, [names[key] for key in sorted(keys)]) for each, keys in waiting]


def _next_date(assignment: Assignment) -> datetime:
    """Return when the assignment starts, or when it is due if it has started."""
    if assignment.starts_at and not assignment.is_shown:
        return assignment.starts_at
    return assignment.due_at


def _day_after(moment: datetime, assignment: Assignment, days: int) -> bool:
    """Return whether the moment is so many days after today, in the class's time zone."""
    zone = assignment.classroom.zone
    return timezone.localdate(moment, zone) == timezone.localdate(None, zone) + timedelta(days=days)
