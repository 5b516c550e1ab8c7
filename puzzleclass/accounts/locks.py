"""Locks against guessing: after some wrong tries nothing opens them for a while.

What a lock stands for is its key's affair: one student's PIN, or one username as typed at
one place. Never an address alone: a whole class sits behind one.
"""

import math
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

WRONG_TRIES_ALLOWED = 5
HOLDS = timedelta(minutes=1)
"""How long a lock holds, and how long a wrong try counts."""

FORGOTTEN = timedelta(hours=1)
"""When a row goes that says nothing any more: long after it, so that no try still works on it."""


class Lock(models.Model):
    """The wrong tries at one key, and until when they count."""

    key = models.CharField(max_length=250, unique=True)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    counts_until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.wrong_tries}"

    @property
    def is_closed(self) -> bool:
        """Not even the right word opens it now."""
        return self.tries_left == 0

    @property
    def tries_left(self) -> int:
        """How many wrong tries may still follow before it closes."""
        is_over = self.counts_until <= timezone.now()
        return WRONG_TRIES_ALLOWED - (0 if is_over else self.wrong_tries)

    @property
    def seconds(self) -> int:
        """How long it stays closed; 0 when it is open."""
        if not self.is_closed:
            return 0
        return math.ceil((self.counts_until - timezone.now()).total_seconds())


def lock_of(key: str) -> Lock:
    """Return the key's lock as it stands."""
    return Lock.objects.filter(key=key).first() or Lock(key=key, counts_until=timezone.now())


def closed_among(keys: Iterable[str]) -> set[str]:
    """Return those of the keys whose locks are closed."""
    return {lock.key for lock in Lock.objects.filter(key__in=list(keys)) if lock.is_closed}


def opens(key: str, is_right: Callable[[], bool]) -> bool:
    """Return whether the try is right; always False, without looking, while closed.

    A try is paid for, in the database, before it is looked at: guesses sent at the same
    moment can't outrun the count.
    """
    now = timezone.now()
    Lock.objects.filter(counts_until__lt=now - FORGOTTEN).delete()
    Lock.objects.get_or_create(key=key, defaults={"counts_until": now})
    is_over = Q(counts_until__lte=now)
    is_paid = Lock.objects.filter(is_over | Q(wrong_tries__lt=WRONG_TRIES_ALLOWED), key=key).update(
        wrong_tries=Case(When(is_over, then=Value(1)), default=F("wrong_tries") + 1),
        counts_until=now + HOLDS,
    )
    if not is_paid or not is_right():
        return False
    unlock(key)
    return True


def unlock(key: str) -> None:
    """Forget the wrong tries."""
    Lock.objects.filter(key=key).update(wrong_tries=0)
