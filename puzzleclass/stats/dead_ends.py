"""Find dead ends while the attempts are still being played, for the live wall to show shortly
after.

Every second or two, a task looks at the boards that have changed. The mildest level of the kind's
question "hint" says whether a board can still be solved and how many of its moves may stay. The
task runs in the worker for hints when no hint waits there. The result is stored beside the attempt
(`Look`) and not as a job, because a class reaches thousands of boards that nobody ever asks about
again.
"""

from datetime import timedelta
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from celery import shared_task
from django.db.models import F, Q
from django.utils import timezone

from puzzleclass.play.models import Attempt
from puzzleclass.play.reviews import MAY_BE_STUCK, note_stuck, still_lost
from puzzleclass.puzzles.lookahead import OPTIONS, QUESTION
from puzzleclass.stats.models import Look
from solvers.question import finish, within
from solvers.registry import get_kind

RUNNING = timedelta(minutes=2)
"""Attempts with a last step older than this are not looked at: the board was looked at after that
step."""

SLICE_SECONDS = 0.4
"""The seconds after which a round begins no other board. A hint waits for its worker at most this
long and for the search of one board."""

BOARD_SECONDS = 3.0
"""The seconds that the search of one board may take. A board that is not decided by then is not
called a dead end."""

MAX_AT_ONCE = 300
"""The most attempts that one round reads; the rest follow in the next round."""


class LookResult(NamedTuple):
    """What is known about a board. The fields mean the same as in `Look`."""

    is_lost: bool | None
    since: int | None


@lru_cache(maxsize=8192)
def look(kind_slug: str, position: str) -> LookResult:
    """Return whether a board, given as canonical text, can still be solved.

    The answer is exact: `is_lost` is None when the board can't be decided in `BOARD_SECONDS`.
    Answers are cached because the students of a class reach the same boards.
    """
    kind = get_kind(kind_slug)
    run = kind.questions[QUESTION].ask(kind, kind.read(position), **OPTIONS)
    answer = finish(within(run, BOARD_SECONDS))
    if answer is None or answer.value is None:
        return LookResult(None, None)
    is_lost = answer.value == 0
    return LookResult(is_lost, answer.keep + 1 if is_lost and answer.keep is not None else None)


@shared_task
def look_at_running_attempts() -> int:
    """Look at the changed boards of the attempts under way, those that have waited longest first.

    Return how many were looked at. When the time of this round is over, a message of its own
    continues with the rest, so that a hint may be answered in between.
    """
    end = monotonic() + SLICE_SECONDS
    changed = Q(look__isnull=True) | ~Q(look__line=F("line"))
    tries = Attempt.objects.filter(
        changed,
        MAY_BE_STUCK,
        puzzle__assignment__is_practice=False,
        state=Attempt.State.OPEN,
        last_at__gt=timezone.now() - RUNNING,
    ).exclude(line="")
    looks: list[Look] = []
    examined: list[tuple[Attempt, bool]] = []
    is_late = False
    for attempt in tries.select_related("puzzle", "look").order_by("last_at")[:MAX_AT_ONCE]:
        if is_late := monotonic() > end:
            break
        if QUESTION not in attempt.puzzle.kind.questions:
            continue
        looks.append(look := _look_at(attempt))
        if look.is_lost is not None:
            examined.append((attempt, look.is_lost))
    Look.objects.bulk_create(
        looks,
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["line", "is_lost", "since"],
    )
    note_stuck(examined)
    if is_late:
        look_at_running_attempts.apply_async(queue="look", expires=3)
    return len(looks)


def _look_at(attempt: Attempt) -> Look:
    before: Look | None = getattr(attempt, "look", None)
    if before:
        stored = before.line, before.is_lost, before.since
        if still_lost(attempt.puzzle.kind.family, stored, attempt.line):
            return Look(attempt=attempt, line=attempt.line, is_lost=True, since=before.since)
    seen = look(attempt.puzzle.kind_slug, attempt.position_text)
    return Look(attempt=attempt, line=attempt.line, is_lost=seen.is_lost, since=seen.since)
