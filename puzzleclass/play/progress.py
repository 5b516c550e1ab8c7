"""The statuses (`play.status`) of students at puzzles, which every page and file reads here.

`class_progress` answers for a class at an assignment, and `progress_of_classes` for several
assignments, in a fixed number of queries. `with_results_of` adds what a student has reached to a
query of puzzles.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import (
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    Window,
)
from django.db.models.functions import RowNumber

from puzzleclass.assignments.dealing import AssignedClass, boards_of_classes, solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs.services import find_all
from puzzleclass.play.models import BEGUN, Attempt
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.reviews import Review, read_review, review_key, still_lost
from puzzleclass.play.status import AttemptTotals, PuzzleStatus, SolutionTotals, Stuck, status_from

StudentAndPuzzle = tuple[int, int]
"""The primary keys of a student and of an assigned puzzle."""


Progress = dict[StudentAndPuzzle, PuzzleStatus]
"""The status of each student of a class at each puzzle of an assignment."""


def class_progress(
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], students: Collection[int]
) -> Progress:
    """Return the status of each student, given by primary key, at each puzzle of the assignment.

    Five queries at most, and five more if boards are dealt, for any number of students and puzzles.
    Each puzzle must have its `assignment` loaded.
    """
    return progress_of_classes([AssignedClass(assignment, puzzles, students)])[0]


def progress_of_classes(classes: Sequence[AssignedClass]) -> list[Progress]:
    """Return what `class_progress` returns for each of the assignments, in their order.

    Five queries at most, and five more if boards are dealt, however many assignments there are.
    Each puzzle must have its `assignment` loaded.
    """
    puzzles = [puzzle for each in classes for puzzle in each.puzzles]
    needed = solutions_needed(puzzles)
    at = Q(puzzle__in=[puzzle.pk for puzzle in puzzles])
    evidence = _Evidence(
        needed,
        _attempt_totals(_attempts_at(at)),
        _solution_totals(_solutions_at(at, needed.values()), needed),
        _stuck_boards(_boards_at(at), puzzles),
    )
    dealt_boards = boards_of_classes(classes)
    return [_class_statuses(each, evidence, dealt_boards) for each in classes]


def with_results_of(
    student: Any, puzzles: QuerySet[AssignedPuzzle], kind: Any = ""
) -> QuerySet[Any]:
    """Return the puzzles, each with what the student, given by primary key, has reached at it, as
    far as students are shown it.

    `found` is the number of solutions found, `is_begun` says whether a step was made, and
    `has_feedback` whether a teacher has given feedback. `knows_kind` says whether the student has
    opened a puzzle of the kind with this slug.
    """
    attempts = Attempt.objects.filter(student=student)
    at_puzzle = attempts.filter(puzzle=OuterRef("pk"))
    return puzzles.annotate(
        own_solution=FilteredRelation(
            "found_solutions", condition=Q(found_solutions__student=student)
        ),
        found=Count("own_solution"),
        is_begun=Exists(at_puzzle.filter(BEGUN)),
        has_feedback=Exists(at_puzzle.filter(feedback__isnull=False)),
        knows_kind=Exists(attempts.filter(puzzle__kind_slug=kind)) if kind else Value(False),
    )


def is_board_stuck(
    student: int, puzzle: AssignedPuzzle, reviews: Mapping[str, Review | None]
) -> bool:
    """Return whether the board of the student's open attempt is stuck, also if the puzzle was
    solved in an earlier attempt. One query.

    `reviews` are the reviews that the page shows, by the keys of their jobs. Read a second time,
    they could be known by now, and the page would contradict itself.
    """
    rows = _boards_at(Q(student=student, puzzle=puzzle))
    return (student, puzzle.pk) in _stuck_boards(rows, [puzzle], reviews)


class _Evidence(NamedTuple):
    """What the database has about students at puzzles."""

    needed: Mapping[int, int]
    attempts: Mapping[StudentAndPuzzle, AttemptTotals]
    found: Mapping[StudentAndPuzzle, SolutionTotals]
    stuck: Mapping[StudentAndPuzzle, Stuck]

    def status(self, key: StudentAndPuzzle, *, is_assigned: bool = True) -> PuzzleStatus:
        return status_from(
            self.needed[key[1]],
            self.attempts.get(key),
            self.found.get(key),
            self.stuck.get(key),
            is_assigned=is_assigned,
        )


def _class_statuses(
    each: AssignedClass,
    evidence: _Evidence,
    dealt_boards: Mapping[int, Mapping[int, Sequence[AssignedPuzzle]]],
) -> Progress:
    """Return the status of each student at each puzzle. `dealt_boards` are the students' boards of
    each assignment that does not give everybody all boards."""
    dealt = dealt_boards.get(each.assignment.pk)
    dealt_keys = {
        student: {board.pk for board in boards} for student, boards in (dealt or {}).items()
    }
    return {
        (student, puzzle.pk): evidence.status(
            (student, puzzle.pk),
            is_assigned=dealt is None or puzzle.pk in dealt_keys.get(student, ()),
        )
        for student in each.students
        for puzzle in each.puzzles
    }


# Queries


def _attempts_at(at: Q) -> QuerySet[Attempt, Any]:
    """Return the attempts, aggregated by student and puzzle as in `AttemptTotals`."""
    by_place = Attempt.objects.filter(at).order_by().values_list("student_id", "puzzle_id")
    return by_place.annotate(
        moved=Count("pk", filter=BEGUN),
        time=Sum("seconds"),
        began=Min("started_at", filter=BEGUN),
        latest=Max("last_at"),
        stuck=Count("pk", filter=Q(was_stuck=True)),
        examined=Count("was_stuck"),
        arrived=Max("arrived_at"),
    )


def _solutions_at(at: Q, needed: Iterable[int]) -> QuerySet[FoundSolution, Any]:
    """Return the first solution of each student at each puzzle, and the last one needed.

    Each row has the solution's rank and the number of solutions that the student has found.
    """
    own = [F("student"), F("puzzle")]
    numbered = FoundSolution.objects.filter(at).annotate(
        rank=Window(RowNumber(), own, [F("found_at"), F("pk")]), number=Window(Count("pk"), own)
    )
    wanted = numbered.filter(rank__in=sorted({1, *needed})).order_by()
    return wanted.values_list("student_id", "puzzle_id", "rank", "number", "found_at")


def _boards_at(at: Q) -> QuerySet[Attempt, Any]:
    """Return the boards of open attempts, each with the worker's latest `stats.models.Look`."""
    attempts = Attempt.objects.filter(at, state=Attempt.State.OPEN).exclude(line="").order_by()
    return attempts.values_list(
        *("student_id", "puzzle_id", "line", "is_jammed", "last_at"),
        *("look__line", "look__is_lost", "look__since"),
    )


