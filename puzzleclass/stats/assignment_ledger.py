"""The ledger of one assignment: a row for each student, a column for each puzzle, and who needs
help now."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Enrolment, Group
from puzzleclass.play.needs import Need, Reason, attending_now, needs_of, refusals_lately, stuck_now
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of
from puzzleclass.stats.ledger import Ledger, Tally, Work, have_begun, read_ledger

Order = Literal["number", "help"]
ORDERS: tuple[Order, ...] = ("number", "help")


@dataclass(frozen=True, slots=True)
class Row:
    """A student at all puzzles of the assignment."""

    enrolment: Enrolment
    work: Work


@dataclass(frozen=True, slots=True)
class PuzzleColumn(Tally):
    """All students at a puzzle."""

    puzzle: AssignedPuzzle
    found_together: int
    """The number of different solutions that the class has found together."""
    count: Count | None
    """The number of solutions that the puzzle has; None when they have not been counted."""
    goal: Goal | None
    """The goal of the puzzle; None for a kind without a score."""


@dataclass(frozen=True, slots=True)
class AssignmentLedger:
    """What the class has done at the assignment, as it stands now."""

    assignment: Assignment
    ledger: Ledger
    columns: Sequence[PuzzleColumn]
    rows: Sequence[Row]
    needs: dict[int, Need]
    """The needs of the students (pk) who need help now."""
    stuck_now: int
    """The number of students who are stuck now."""

    @property
    def has_scores(self) -> bool:
        """Whether one of the puzzles is of a kind with a score."""
        return any(column.goal for column in self.columns)

    @property
    def begun(self) -> int:
        """The number of students who have begun."""
        return have_begun(row.work for row in self.rows)

    @property
    def were_stuck(self) -> int | None:
        """The number of students who were stuck at some puzzle at some time; None if nobody's board
        has been examined."""
        known = [row.work.was_stuck for row in self.rows if row.work.begun]
        if known and all(each is None for each in known):
            return None
        return sum(bool(each) for each in known)

    @property
    def found_together(self) -> int:
        return sum(column.found_together for column in self.columns)


def assignment_ledger(
    assignment: Assignment, order: Order = "number", group: Group | None = None
) -> AssignmentLedger:
    """Return the ledger of an assignment, or its part about a group.

    The number of queries does not depend on its size.
    """
    everybody = enrolments_of(assignment).select_related("student").order_by("number")
    enrolments = {each.student_id: each for each in everybody}
    ledger = read_ledger([assignment], enrolments).of_group(group)
    [(_assignment, puzzles, _students)] = ledger.classes
    [progress] = ledger.progress
    counts = known_counts(puzzles)
    together = ledger.found_together
    rows = [
        Row(enrolments[student], works[assignment.pk])
        for student, works in ledger.by_student.items()
    ]
    by_puzzle = ledger.by_puzzle()
    columns = [
        PuzzleColumn(
            by_puzzle.get(puzzle.pk, []),
            puzzle,
            together.get(puzzle.pk, 0),
            counts.get(puzzle.pk),
            goal,
        )
        for puzzle, goal in zip(puzzles, goals_of(puzzles))
    ]
    attending = attending_now(assignment, progress)
    needs = needs_of(assignment, progress, refusals_lately(assignment), attending)
    needs = {student: need for student, need in needs.items() if student in ledger.by_student}
    if order == "help":
        last = Need(Reason.NOT_STARTED, inf, "")
        rows.sort(key=lambda row: needs.get(row.enrolment.student_id, last))
    stuck = stuck_now(assignment, progress) & ledger.by_student.keys()
    return AssignmentLedger(assignment, ledger, columns, rows, needs, len(stuck - attending.absent))
