"""The ledger: what students have done at assignments, and every number that is added up from it.

The class's grade book, an assignment's page, the student's page, the papers for parents, the files,
the API, the xAPI statements and the home page all read `read_ledger`. Statuses are those of
`play/progress.py`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from statistics import median
from typing import NamedTuple

from django.db.models import Count, F, Q

from puzzleclass.assignments.dealing import AssignedClass, assigned_classes
from puzzleclass.assignments.due import Due, class_due, dues_of
from puzzleclass.assignments.lesson_models import Attendance
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.reflections import Reflection
from puzzleclass.charts import round_half_up
from puzzleclass.classes.models import Group
from puzzleclass.play.first_attempts import first_results
from puzzleclass.play.hints import hints_used
from puzzleclass.play.models import Feedback
from puzzleclass.play.progress import Progress, StudentAndPuzzle, progress_of_classes
from puzzleclass.play.result_models import BestScore, FoundSolution
from puzzleclass.play.status import PuzzleState, PuzzleStatus
from puzzleclass.puzzles.models import levels_of
from puzzleclass.templating.templatetags.words import clock
from solvers.answers import band_of
from solvers.registry import AnyKind


class Cell(NamedTuple):
    """A student at a puzzle. It is a tuple because a class has hundreds of them."""

    student: int
    """The student's pk."""
    puzzle: AssignedPuzzle
    status: PuzzleStatus
    hints: int
    """The number of hints that the student has taken."""
    is_late: bool
    """Whether the puzzle was solved after the student's due date, or begun after it."""
    score: int | None
    """The student's best score; None if there is none, and for kinds without a score."""
    arrived_at: datetime | None = None
    """When work that was made in time arrived after the due date; None if it did not."""

    @property
    def state(self) -> PuzzleState:
        return self.status.state

    @property
    def begun(self) -> int:
        return int(self.status.attempts > 0)

    @property
    def was_stuck(self) -> int | None:
        return _were_stuck([self])

    @property
    def late(self) -> int:
        return int(self.is_late)

    @property
    def attempts(self) -> int:
        return self.status.attempts

    @property
    def found(self) -> int:
        return self.status.found

    @property
    def seconds(self) -> int:
        return self.status.seconds

    @property
    def time(self) -> str:
        """The time at the board, as a stopwatch shows it."""
        return clock(self.status.seconds)


@dataclass(frozen=True, slots=True)
class Tally:
    """Cells that count, and all that is added up from them."""

    cells: Sequence[Cell]
    """Puzzles that are given to their students; of a gallery, where nobody has to solve all, those
    that are begun."""

    @property
    def given(self) -> int:
        return len(self.cells)

    @property
    def solved(self) -> int:
        return sum(cell.status.state == PuzzleState.SOLVED for cell in self.cells)

    @property
    def per_cent(self) -> int | None:
        """The share of the puzzles that is solved; None of nothing."""
        return round_half_up(100 * self.solved, self.given) if self.cells else None

    @property
    def begun(self) -> int:
        return sum(cell.status.attempts > 0 for cell in self.cells)

    @property
    def stuck(self) -> int:
        """The number of boards from which no solution can be reached."""
        return sum(cell.status.is_stuck for cell in self.cells)

    @property
    def was_stuck(self) -> int | None:
        """The number of puzzles at which a student was stuck at some time; None if puzzles are
        begun and no board of them has been examined."""
        return _were_stuck(self.cells)

    @property
    def late(self) -> int:
        """The number of puzzles that were solved late, or are begun late."""
        return sum(cell.is_late for cell in self.cells)

    @property
    def attempts(self) -> int:
        return sum(cell.status.attempts for cell in self.cells)

    @property
    def found(self) -> int:
        """The number of solutions found, of all puzzles together."""
        return sum(cell.status.found for cell in self.cells)

    @property
    def hints(self) -> int:
        return sum(cell.hints for cell in self.cells)

    @property
    def score(self) -> int | None:
        """The best score; None if there is none."""
        return max((cell.score for cell in self.cells if cell.score is not None), default=None)

    @property
    def seconds(self) -> int:
        return sum(cell.status.seconds for cell in self.cells)

    @property
    def time(self) -> str:
        """The time at the boards, as a stopwatch shows it."""
        return clock(self.seconds)

    @property
    def median_seconds(self) -> int | None:
        """The median time at a solved puzzle; None if none is solved."""
        times = [cell.status.seconds for cell in self.cells if cell.status.is_solved]
        return round_half_up(round(2 * median(times)), 2) if times else None

    @property
    def median_time(self) -> str:
        """The median time at a solved puzzle, as a stopwatch shows it; empty if none is solved."""
        seconds = self.median_seconds
        return "" if seconds is None else clock(seconds)

    @property
    def state(self) -> PuzzleState:
        """The state of the puzzles together."""
        if not self.cells:
            return PuzzleState.NOT_ASSIGNED
        if self.solved == self.given:
            return PuzzleState.SOLVED
        return PuzzleState.IN_PROGRESS if self.begun else PuzzleState.NOT_STARTED


