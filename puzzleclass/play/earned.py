"""What a student has just earned with the step that solved a board.

It is sent with the answer to that step, and with no other answer: a page that is loaded again, or a
step that is sent again, does not show it a second time.
"""

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.play.models import Attempt
from puzzleclass.play.path import Result, Results, path_of, stars_of
from puzzleclass.play.practised import days_in_a_row, results_of
from puzzleclass.play.records import UNDOS
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.worlds import PracticeBoard, board_of_the_day, find_board
from solvers.registry import AnyKind


class NewStars(NamedTuple):
    """The stars of a practice board. The new ones move to their place."""

    before: range
    """One number for each star that the board had before this step."""
    new: range
    """One number for each star that the step has won."""
    open: range
    """One number for each star that is still to be won."""


class WorldLeft(NamedTuple):
    """How many boards are left in a world of practice after this one."""

    level: int
    left: int
    next: int | None
    """The world after this one; None for the last."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What the step has earned. Everything is compared with what the student did before, except the
    solution that is new in the class, where nobody is named."""

    stars: NewStars | None = None
    """The stars of a practice board; None elsewhere, and if the step has won none."""
    has_flower: bool = False
    """Whether the board is today's board of its kind, and is solved for the first time today."""
    days: int = 0
    """On how many days in a row the student has solved something; 0 except for the first solution
    of a day."""
    world: WorldLeft | None = None
    """The world of a practice board that is solved for the first time."""
    first_of_kind: AnyKind | None = None
    """The kind, if this is the student's first solution of a puzzle of the kind."""
    is_new_in_class: bool = False
    """Whether classmates have found solutions of this puzzle, but not this one."""
    undos: int | None = None
    """The number of moves taken back, if it is smaller than in all the student's earlier solved
    attempts at the puzzle. In a first solved attempt only 0 is mentioned."""


def earned_by(student: User, attempt: Attempt, *, is_new: bool) -> Earned | None:
    """Return what the last step of the attempt has earned. It must have solved the board.

    Return None if it has earned nothing. `is_new` says that the student had not found this solution
    before. Four queries at most, and three more in practice.
    """
    board = _practice_board(attempt)
    results = results_of(student) if board else {}
    earned = Earned(
        stars=_stars(attempt, board, results, is_new) if board else None,
        world=_world_left(board, results) if board and is_new else None,
        undos=None if attempt.was_solved else _fewest_undos(attempt),
    )
    if is_new:
        earned = replace(
            earned, is_new_in_class=_is_new_in_class(attempt), **_firsts(student, attempt, board)
        )
    return earned if earned != Earned() else None


def _practice_board(attempt: Attempt) -> PracticeBoard | None:
    """Return the board of practice at which the attempt was made.

    A board that the worker made belongs to no world that can be completed. Its number of solutions
    is not looked up here, so it is treated like a board with several.
    """
    puzzle = attempt.puzzle
    if not puzzle.assignment.is_practice:
        return None
    return find_board(puzzle.kind, puzzle.position) or PracticeBoard(
        puzzle.kind_slug, puzzle.position, 0, 0, None, "", is_made=True
    )


def _stars(
    attempt: Attempt, board: PracticeBoard, results: Results, is_new: bool
) -> NewStars | None:
    """Return the board's stars, or None if the step has won none. One query at most."""
    result = results[board.key]
    without_hint = result.without_hint
    if without_hint and not attempt.was_solved:
        earlier = Attempt.objects.filter(
            student=attempt.student_id,
            puzzle__assignment__is_practice=True,
            puzzle__kind_slug=board.kind_slug,
            puzzle__position=board.position,
            has_solved=True,
            hints=None,
        )
        without_hint = earlier.exclude(pk=attempt.pk).exists()
    before = Result(result.found - is_new, without_hint)
    now, won = stars_of(board, results), stars_of(board, {board.key: before}).won
    if now.won <= won:
        return None
    # The number of solutions of a board that the worker made is not known here.
    most = now.won if board.is_made else now.most
    return NewStars(range(won), range(now.won - won), range(most - now.won))


def _firsts(student: User, attempt: Attempt, board: PracticeBoard | None) -> dict[str, Any]:
    """Return what only the first solution of a day or of a kind earns. Two queries at most."""
    puzzle, today = attempt.puzzle, timezone.localdate(attempt.last_at)
    begins = timezone.make_aware(datetime.combine(today, time.min))
    ends = timezone.make_aware(datetime.combine(today + timedelta(days=1), time.min))
    numbers = _found_so_far(student.pk, puzzle.kind_slug, puzzle.position, begins, ends).get()
    of_kind, of_today, of_board_today = numbers
    is_daily = board is not None and board == board_of_the_day(board.kind, today)
    return {
        "has_flower": is_daily and of_board_today == 1,
        "days": days_in_a_row(student, today) if of_today == 1 else 0,
        "first_of_kind": puzzle.kind if of_kind == 1 else None,
    }


def _found_so_far(
    student: int, kind: str, position: str, begins: datetime, ends: datetime
) -> QuerySet[FoundSolution, Any]:
    """Return how many solutions a student has found: of the kind, on the day that begins and ends
    at these times, and on this day at the board of practice with this position."""
    of_kind = Q(puzzle__kind_slug=kind)
    of_today = Q(found_at__gte=begins, found_at__lt=ends)
    of_board = Q(puzzle__position=position, puzzle__assignment__is_practice=True)
    return (
        FoundSolution.objects.filter(student=student)
        .order_by()
        .values("student")
        .annotate(
            of_kind=Count("pk", filter=of_kind),
            of_today=Count("pk", filter=of_today),
            of_board_today=Count("pk", filter=of_kind & of_today & of_board),
        )
        .values_list("of_kind", "of_today", "of_board_today")
    )


def _world_left(board: PracticeBoard, results: Results) -> WorldLeft | None:
    """Return what is left of the board's world, if the board has just been solved first."""
    if board.is_made or results[board.key].found > 1:
        return None
    worlds = path_of(board.kind, results, board).worlds
    following = next((level for level in worlds if level > board.level), None)
    return WorldLeft(board.level, worlds[board.level].left, following)


def _is_new_in_class(attempt: Attempt) -> bool:
    """Return whether classmates have found solutions of the puzzle, but not this one. One query."""
    puzzle = attempt.puzzle
    found = FoundSolution.objects.filter(
        puzzle=puzzle, student__enrolments__classroom=puzzle.assignment.classroom_id
    ).exclude(student=attempt.student_id)
    same = Q(text=puzzle.kind.solution(attempt.position))
    numbers = found.aggregate(all=Count("pk"), same=Count("pk", filter=same))
    return bool(numbers["all"]) and not numbers["same"]


def _fewest_undos(attempt: Attempt) -> int | None:
    """Return the number of moves taken back, if it is worth mentioning. One query."""
    solved = Attempt.objects.filter(
        student=attempt.student_id, puzzle=attempt.puzzle_id, has_solved=True
    )
    rows = solved.order_by().annotate(undos=UNDOS).values_list("pk", "undos")
    by_attempt = dict(rows)
    own = by_attempt.pop(attempt.pk)
    if not by_attempt:
        return own if own == 0 else None
    return own if own < min(by_attempt.values()) else None
