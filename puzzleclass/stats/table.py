"""The class table: students by puzzles, and where each of them is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count as CountOf
from django.db.models import Sum, TextChoices
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.play.models import Attempt, FoundSolution
from puzzleclass.puzzles.counts import Count, known_counts
from puzzleclass.stats.reviews import ask_for_reviews, known_reviews, review_key
from puzzleclass.stats.times import clock

Order = Literal["number", "help"]
ORDERS: tuple[Order, ...] = ("number", "help")


class CellState(TextChoices):
    """How far a student is with a puzzle."""

    NOT_STARTED = "not-started", gettext_lazy("Not started")
    WORKING = "working", gettext_lazy("Working")
    STUCK = "stuck", gettext_lazy("Stuck")
    SOLVED = "solved", gettext_lazy("Solved")

    @property
    def symbol(self) -> str:
        """A sign that tells the states apart without colour."""
        return {"not-started": "–", "working": "…", "stuck": "!", "solved": "✓"}[self.value]


@dataclass(frozen=True, slots=True)
class Cell:
    """A student at a puzzle."""

    state: CellState
    symbol: str
    tries: int
    time: str
    """At the board, as on a clock."""
    found: int
    """Different solutions."""
    url: str
    said: str
    """All of it in words."""


@dataclass(frozen=True, slots=True)
class Row:
    """A student."""

    number: int
    name: str
    cells: list[Cell]

    @property
    def solved(self) -> int:
        return self._in(CellState.SOLVED)

    @property
    def stuck(self) -> int:
        return self._in(CellState.STUCK)

    @property
    def is_begun(self) -> bool:
        return self._in(CellState.NOT_STARTED) < len(self.cells)

    def _in(self, state: CellState) -> int:
        return sum(cell.state == state for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Column:
    """A puzzle."""

    puzzle: AssignedPuzzle
    solved: int
    """Students."""
    found: int
    """Different solutions the class has found together."""
    count: Count | None
    """How many there are, if that has been counted."""


@dataclass(frozen=True, slots=True)
class Table:
    """An assignment as its class stands now."""

    columns: list[Column]
    rows: list[Row]

    @property
    def begun(self) -> int:
        """Students who have begun."""
        return sum(row.is_begun for row in self.rows)

    @property
    def solved(self) -> int:
        """Cells."""
        return sum(row.solved for row in self.rows)

    @property
    def cells(self) -> int:
        return len(self.rows) * len(self.columns)

    @property
    def in_need(self) -> int:
        """Students who are stuck somewhere."""
        return sum(row.stuck > 0 for row in self.rows)

    @property
    def found(self) -> int:
        return sum(column.found for column in self.columns)


def class_table(assignment: Assignment, order: Order = "number") -> Table:
    """Return the table, and ask for the reviews it lacks.

    The number of queries doesn't depend on the size, but for the reviews asked for.
    """
    puzzles = list(assignment.puzzles.all())
    for puzzle in puzzles:
        puzzle.assignment = assignment
    enrolments = list(assignment.classroom.enrolments.select_related("student"))
    work = _work(assignment)
    found = _found(assignment)
    lost = _lost(puzzles)
    counts = known_counts(puzzles)
    together = _found_together(assignment)
    says = _sayer()

    rows = []
    for enrolment in enrolments:
        cells = []
        for puzzle in puzzles:
            where = enrolment.student_id, puzzle.pk
            tries, seconds = work.get(where, (0, 0))
            solutions = found.get(where, 0)
            if solutions:
                state = CellState.SOLVED
            elif not tries:
                state = CellState.NOT_STARTED
            else:
                state = CellState.STUCK if where in lost else CellState.WORKING
            cells.append(says(state, tries, seconds, solutions, where))
        rows.append(Row(enrolment.number, enrolment.student.name, cells))
    columns = [
        Column(
            puzzle,
            solved=sum(row.cells[place].state == CellState.SOLVED for row in rows),
            found=together.get(puzzle.pk, 0),
            count=counts.get(puzzle.pk),
        )
        for place, puzzle in enumerate(puzzles)
    ]
    if order == "help":
        rows.sort(key=lambda row: -row.stuck)
    return Table(columns, rows)


Where = tuple[int, int]
"""A student's pk and an assigned puzzle's."""


def _work(assignment: Assignment) -> dict[Where, tuple[int, int]]:
    """Return tries and seconds of the cells in which something was done."""
    rows = Attempt.objects.filter(puzzle__assignment=assignment, next_step__gt=0).order_by()
    rows = rows.values_list("student", "puzzle").annotate(CountOf("pk"), Sum("seconds"))
    return {(student, puzzle): (tries, seconds) for student, puzzle, tries, seconds in rows}


def _found(assignment: Assignment) -> dict[Where, int]:
    rows = FoundSolution.objects.filter(puzzle__assignment=assignment).order_by()
    rows = rows.values_list("student", "puzzle").annotate(CountOf("pk"))
    return {(student, puzzle): n for student, puzzle, n in rows}


def _found_together(assignment: Assignment) -> dict[int, int]:
    """Return puzzle pk -> how many different solutions the students of the class have found."""
    in_class = assignment.classroom.enrolments.order_by().values("student")
    rows = FoundSolution.objects.filter(puzzle__assignment=assignment, student__in=in_class)
    return dict(rows.order_by().values_list("puzzle").annotate(CountOf("text", distinct=True)))


def _lost(puzzles: Iterable[AssignedPuzzle]) -> set[Where]:
    """Return the cells whose open try can't be solved any more, as far as that is known."""
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    attempts = list(
        Attempt.objects.filter(puzzle__in=by_pk, state=Attempt.State.OPEN)
        .exclude(line="")
        .order_by()
        .only("student_id", "puzzle_id", "state", "line", "is_jammed", "last_at")
    )
    for attempt in attempts:
        attempt.puzzle = by_pk[attempt.puzzle_id]
    keys = [review_key(attempt.puzzle, attempt.line) for attempt in attempts]
    known = known_reviews(keys)
    ask_for_reviews(attempts, known)
    return {
        (attempt.student_id, attempt.puzzle_id)
        for attempt, key in zip(attempts, keys)
        if attempt.is_jammed or (key in known.reviews and known.reviews[key].is_lost)
    }


def _sayer():
    """Return what makes cells; the words are looked up once, not for each of them."""
    symbols = {state: state.symbol for state in CellState}
    labels = {state: str(state.label) for state in CellState}
    sentence = _("{state}. Time: {time}. Tries: {tries}. Solutions: {found}")
    # One address is made by Django, the others after its pattern.
    pattern = reverse("attempts", args=[0, 0])

    def says(state: CellState, tries: int, seconds: int, found: int, where: Where) -> Cell:
        if not tries:
            return Cell(state, symbols[state], 0, "", 0, "", labels[state])
        time = clock(seconds)
        said = sentence.format(state=labels[state], time=time, tries=tries, found=found)
        student, puzzle = where
        url = pattern.replace("/0/", f"/{puzzle}/", 1).replace("/0/", f"/{student}/", 1)
        return Cell(state, symbols[state], tries, time, found, url, said)

    return says
