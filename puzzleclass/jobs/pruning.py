"""Delete old jobs that no page shows, together with their lists of askers. A question that somebody
asks again is answered again."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from puzzleclass.database.batches import BATCH_ROWS
from puzzleclass.jobs.models import Job, job_key


def prune_jobs(boards: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Delete the jobs that ended `JOBS_KEPT_DAYS` ago and that no page shows. Yield the number of
    deleted rows step by step.

    Most of these jobs are hints and reviews, one for each position that students have reached.
    `boards` are the kind and the canonical start of everything that a page may ask about.
    """
    long_ago = timezone.now() - timedelta(days=settings.JOBS_KEPT_DAYS)
    old = Job.objects.filter(state__in=Job.ENDED, ended_at__lt=long_ago).order_by("pk")
    starts: set[int] = set()
    for board in boards:
        starts.add(hash(board))
        yield 0
    fields = ("pk", "key", "kind_slug", "question", "position", "options")
    last = 0
    while batch := list(old.filter(pk__gt=last).values_list(*fields)[:BATCH_ROWS]):
        last = batch[-1][0]
        yield _delete(old, (row[0] for row in batch if not _may_be_shown(row[1:], starts)))


def _delete(old: QuerySet[Job], keys: Iterable[int]) -> int:
    """Delete those of the jobs that are still old, because somebody may have asked again meanwhile.
    Return how many there were."""
    with transaction.atomic():
        locked = old.select_for_update(skip_locked=True).filter(pk__in=list(keys))
        gone = list(locked.values_list("pk", flat=True))
        # Deleting the jobs does not need their answers, so they are not read.
        Job.objects.only("pk").filter(pk__in=gone).delete()
    return len(gone)


def _may_be_shown(row: tuple[Any, ...], starts: set[int]) -> bool:
    """Return whether a page may show the job: it is about one of the boards, and no newer version
    of the solver would be asked instead."""
    key, slug, question, position, options = row
    if hash((slug, position)) not in starts:
        return False
    return bool(key == job_key(slug, question, position, options))