@dataclass(frozen=True, slots=True)
class Work(Tally):
    """A student's work at an assignment."""

    student: int
    """The student's pk."""
    assignment: Assignment
    row: Sequence[Cell]
    """A cell for each puzzle of the assignment, whether it counts or not."""
    due: Due
    """The dates of the student."""
    absent_on: date | None = None
    """The day on which the student was absent last, if nothing was begun."""


@dataclass(frozen=True, slots=True)
class Strength(Tally):
    """A student's or a class's results at puzzles of one kind and one difficulty, all begun."""

    kind: AnyKind
    band: str
    """The difficulty, one of `BANDS`; empty when it is not known."""


@dataclass(frozen=True)
class Ledger:
    """What students have done at assignments. Some queries are made only when they are needed."""

    classes: Sequence[AssignedClass]
    """The assignments in their order, each with its puzzles and the students whom it is for."""
    progress: Sequence[Progress]
    """The statuses at each assignment, in the same order."""
    by_student: dict[int, dict[int, Work]] = field(default_factory=dict)
    """Student (pk) -> assignment (pk) -> the work. Assignments that are not for the student are
    left out."""

    def of_group(self, group: Group | None) -> "Ledger":
        """Return the part of the ledger about a group; without a group, all of it. One query."""
        if group is None:
            return self
        members = set(group.members.order_by().values_list("student", flat=True))
        own = {student: works for student, works in self.by_student.items() if student in members}
        return replace(self, by_student=own)

    @property
    def works(self) -> Iterable[Work]:
        return chain.from_iterable(own.values() for own in self.by_student.values())

    def works_of(self, student: int) -> list[Work]:
        """Return the student's (pk) work at each assignment, in the order of the assignments."""
        return list(self.by_student.get(student, {}).values())

    def of_student(self, student: int) -> Tally:
        """Return all puzzles of the student (pk) together."""
        return tally(self.works_of(student))

    def of_assignment(self, assignment: Assignment) -> Tally:
        """Return all students at the assignment together."""
        return tally(self.works_at(assignment))

    def works_at(self, assignment: Assignment) -> list[Work]:
        """Return the work of each student who has puzzles of the assignment."""
        works = (own.get(assignment.pk) for own in self.by_student.values())
        return [work for work in works if work and work.given]

    def by_puzzle(self) -> dict[int, list[Cell]]:
        """Return the cells of all students at each puzzle (pk)."""
        cells: dict[int, list[Cell]] = defaultdict(list)
        for cell in self.total.cells:
            cells[cell.puzzle.pk].append(cell)
        return cells

    @property
    def total(self) -> Tally:
        return tally(self.works)

    def band(self, puzzle: AssignedPuzzle) -> str:
        """Return the difficulty of the puzzle, one of `BANDS`; empty while it is not known."""
        return band_of(self._levels[puzzle.key])

    @cached_property
    def _levels(self) -> dict[tuple[str, str], int]:
        return levels_of(puzzle for each in self.classes for puzzle in each.puzzles)

    @cached_property
    def found_together(self) -> dict[int, int]:
        """Puzzle (pk) -> the number of different solutions that students of the class have found.
        One query."""
        solutions = FoundSolution.objects.filter(
            puzzle__assignment__in=[each.assignment.pk for each in self.classes],
            student__enrolments__classroom=F("puzzle__assignment__classroom"),
        )
        return dict(
            solutions.order_by().values_list("puzzle").annotate(Count("text", distinct=True))
        )

    @cached_property
    def first_results(self) -> dict[StudentAndPuzzle, bool]:
        """Whether each student has solved each puzzle in the first attempt and without a hint, once
        that counts. One query."""
        return first_results([each.assignment.pk for each in self.classes])

    @cached_property
    def feedback(self) -> dict[StudentAndPuzzle, Feedback]:
        """The latest feedback to each student at each puzzle. One query."""
        given = Feedback.objects.filter(
            attempt__puzzle__assignment__in=[each.assignment.pk for each in self.classes]
        )
        rows = given.select_related("attempt").order_by("at")
        return {(each.attempt.student_id, each.attempt.puzzle_id): each for each in rows}

    @cached_property
    def looked_back(self) -> dict[tuple[int, int], Reflection]:
        """What each student has said last at the end of a lesson of each assignment (pks). One
        query."""
        said = Reflection.objects.filter(
            assignment__in=[each.assignment.pk for each in self.classes]
        )
        rows = said.order_by("lesson_at")
        return {(each.student_id, each.assignment_id): each for each in rows if each.is_sent}

    def first_solved(self, cell: Cell | Tally) -> int | None:
        """Return how many puzzles were solved in the first attempt and without a hint; None if none
        of the first attempts counts yet."""
        counted = self.first_counted(cell)
        return sum(counted) if counted else None

    def first_counted(self, cell: Cell | Tally) -> list[bool]:
        """Return whether the puzzle was solved, for each first attempt that counts."""
        results = (
            self.first_results.get((each.student, each.puzzle.pk)) for each in cells_of(cell)
        )
        return [each for each in results if each is not None]

    def feedback_to(self, cell: Cell | Tally) -> list[Feedback]:
        """Return the latest feedback to each student at each puzzle."""
        places = ((each.student, each.puzzle.pk) for each in cells_of(cell))
        return [self.feedback[place] for place in places if place in self.feedback]

    def said_to(self, cell: Cell | Tally) -> str:
        """Return the feedback at a puzzle and what the student has answered; of several puzzles,
        how many have feedback."""
        given = self.feedback_to(cell)
        if isinstance(cell, Tally):
            return str(len(given) or "")
        texts = [text for each in given for text in (each.said, str(each.get_reaction_display()))]
        return " ♥ ".join(filter(None, texts))

    def looked_back_at(self, cell: Cell | Tally) -> Reflection | None:
        """Return what the student has said last at the end of a lesson of the assignment."""
        if isinstance(cell, Work):
            return self.looked_back.get((cell.student, cell.assignment.pk))
        return None

    def said_at_the_end(self, cell: Cell | Tally) -> str:
        """Return what `looked_back_at` has in words; empty if there is nothing."""
        own = self.looked_back_at(cell)
        return own.said if own else ""

    def strengths_of(self, works: Iterable[Work]) -> list[Strength]:
        """Return the puzzles of the works that are begun, by kind and difficulty."""
        cells: dict[tuple[str, int], list[Cell]] = defaultdict(list)
        for cell in tally(works).cells:
            if cell.status.is_begun:
                cells[cell.puzzle.kind_slug, self._levels[cell.puzzle.key]].append(cell)
        return [
            Strength(own, own[0].puzzle.kind, band_of(level))
            for (_slug, level), own in sorted(cells.items(), key=lambda item: item[0])
        ]


