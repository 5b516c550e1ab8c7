"""Teachers and students, invitations, PINs and passkeys."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from threading import BoundedSemaphore
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.hashers import (
    UNUSABLE_PASSWORD_PREFIX,
    PBKDF2PasswordHasher,
    check_password,
    make_password,
)
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from filelock import FileLock, Timeout

from puzzleclass.accounts.locks import Lock, check_under_lock, lock_of
from puzzleclass.errors import Busy

PIN_LENGTH = 4

# Hashing of passwords: two at a time, because a hash is slow on purpose and pages must be answered

HASHED_AT_ONCE = 2
_hashing_slots = BoundedSemaphore(3 * HASHED_AT_ONCE)


@contextmanager
def hashing() -> Iterator[None]:
    """Hold one of the machine's slots for hashing a password, and wait for one if all are taken.

    Raises Busy if too many calls in this process wait already.
    """
    if not _hashing_slots.acquire(blocking=False):
        raise Busy
    try:
        with _free_slot():
            yield
    finally:
        _hashing_slots.release()


def _free_slot() -> AbstractContextManager[FileLock]:
    """Return a slot that this call has locked until the context ends. Waits for one of them if all
    are taken."""
    slots = [FileLock(settings.VAR_DIR / f"hashing-{each}") for each in range(HASHED_AT_ONCE)]
    for slot in slots:
        with suppress(Timeout):
            return slot.acquire(blocking=False)
    return secrets.choice(slots).acquire(poll_interval=0.01)


# People


def new_pin() -> str:
    """Return a random PIN of `PIN_LENGTH` digits."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def hash_of_pin(pin: str) -> str:
    """Return the hash that is stored for a student's PIN."""
    return make_password(pin, hasher=PinHasher.algorithm)


class PinHasher(PBKDF2PasswordHasher):
    """A fast hasher for students' PINs.

    A slow hash would not protect a PIN, because all ten thousand PINs can be tried in seconds, with
    a thousand iterations as with five. What protects a PIN is the lock after wrong attempts.
    Neither forty students who sign in at the same moment nor a teacher who makes the PINs of a
    school should have to wait for a hash that is slow on purpose.
    """

    algorithm = "pin"
    iterations = 1_000


class PeopleManager(UserManager["User"]):
    """Creates teachers and students."""

    def create_teacher(self, username: str, name: str, password: str) -> "User":
        """Create a teacher. The password must have been validated."""
        return self.create_user(username, password=password, name=name, role=User.Role.TEACHER)

    def create_student(self, name: str, pin: str) -> "User":
        """Create a student."""
        student = self.new_student(name, pin)
        student.save(using=self._db)
        return student

    def new_student(self, name: str, pin: str | None, reading: str = "") -> "User":
        """Return a student who is not stored yet; without a PIN, one whom no PIN lets in.

        The username is random, because nobody signs in with it.
        """
        if pin is None:
            # This is no hash, but random, because it has a part in the digest of a session.
            password = UNUSABLE_PASSWORD_PREFIX + secrets.token_hex(20)
        else:
            password = hash_of_pin(pin)
        return self.model(
            username=f"s-{secrets.token_hex(8)}",
            name=name,
            reading=reading,
            role=User.Role.STUDENT,
            password=password,
        )


