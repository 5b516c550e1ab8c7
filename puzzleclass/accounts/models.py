import secrets

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.locks import Lock, lock_of, opens, unlock
from puzzleclass.accounts.pins import PinHasher


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
