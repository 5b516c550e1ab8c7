"""Locks against guessing, and quotas: what is counted under a key, and how long a key is closed."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

WRONG_TRIES_ALLOWED = 5
"""The number of wrong attempts that close a lock, also after each time that it has opened again."""

HOLDS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""The time for which a lock stays closed: the first time, the second time, and from then on."""

MAX_WRONG_TRIES = WRONG_TRIES_ALLOWED * (len(HOLDS) + 1)
"""The wrong attempts after which a lock that `ends` stays closed until somebody opens it."""

FORGOTTEN = timedelta(days=1)
"""The time after which wrong attempts are forgotten if no other has followed.

It begins when the lock is open again.
"""


class Lock(models.Model):
    """A count of the wrong attempts at one key since the last right one, which closes a lock.

    The key says what is locked: one student's PIN, or one username as typed at one place. It is
    never an address alone, because a whole class may share one. Limits of other kinds are counted
    in the same way (`spend`), each over a period of its own.
    """

    key = models.CharField(max_length=250, unique=True)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    counts_until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.wrong_tries}"

    @property
    def has_ended(self) -> bool:
        """Whether the lock no longer opens by itself."""
        return self.wrong_tries >= MAX_WRONG_TRIES

    @property
    def is_closed(self) -> bool:
        """Whether even the right password, PIN or code is refused now."""
        return self.attempts_left == 0

    @property
    def attempts_left(self) -> int:
        """The number of wrong attempts that may still follow before the lock closes."""
        attempts = self.wrong_tries % WRONG_TRIES_ALLOWED
        is_held = self.wrong_tries and not attempts and self.counts_until > timezone.now()
        return 0 if is_held or self.has_ended else WRONG_TRIES_ALLOWED - attempts

    @property
    def seconds(self) -> int:
        """The number of seconds for which the lock stays closed; 0 if it is open."""
        if not self.is_closed:
            return 0
        return math.ceil((self.counts_until - timezone.now()).total_seconds())


def lock_of(key: str) -> Lock:
    """Return the key's lock in its present state."""
    return Lock.objects.filter(key=key).first() or Lock(key=key, counts_until=timezone.now())


def check_under_lock(key: str, is_right: Callable[[], bool], *, ends: bool = False) -> bool:
    """Return whether the attempt is right; always False, without a check, while the lock is closed.

    An attempt is counted in the database before it is checked, so that guesses sent at the same
    moment can't exceed the limit. A lock that `ends` closes for good after `MAX_WRONG_TRIES`; any
    other lock goes on closing for the longest time.
    """
    now = timezone.now()
    _make_row(key, now)
    stages = [WRONG_TRIES_ALLOWED * stage for stage in range(1, len(HOLDS) + 1)]
    closed = Q(wrong_tries__in=stages, counts_until__gt=now) | Q(wrong_tries__gte=MAX_WRONG_TRIES)
    last = MAX_WRONG_TRIES - 1
    holds = dict(zip([*(stage - 1 for stage in stages), last], [*HOLDS, HOLDS[-1]], strict=True))
    is_paid = Lock.objects.filter(~closed, key=key).update(
        wrong_tries=Case(
            When(wrong_tries=last, then=Value(MAX_WRONG_TRIES if ends else stages[-1])),
            default=F("wrong_tries") + 1,
        ),
        counts_until=Case(
            *(
                When(wrong_tries=attempts, then=Value(now + hold))
                for attempts, hold in holds.items()
            ),
            default=Value(now),
        ),
    )
    if not is_paid or not is_right():
        return False
    unlock(key)
    return True


def unlock(*keys: str) -> None:
    """Forget the wrong attempts at these keys."""
    Lock.objects.filter(key__in=keys).update(wrong_tries=0)


def spend(key: str, most: int, period: timedelta) -> bool:
    """Use up one of the `most` actions that a key has in a period; return whether one was left.

    The first action begins the period.
    """
    now = timezone.now()
    _make_row(key, now)
    is_over = Q(counts_until__lte=now)
    return bool(
        Lock.objects.filter(is_over | Q(wrong_tries__lt=most), key=key).update(
            wrong_tries=Case(When(is_over, then=Value(1)), default=F("wrong_tries") + 1),
            counts_until=Case(When(is_over, then=Value(now + period)), default=F("counts_until")),
        )
    )


def give_back(*keys: str) -> None:
    """Give one action back to each key, which undoes a `spend`.

    Keys that were used up in one transaction must come in the same order. Otherwise PostgreSQL
    could find this transaction and that one waiting for each other, and would end one of them. A
    single query for all keys would change the rows in an order of its own.
    """
    with transaction.atomic():
        for key in keys:
            used = Lock.objects.filter(key=key, wrong_tries__gt=0)
            used.update(wrong_tries=F("wrong_tries") - 1)


def is_spent(key: str, most: int) -> bool:
    """Return whether the key allows no more actions in its present period."""
    lock = Lock.objects.filter(key=key).first()
    return lock is not None and lock.wrong_tries >= most and lock.counts_until > timezone.now()


def _make_row(key: str, now: datetime) -> None:
    """Create the key's row if there is none, or if its attempts are forgotten.

    All rows whose attempts are forgotten are then deleted, except the locks of PINs that have
    closed for good.
    """
    existing = Lock.objects.filter(key=key).first()
    if existing is not None and existing.counts_until >= now - FORGOTTEN:
        return
    forgotten = Lock.objects.filter(counts_until__lt=now - FORGOTTEN)
    forgotten.exclude(key__startswith="pin ", wrong_tries__gte=MAX_WRONG_TRIES).delete()
    Lock.objects.bulk_create([Lock(key=key, counts_until=now)], ignore_conflicts=True)
