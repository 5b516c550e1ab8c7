"""Deletes what nobody looks at any more: old jobs with their askers, expired sessions, old tries
in practice.

Everything that is deleted here can be had again, a question is asked anew, a visitor signs in, a
board is begun again; or it is a log whose time is over. In batches, each in a short transaction of
its own, so that nobody waits for it. The sweeper does it between its rounds, a little at a time: a
round over everything begins every `ROUND`.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain
from time import monotonic
from typing import Any

from celery import shared_task
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.classes.models import ClassChange, DataRecord
from puzzleclass.classes.personal_data import kept_since
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from solvers.kind import PuzzleError
from solvers.registry import UnknownKind, get_kind

BATCH = 500
"""Rows in one transaction."""

PRACTICE_KEPT = timedelta(days=90)
"""How long a try in practice is kept that came to nothing."""

ROUND = timedelta(hours=6)

SECONDS = 1.0
"""So long the sweeper's other rounds wait for this."""

_under_way: Iterator[int] = iter(())
_next_at = float("-inf")


@shared_task
def prune() -> None:
    """Delete some of what may go: go on with the round under way, or begin one that is due.

    The round is kept in the memory of the process; another process begins anew.
    """
    global _under_way, _next_at
    now = monotonic()
    if now >= _next_at:
        _under_way = chain(prune_sessions(), prune_practice(), prune_jobs(), prune_data_records())
        _next_at = now + ROUND.total_seconds()
    for _ in _under_way:
        if monotonic() >= now + SECONDS:
            return


def prune_sessions() -> Iterator[int]:
    """Delete the sessions that have expired; yield how many, batch by batch."""
    expired = Session.objects.filter(expire_date__lt=timezone.now())
    while keys := list(expired.values_list("pk", flat=True)[:BATCH]):
        yield expired.filter(pk__in=keys).delete()[0]


def prune_data_records() -> Iterator[int]:
    """Delete lines of the log of personal data, as old as data are kept, and class changes that
    nobody can undo any more; yield how many."""
    undoable = timezone.now() - timedelta(days=ClassChange.UNDO_DAYS)
    for rows in (
        DataRecord.objects.filter(at__lt=kept_since()),
        ClassChange.objects.filter(made_at__lt=undoable),
    ):
        while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
            yield rows.filter(pk__in=keys).delete()[0]


def prune_practice() -> Iterator[int]:
    """Delete old tries in practice that won no star, and boards that are left with nothing; yield
    how many tries and boards, batch by batch.

    Solutions stay, with the album, the stamps and the stars: so does the latest try that solved a
    board without a hint, and each that did with one.
    """
    long_ago = timezone.now() - PRACTICE_KEPT
    same = {"student": OuterRef("student"), "puzzle": OuterRef("puzzle"), "pk__gt": OuterRef("pk")}
    solved_again = Exists(Attempt.objects.filter(**same, has_solved=True, hints=None))
    idle = Attempt.objects.filter(puzzle__assignment__is_practice=True, last_at__lt=long_ago)
    useless = idle.filter(Q(has_solved=False) | solved_again).order_by("pk")
    while batch := list(useless.values_list("pk", "puzzle")[:BATCH]):
        with transaction.atomic():
            # Somebody may have gone on with one meanwhile.
            idle.filter(pk__in=[pk for pk, _ in batch]).delete()
            bare = AssignedPuzzle.objects.filter(
                pk__in={puzzle for _, puzzle in batch}, attempts=None, found_solutions=None
            )
            gone = list(bare.values_list("pk", flat=True))
            AssignedPuzzle.objects.filter(pk__in=gone).delete()
        yield len(batch) + len(gone)


def prune_jobs() -> Iterator[int]:
    """Delete the jobs that ended `JOBS_KEPT_DAYS` ago and are not `_looked_at`; yield how many,
    step by step.

    Those are mostly hints and reviews: one for each board that students came to.
    """
    long_ago = timezone.now() - timedelta(days=settings.JOBS_KEPT_DAYS)
    old = Job.objects.filter(state__in=Job.ENDED, ended_at__lt=long_ago).order_by("pk")
    starts: set[int] = set()
    for start in _starts():
        starts.add(hash(start))
        yield 0
    fields = ("pk", "key", "kind_slug", "question", "position", "options")
    last = 0
    while batch := list(old.filter(pk__gt=last).values_list(*fields)[:BATCH]):
        last = batch[-1][0]
        yield _delete(old, (row[0] for row in batch if not _looked_at(row[1:], starts)))


def _delete(old: QuerySet[Job], keys: Iterable[int]) -> int:
    """Delete those of the jobs that are still old: somebody may have asked again meanwhile."""
    with transaction.atomic():
        locked = old.select_for_update(skip_locked=True).filter(pk__in=list(keys))
        gone = list(locked.values_list("pk", flat=True))
        # Without their answers, which nobody needs to delete them.
        Job.objects.only("pk").filter(pk__in=gone).delete()
    return len(gone)


def _looked_at(row: tuple[Any, ...], starts: set[int]) -> bool:
    """Return whether a page may show the job: it is about one of the boards, and no newer solver
    would be asked instead."""
    key, slug, question, position, options = row
    if hash((slug, position)) not in starts:
        return False
    try:
        return bool(key == job_key(slug, question, position, options))
    except UnknownKind:
        return False


def _starts() -> Iterator[tuple[str, str]]:
    """Yield kind and start of every board in a library, of a student, an assignment or a study.

    Also what is asked for the best score there can be: the board without its goal.
    """
    # Here, and not at the start of every process: they take half a second to load.
    from puzzleclass.learn import maxstrings, tonari, tonari_methods
    from solvers.maxstrings.maximum import LARGEST

    for n in range(1, LARGEST + 1):
        yield maxstrings.KIND, _canonical(maxstrings.KIND, f"{n}x{n}")
    for method in tonari_methods.METHODS:
        for side in method.sides:
            yield tonari.SLUG, _canonical(tonari.SLUG, tonari_methods.position_text(side))
    for model in (Puzzle, WrittenPuzzle, AssignedPuzzle):
        boards = model._base_manager.order_by().values_list("kind_slug", "position").distinct()
        for slug, position in boards.iterator():
            yield slug, position
            try:
                if score := get_kind(slug).score:
                    yield slug, _canonical(slug, score.with_goal(position, ""))
            except (PuzzleError, UnknownKind):
                continue  # of a kind that is gone, or a board it can't read any more


def _canonical(slug: str, position: str) -> str:
    kind = get_kind(slug)
    return kind.write(kind.read(position))
