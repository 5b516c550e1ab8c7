"""The class table: students by puzzles, and where each of them is."""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from django.db.models import Count as CountOf
from django.db.models import QuerySet, Sum, TextChoices
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.assignments.dealing import boards_of_class, places_of, solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.play.models import Attempt, BestScore, FoundSolution, HintUse
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of
from puzzleclass.stats.reviews import known_reviews, review_key

Order = Literal["number", "help"]
ORDERS: tuple[Order, ...] = ("number", "help")

StudentAndPuzzle = tuple[int, int]
"""The pks of a student and an assigned puzzle: a place in the table."""


def clock(seconds: int) -> str:
    """Return a duration as on a stopwatch, hours only when there are any.

    >>> clock(245), clock(3661)
    ('4:05', '1:01:01')
    """
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class CellState(TextChoices):
    """How far a student is with a puzzle."""

    NOT_GIVEN = "not-given", gettext_lazy("Another board")
    NOT_STARTED = "not-started", gettext_lazy("Not started")
    WORKING = "working", gettext_lazy("Working")
    STUCK = "stuck", gettext_lazy("Stuck")
    SOLVED = "solved", gettext_lazy("Solved")

    @property
    def symbol(self) -> str:
        """A sign that tells the states apart without colour."""
        return {"not-given": "·", "not-started": "–", "working": "…", "stuck": "!", "solved": "✓"}[
            self.value
        ]


class StudentAtPuzzle(NamedTuple):
    """A student at a puzzle: a tuple of plain texts, for a table has hundreds of them."""

    state: CellState
    style: str
    symbol: str
    work: str
    """Time at the board and number of tries; empty when there was none."""
    found: int
    """Different solutions."""
    hints: int
    """Taken by the student."""
    score: str
    """The student's best; empty for kinds without a score and where there is none."""
    url: str
    said: str
    """All of it in words."""
    seconds: int = 0
    tries: int = 0


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A student at all puzzles."""

    student: int
    """The student's pk."""
    number: int
    name: str
    cells: list[StudentAtPuzzle]

    @property
    def solved(self) -> int:
        return self._in(CellState.SOLVED)

    @property
    def stuck(self) -> int:
        return self._in(CellState.STUCK)

    @property
    def given(self) -> int:
        """Boards that are the student's."""
        return len(self.cells) - self._in(CellState.NOT_GIVEN)

    @property
    def is_begun(self) -> bool:
        return self._in(CellState.NOT_STARTED) < self.given

    def _in(self, state: CellState) -> int:
        return sum(cell.state == state for cell in self.cells)


@dataclass(frozen=True, slots=True)
class PuzzleColumn:
    """A puzzle in the hands of all students."""

    puzzle: AssignedPuzzle
    given: int
    """Students who have it; of them"""
    solved: int
    """have so many solved it."""
    found: int
    """Different solutions the class has found together."""
    count: Count | None
    """How many there are, if that has been counted."""
    goal: Goal | None
    """Of a kind with a score."""
    best: int | None
    """The best score of the class."""


@dataclass(frozen=True, slots=True)
class ClassTable:
    """An assignment as its class stands now."""

    columns: list[PuzzleColumn]
    rows: list[StudentRow]

    @property
    def has_scores(self) -> bool:
        """One of the puzzles is of a kind with a score."""
        return any(column.goal for column in self.columns)

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
        return sum(row.given for row in self.rows)

    @property
    def in_need(self) -> int:
        """Students who are stuck somewhere."""
        return sum(row.stuck > 0 for row in self.rows)

    @property
    def found(self) -> int:
        return sum(column.found for column in self.columns)


def class_table(assignment: Assignment, order: Order = "number") -> ClassTable:
    """Return the table, and ask for the reviews it lacks.

    The number of queries doesn't depend on the size, but for the reviews asked for.
    """
    puzzles = list(assignment.puzzles.all())
    for puzzle in puzzles:
        puzzle.assignment = assignment
    enrolments = list(places_of(assignment).select_related("student"))
    numbers = {place.student_id: place.number for place in enrolments}
    dealt = boards_of_class(assignment, puzzles, numbers)
    needed = solutions_needed(puzzles)
    work = _work(assignment)
    found = _counted(FoundSolution.objects.filter(puzzle__assignment=assignment))
    hints = _counted(HintUse.objects.filter(attempt__puzzle__assignment=assignment), "attempt__")
    best = _best(assignment)
    lost = _lost(puzzles, solved=found)
    counts = known_counts(puzzles)
    together = _found_together(assignment)
    cell = _cell_maker()

    rows = []
    for enrolment in enrolments:
        cells = []
        for puzzle in puzzles:
            where = enrolment.student_id, puzzle.pk
            tries, seconds = work.get(where, (0, 0))
            solutions = found.get(where, 0)
            if solutions >= needed[puzzle.pk]:
                state = CellState.SOLVED
            elif dealt is not None and not tries and puzzle not in dealt[enrolment.student_id]:
                state = CellState.NOT_GIVEN
            elif not tries:
                state = CellState.NOT_STARTED
            else:
                state = CellState.STUCK if where in lost else CellState.WORKING
            at_it = Work(tries, seconds, solutions, hints.get(where, 0), best.get(where))
            cells.append(cell(state, at_it, where))
        rows.append(
            StudentRow(enrolment.student_id, enrolment.number, enrolment.student.name, cells)
        )
    columns = [
        PuzzleColumn(
            puzzle,
            given=sum(row.cells[place].state != CellState.NOT_GIVEN for row in rows),
            solved=sum(row.cells[place].state == CellState.SOLVED for row in rows),
            found=together.get(puzzle.pk, 0),
            count=counts.get(puzzle.pk),
            goal=goal,
            best=max((best[at] for at in best if at[1] == puzzle.pk), default=None),
        )
        for place, (puzzle, goal) in enumerate(zip(puzzles, goals_of(puzzles)))
    ]
    if order == "help":
        rows.sort(key=lambda row: -row.stuck)
    return ClassTable(columns, rows)


