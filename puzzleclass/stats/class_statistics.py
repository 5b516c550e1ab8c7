"""What a class has done in all its assignments, as tables: a grade book across the assignments, the
state of each student at each board, the assignments, the course over time, and the results by kind
and difficulty.

Everything is added up from the statuses of `play/progress.py`, at the assignments that count
(`Assignments.counted`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain, groupby
from statistics import median

from django.db.models import Q, TextChoices
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from puzzleclass.assignments.models import Assignment
from puzzleclass.charts import Bar, BarChart, bar_chart, round_half_up
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.terms import Term, term_of, terms_of
from puzzleclass.language.reader import say
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.course import Course, course_of, days_by_student, short
from puzzleclass.stats.sheets import ColumnGroup, Sheet, Value
from puzzleclass.stats.student_work import AssignmentWork, PuzzleWork, strengths_of, works_of_class
from solvers.message import Message

MAX_CELLS = 100_000
"""The most students times boards that are added up. The latest assignments are kept."""


class StatisticsTable(TextChoices):
    """The tables, in the order of their tabs."""

    GRADES = "grades", gettext_lazy("Grade book")
    BOARDS = "boards", gettext_lazy("Puzzle by puzzle")
    ASSIGNMENTS = "assignments", gettext_lazy("Assignments")
    COURSE = "course", gettext_lazy("Over time")
    KINDS = "kinds", gettext_lazy("Kinds and difficulties")


@dataclass(frozen=True)
class ClassStatistics:
    """What the students who are in the class now have done at some of its assignments."""

    classroom: Classroom
    enrolments: list[Enrolment]
    assignments: list[Assignment]
    """The assignments, the earliest due date first."""
    terms: list[Term]
    """The terms in which the class has assignments, also outside the chosen days."""
    is_cut: bool
    """Whether the earliest assignments are left out because there are too many."""

    @cached_property
    def works(self) -> dict[int, dict[int, AssignmentWork]]:
        """The work of each student (pk) at each assignment (pk) that is for the student."""
        found = works_of_class(self.assignments)
        return {
            each.student_id: {work.assignment.pk: work for work in found[each.student_id]}
            for each in self.enrolments
        }

    @cached_property
    def course(self) -> Course:
        """The work of all students over time, until the last attempt."""
        students = [each.student_id for each in self.enrolments]
        own = Q(student__in=students, puzzle__assignment__in=self.assignments)
        days = list(chain.from_iterable(days_by_student(own).values()))
        last = max((day.first_day for day in days), default=timezone.localdate())
        return course_of(days, last)

    @property
    def solved_chart(self) -> BarChart:
        """A bar for each assignment: the boards to solve, and those solved."""
        bars = []
        for each in self.assignments:
            puzzles = self._puzzles_at(each)
            solved = sum(work.status.is_solved for work in puzzles)
            bars.append(Bar(short(_due(each)), len(puzzles), solved))
        return bar_chart(_("Puzzles by assignment"), bars, width=960)

    def sheet(self, table: StatisticsTable) -> Sheet:
        """Return a table. Sixteen queries at most, for any number of students and assignments."""
        make: dict[StatisticsTable, Callable[[], Sheet]] = {
            StatisticsTable.GRADES: self._grades,
            StatisticsTable.BOARDS: self._boards,
            StatisticsTable.ASSIGNMENTS: self._assignments,
            StatisticsTable.COURSE: self._course,
            StatisticsTable.KINDS: self._kinds,
        }
        return make[table]()

    def _works(self) -> Iterator[AssignmentWork]:
        """Yield the work of each student at each assignment."""
        return chain.from_iterable(own.values() for own in self.works.values())

    def _puzzles_at(self, assignment: Assignment) -> list[PuzzleWork]:
        """Return the work of all students at an assignment."""
        works = (own.get(assignment.pk) for own in self.works.values())
        return [puzzle for work in works if work for puzzle in work.puzzles]

    # Tables with a row for each student

    def _by_student(
        self,
        groups: Iterable[ColumnGroup],
        head: Sequence[str],
        cells_of: Callable[[dict[int, AssignmentWork]], list[tuple[Value, str]]],
    ) -> Sheet:
        """Return a table with the students' totals and, after them, these columns.

        `cells_of` returns the values and the tones of a row from the student's work.
        """
        rows, tones, links = [], [], []
        for each in self.enrolments:
            own = self.works[each.student_id]
            puzzles = list(chain.from_iterable(work.puzzles for work in own.values()))
            solved = sum(work.status.is_solved for work in puzzles)
            cells = cells_of(own)
            totals = [solved, len(puzzles), _per_cent(solved, len(puzzles))]
            values = [value for value, _tone in cells]
            rows.append([each.number, each.student.name, *totals, *values])
            tones.append(["", "", "", *(tone for _value, tone in cells)])
            links.append(reverse("student", args=[each.student_id]))
        return Sheet(
            self.classroom.name,
            [
                *(pgettext("student", "Number"), _("Name")),
                *(_("Solved"), _("Boards"), _("Per cent"), *head),
            ],
            rows,
            links=links,
            groups=[ColumnGroup("", 2), ColumnGroup(_("All together"), 3), *groups],
            tones=tones,
            is_cut=self.is_cut,
        )

    def _grades(self) -> Sheet:
        """A column for each assignment: the number of boards that the student has solved."""
        by_term = groupby(self.assignments, key=lambda each: term_of(_due(each)))
        groups = [ColumnGroup(term.name, len(list(each))) for term, each in by_term]
        sizes: dict[int, int] = {}
        for work in self._works():
            size, key = len(work.puzzles), work.assignment.pk
            sizes[key] = max(size, sizes.get(key, 0))
        head = [
            f"{short(_due(each))} ({sizes.get(each.pk, 0)}) {each.title}"
            for each in self.assignments
        ]

        def cells_of(own: dict[int, AssignmentWork]) -> list[tuple[Value, str]]:
            return [_grade(own.get(each.pk)) for each in self.assignments]

        return self._by_student(groups, head, cells_of)

    def _boards(self) -> Sheet:
        """A column for each board: the sign of the student's state."""
        boards = [list(each.puzzles.all()) for each in self.assignments]
        groups = [
            ColumnGroup(f"{short(_due(each))} {each.title}", len(puzzles))
            for each, puzzles in zip(self.assignments, boards)
            if puzzles
        ]
        head = [str(puzzle.number) for puzzles in boards for puzzle in puzzles]
        signs = {state: (state.symbol, state.value) for state in PuzzleState}

        def cells_of(own: dict[int, AssignmentWork]) -> list[tuple[Value, str]]:
            states = {
                work.puzzle.pk: work.status.state for each in own.values() for work in each.puzzles
            }
            return [
                signs[states.get(puzzle.pk, PuzzleState.NOT_ASSIGNED)]
                for puzzles in boards
                for puzzle in puzzles
            ]

        return self._by_student(groups, head, cells_of)

    # Tables about the class

    def _assignments(self) -> Sheet:
        head = [
            *(_("Assignment"), _("Due"), _("Students"), _("Boards")),
            *(
                pgettext("boards", "Started"),
                _("Solved"),
                _("Per cent"),
                _("Was stuck"),
                _("Hints"),
                _("Median minutes"),
            ),
        ]
        rows: list[list[Value]] = []
        for each in self.assignments:
            puzzles = self._puzzles_at(each)
            solved = sum(work.status.is_solved for work in puzzles)
            rows.append(
                [
                    *(each.title, _due(each), sum(each.pk in own for own in self.works.values())),
                    *(len(puzzles), sum(work.status.is_begun for work in puzzles), solved),
                    _per_cent(solved, len(puzzles)),
                    sum(bool(work.status.was_stuck) for work in puzzles),
                    sum(work.hints for work in puzzles),
                    _median_minutes(puzzles),
                ]
            )
        links = [reverse("assignment", args=[each.pk]) for each in self.assignments]
        return Sheet(self.classroom.name, head, rows, names=1, links=links, is_cut=self.is_cut)

    def _course(self) -> Sheet:
        rows: list[list[Value]] = [
            [
                *(period.first_day, period.tries, period.solved, period.minutes),
                _per_cent(period.solved, period.tries),
            ]
            for period in self.course.periods
        ]
        head = [*self.course.head, _("Per cent")]
        return Sheet(self.classroom.name, head, rows, names=1, is_cut=self.is_cut)

    def _kinds(self) -> Sheet:
        rows: list[list[Value]] = [
            [
                say(Message(each.kind.title)),
                say(Message(each.band)) if each.band else "",
                *(each.begun, each.solved, _per_cent(each.solved, each.begun)),
                _median_minutes(each.works),
            ]
            for each in strengths_of(self._works())
        ]
        head = [
            *(_("Kind"), _("Difficulty"), pgettext("boards", "Started"), _("Solved")),
            *(_("Per cent"), _("Median minutes")),
        ]
        return Sheet(self.classroom.name, head, rows, names=1, is_cut=self.is_cut)


