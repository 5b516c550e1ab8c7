import math
import secrets
from datetime import timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.pins import PinHasher

WRONG_PINS_ALLOWED = 5
LOCK = timedelta(minutes=1)


class PeopleManager(UserManager):
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


class User(AbstractUser):
    """A person who signs in: a teacher by username and password, a student by PIN."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("Teacher")
        STUDENT = "student", _("Student")

    first_name = None
    last_name = None
    name = models.CharField(_("Name"), max_length=60)
    role = models.CharField(max_length=10, choices=Role, default=Role.TEACHER)
    wrong_pins = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True, blank=True)

    objects = PeopleManager()

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
        self.wrong_pins, self.locked_until = 0, None
        self.save(update_fields=["password", "wrong_pins", "locked_until"])

    @property
    def is_locked(self) -> bool:
        """Too many wrong PINs a moment ago: not even the right one is accepted."""
        return self.locked_until is not None and self.locked_until > timezone.now()

    @property
    def tries_left(self) -> int:
        """How many wrong PINs may still follow before the lock falls."""
        return WRONG_PINS_ALLOWED - self.wrong_pins

    @property
    def seconds_locked(self) -> int:
        """How long the lock still holds; 0 when it doesn't."""
        if not self.is_locked:
            return 0
        return math.ceil((self.locked_until - timezone.now()).total_seconds())

    @transaction.atomic
    def check_pin(self, pin: str) -> bool:
        """Return whether the PIN is right; always False while locked.

        The lock is the student's own, not the address's: a whole class sits behind one.
        """
        me = type(self).objects.filter(pk=self.pk)
        me.filter(locked_until__lte=timezone.now()).update(wrong_pins=0, locked_until=None)
        # A try is paid for, in the database, before the PIN is looked at: guesses sent at
        # the same moment can't outrun the count.
        is_paid = me.filter(wrong_pins__lt=WRONG_PINS_ALLOWED).update(
            wrong_pins=F("wrong_pins") + 1
        )
        is_right = bool(is_paid) and check_password(pin, self.password)
        if is_right:
            me.update(wrong_pins=0)
        else:
            me.filter(wrong_pins=WRONG_PINS_ALLOWED, locked_until=None).update(
                locked_until=timezone.now() + LOCK
            )
        self.refresh_from_db(fields=["wrong_pins", "locked_until"])
        return is_right
