"""The class table: a row for each student, a column for each puzzle, and the state of each cell."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple

from django.db.models import Count as CountOf
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.play.hints import hints_used
from puzzleclass.play.needs import Need, Reason, absent_now, needs_of, refusals_lately
from puzzleclass.play.progress import StudentAndPuzzle, class_progress
from puzzleclass.play.result_models import BestScore, FoundSolution
from puzzleclass.play.status import PuzzleState, PuzzleStatus
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of
from puzzleclass.templating.templatetags.words import clock

Order = Literal["number", "help"]
ORDERS: tuple[Order, ...] = ("number", "help")


class StudentAtPuzzle(NamedTuple):
    """A cell of the class table: a student at a puzzle.

    It is a tuple of plain texts because a table has hundreds of cells.
    """

    status: PuzzleStatus
    style: str
    symbol: str
    work: str
    """The time at the board and the number of attempts; empty when there was no attempt."""
    hints: int
    """The number of hints that the student has taken."""
    score: str
    """The student's best score; empty when there is none and for kinds without a score."""
    url: str
    description: str
    """The whole cell in words."""


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A row of the class table: a student at all puzzles."""

    student: int
    """The student's pk."""
    number: int
    name: str
    cells: list[StudentAtPuzzle]

    @property
    def solved(self) -> int:
        return self._count_in(PuzzleState.SOLVED)

    @property
    def assigned(self) -> int:
        """The number of puzzles that are assigned to the student."""
        return len(self.cells) - self._count_in(PuzzleState.NOT_ASSIGNED)

    @property
    def is_begun(self) -> bool:
        return any(cell.status.is_begun for cell in self.cells)

    def _count_in(self, state: PuzzleState) -> int:
        return sum(cell.status.state == state for cell in self.cells)


@dataclass(frozen=True, slots=True)
class PuzzleColumn:
    """A column of the class table: a puzzle with the figures of all students."""

    puzzle: AssignedPuzzle
    assigned: int
    """The number of students to whom the puzzle is assigned."""
    solved: int
    """The number of those students who have solved it."""
    found: int
    """The number of different solutions that the class has found together."""
    count: Count | None
    """The number of solutions that the puzzle has; None when they have not been counted."""
    goal: Goal | None
    """The goal of the puzzle; None for a kind without a score."""
    best: int | None
    """The best score of the class; None when there is none."""


@dataclass(frozen=True, slots=True)
class ClassTable:
    """The class table of an assignment, as the class stands now."""

    columns: list[PuzzleColumn]
    rows: list[StudentRow]
    needs: dict[int, Need]
    """The needs of the students (pk) who need help now."""

    @property
    def has_scores(self) -> bool:
        """Whether one of the puzzles is of a kind with a score."""
        return any(column.goal for column in self.columns)

    @property
    def begun(self) -> int:
        """The number of students who have begun."""
        return sum(row.is_begun for row in self.rows)

    @property
    def solved(self) -> int:
        """The number of cells that are solved."""
        return sum(row.solved for row in self.rows)

    @property
    def cells(self) -> int:
        return sum(row.assigned for row in self.rows)

    @property
    def stuck_now(self) -> int:
        """The number of students who are stuck now."""
        return sum(need.reason == Reason.STUCK for need in self.needs.values())

    @property
    def were_stuck(self) -> int:
        """The number of students who were stuck at some puzzle at some time."""
        return sum(any(cell.status.was_stuck for cell in row.cells) for row in self.rows)

    @property
    def found(self) -> int:
        return sum(column.found for column in self.columns)


