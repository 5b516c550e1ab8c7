"""A student's page: the work at all assignments, the course over time, the strengths and the notes.

A teacher sees the work in the teacher's own classes and the work that a student brings along from
classes that are archived or that the student has left. Work in a colleague's current class is for
the colleague to show.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from statistics import median

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.dealing import assigned_to, boards_for
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import NOTE_LENGTH, Classroom, Enrolment, StudentNote
from puzzleclass.classes.personal_data import log_view
from puzzleclass.http import read_key
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.progress import PuzzleStatus, student_progress
from puzzleclass.puzzles.answers import RATE, answer_in
from puzzleclass.stats.class_table import clock
from puzzleclass.tables.charts import Curve, chart, table
from solvers.answers import RateAnswer, level_of
from solvers.registry import AnyKind

A_WORKING_DAY = timedelta(hours=8)
"""How long ago the teacher's password may have been entered when a student's page is opened."""
MOST_WEEKS = 26
MOST_TRIES = 5000
"""The most attempts that are read, the latest ones. They cover years of work."""


def get_enrolment_for_teacher(teacher: User, student: int, right: Right = Right.LOOK) -> Enrolment:
    """Return the student's latest enrolment in a class in which the teacher has this right.

    Raises Http404 when the student is in none of the teacher's classes, and PermissionDenied when
    the teacher's part in them does not include the right.
    """
    enrolments = Enrolment.objects.filter(
        in_class_of(teacher, "classroom"), student=student
    ).select_related("classroom", "student")
    best = enrolments.filter(in_class_of(teacher, "classroom", right)).order_by("-pk").first()
    if best:
        return best
    if enrolments.exists():
        raise PermissionDenied
    raise Http404


# What the student has done


@dataclass(slots=True)
class PuzzleWork:
    """A student's work at a puzzle."""

    puzzle: AssignedPuzzle
    status: PuzzleStatus
    hints: int = 0
    band: str = ""
    """The difficulty of the board, one of `BANDS`; empty when it has not been rated."""

    @property
    def time(self) -> str:
        """The time at the board, as a stopwatch shows it."""
        return clock(self.status.seconds)


@dataclass(slots=True)
class AssignmentWork:
    """A student's work at an assignment."""

    assignment: Assignment
    is_mine: bool
    """Whether the teacher who looks at the page teaches the class, so that the attempts can be
    opened."""
    puzzles: list[PuzzleWork]

    @property
    def solved(self) -> int:
        return sum(work.status.is_solved for work in self.puzzles)


@dataclass(slots=True)
class Strength:
    """A student's results at boards of one kind and one difficulty."""

    kind: AnyKind
    band: str
    works: list[PuzzleWork] = field(default_factory=list)

    @property
    def begun(self) -> int:
        return sum(work.status.is_begun for work in self.works)

    @property
    def solved(self) -> int:
        return sum(work.status.is_solved for work in self.works)

    @property
    def share(self) -> int:
        """The share of the boards begun that are solved, in percent."""
        return round(100 * self.solved / self.begun) if self.begun else 0

    @property
    def time(self) -> str:
        """The median time at a solved board; empty when none is solved."""
        times = [work.status.seconds for work in self.works if work.status.is_solved]
        return clock(round(median(times))) if times else ""


@dataclass(slots=True)
class Week:
    """A student's work in a week."""

    monday: date
    tries: int = 0
    solved: int = 0
    seconds: int = 0

    @property
    def minutes(self) -> int:
        return round(self.seconds / 60)


def works_of(teacher: User, student: User) -> list[AssignmentWork]:
    """Return the student's work, the latest assignment first. Uses thirteen queries at most."""
    mine = Classroom.objects.filter(in_class_of(teacher))
    mine_keys = set(mine.values_list("pk", flat=True))
    current_classes = student.enrolments.order_by().values("classroom")
    brought_along = Q(classroom__archived_at__isnull=False) | ~Q(classroom__in=current_classes)
    begun = Attempt.objects.filter(student=student).order_by().values("puzzle__assignment")
    assigned = assigned_to(student) & Q(
        classroom__in=mine.values("pk"), classroom__students=student
    )
    done = Q(pk__in=begun) & (Q(classroom__in=mine.values("pk")) | brought_along)
    assignments = list(
        Assignment.objects.filter(assigned | done)
        .distinct()
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("-due_at", "-pk")
    )
    puzzles = [puzzle for assignment in assignments for puzzle in assignment.puzzles.all()]
    progress = student_progress(student.pk, puzzles)
    works = {puzzle.pk: PuzzleWork(puzzle, progress[puzzle.pk]) for puzzle in puzzles}
    hints = HintUse.objects.filter(attempt__student=student, attempt__puzzle__in=works)
    for puzzle, number in hints.order_by().values_list("attempt__puzzle").annotate(n=Count("pk")):
        works[puzzle].hints = number
    _rate(works.values())
    boards = boards_for(student, assignments)
    return [
        AssignmentWork(a, a.classroom_id in mine_keys, _shown(a, boards[a.pk], works))
        for a in assignments
    ]


def _shown(
    assignment: Assignment, boards: Iterable[AssignedPuzzle], works: Mapping[int, PuzzleWork]
) -> list[PuzzleWork]:
    """Return the student's work at the boards; in a gallery, at those that were begun, because
    nobody is to solve all boards of a gallery."""
    mine = [works[puzzle.pk] for puzzle in boards]
    return [work for work in mine if work.status.is_begun] if assignment.is_gallery else mine