def _attempt_totals(rows: Iterable[Any]) -> dict[StudentAndPuzzle, AttemptTotals]:
    return {(student, puzzle): AttemptTotals(*totals) for student, puzzle, *totals in rows}


def _solution_totals(
    rows: Iterable[Any], needed: Mapping[int, int]
) -> dict[StudentAndPuzzle, SolutionTotals]:
    totals: dict[StudentAndPuzzle, SolutionTotals] = {}
    for student, puzzle, rank, number, found_at in rows:
        key = student, puzzle
        if rank == needed.get(puzzle):
            totals[key] = SolutionTotals(number, found_at)
        else:
            totals.setdefault(key, SolutionTotals(number, None))
    return totals


def _stuck_boards(
    rows: Iterable[Any],
    puzzles: Iterable[AssignedPuzzle],
    reviews: Mapping[str, Review | None] | None = None,
) -> dict[StudentAndPuzzle, Stuck]:
    """Return the boards from which no solution can be reached, as far as is known.

    The board itself may show it, or a worker's look at it, or the review of its line. One query at
    most, and none if the reviews are given.
    """
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    stuck: dict[StudentAndPuzzle, Stuck] = {}
    undecided: dict[str, list[tuple[StudentAndPuzzle, datetime]]] = {}
    for student, pk, line, is_jammed, last_at, *look in rows:
        puzzle, student_and_puzzle = by_pk[pk], (student, pk)
        seen, was_lost, move = look
        is_lost = still_lost(puzzle.kind.family, (seen, was_lost, move), line) if seen else None
        if is_lost or is_jammed:
            stuck[student_and_puzzle] = Stuck(last_at, move if is_lost else None, is_jammed)
        elif is_lost is None:
            undecided.setdefault(review_key(puzzle, line), []).append((student_and_puzzle, last_at))
    if reviews is None:
        results = find_all(undecided) if undecided else {}
        reviews = {key: read_review(job) for key, job in results.items()}
    for key, places in undecided.items():
        review = reviews.get(key)
        if review and review.is_lost:
            stuck |= {
                student_and_puzzle: Stuck(last_at, review.fatal or None, is_jammed=False)
                for student_and_puzzle, last_at in places
            }
    return stuck