def class_table(assignment: Assignment, order: Order = "number") -> ClassTable:
    """Return the class table of an assignment.

    The number of queries does not depend on the size of the table.
    """
    puzzles = list(assignment.puzzles.all())
    for puzzle in puzzles:
        puzzle.assignment = assignment
    enrolments = list(enrolments_of(assignment).select_related("student"))
    numbers = {each.student_id: each.number for each in enrolments}
    progress = class_progress(assignment, puzzles, numbers)
    hints = hints_used(Q(attempt__puzzle__assignment=assignment))
    best = _best_scores(assignment)
    counts = known_counts(puzzles)
    found_together = _found_together(assignment)
    make_cell = _cell_maker()

    rows = []
    for enrolment in enrolments:
        cells = []
        for puzzle in puzzles:
            where = enrolment.student_id, puzzle.pk
            cells.append(make_cell(progress[where], hints.get(where, 0), best.get(where), where))
        rows.append(
            StudentRow(enrolment.student_id, enrolment.number, enrolment.student.name, cells)
        )
    columns = [
        PuzzleColumn(
            puzzle,
            assigned=sum(row.cells[index].status.state != PuzzleState.NOT_ASSIGNED for row in rows),
            solved=sum(row.cells[index].status.state == PuzzleState.SOLVED for row in rows),
            found=found_together.get(puzzle.pk, 0),
            count=counts.get(puzzle.pk),
            goal=goal,
            best=max((best[at] for at in best if at[1] == puzzle.pk), default=None),
        )
        for index, (puzzle, goal) in enumerate(zip(puzzles, goals_of(puzzles)))
    ]
    absent = absent_now(assignment, progress)
    needs = needs_of(assignment, progress, refusals_lately(assignment), absent)
    if order == "help":
        last = Need(Reason.NOT_STARTED, inf, "")
        rows.sort(key=lambda row: needs.get(row.student, last))
    return ClassTable(columns, rows, needs)


def _best_scores(assignment: Assignment) -> dict[StudentAndPuzzle, int]:
    """Return the best scores of the students who are in the class."""
    in_class = assignment.classroom.enrolments.order_by().values("student")
    best = BestScore.objects.filter(puzzle__assignment=assignment, student__in=in_class)
    rows = best.order_by().values_list("student_id", "puzzle_id", "score")
    return {(student, puzzle): score for student, puzzle, score in rows}


def _found_together(assignment: Assignment) -> dict[int, int]:
    """Return puzzle pk -> how many different solutions the students of the class have found."""
    in_class = assignment.classroom.enrolments.order_by().values("student")
    rows = FoundSolution.objects.filter(puzzle__assignment=assignment, student__in=in_class)
    return dict(rows.order_by().values_list("puzzle").annotate(CountOf("text", distinct=True)))


CellMaker = Callable[[PuzzleStatus, int, int | None, StudentAndPuzzle], StudentAtPuzzle]


def _cell_maker() -> CellMaker:
    """Return a function that makes a cell from a status, the number of hints and the best score.

    It looks up texts and addresses once instead of once for each cell.
    """
    styles = {state: state.value for state in PuzzleState}
    symbols = {state: state.symbol for state in PuzzleState}
    labels = {state: str(state.label) for state in PuzzleState}
    sentence = _("{state}. Time: {time}. Attempts: {tries}. Solutions found: {found}")
    with_needed = _(
        "{state}. Time: {time}. Attempts: {tries}. Solutions found: {found} of {needed}"
    )
    with_hints = _("{said}. Hints: {hints}")
    with_was_stuck = _("{said}. Was stuck")
    with_score = _("{said}. Best score: {score}")
    before, between, after = reverse("attempts", args=[0, 0]).rsplit("0", 2)

    def make(
        status: PuzzleStatus, hints: int, score: int | None, where: StudentAndPuzzle
    ) -> StudentAtPuzzle:
        state = status.state
        style, symbol, label = styles[state], symbols[state], labels[state]
        if not status.attempts and not hints:
            return StudentAtPuzzle(status, style, symbol, "", 0, "", "", label)
        student, puzzle = where
        time = clock(status.seconds)
        said = (sentence if status.needed == 1 else with_needed).format(
            state=label, time=time, tries=status.attempts, found=status.found, needed=status.needed
        )
        if status.was_stuck and not status.is_stuck:
            said = with_was_stuck.format(said=said)
        if hints:
            said = with_hints.format(said=said, hints=hints)
        if score is not None:
            said = with_score.format(said=said, score=score)
        return StudentAtPuzzle(
            status,
            style,
            symbol,
            work=f"{time} ×{status.attempts}" if status.attempts else "",
            hints=hints,
            score="" if score is None else str(score),
            url=f"{before}{puzzle}{between}{student}{after}",
            description=said,
        )

    return make
