import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No 0 and O, no 1 and I: the code is read from a blackboard."""
CODE_LENGTH = 6

MOST_STUDENTS = 1000
"""In one class: a whole school's event is one."""
HIGHEST_NUMBER = 9999

GRADES = {
    **{n: format_lazy(_("Elementary school, year {n}"), n=n) for n in range(1, 7)},
    **{n: format_lazy(_("Junior high school, year {n}"), n=n - 6) for n in range(7, 10)},
    **{n: format_lazy(_("Senior high school, year {n}"), n=n - 9) for n in range(10, 13)},
}
"""Years at school, counted from the first year of elementary school."""
LAST_WITH_FURIGANA = 6

NOTE_LENGTH = 2000


def new_salt() -> str:
    """Return a random text that goes into the word of a card."""
    return secrets.token_hex(8)


def new_class_code() -> str:
    """Return a random class code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Classroom(models.Model):
    """A class: its teachers, its students, and the code by which they sign in."""

    name = models.CharField(_("Name of the class"), max_length=60)
    code = models.CharField(
        _("Class code"), max_length=CODE_LENGTH, unique=True, default=new_class_code
    )
    teachers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Teaching", related_name="classrooms"
    )
    students = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Enrolment", related_name="student_classrooms"
    )
    joins_until = models.DateTimeField(null=True, blank=True)
    """Until when students can sign in; without it, always."""
    shows_names = models.BooleanField(
        _("Show the list of names to everybody who has the class code"), default=False
    )
    picture_pins = models.BooleanField(
        _("PINs of pictures instead of digits, for little ones"), default=False
    )
    idle_minutes = models.PositiveSmallIntegerField(
        _("On shared computers, sign students out who do nothing for so many minutes"),
        default=0,
        validators=[MaxValueValidator(240)],
    )
    """0: after what the site says."""
    practice = models.BooleanField(
        _("Students may practise by themselves, with stars, stamps and daily puzzles"), default=True
    )
    grade = models.PositiveSmallIntegerField(
        _("Grade"), choices=list(GRADES.items()), null=True, blank=True
    )
    archived_at = models.DateTimeField(_("Over since"), null=True, blank=True)
    """Since when the class is over; nobody signs in any more."""
    created_at = models.DateTimeField(_("Made"), auto_now_add=True)

    role: str
    """That of the teacher who asked for the class; set by `access` alone."""

    class Meta:
        verbose_name, verbose_name_plural = pgettext_lazy("of a school", "Class"), _("Classes")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def furigana(self) -> bool | None:
        """Whether its students read with furigana as long as they say nothing else; None where
        nothing is known of them."""
        return None if self.grade is None else self.grade <= LAST_WITH_FURIGANA

    @property
    def lets_in(self) -> bool:
        """Students can sign in now."""
        is_open = self.joins_until is None or self.joins_until > timezone.now()
        return is_open and self.archived_at is None

    @property
    def is_in_lesson(self) -> bool:
        """A teacher has let students in for a while, and it is not over."""
        return self.joins_until is not None and self.lets_in


class Teaching(models.Model):
    """A teacher's part in a class."""

    class Role(models.TextChoices):
        """From the most to the least that one may do."""

        OWNER = "owner", _("Owner")
        TEACHER = "teacher", _("Teacher")
        SUBSTITUTE = "substitute", _("Substitute, looks only")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="teachings")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="teachings",
        db_column="user_id",
    )
    role = models.CharField(_("Part"), max_length=10, choices=Role, default=Role.OWNER)

    class Meta:
        # The table was a plain many-to-many relation once.
        db_table = "classes_classroom_teachers"
        unique_together = [("classroom", "teacher")]

    def __str__(self) -> str:
        return f"{self.teacher}: {self.role}"


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


class Group(models.Model):
    """Some students of a class. A student may be in several."""

    MOST = 30
    """In one class."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("Name of the group"), max_length=30)
    members = models.ManyToManyField(Enrolment, related_name="groups")

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "name"], name="group_name_once_a_class")
        ]

    def __str__(self) -> str:
        return self.name


class SignInCard(models.Model):
    """Lets whoever holds the printed card sign in as the student, until the row is deleted.

    The word on the card follows from the row and the site's secret: it can be printed again, and
    nobody reads it out of the database or a backup.
    """

    student = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card"
    )
    salt = models.CharField(max_length=16, default=new_salt)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.student}"

    @property
    def word(self) -> str:
        """What the QR code leads to: the key and 96 bits that can't be guessed."""
        mac = salted_hmac("puzzleclass.card", f"{self.pk} {self.salt}", algorithm="sha256")
        return f"{self.pk}-{mac.hexdigest()[:24]}"

    @classmethod
    def by_word(cls, word: str) -> "SignInCard | None":
        """Return the card with this word; None when it is revoked or was never made."""
        key = word.partition("-")[0]
        if not (key.isascii() and key.isdecimal() and len(key) < 19):
            return None
        card = cls.objects.select_related("student").filter(pk=int(key)).first()
        return card if card and constant_time_compare(card.word, word) else None


class StudentNote(models.Model):
    """What a teacher has written down about a student; the student's teachers read it."""

    MOST = 100
    """About one student."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="notes_written"
    )
    text = models.TextField(max_length=NOTE_LENGTH)
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-written_at", "-pk"]

    def __str__(self) -> str:
        return self.text[:40]


class ClassChange(models.Model):
    """Students moved into other classes at one time; can be undone for `UNDO_DAYS`."""

    UNDO_DAYS = 30

    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="class_changes"
    )
    made_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    done = models.JSONField()
    """`class_changes.Done`, as JSON."""

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d} {self.teacher}"

    @property
    def undo_until(self) -> datetime:
        return self.made_at + timedelta(days=self.UNDO_DAYS)

    @property
    def can_be_undone(self) -> bool:
        return self.undone_at is None and timezone.now() < self.undo_until


class DataRecord(models.Model):
    """A line of the log of personal data: an export, a deletion, a look at a student's page.

    Holds keys and figures, no student's name: the line stays when the student is deleted.
    """

    class Action(models.TextChoices):
        LOOKED = "looked", _("Student's page looked at")
        EXPORTED = "exported", _("Data exported")
        DELETED = "deleted", _("Data deleted")

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="data_records"
    )
    action = models.CharField(max_length=10, choices=Action)
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="data_records"
    )
    class_name = models.CharField(max_length=60, blank=True)
    number = models.PositiveSmallIntegerField(null=True)
    """The student's on the class list; None for a whole class."""
    student_key = models.BigIntegerField(null=True)
    rows = models.JSONField(default=dict)
    """Table -> how many of its rows were written or deleted."""

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d} {self.action} {self.class_name} {self.number or ''}"
