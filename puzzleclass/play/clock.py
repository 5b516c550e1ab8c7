"""Playing against the clock: a run begins with a press, and ends with the solution."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Min
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.result_models import TimedRun
from puzzleclass.puzzles.worlds import BoardKey

MAX_BEST = 5
"""The number of best times that a class is shown. Nobody sees who was slower."""


def start_clock(student: User, puzzle: AssignedPuzzle) -> TimedRun:
    """Start the clock for the student at the puzzle. A clock that is running elsewhere stops."""
    give_up_run(student)
    return TimedRun.objects.create(student=student, puzzle=puzzle)


def give_up_run(student: User) -> None:
    """Stop the student's clock without a time, if one is running."""
    TimedRun.objects.filter(student=student, seconds=None).delete()


def running_clock(student_id: int, puzzle: AssignedPuzzle) -> TimedRun | None:
    """Return the student's run at the puzzle if its clock is running. One query in practice.

    There is none when the teacher has switched challenges off.
    """
    if not puzzle.assignment.is_practice:
        return None
    since = timezone.now() - TimedRun.LONGEST
    runs = TimedRun.objects.select_related("puzzle__assignment__classroom")
    open_runs = runs.filter(student=student_id, puzzle=puzzle, seconds=None)
    run = open_runs.filter(started_at__gt=since).first()
    return run if run and run.puzzle.assignment.classroom.has_challenges else None


def stop_clock(attempt: Attempt, at: datetime) -> None:
    """Store the time of the student's run, as `attempt.run`, if the attempt has solved its board.

    `at` is the time of the solution. Three queries at most, and only in practice.
    """
    attempt.run = run = running_clock(attempt.student_id, attempt.puzzle)
    if run is None:
        return
    hints = HintUse.objects.filter(attempt__student=run.student_id, attempt__puzzle=run.puzzle_id)
    run.took_hint = hints.filter(at__gte=run.started_at).exists()
    run.seconds = max(0, (at - run.started_at) // timedelta(seconds=1))
    run.save(update_fields=["took_hint", "seconds"])


def is_best(run: TimedRun) -> bool:
    """Return whether no earlier run of the student at the puzzle was as fast. One query at most."""
    if run.took_hint:
        return False
    runs = TimedRun.objects.filter(student=run.student_id, puzzle=run.puzzle_id, took_hint=False)
    return not runs.filter(seconds__lte=run.seconds).exclude(pk=run.pk).exists()


def best_times(student: User) -> dict[BoardKey, int]:
    """Return the student's shortest time without a hint at each board, in seconds. One query."""
    runs = TimedRun.objects.filter(student=student, took_hint=False).exclude(seconds=None)
    board = runs.order_by().values_list("puzzle__kind_slug", "puzzle__position")
    return {(slug, position): best for slug, position, best in board.annotate(Min("seconds"))}


class BestTime(NamedTuple):
    """One of the best times of a class at a board."""

    student: User
    seconds: int
    """The time of the student's fastest run."""


def best_times_of_class(
    classroom: Classroom, boards: Collection[BoardKey], since: datetime
) -> dict[BoardKey, list[BestTime]]:
    """Return the best times of the class at these boards, the fastest first. Two queries.

    Each student counts once at a board. `MAX_BEST` times are returned, and those as short as the
    last of them. Runs that began before `since`, and runs with a hint, do not count.
    """
    runs = (
        TimedRun.objects.filter(
            puzzle__assignment__classroom=classroom,
            puzzle__assignment__is_practice=True,
            puzzle__position__in=[position for _slug, position in boards],
            student__enrolments__classroom=classroom,
            started_at__gte=since,
            took_hint=False,
        )
        .exclude(seconds=None)
        .order_by()
        .values_list("puzzle__kind_slug", "puzzle__position", "student")
        .annotate(best=Min("seconds"))
    )
    at_boards: dict[BoardKey, list[tuple[int, int]]] = {board: [] for board in boards}
    for slug, position, student, seconds in runs:
        if (slug, position) in at_boards:
            at_boards[slug, position].append((seconds, student))
    for times in at_boards.values():
        times.sort()
        limit = times[:MAX_BEST][-1][0] if times else 0
        times[:] = [each for each in times if each[0] <= limit]
    shown = {student for times in at_boards.values() for _seconds, student in times}
    students = User.objects.in_bulk(shown)
    return {
        board: [BestTime(students[student], seconds) for seconds, student in times]
        for board, times in at_boards.items()
    }
