import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No 0 and O, no 1 and I: the code is read from a blackboard."""
CODE_LENGTH = 6


def new_class_code() -> str:
    """Return a random class code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Classroom(models.Model):
    """A class: its teachers, its students, and the code by which they sign in."""

    name = models.CharField(_("Name of the class"), max_length=60)
    code = models.CharField(
        _("Class code"), max_length=CODE_LENGTH, unique=True, default=new_class_code
    )
    teachers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="classrooms")
    students = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Enrolment", related_name="student_classrooms"
    )
    joins_until = models.DateTimeField(null=True, blank=True)
    """Until when students can sign in; without it, always."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def lets_in(self) -> bool:
        """Students can sign in now."""
        return self.joins_until is None or self.joins_until > timezone.now()


class Enrolment(models.Model):
    """A student's place in a class: the number on the class list."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="enrolments")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments"
    )
    number = models.PositiveSmallIntegerField(pgettext_lazy("student", "Number"))

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "student"], name="enrolled_once"),
            models.UniqueConstraint(fields=["classroom", "number"], name="number_once_a_class"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.student}"
