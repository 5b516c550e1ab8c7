"""Teachers and students, invitations, PINs, and the locks against guessing."""

import hashlib
import math
import secrets
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import ClassVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

PIN_LENGTH = 4

WRONG_TRIES_ALLOWED = 5
HOLDS = timedelta(minutes=1)
"""How long a lock holds, and how long a wrong try counts."""

FORGOTTEN = timedelta(hours=1)
"""When a row goes that says nothing any more: long after it, so that no try still works on it."""

# Locks


class Lock(models.Model):
    """The wrong tries at one key, and until when they count: after some nothing opens it.

    What a lock stands for is its key's affair: one student's PIN, or one username as typed at
    one place. Never an address alone: a whole class sits behind one.
    """

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


# People


def new_pin() -> str:
    """Return a random PIN of `PIN_LENGTH` digits."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


class PinHasher(PBKDF2PasswordHasher):
    """For students' PINs only.

    Ten thousand PINs are tried in no time whatever the hash costs: what protects a
    PIN is the lock after wrong tries. And forty students who sign in at the same
    moment must not wait for a hash made slow on purpose.
    """

    algorithm = "pin"
    iterations = 5_000


class PeopleManager(UserManager["User"]):
    """Makes teachers and students."""

    def create_teacher(self, username: str, name: str, password: str) -> "User":
        """Return a new teacher. The password must have been validated."""
        return self.create_user(username, password=password, name=name, role=User.Role.TEACHER)

    def create_student(self, name: str, pin: str) -> "User":
        """Return a new student. The username is random: nobody signs in with it."""
        return self.create(
            username=f"s-{secrets.token_hex(8)}",
            name=name,
            role=User.Role.STUDENT,
            password=make_password(pin, hasher=PinHasher.algorithm),
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
    role = models.CharField(max_length=10, choices=Role, default=Role.TEACHER)

    objects: ClassVar[PeopleManager] = PeopleManager()

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def is_teacher(self) -> bool:
        return self.role == self.Role.TEACHER

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT

    def set_pin(self, pin: str) -> None:
        """Give the student another PIN and open the lock. Saves."""
        self.password = make_password(pin, hasher=PinHasher.algorithm)
        self.save(update_fields=["password"])
        unlock(self.pin_key)

    @property
    def pin_key(self) -> str:
        """The key of the PIN's lock. It is the student's own, wherever the PIN is typed:
        four digits are soon guessed by somebody with many addresses."""
        return f"pin {self.pk}"

    @property
    def pin_lock(self) -> Lock:
        """The lock that wrong PINs close."""
        return lock_of(self.pin_key)

    def check_pin(self, pin: str) -> bool:
        """Return whether the PIN is right; always False while the lock is closed."""
        return opens(self.pin_key, lambda: check_password(pin, self.password))