def _rate(works: Iterable[PuzzleWork]) -> None:
    """Set the difficulty of each board that has been rated. Uses one query."""
    keys = [
        (work, job_key(work.puzzle.kind_slug, RATE, work.puzzle.position))
        for work in works
        if RATE in work.puzzle.kind.questions
    ]
    found = jobs.find_all(key for _work, key in keys)
    for work, key in keys:
        answer = answer_in(found.get(key), RateAnswer)
        work.band = answer.band if answer else ""


def strengths_of(works: Iterable[AssignmentWork]) -> list[Strength]:
    """Return the work grouped by kind and difficulty, without boards that have not been begun."""
    found: dict[tuple[str, int], Strength] = {}
    for work in (work for each in works for work in each.puzzles if work.status.is_begun):
        key = (work.puzzle.kind_slug, level_of(work.band))
        strength = found.setdefault(key, Strength(work.puzzle.kind, work.band))
        strength.works.append(work)
    return [found[key] for key in sorted(found)]


def weeks_of(student: User, works: Iterable[AssignmentWork]) -> list[Week]:
    """Return the last weeks, beginning with the first of them in which the student worked. Uses one
    query."""
    puzzles = [work.puzzle.pk for each in works for work in each.puzzles]
    today = timezone.localdate()
    first = today - timedelta(days=today.weekday(), weeks=MOST_WEEKS - 1)
    weeks: dict[date, Week] = defaultdict(lambda: Week(first))
    tries = Attempt.objects.filter(student=student, puzzle__in=puzzles, next_step__gt=0)
    rows = tries.order_by("-pk").values_list("last_at", "seconds", "has_solved")
    for at, seconds, has_solved in rows[:MOST_TRIES]:
        day = timezone.localtime(at).date()
        week = weeks[day - timedelta(days=day.weekday())]
        week.tries += 1
        week.seconds += seconds
        week.solved += has_solved
    begun = min((monday for monday in weeks if monday >= first), default=None)
    if begun is None:
        return []
    mondays = [begun + timedelta(weeks=n) for n in range((today - begun).days // 7 + 1)]
    for monday in mondays:
        weeks[monday].monday = monday
    return [weeks[monday] for monday in mondays]


# The page


@for_teachers("GET", within=A_WORKING_DAY)
def student(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show everything about a student, and log that the teacher has looked at it."""
    enrolment = get_enrolment_for_teacher(request.user, pk)
    log_view(request.user, enrolment)
    works = works_of(request.user, enrolment.student)
    weeks = weeks_of(enrolment.student, works)
    all_works = [work for each in works for work in each.puzzles]
    course = chart(
        "course",
        _("Course over time"),
        _("Week"),
        [
            Curve(_("Attempts"), enumerate((week.tries for week in weeks), 1)),
            Curve(_("Solved"), enumerate((week.solved for week in weeks), 1)),
            Curve(_("Minutes"), enumerate((week.minutes for week in weeks), 1)),
        ],
    )
    context = {
        "enrolment": enrolment,
        "may_teach": may_teach(request.user, pk),
        "groups": enrolment.groups.all(),
        "works": works,
        "weeks": weeks,
        "chart": course,
        "charts": [course],
        "numbers": table(
            [_("Week"), pgettext("date", "from"), _("Attempts"), _("Solved"), _("Minutes")],
            (
                (n, date_format(w.monday, "SHORT_DATE_FORMAT"), w.tries, w.solved, w.minutes)
                for n, w in enumerate(weeks, 1)
            ),
        ),
        "strengths": strengths_of(works),
        "figures": {
            "begun": sum(work.status.is_begun for work in all_works),
            "solved": sum(work.status.is_solved for work in all_works),
            "found": sum(work.status.found for work in all_works),
            "hints": sum(work.hints for work in all_works),
            "time": clock(sum(work.status.seconds for work in all_works)),
        },
        "notes": enrolment.student.notes.select_related("author"),
        "note_length": NOTE_LENGTH,
    }
    return render(request, "stats/student.html", context)


def may_teach(teacher: User, student: int) -> bool:
    """Return whether the teacher may write notes about the student."""
    rows = Enrolment.objects.filter(in_class_of(teacher, "classroom", Right.TEACH))
    return rows.filter(student=student).exists()


@for_teachers("POST")
def student_note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add a note about the student, or delete one of the teacher's own notes."""
    enrolment = get_enrolment_for_teacher(request.user, pk, Right.TEACH)
    if "delete" in request.POST:
        key = request.POST["delete"]
        notes = StudentNote.objects.filter(student=pk, author=request.user)
        get_object_or_404(notes, pk=read_key(key)).delete()
        return redirect("student", pk)
    text = request.POST.get("text", "").strip().replace("\0", "")
    if not text:
        fault = _("Write a note first.")
    elif len(text) > NOTE_LENGTH:
        fault = _("A note has at most {most} characters.").format(most=NOTE_LENGTH)
    elif enrolment.student.notes.count() >= StudentNote.MOST:
        fault = _("There are {most} notes already. Delete one first.").format(most=StudentNote.MOST)
    else:
        enrolment.student.notes.create(author=request.user, text=text)
        return redirect("student", pk)
    messages.error(request, fault)
    return redirect("student", pk)
