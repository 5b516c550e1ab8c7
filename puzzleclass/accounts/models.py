"""Teachers and students, invitations, PINs, and the locks against guessing."""

import hashlib
import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from fcntl import LOCK_EX, LOCK_NB, flock
from threading import BoundedSemaphore
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.http import Busy

PIN_LENGTH = 4

WRONG_TRIES_ALLOWED = 5
"""So many close a lock, and again after each time that it has held."""
HOLDS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""How long a lock holds the first time, the second, and from then on."""
MOST_WRONG_TRIES = WRONG_TRIES_ALLOWED * (len(HOLDS) + 1)
"""With them a lock that ends is closed until somebody opens it."""

FORGOTTEN = timedelta(days=1)
"""Wrong tries are forgotten when no other has followed for so long after the lock held."""

# Locks


class Lock(models.Model):
    """The wrong tries at one key since the last right one: after some nothing opens it.

    What a lock stands for is its key's affair: one student's PIN, or one username as typed at
    one place. Never an address alone: a whole class sits behind one. Allowances are counted
    in the same way (`spend`), each over a time of its own.
    """

    key = models.CharField(max_length=250, unique=True)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    counts_until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.wrong_tries}"

    @property
    def has_ended(self) -> bool:
        """It doesn't open by itself any more."""
        return self.wrong_tries >= MOST_WRONG_TRIES

    @property
    def is_closed(self) -> bool:
        """Not even the right word opens it now."""
        return self.tries_left == 0

    @property
    def tries_left(self) -> int:
        """How many wrong tries may still follow before it closes."""
        tries = self.wrong_tries % WRONG_TRIES_ALLOWED
        holds = self.wrong_tries and not tries and self.counts_until > timezone.now()
        return 0 if holds or self.has_ended else WRONG_TRIES_ALLOWED - tries

    @property
    def seconds(self) -> int:
        """How long it stays closed; 0 when it is open."""
        if not self.is_closed:
            return 0
        return math.ceil((self.counts_until - timezone.now()).total_seconds())


def lock_of(key: str) -> Lock:
    """Return the key's lock as it stands."""
    return Lock.objects.filter(key=key).first() or Lock(key=key, counts_until=timezone.now())


def opens(key: str, is_right: Callable[[], bool], *, ends: bool = False) -> bool:
    """Return whether the try is right; always False, without looking, while closed.

    A try is paid for, in the database, before it is looked at: guesses sent at the same
    moment can't outrun the count. A lock that `ends` closes for good with the last hold's
    tries; another goes on with the longest hold.
    """
    now = timezone.now()
    _row(key, now)
    stages = [WRONG_TRIES_ALLOWED * stage for stage in range(1, len(HOLDS) + 1)]
    closed = Q(wrong_tries__in=stages, counts_until__gt=now) | Q(wrong_tries__gte=MOST_WRONG_TRIES)
    last = MOST_WRONG_TRIES - 1
    holds = dict(zip([*(stage - 1 for stage in stages), last], [*HOLDS, HOLDS[-1]], strict=True))
    is_paid = Lock.objects.filter(~closed, key=key).update(
        wrong_tries=Case(
            When(wrong_tries=last, then=Value(MOST_WRONG_TRIES if ends else stages[-1])),
            default=F("wrong_tries") + 1,
        ),
        counts_until=Case(
            *(When(wrong_tries=tries, then=Value(now + hold)) for tries, hold in holds.items()),
            default=Value(now),
        ),
    )
    if not is_paid or not is_right():
        return False
    unlock(key)
    return True


def unlock(*keys: str) -> None:
    """Forget the wrong tries."""
    Lock.objects.filter(key__in=keys).update(wrong_tries=0)


def spend(key: str, most: int, period: timedelta) -> bool:
    """Take one of the `most` things the key allows in a period, which the first one begins;
    return whether there was one left."""
    now = timezone.now()
    _row(key, now)
    is_over = Q(counts_until__lte=now)
    return bool(
        Lock.objects.filter(is_over | Q(wrong_tries__lt=most), key=key).update(
            wrong_tries=Case(When(is_over, then=Value(1)), default=F("wrong_tries") + 1),
            counts_until=Case(When(is_over, then=Value(now + period)), default=F("counts_until")),
        )
    )


def give_back(key: str) -> None:
    """Undo a `spend`."""
    Lock.objects.filter(key=key, wrong_tries__gt=0).update(wrong_tries=F("wrong_tries") - 1)


def is_spent(key: str, most: int) -> bool:
    """Return whether nothing is left of what the key allows."""
    now = timezone.now()
    return Lock.objects.filter(key=key, wrong_tries__gte=most, counts_until__gt=now).exists()


def _row(key: str, now: datetime) -> None:
    """Make the key's row, if need be; what says nothing any more goes."""
    forgotten = Lock.objects.filter(counts_until__lt=now - FORGOTTEN)
    forgotten.exclude(key__startswith="pin ", wrong_tries__gte=MOST_WRONG_TRIES).delete()
    Lock.objects.get_or_create(key=key, defaults={"counts_until": now})


# Two passwords at a time: a hash is slow on purpose, and there are pages to be answered

HASHED_AT_ONCE = 2
_present = BoundedSemaphore(3 * HASHED_AT_ONCE)


