"""A student's page: everything over all assignments, the course over time, strengths, notes.

A teacher sees the work in the own classes, and what a student brings along: the work of classes
that are archived or that the student has left. What is done in a colleague's class of today is
the colleague's to show.
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
from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.assignments.dealing import boards_for, given_to
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.charts import Line, chart, table
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import NOTE_LENGTH, Classroom, Enrolment, StudentNote
from puzzleclass.classes.personal_data import log_look
from puzzleclass.http import SignedInRequest, read_key
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import Attempt, FoundSolution, HintUse
from puzzleclass.puzzles.answers import RATE, answer_in
from puzzleclass.stats.class_table import CellState, clock
from solvers.answers import RateAnswer, level_of
from solvers.registry import AnyKind

A_WORKING_DAY = timedelta(hours=8)
"""How long ago the password may have been typed, when a student's page is looked at."""
MOST_WEEKS = 26
MOST_TRIES = 5000
"""The latest are read: years of work."""


def get_place_for_teacher(teacher: User, student: int, right: Right = Right.LOOK) -> Enrolment:
    """Return the student's latest place in a class of the teacher's, which has its `role`.

    Raises Http404 where the student is in none, PermissionDenied where the part isn't enough.
    """
    places = Enrolment.objects.filter(
        in_class_of(teacher, "classroom"), student=student
    ).select_related("classroom", "student")
    best = places.filter(in_class_of(teacher, "classroom", right)).order_by("-pk").first()
    if best:
        return best
    if places.exists():
        raise PermissionDenied
    raise Http404


# What the student has done


@dataclass(slots=True)
class PuzzleWork:
    """A student's work at a puzzle."""

    puzzle: AssignedPuzzle
    tries: int = 0
    seconds: int = 0
    is_solved: bool = False
    found: int = 0
    hints: int = 0
    band: str = ""
    """How difficult the board is, where that was asked: one of `BANDS`."""

    @property
    def state(self) -> CellState:
        if self.is_solved:
            return CellState.SOLVED
        return CellState.WORKING if self.tries else CellState.NOT_STARTED

    @property
    def time(self) -> str:
        return clock(self.seconds)


@dataclass(slots=True)
class AssignmentWork:
    """A student's work at an assignment."""

    assignment: Assignment
    is_mine: bool
    """The teacher who looks teaches its class, so that the tries can be opened."""
    puzzles: list[PuzzleWork]

    @property
    def solved(self) -> int:
        return sum(work.is_solved for work in self.puzzles)


@dataclass(slots=True)
class Strength:
    """How a student does at boards of one kind and one difficulty."""

    kind: AnyKind
    band: str
    works: list[PuzzleWork] = field(default_factory=list)

    @property
    def begun(self) -> int:
        return sum(work.tries > 0 for work in self.works)

    @property
    def solved(self) -> int:
        return sum(work.is_solved for work in self.works)

    @property
    def share(self) -> int:
        """Solved of those begun, in percent."""
        return round(100 * self.solved / self.begun) if self.begun else 0

    @property
    def time(self) -> str:
        """The median time at a solved board; empty where none is."""
        times = [work.seconds for work in self.works if work.is_solved]
        return clock(round(median(times))) if times else ""


@dataclass(slots=True)
class Week:
    """What was done in a week."""

    monday: date
    tries: int = 0
    solved: int = 0
    seconds: int = 0

    @property
    def minutes(self) -> int:
        return round(self.seconds / 60)


def works_of(teacher: User, student: User) -> list[AssignmentWork]:
    """Return the student's work, the latest assignment first. Seven queries."""
    mine = Classroom.objects.filter(in_class_of(teacher))
    mine_keys = set(mine.values_list("pk", flat=True))
    now_in = student.enrolments.order_by().values("classroom")
    brought = Q(classroom__archived_at__isnull=False) | ~Q(classroom__in=now_in)
    begun = Attempt.objects.filter(student=student).order_by().values("puzzle__assignment")
    given = given_to(student) & Q(classroom__in=mine.values("pk"), classroom__students=student)
    done = Q(pk__in=begun) & (Q(classroom__in=mine.values("pk")) | brought)
    assignments = list(
        Assignment.objects.filter(given | done)
        .distinct()
        .select_related("classroom")
        .prefetch_related("puzzles")
        .order_by("-due_at", "-pk")
    )
    works = {p.pk: PuzzleWork(p) for a in assignments for p in a.puzzles.all()}
    tries = Attempt.objects.filter(student=student, next_step__gt=0, puzzle__in=works)
    rows = tries.order_by("-pk").values_list("puzzle_id", "seconds", "state", "has_solved")
    for puzzle, seconds, state, has_solved in rows[:MOST_TRIES]:
        work = works[puzzle]
        work.tries += 1
        work.seconds += seconds
        work.is_solved |= has_solved or state == Attempt.State.SOLVED
    at = {"student": student, "puzzle__in": works}
    found = FoundSolution.objects.filter(**at).order_by().values_list("puzzle")
    for puzzle, number in found.annotate(n=Count("pk")):
        works[puzzle].found = number
        works[puzzle].is_solved = True
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
    """Return the student's work at the boards; nobody is to solve all of a gallery."""
    mine = [works[puzzle.pk] for puzzle in boards]
    return [work for work in mine if work.tries] if assignment.is_gallery else mine