def _work(assignment: Assignment) -> dict[StudentAndPuzzle, tuple[int, int]]:
    """Return tries and seconds of the cells in which something was done."""
    tries = Attempt.objects.filter(puzzle__assignment=assignment, next_step__gt=0).order_by()
    rows = tries.values_list("student", "puzzle").annotate(CountOf("pk"), Sum("seconds"))
    return {(student, puzzle): (number, seconds) for student, puzzle, number, seconds in rows}


def _counted(things: QuerySet[Any], owner: str = "") -> dict[StudentAndPuzzle, int]:
    """Return how many of these there are in each cell; `owner` leads to student and puzzle."""
    cells = things.order_by().values_list(f"{owner}student", f"{owner}puzzle")
    return {(student, puzzle): n for student, puzzle, n in cells.annotate(CountOf("pk"))}


def _best(assignment: Assignment) -> dict[StudentAndPuzzle, int]:
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


def _lost(
    puzzles: Iterable[AssignedPuzzle], solved: Container[StudentAndPuzzle]
) -> set[StudentAndPuzzle]:
    """Return the unsolved cells whose open try leads nowhere, as far as that is known."""
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    tries = Attempt.objects.filter(puzzle__in=by_pk, state=Attempt.State.OPEN).exclude(line="")
    rows = tries.order_by().values_list("pk", "student_id", "puzzle_id", "line", "is_jammed")
    lost: set[StudentAndPuzzle] = set()
    keys: dict[int, str] = {}
    places: dict[int, StudentAndPuzzle] = {}
    for pk, student, puzzle, line, is_jammed in rows:
        if (student, puzzle) in solved:
            continue
        if is_jammed:
            lost.add((student, puzzle))
        keys[pk] = review_key(by_pk[puzzle], line)
        places[pk] = student, puzzle
    reviews = known_reviews(keys.values()).reviews
    return lost | {
        places[pk] for pk, key in keys.items() if key in reviews and reviews[key].is_lost
    }


class Work(NamedTuple):
    """What a student has done at a puzzle."""

    tries: int
    seconds: int
    found: int
    hints: int
    score: int | None


def _cell_maker() -> Callable[[CellState, Work, StudentAndPuzzle], StudentAtPuzzle]:
    """Return what makes cells; words and addresses are looked up once, not for each of them."""
    styles = {state: state.value for state in CellState}
    symbols = {state: state.symbol for state in CellState}
    labels = {state: str(state.label) for state in CellState}
    sentence = _("{state}. Time: {time}. Tries: {tries}. Solutions: {found}")
    with_hints = _("{said}. Hints: {hints}")
    with_score = _("{said}. Best score: {score}")
    before, between, after = reverse("attempts", args=[0, 0]).rsplit("0", 2)

    def make(state: CellState, work: Work, where: StudentAndPuzzle) -> StudentAtPuzzle:
        style, symbol, label = styles[state], symbols[state], labels[state]
        if not work.tries and not work.hints:
            return StudentAtPuzzle(state, style, symbol, "", 0, 0, "", "", label)
        student, puzzle = where
        time = clock(work.seconds)
        said = sentence.format(state=label, time=time, tries=work.tries, found=work.found)
        if work.hints:
            said = with_hints.format(said=said, hints=work.hints)
        if work.score is not None:
            said = with_score.format(said=said, score=work.score)
        return StudentAtPuzzle(
            state,
            style,
            symbol,
            work=f"{time} ×{work.tries}" if work.tries else "",
            found=work.found,
            hints=work.hints,
            score="" if work.score is None else str(work.score),
            url=f"{before}{puzzle}{between}{student}{after}",
            said=said,
            seconds=work.seconds,
            tries=work.tries,
        )

    return make