@contextmanager
def hashing() -> Iterator[None]:
    """Hold one of the machine's places for hashing a password; some wait for one, in each process.

    Raises Busy when too many wait already.
    """
    if not _present.acquire(blocking=False):
        raise Busy
    try:
        with ExitStack() as stack:
            names = [settings.VAR_DIR / f"hashing-{number}" for number in range(HASHED_AT_ONCE)]
            places = [stack.enter_context(name.open("w")) for name in names]
            for place in places:
                with suppress(BlockingIOError):
                    flock(place, LOCK_EX | LOCK_NB)
                    break
            else:
                flock(secrets.choice(places), LOCK_EX)
            yield
    finally:
        _present.release()


# People


def new_pin() -> str:
    """Return a random PIN of `PIN_LENGTH` digits."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def hash_of_pin(pin: str) -> str:
    """Return what is stored of a student's PIN."""
    return make_password(pin, hasher=PinHasher.algorithm)


class PinHasher(PBKDF2PasswordHasher):
    """For students' PINs only.

    Ten thousand PINs are tried in no time whatever the hash costs, in seconds with a thousand
    turns as with five: what protects a PIN is the lock after wrong tries. And neither forty
    students who sign in at the same moment nor a teacher who makes the PINs of a school must wait
    for a hash made slow on purpose.
    """

    algorithm = "pin"
    iterations = 1_000


class PeopleManager(UserManager["User"]):
    """Makes teachers and students."""

    def create_teacher(self, username: str, name: str, password: str) -> "User":
        """Return a new teacher. The password must have been validated."""
        return self.create_user(username, password=password, name=name, role=User.Role.TEACHER)

    def create_student(self, name: str, pin: str) -> "User":
        """Return a new student."""
        student = self.new_student(name, pin)
        student.save(using=self._db)
        return student

    def new_student(self, name: str, pin: str, reading: str = "") -> "User":
        """Return a student who is not stored yet. The username is random: nobody signs in
        with it."""
        return self.model(
            username=f"s-{secrets.token_hex(8)}",
            name=name,
            reading=reading,
            role=User.Role.STUDENT,
            password=hash_of_pin(pin),
        )


class Invitation(models.Model):
    """Lets one teacher make an account where sign-up is closed. The word itself isn't kept."""

    DAYS = 7

    digest = models.CharField(max_length=64, unique=True)
    good_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pk}, good until {self.good_until}"

    @classmethod
    def make(cls) -> str:
        """Return the word of a new invitation; those that are over go."""
        now = timezone.now()
        cls.objects.filter(good_until__lt=now).delete()
        word = secrets.token_urlsafe(16)
        cls.objects.create(digest=_digest(word), good_until=now + timedelta(days=cls.DAYS))
        return word

    @classmethod
    def is_good(cls, word: str) -> bool:
        """Return whether somebody may still come in by it."""
        return cls._by(word).exists()

    @classmethod
    def take(cls, word: str) -> bool:
        """Use it up; return whether it was good."""
        return cls._by(word).delete()[0] == 1

    @classmethod
    def _by(cls, word: str) -> "models.QuerySet[Invitation]":
        return cls.objects.filter(digest=_digest(word), good_until__gt=timezone.now())


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode(errors="replace")).hexdigest()


class User(AbstractUser):
    """A person who signs in: a teacher by username and password, a student by PIN."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("Teacher")
        STUDENT = "student", _("Student")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(_("Name"), max_length=60)
    reading = models.CharField(_("Reading"), max_length=60, blank=True, default="")
    """How the name is said, in kana."""
    role = models.CharField(max_length=10, choices=Role, default=Role.TEACHER)
    language = models.CharField(_("Language"), max_length=10, blank=True, default="")
    """The code of one of `LANGUAGES`; empty: as the browser says. So are signs and words."""
    time_zone = models.CharField(_("Time zone"), max_length=60, blank=True, default="")
    """A name of the IANA database; empty: that of the site."""
    signs = models.CharField(_("Signs on the pieces"), max_length=10, blank=True, default="")
    """A name of `language.SIGNS`."""
    words = models.CharField(_("Names of the pieces"), max_length=10, blank=True, default="")
    """A name of `language.WORDS`."""
    sign_outs = models.PositiveIntegerField(default=0)
    """How often everybody who was signed in as this student was signed out."""

    objects: ClassVar[PeopleManager] = PeopleManager()

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def is_teacher(self) -> bool:
        return self.role == self.Role.TEACHER

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT

    def sign_out_everywhere(self) -> None:
        """End every session of the student. Saves."""
        User.objects.filter(pk=self.pk).update(sign_outs=models.F("sign_outs") + 1)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return what a session must carry: Django's hash, another one after each sign-out."""
        of_password: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        return f"{of_password}-{self.sign_outs}" if self.sign_outs else of_password

    @property
    def pin_keys(self) -> tuple[str, str]:
        """The keys of the PIN's locks: for strangers, and for browsers known to the class.

        They are the student's own, wherever the PIN is typed: four digits are soon guessed by
        somebody with many addresses. And there are two, so that no stranger closes the second.
        """
        return f"pin {self.pk}", f"pin {self.pk} known"

    def pin_lock(self, is_known: bool = False) -> Lock:
        """Return the lock that wrong PINs close, for strangers or for known browsers."""
        return lock_of(self.pin_keys[is_known])

    def check_pin(self, pin: str, is_known: bool = False) -> bool:
        """Return whether the PIN is right; always False while the lock is closed."""
        key = self.pin_keys[is_known]
        return opens(key, lambda: check_password(pin, self.password), ends=True)