def _rate(works: Iterable[PuzzleWork]) -> None:
    """Say how difficult the boards are, as far as that is known. One query."""
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
    """Return the work by kind and difficulty, those boards alone that were begun."""
    found: dict[tuple[str, int], Strength] = {}
    for work in (work for each in works for work in each.puzzles if work.tries):
        key = (work.puzzle.kind_slug, level_of(work.band))
        strength = found.setdefault(key, Strength(work.puzzle.kind, work.band))
        strength.works.append(work)
    return [found[key] for key in sorted(found)]


def weeks_of(student: User, works: Iterable[AssignmentWork]) -> list[Week]:
    """Return the last weeks, from the first one with work among them on. One query."""
    puzzles = [work.puzzle.pk for each in works for work in each.puzzles]
    today = timezone.localdate()
    first = today - timedelta(days=today.weekday(), weeks=MOST_WEEKS - 1)
    weeks: dict[date, Week] = defaultdict(lambda: Week(first))
    tries = Attempt.objects.filter(student=student, puzzle__in=puzzles, next_step__gt=0)
    rows = tries.order_by("-pk").values_list("last_at", "seconds", "state", "has_solved")
    for at, seconds, state, has_solved in rows[:MOST_TRIES]:
        day = timezone.localtime(at).date()
        week = weeks[day - timedelta(days=day.weekday())]
        week.tries += 1
        week.seconds += seconds
        week.solved += has_solved or state == Attempt.State.SOLVED
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
    """Everything about a student. That it was looked at is written down."""
    place = get_place_for_teacher(request.user, pk)
    log_look(request.user, place)
    works = works_of(request.user, place.student)
    weeks = weeks_of(place.student, works)
    flat = [work for each in works for work in each.puzzles]
    course = chart(
        "course",
        _("Course over time"),
        _("Week"),
        [
            Line(_("Tries"), enumerate((week.tries for week in weeks), 1)),
            Line(_("Solved"), enumerate((week.solved for week in weeks), 1)),
            Line(_("Minutes"), enumerate((week.minutes for week in weeks), 1)),
        ],
    )
    context = {
        "place": place,
        "may_teach": may_teach(request.user, pk),
        "groups": place.groups.all(),
        "works": works,
        "weeks": weeks,
        "chart": course,
        "charts": [course],
        "numbers": table(
            [_("Week"), pgettext("date", "from"), _("Tries"), _("Solved"), _("Minutes")],
            (
                (n, date_format(w.monday, "SHORT_DATE_FORMAT"), w.tries, w.solved, w.minutes)
                for n, w in enumerate(weeks, 1)
            ),
        ),
        "strengths": strengths_of(works),
        "figures": {
            "begun": sum(work.tries > 0 for work in flat),
            "solved": sum(work.is_solved for work in flat),
            "found": sum(work.found for work in flat),
            "hints": sum(work.hints for work in flat),
            "time": clock(sum(work.seconds for work in flat)),
        },
        "notes": place.student.notes.select_related("author"),
        "note_length": NOTE_LENGTH,
    }
    return render(request, "stats/student.html", context)


def may_teach(teacher: User, student: int) -> bool:
    """Return whether the teacher may write about the student."""
    rows = Enrolment.objects.filter(in_class_of(teacher, "classroom", Right.TEACH))
    return rows.filter(student=student).exists()


@for_teachers("POST")
def student_note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Write a note about the student, or delete one of the own."""
    place = get_place_for_teacher(request.user, pk, Right.TEACH)
    if "delete" in request.POST:
        key = request.POST["delete"]
        notes = StudentNote.objects.filter(student=pk, author=request.user)
        get_object_or_404(notes, pk=read_key(key)).delete()
        return redirect("student", pk)
    text = request.POST.get("text", "").strip().replace("\0", "")
    if not text:
        fault = _("Write something down first.")
    elif len(text) > NOTE_LENGTH:
        fault = _("A note has at most {most} characters.").format(most=NOTE_LENGTH)
    elif place.student.notes.count() >= StudentNote.MOST:
        fault = _("There are {most} notes already. Delete one first.").format(most=StudentNote.MOST)
    else:
        place.student.notes.create(author=request.user, text=text)
        return redirect("student", pk)
    messages.error(request, fault)
    return redirect("student", pk)
