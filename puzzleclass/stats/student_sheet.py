"""A student's work on one sheet, for a conversation with the parents: figures, the course over
time, results by kind and difficulty, three boards, the latest assignments and comments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from django.db.models import Max, Min, Q
from django.utils import timezone

from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.progress import StudentAndPuzzle
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.stats.course import Course, course_of, days_by_student, recent
from puzzleclass.stats.student_work import AssignmentWork, PuzzleWork, Strength, strengths_of
from puzzleclass.templating.templatetags.words import clock
from solvers.answers import BANDS, level_of
from solvers.picture import Picture
from solvers.registry import AnyKind

MAX_BOARDS = 3
MAX_ASSIGNMENTS = 6
MAX_COMMENTS = 3
MAX_COMMENTS_READ = 2000


class SheetBoard(NamedTuple):
    """A board that a student has solved or worked on, and the work at it."""

    work: PuzzleWork
    picture: Picture


class Results(NamedTuple):
    """A student's results as a table: a row for each kind, a column for each difficulty."""

    bands: list[str]
    """The difficulties of the columns; the last one is empty if some boards are not rated."""
    rows: list[tuple[AnyKind, list[Strength | None]]]


@dataclass(frozen=True, slots=True)
class StudentSheet:
    """What the sheet of a student shows."""

    enrolment: Enrolment
    works: list[AssignmentWork]
    course: Course
    boards: list[SheetBoard]
    comments: list[Feedback]

    @property
    def puzzles(self) -> list[PuzzleWork]:
        return _puzzles_of(self.works)

    @property
    def begun(self) -> int:
        return sum(work.status.is_begun for work in self.puzzles)

    @property
    def solved(self) -> int:
        return sum(work.status.is_solved for work in self.puzzles)

    @property
    def found(self) -> int:
        """The number of solutions found, of all puzzles together."""
        return sum(work.status.found for work in self.puzzles)

    @property
    def hints(self) -> int:
        return sum(work.hints for work in self.puzzles)

    @property
    def time(self) -> str:
        """The time at the board, as a stopwatch shows it."""
        return clock(sum(work.status.seconds for work in self.puzzles))

    @property
    def classes(self) -> list[str]:
        """The names of the classes in which the student did the work."""
        return list(dict.fromkeys(each.assignment.classroom.name for each in self.works))

    @property
    def latest(self) -> list[AssignmentWork]:
        """The latest assignments, without galleries."""
        return [w for w in self.works if not w.assignment.is_gallery][:MAX_ASSIGNMENTS]

    @property
    def strengths(self) -> list[Strength]:
        return strengths_of(self.works)

    @property
    def results(self) -> Results:
        by_kind: dict[str, dict[str, Strength]] = defaultdict(dict)
        for strength in self.strengths:
            by_kind[strength.kind.slug][strength.band] = strength
        kinds = {strength.kind.slug: strength.kind for strength in self.strengths}
        used = {strength.band for strength in self.strengths}
        bands = [band for band in (*BANDS, "") if band in used]
        rows = [
            (kinds[slug], [found.get(band) for band in bands]) for slug, found in by_kind.items()
        ]
        return Results(bands, rows)


def sheets_of(
    enrolments: Sequence[Enrolment], works: Mapping[int, list[AssignmentWork]]
) -> list[StudentSheet]:
    """Return the sheet of each enrolment. `works` are those of each student (pk).

    Uses four queries, however many students there are.
    """
    students = [each.student_id for each in enrolments]
    works = {student: works.get(student, []) for student in students}
    puzzles = {work.puzzle.pk for work in _puzzles_of(chain.from_iterable(works.values()))}
    own = Q(student__in=students, puzzle__in=puzzles)
    days = days_by_student(own & recent())
    chosen = {student: _choose(works[student]) for student in students}
    boards = _boards(chosen)
    comments = _comments(students, puzzles)
    sheets = []
    for enrolment in enrolments:
        student = enrolment.student_id
        course = course_of(days[student], timezone.localdate())
        sheets.append(
            StudentSheet(enrolment, works[student], course, boards[student], comments[student])
        )
    return sheets


def _puzzles_of(works: Iterable[AssignmentWork]) -> list[PuzzleWork]:
    return [work for each in works for work in each.puzzles]


# Boards and comments


def _choose(works: Iterable[AssignmentWork]) -> list[PuzzleWork]:
    """Return the hardest boards that a student has solved, the latest first among equals. Boards
    that are not solved follow."""
    begun = [work for work in _puzzles_of(works) if work.status.since]
    begun.sort(key=lambda w: (w.status.is_solved, level_of(w.band), w.status.since), reverse=True)
    return begun[:MAX_BOARDS]


def _boards(chosen: Mapping[int, Sequence[PuzzleWork]]) -> dict[int, list[SheetBoard]]:
    """Return the chosen boards as the students left them: after the first solution, or after the
    latest attempt. Uses two queries."""
    puzzles = {work.puzzle.pk for works in chosen.values() for work in works}
    own = Q(student__in=list(chosen), puzzle__in=puzzles)
    places = ("student", "puzzle")
    solutions = FoundSolution.objects.filter(own).order_by().values(*places)
    first = solutions.annotate(first=Min("pk")).values("first")
    attempts = Attempt.objects.filter(own, next_step__gt=0).order_by().values(*places)
    last = attempts.annotate(last=Max("pk")).values("last")
    lines: dict[StudentAndPuzzle, str] = {}
    for found in (Attempt.objects.filter(pk__in=last), FoundSolution.objects.filter(pk__in=first)):
        lines |= {(s, puzzle): line for s, puzzle, line in found.values_list(*places, "line")}
    return {
        student: [
            SheetBoard(work, drawn_after(work.puzzle, lines.get((student, work.puzzle.pk), "")))
            for work in works
        ]
        for student, works in chosen.items()
    }


def _comments(students: Sequence[int], puzzles: Iterable[int]) -> dict[int, list[Feedback]]:
    """Return the latest feedback that each student (pk) has received. Uses one query."""
    given = Feedback.objects.filter(attempt__student__in=students, attempt__puzzle__in=puzzles)
    comments: dict[int, list[Feedback]] = defaultdict(list)
    for feedback in given.select_related("attempt__puzzle").order_by("-at")[:MAX_COMMENTS_READ]:
        own = comments[feedback.attempt.student_id]
        if len(own) < MAX_COMMENTS:
            own.append(feedback)
    return comments