def _were_stuck(cells: Sequence[Cell]) -> int | None:
    known = [cell.status.was_stuck for cell in cells if cell.status.is_begun]
    return None if known and all(each is None for each in known) else sum(map(bool, known))


def cells_of(cell: Cell | Tally) -> Sequence[Cell]:
    """Return the cells of which a cell of the table is added up."""
    return cell.cells if isinstance(cell, Tally) else [cell]


def have_begun(works: Iterable[Work]) -> int:
    """Return how many students have begun a puzzle of their assignment."""
    return sum(work.begun > 0 for work in works)


def have_finished(works: Iterable[Work]) -> int:
    """Return how many students have solved all of their puzzles."""
    return sum(work.state == PuzzleState.SOLVED for work in works)


def tally(works: Iterable[Work]) -> Tally:
    """Return the cells of all works together."""
    return Tally([cell for work in works for cell in work.cells])


def read_ledger(
    assignments: Iterable[Assignment], students: Collection[int] | None = None
) -> Ledger:
    """Return what students have done at the assignments, whose puzzles should be prefetched.

    The students are those who are in the classes now and whom the assignments are for. With
    `students`, all assignments are for these (pks), also if they have left the class. Sixteen
    queries at most, for any number of students and assignments.
    """
    if students is None:
        classes = assigned_classes(assignments)
    else:
        classes = [AssignedClass(each, list(each.puzzles.all()), students) for each in assignments]
    for each in classes:
        for puzzle in each.puzzles:
            puzzle.assignment = each.assignment
    keys = [each.assignment.pk for each in classes]
    hints = hints_used(Q(attempt__puzzle__assignment__in=keys))
    rows = BestScore.objects.filter(puzzle__assignment__in=keys).order_by()
    scores = {(s, p): score for s, p, score in rows.values_list("student", "puzzle", "score")}
    dues, absences = dues_of(each.assignment for each in classes), _absences(keys)
    ledger = Ledger(classes, progress_of_classes(classes))
    for each, progress in zip(classes, ledger.progress):
        is_gallery = each.assignment.is_gallery
        for student in each.students:
            row, cells, is_begun = [], [], False
            due = dues.get((each.assignment.pk, student)) or class_due(each.assignment)
            for puzzle in each.puzzles:
                where = student, puzzle.pk
                status = progress[where]
                is_late = status.since is not None and status.since > due.at
                is_begun = is_begun or status.attempts > 0
                arrived_at = status.arrived_at
                if is_late or (arrived_at and arrived_at <= due.at):
                    arrived_at = None
                own_score = scores.get(where)
                cell = Cell(
                    *(student, puzzle, status, hints.get(where, 0), is_late, own_score, arrived_at)
                )
                row.append(cell)
                is_given = status.state != PuzzleState.NOT_ASSIGNED
                if is_given and (status.attempts or not is_gallery):
                    cells.append(cell)
            own = ledger.by_student.setdefault(student, {})
            absent_on = None if is_begun else absences.get((each.assignment.pk, student))
            own[each.assignment.pk] = Work(cells, student, each.assignment, row, due, absent_on)
    return ledger


def _absences(assignments: Collection[int]) -> dict[tuple[int, int], date]:
    """Return the day on which each student was absent last, by assignment and student (pks). One
    query."""
    rows = Attendance.objects.filter(assignment__in=assignments, absent_on__isnull=False).order_by()
    days = rows.values_list("assignment", "student", "absent_on")
    return {(key, student): day for key, student, day in days if day}
