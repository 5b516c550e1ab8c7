"""Positions that return: where an attempt was lost, a student tries again after 1, 4 and 10 days.

The review of the attempt tells which move lost. The board begins before that move, and is played
without being stored as an attempt (`scratch`), so it changes neither stars nor statistics.
"""

from datetime import date, timedelta
from itertools import islice

from django.db.models import Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.due import over_for
from puzzleclass.assignments.models import outside_bin
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt
from puzzleclass.play.reviews import QUESTION, read_review, review_key
from puzzleclass.practice.models import ReturningPosition
from solvers.registry import is_known

MAX_PER_DAY = 3
"""The most positions that are shown at a time. The others wait."""
MAX_READ = 100
"""The most positions among which those of kinds that are installed are looked for."""

FORGOTTEN_AFTER = timedelta(days=ReturningPosition.DAYS[-1])
"""The age after which an attempt that was lost is no longer taken up."""


def keep_lost(attempt: Attempt) -> None:
    """Let the position at which the attempt was lost return, instead of an earlier one there.

    One query at most. Kinds without reviews have no such positions.
    """
    is_old = attempt.last_at < timezone.now() - FORGOTTEN_AFTER
    if is_old or not attempt.line or QUESTION not in attempt.puzzle.kind.questions:
        return
    lost_on = timezone.localdate(attempt.last_at)
    ReturningPosition.objects.update_or_create(
        student_id=attempt.student_id,
        puzzle=attempt.puzzle,
        defaults={
            "line": attempt.line,
            "kept": None,
            "stage": 0,
            "due_on": lost_on + timedelta(days=ReturningPosition.DAYS[0]),
        },
    )


def find_positions(student: User) -> None:
    """Find, by the reviews, the positions of the student that are not known yet.

    Reviews that nobody has asked for are asked for. A line that has lost nothing, or of which it
    can't be told, does not return.
    """
    unknown = [
        each
        for each in ReturningPosition.objects.filter(student=student, kept=None).select_related(
            "puzzle__assignment__teacher"
        )
        if is_known(each.puzzle.kind_slug)
    ]
    keys = {each.pk: review_key(each.puzzle, each.line) for each in unknown}
    results = jobs.find_all(keys.values()) if keys else {}
    for each in unknown:
        job = results.get(keys[each.pk])
        review = read_review(job)
        same = ReturningPosition.objects.filter(pk=each.pk, line=each.line, kept=None)
        if review and review.fatal:
            same.update(kept=review.fatal - 1)
        elif job is None:
            puzzle = each.puzzle
            text = f"{puzzle.position} | {each.line}"
            teacher = puzzle.assignment.teacher
            jobs.ask(teacher, puzzle.kind_slug, QUESTION, text, served=student.pk)
        elif job.has_ended:
            same.delete()


def due_positions(student: User, today: date) -> list[ReturningPosition]:
    """Return the positions that the student should try again today. One query.

    Positions of an assignment wait until it is over, because they would be a hint.
    """
    is_open_to_help = Q(puzzle__assignment__is_practice=True) | over_for(
        student, "puzzle__assignment"
    )
    due = ReturningPosition.objects.filter(
        is_open_to_help,
        outside_bin("puzzle__assignment"),
        student=student,
        kept__isnull=False,
        due_on__lte=today,
    ).select_related("puzzle")
    known = (each for each in due[:MAX_READ] if is_known(each.puzzle.kind_slug))
    return list(islice(known, MAX_PER_DAY))
