"""A student's work on one sheet, for a conversation with the parents: figures, the course over
time, results by kind and difficulty, three boards, the latest assignments and comments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Max, Min, Q
from django.utils import timezone

from puzzleclass.assignments.reflections import Reflection
from puzzleclass.classes.models import Enrolment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.progress import StudentAndPuzzle
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.stats.course import Course, course_of, days_by_student, recent
from puzzleclass.stats.ledger import Cell, Ledger, Strength, Tally, Work, tally
from solvers.answers import BANDS, level_of
from solvers.picture import Picture
from solvers.registry import AnyKind

MAX_BOARDS = 3
MAX_ASSIGNMENTS = 6
MAX_COMMENTS = 3
MAX_COMMENTS_READ = 2000
MAX_REFLECTIONS_READ = 5000


class SheetBoard(NamedTuple):
    """A board that a student has solved or worked on, and the work at it."""

    work: Cell
    band: str
    """The difficulty of the board, one of `BANDS`; empty when it is not known."""
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
    works: list[Work]
    all: Tally
    """All the student's puzzles together."""
    strengths: list[Strength]
    course: Course
    boards: list[SheetBoard]
    comments: list[Feedback]
    reflections: list[Reflection]
    """What the student has said at the end of lessons, the latest first."""

    @property
    def classes(self) -> list[str]:
        """The names of the classes in which the student did the work."""
        return list(dict.fromkeys(each.assignment.classroom.name for each in self.works))

    @property
    def latest(self) -> list[Work]:
        """The latest assignments, without galleries."""
        return [w for w in self.works if not w.assignment.is_gallery][:MAX_ASSIGNMENTS]

    @property
    def results(self) -> Results:
        by_kind: dict[str, dict[str, Strength]] = defaultdict(dict)
        for strength in self.strengths:
            by_kind[strength.kind.slug][strength.band] = strength
        kinds = {strength.kind.slug: strength.kind for strength in self.strengths}
        used = {strength.band for strength in self.strengths}
        bands = [band for band in (*BANDS, "") if band in used]
        rows = [
            (kinds[slug], [strengths.get(band) for band in bands])
            for slug, strengths in by_kind.items()
        ]
        return Results(bands, rows)


def sheets_of(enrolments: Sequence[Enrolment], ledger: Ledger) -> list[StudentSheet]:
    """Return the sheet of each enrolment.

    Uses seven queries at most, however many students there are.
    """
    students = [each.student_id for each in enrolments]
    works = {student: _works_of(ledger, student) for student in students}
    puzzles = {cell.puzzle.pk for own in works.values() for cell in tally(own).cells}
    own = Q(student__in=students, puzzle__in=puzzles)
    days = days_by_student(own & recent())
    chosen = {student: _choose(works[student], ledger) for student in students}
    boards = _boards(chosen, ledger)
    comments = _comments(students, puzzles)
    said = _reflections(students, works)
    sheets = []
    for enrolment in enrolments:
        student = enrolment.student_id
        course = course_of(days[student], timezone.localdate())
        own_works = works[student]
        sheets.append(
            StudentSheet(
                enrolment,
                own_works,
                tally(own_works),
                ledger.strengths_of(own_works),
                course,
                boards[student],
                comments[student],
                said[student],
            )
        )
    return sheets


def _works_of(ledger: Ledger, student: int) -> list[Work]:
    """Return the student's work, without galleries in which nothing was begun."""
    works = ledger.works_of(student)
    return [work for work in works if work.cells or not work.assignment.is_gallery]


# Boards and comments


def _choose(works: Iterable[Work], ledger: Ledger) -> list[Cell]:
    """Return the hardest boards that a student has solved, the latest first among equals. Boards
    that are not solved follow."""
    begun = [cell for cell in tally(works).cells if cell.status.since]

    def rank(cell: Cell) -> tuple[Any, ...]:
        level = level_of(ledger.band(cell.puzzle))
        return cell.status.is_solved, level, cell.status.since

    begun.sort(key=rank, reverse=True)
    return begun[:MAX_BOARDS]


def _boards(chosen: Mapping[int, Sequence[Cell]], ledger: Ledger) -> dict[int, list[SheetBoard]]:
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
    for rows in (Attempt.objects.filter(pk__in=last), FoundSolution.objects.filter(pk__in=first)):
        lines |= {(s, puzzle): line for s, puzzle, line in rows.values_list(*places, "line")}
    return {
        student: [
            SheetBoard(
                work,
                ledger.band(work.puzzle),
                drawn_after(work.puzzle, lines.get((student, work.puzzle.pk), "")),
            )
            for work in works
        ]
        for student, works in chosen.items()
    }


def _reflections(
    students: Sequence[int], works: Mapping[int, list[Work]]
) -> dict[int, list[Reflection]]:
    """Return what each student (pk) has said in the lessons of the assignments. Uses one query."""
    assignments = {each.assignment.pk for own in works.values() for each in own}
    rows = Reflection.objects.filter(student__in=students, assignment__in=assignments)
    said: dict[int, list[Reflection]] = defaultdict(list)
    for each in rows.select_related("assignment").order_by("-lesson_at")[:MAX_REFLECTIONS_READ]:
        said[each.student_id].append(each)
    return said


def _comments(students: Sequence[int], puzzles: Iterable[int]) -> dict[int, list[Feedback]]:
    """Return the latest feedback that each student (pk) has received. Uses one query."""
    given = Feedback.objects.filter(attempt__student__in=students, attempt__puzzle__in=puzzles)
    comments: dict[int, list[Feedback]] = defaultdict(list)
    for feedback in given.select_related("attempt__puzzle").order_by("-at")[:MAX_COMMENTS_READ]:
        own = comments[feedback.attempt.student_id]
        if len(own) < MAX_COMMENTS:
            own.append(feedback)
    return comments
