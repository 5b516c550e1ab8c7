"""A student's own records: the best that the student has done at each board.

A record compares a student with nobody else.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.play.access import may_be_played
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.answers import known_counts

MAX_BOARDS = 40
"""The most boards with their records, the latest solved first."""

MAX_LINES = 4
"""The most solutions of a board that are shown as pictures."""

UNDOS = Count("steps", filter=Q(steps__action=Step.Action.UNDO))
"""The number of moves taken back in an attempt."""


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """The best that a student has done at a board."""

    puzzle: AssignedPuzzle
    lines: list[str]
    """The moves of the solutions found last, the latest first, at most `MAX_LINES`."""
    found_at: datetime
    found: int
    """The number of solutions that the student has found."""
    total: int | None
    """The number of all solutions, if it is known and the student may see it."""
    seconds: int | None
    """The shortest time of a solved attempt."""
    undos: int | None
    """The fewest moves taken back in a solved attempt."""
    without_hint: bool
    """Whether the student has solved the board in an attempt without a hint."""


@dataclass(frozen=True, slots=True)
class Records:
    """What a student has reached so far."""

    solved: int
    """The number of boards solved."""
    without_hint: int
    """The number of boards solved in an attempt without a hint."""
    solutions: int
    """The number of different solutions found."""
    boards: list[BoardRecord]


def shows_records(student: User) -> bool:
    """Return whether the student's classes show students their records. One query."""
    return all_show_records(Classroom.objects.filter(students=student, archived_at=None).order_by())


def all_show_records(classrooms: Iterable[Classroom]) -> bool:
    """Return whether a student whose classes these are is shown records."""
    switches = [classroom.records for classroom in classrooms]
    return bool(switches) and all(switches)


def records_of(student: User) -> Records:
    """Return the student's records at the boards that the student can still open. Six queries."""
    open_to = (
        assigned_to(student, "puzzle__assignment")
        & may_be_played("puzzle__assignment")
        & Q(student=student, puzzle__assignment__classroom__students=student)
    )
    solutions = FoundSolution.objects.filter(open_to).order_by()
    by_board = solutions.values("puzzle").annotate(last=Max("found_at"), number=Count("pk"))
    rows = list(by_board.order_by("-last"))
    hinted = Exists(HintUse.objects.filter(attempt=OuterRef("pk")))
    solved = Attempt.objects.filter(open_to, has_solved=True).order_by()
    without_hint = solved.filter(~hinted).values("puzzle").distinct().count()
    by_puzzle: dict[Any, Any] = {row["puzzle"]: row for row in rows[:MAX_BOARDS]}
    return Records(
        len(rows),
        without_hint,
        sum(row["number"] for row in rows),
        _boards(student, by_puzzle, solved.annotate(undos=UNDOS, hinted=hinted)),
    )


def may_thank(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether the student can thank the author of the puzzle: a classmate whose puzzle in
    the gallery the student has solved. Three queries at most."""
    written = puzzle.written if puzzle.assignment.is_gallery else None
    return (
        written is not None
        and written.author_id != student.pk
        and FoundSolution.objects.filter(student=student, puzzle=puzzle).exists()
        and shows_records(student)
    )


def _boards(student: User, shown: dict[Any, Any], solved: QuerySet[Attempt]) -> list[BoardRecord]:
    """Return the records at these boards. Four queries."""
    puzzles = AssignedPuzzle.objects.select_related("assignment").in_bulk(shown)
    counts = known_counts(each for each in puzzles.values() if each.assignment.shows_total)
    place = Window(
        RowNumber(), partition_by="puzzle", order_by=[F("found_at").desc(), F("pk").desc()]
    )
    latest = FoundSolution.objects.filter(student=student, puzzle__in=shown)
    lines: dict[int, list[str]] = {}
    for each in latest.annotate(place=place).filter(place__lte=MAX_LINES).order_by("place"):
        lines.setdefault(each.puzzle_id, []).append(each.line)
    attempts: dict[int, list[tuple[int, int, bool]]] = {}
    fields = ("puzzle", "seconds", "undos", "hinted")
    for puzzle, *attempt in solved.filter(puzzle__in=shown).values_list(*fields):
        attempts.setdefault(puzzle, []).append((*attempt,))
    records = []
    for pk, row in shown.items():
        own, count = attempts.get(pk, []), counts.get(pk)
        records.append(
            BoardRecord(
                puzzles[pk],
                lines[pk],
                row["last"],
                row["number"],
                count.value if count and count.proven else None,
                min((seconds for seconds, _, _ in own), default=None),
                min((undos for _, undos, _ in own), default=None),
                any(not hinted for _, _, hinted in own),
            )
        )
    return records
