"""Dead ends, found while the tries are still played: what the live wall shows a moment later.

Every second or two the boards that have changed are looked at: the mildest level of the kind's
question "hint" says whether a board can still be solved, and which moves may stay. It is asked
in the worker for hints, when no hint waits there, and stored beside the try (`Look`), not as a
job: a class comes to thousands of boards that nobody ever asks about again.
"""

from datetime import timedelta
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from celery import shared_task
from django.db.models import F, Q
from django.utils import timezone

from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.lookahead import OPTIONS, QUESTION
from puzzleclass.stats.models import Look, still_lost
from solvers.question import Driving
from solvers.registry import get_kind, kinds

RUNNING = timedelta(minutes=2)
"""Tries whose last step is older rest; what was to be said of them has been said."""

SLICE_SECONDS = 0.4
"""A hint waits no longer than this for its worker, and a board's own search."""

BOARD_SECONDS = 3.0
"""For one board; one that is not decided by then is not said to be a dead end."""

MOST_AT_ONCE = 300
"""Tries read in one round; the rest follow in the next one."""


class Seen(NamedTuple):
    """What there is to say of a board: as in `Look`."""

    is_lost: bool | None
    since: int | None


@lru_cache(maxsize=8192)
def look(kind_slug: str, position: str) -> Seen:
    """Return whether a board, given as canonical text, can still be solved.

    Exact: what can't be decided in `BOARD_SECONDS` is None. A class comes to the same boards.
    """
    kind = get_kind(kind_slug)
    run = kind.questions[QUESTION].ask(kind, kind.read(position), **OPTIONS)
    driving = Driving(run, BOARD_SECONDS)
    for _ in driving:
        pass
    answer = driving.result
    if answer is None or answer.value is None:
        return Seen(None, None)
    is_lost = answer.value == 0
    return Seen(is_lost, answer.keep + 1 if is_lost and answer.keep is not None else None)


@shared_task
def look_at_running_tries() -> int:
    """Look at the boards of the tries under way that have changed, those that wait longest first.

    Returns how many were looked at. When the slice of time is over the rest is left to a message
    of its own, so that a hint may come between.
    """
    end = monotonic() + SLICE_SECONDS
    changed = Q(look__isnull=True) | ~Q(look__line=F("line"))
    asked = [slug for slug, kind in kinds().items() if QUESTION in kind.questions]
    tries = Attempt.objects.filter(
        changed,
        puzzle__kind_slug__in=asked,
        puzzle__assignment__is_practice=False,
        state=Attempt.State.OPEN,
        has_solved=False,
        last_at__gt=timezone.now() - RUNNING,
    ).exclude(line="")
    looks: list[Look] = []
    is_late = False
    for attempt in tries.select_related("puzzle", "look").order_by("last_at")[:MOST_AT_ONCE]:
        if is_late := monotonic() > end:
            break
        looks.append(_look_at(attempt))
    Look.objects.bulk_create(
        looks,
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["line", "is_lost", "since"],
    )
    if is_late:
        look_at_running_tries.apply_async(queue="look", expires=3)
    return len(looks)


def _look_at(attempt: Attempt) -> Look:
    before: Look | None = getattr(attempt, "look", None)
    if before:
        said = before.line, before.is_lost, before.since
        if still_lost(attempt.puzzle.kind.family, said, attempt.line):
            return Look(attempt=attempt, line=attempt.line, is_lost=True, since=before.since)
    seen = look(attempt.puzzle.kind_slug, attempt.position_text)
    return Look(attempt=attempt, line=attempt.line, is_lost=seen.is_lost, since=seen.since)