class Invitation(models.Model):
    """An invitation for one teacher to make an account where sign-up is closed.

    Only a digest of its word is stored.
    """

    DAYS = 7

    digest = models.CharField(max_length=64, unique=True)
    good_until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pk}, good until {self.good_until}"

    @classmethod
    def make(cls) -> str:
        """Create an invitation and return its word; delete invitations that have expired."""
        now = timezone.now()
        cls.objects.filter(good_until__lt=now).delete()
        word = secrets.token_urlsafe(16)
        cls.objects.create(digest=_digest(word), good_until=now + timedelta(days=cls.DAYS))
        return word

    @classmethod
    def is_good(cls, word: str) -> bool:
        """Return whether the word belongs to an invitation that can still be used."""
        return cls._by(word).exists()

    @classmethod
    def take(cls, word: str) -> bool:
        """Use up the invitation; return whether it could still be used."""
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
    """The pronunciation of the name, in kana."""
    role = models.CharField(max_length=10, choices=Role, default=Role.TEACHER)
    language = models.CharField(_("Language"), max_length=10, blank=True, default="")
    """The code of one of `LANGUAGES`; empty for the language that the browser asks for."""
    time_zone = models.CharField(_("Time zone"), max_length=60, blank=True, default="")
    """The name of a time zone in the IANA database; empty for that of the site."""
    signs = models.CharField(_("Piece labels"), max_length=10, blank=True, default="")
    """A key of `language.reader.SIGNS`; empty for the choice that the browser keeps."""
    words = models.CharField(_("Names of the pieces"), max_length=10, blank=True, default="")
    """A key of `language.reader.WORDS`; empty for the choice that the browser keeps."""
    ledger_shows = models.CharField(max_length=100, blank=True, default="")
    """What the teacher has chosen last to see in a grade book (`stats.ledger_table.Show`)."""
    mails_notices = models.BooleanField(
        _("Tell me by e-mail what is waiting for me"), default=False
    )
    mailed_on = models.DateField(null=True, blank=True)
    """The teacher's day on which the notices were last looked through for an e-mail."""
    sign_outs = models.PositiveIntegerField(default=0)
    """The number of times that all sessions of this user have been ended on purpose."""

    objects: ClassVar[PeopleManager] = PeopleManager()

    def __str__(self) -> str:
        return self.name or self.username

    def get_absolute_url(self) -> str:
        """Return the address of a student's page, which the student's teachers may see."""
        return reverse("student", args=[self.pk])

    @property
    def is_teacher(self) -> bool:
        return self.role == self.Role.TEACHER

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT

    def sign_out_everywhere(self) -> None:
        """End every session of the user, and the address of the calendar. The change is saved."""
        User.objects.filter(pk=self.pk).update(sign_outs=models.F("sign_outs") + 1)
        self.refresh_from_db(fields=["sign_outs"])

    def change_password(self, password: str) -> None:
        """Set another password, which ends every session. The change is saved."""
        self.set_password(password)
        self.save(update_fields=["password"])
        self.sign_out_everywhere()

    def get_session_auth_hash(self) -> str:
        """Return the hash that a session must carry: Django's own, changed by every sign-out."""
        return self._with_sign_outs(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the hashes of earlier secret keys, which sessions may still carry."""
        return map(self._with_sign_outs, super().get_session_auth_fallback_hash())

    def _with_sign_outs(self, of_password: str) -> str:
        return f"{of_password}-{self.sign_outs}" if self.sign_outs else of_password

    @property
    def pin_keys(self) -> tuple[str, str]:
        """The key of the lock for strangers, and that of the count for this student's devices.

        Strangers' wrong PINs close the lock. Wrong PINs typed on the student's devices are counted
        (`classes.joining`). Both keys are the student's own, whatever the address is. Otherwise,
        somebody with many addresses would soon guess four digits.
        """
        return f"pin {self.pk}", f"pins on devices of {self.pk}"

    def pin_lock(self) -> Lock:
        """Return the lock that strangers' wrong PINs close."""
        return lock_of(self.pin_keys[0])

    def check_pin(self, pin: str) -> bool:
        """Return whether a stranger's PIN is right; always False while the lock is closed."""
        return check_under_lock(self.pin_keys[0], lambda: self.has_pin(pin), ends=True)

    def has_pin(self, pin: str) -> bool:
        """Return whether the PIN is right. The caller counts the attempts."""
        return check_password(pin, self.password)


class Passkey(models.Model):
    """A passkey with which a teacher signs in: a key pair whose private half never leaves the
    teacher's device.

    Nothing in the row lets anybody in. Its checks are in `accounts.passkeys`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(_("Name"), max_length=40)
    """What the teacher calls it: the device, most often."""
    credential_id = models.CharField(max_length=1400, unique=True)
    """The key's own name, in base64url."""
    handle = models.CharField(max_length=90)
    """The random name under which the device keeps the teacher's account, in base64url. All
    passkeys of a teacher share it."""
    public_key = models.TextField()
    """The public key with the authenticator's model, as WebAuthn's attested credential data, in
    base64url."""
    sign_count = models.PositiveBigIntegerField(default=0)
    """The number of signatures that the device has counted; 0 for devices that don't count."""
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.name


class Session(AbstractBaseSession):
    """What a browser and the site know of each other between two requests (`accounts.sessions`)."""

    # The database need not guard this: a session whose user does not exist lets nobody in.
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, db_constraint=False, null=True, related_name="+"
    )
    """The user who is signed in, so that both are read together; None for a visitor."""
