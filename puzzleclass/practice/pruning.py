"""Delete old attempts in practice that came to nothing."""

from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.database.batches import BATCH_ROWS
from puzzleclass.play.models import Attempt

KEPT_FOR = timedelta(days=90)
"""How long an attempt in practice is kept if it came to nothing."""


def prune_practice() -> Iterator[int]:
    """Delete old attempts in practice that won no star, and boards that are left without anything.

    Yield the number of deleted attempts and boards, batch by batch. Solutions stay, and with them
    the records, the stamps and the stars. An attempt that solved a board also stays, unless a later
    one solved it without a hint.
    """
    long_ago = timezone.now() - KEPT_FOR
    same = {"student": OuterRef("student"), "puzzle": OuterRef("puzzle"), "pk__gt": OuterRef("pk")}
    solved_again = Exists(Attempt.objects.filter(**same, has_solved=True, hints=None))
    old = Attempt.objects.filter(puzzle__assignment__is_practice=True, last_at__lt=long_ago)
    removable = old.filter(Q(has_solved=False) | solved_again).order_by("pk")
    while batch := list(removable.values_list("pk", "puzzle")[:BATCH_ROWS]):
        with transaction.atomic():
            # A student may have gone on with one of the attempts in the meantime.
            old.filter(pk__in=[pk for pk, _ in batch]).delete()
            empty = AssignedPuzzle.objects.filter(
                pk__in={puzzle for _, puzzle in batch}, attempts=None, found_solutions=None
            )
            deleted = list(empty.values_list("pk", flat=True))
            AssignedPuzzle.objects.filter(pk__in=deleted).delete()
        yield len(batch) + len(deleted)