def statistics_of(
    classroom: Classroom, first_day: date | None, last_day: date | None
) -> ClassStatistics:
    """Return the statistics of the assignments that are due between these days.

    Three queries.
    """
    enrolments = list(classroom.enrolments.select_related("student").order_by("number"))
    all_assignments = list(
        classroom.assignments.counted().prefetch_related("puzzles").order_by("due_at", "pk")
    )
    due = [
        each
        for each in all_assignments
        if (first_day is None or first_day <= _due(each))
        and (last_day is None or _due(each) <= last_day)
    ]
    kept, cells = [], 0
    for each in reversed(due):
        cells += len(each.puzzles.all()) * len(enrolments)
        if cells > MAX_CELLS:
            break
        kept.append(each)
    return ClassStatistics(
        classroom,
        enrolments,
        kept[::-1],
        terms_of(_due(each) for each in all_assignments),
        is_cut=len(kept) < len(due),
    )


def _due(assignment: Assignment) -> date:
    return timezone.localdate(assignment.due_at)


def _per_cent(part: int, whole: int) -> int | None:
    """Return the share in per cent; None of nothing."""
    return round_half_up(100 * part, whole) if whole else None


def _median_minutes(works: Iterable[PuzzleWork]) -> int | None:
    """Return the median time at the solved boards, in minutes; None if no board is solved."""
    seconds = [work.status.seconds for work in works if work.status.is_solved]
    return round(median(seconds) / 60) if seconds else None


def _grade(work: AssignmentWork | None) -> tuple[Value, str]:
    """Return the number of boards that a student has solved at an assignment, and its tone."""
    if work is None or not work.puzzles:
        return None, PuzzleState.NOT_ASSIGNED.value
    if work.solved == len(work.puzzles):
        return work.solved, PuzzleState.SOLVED.value
    is_begun = any(each.status.is_begun for each in work.puzzles)
    state = PuzzleState.IN_PROGRESS if is_begun else PuzzleState.NOT_STARTED
    return work.solved, state.value
