import secrets
from datetime import tzinfo
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.accounts.time_zones import zone_named
from puzzleclass.classes.invitations import Invitation
from puzzleclass.classes.school_models import School
from puzzleclass.database.bin import Deletable
from puzzleclass.database.secret_words import SecretWord
from puzzleclass.database.undo import Undoable
from puzzleclass.templating.crumbs import Crumb

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The code is read from a blackboard, so 0, O, 1 and I are left out."""
CODE_LENGTH = 6

MAX_STUDENTS = 1000
"""The most students in a class, which may be the event of a whole school."""
HIGHEST_NUMBER = 9999

GRADES = {
    **{n: format_lazy(_("Elementary school, year {n}"), n=n) for n in range(1, 7)},
    **{n: format_lazy(_("Junior high school, year {n}"), n=n - 6) for n in range(7, 10)},
    **{n: format_lazy(_("Senior high school, year {n}"), n=n - 9) for n in range(10, 13)},
}
"""Years at school, counted from the first year of elementary school."""
LAST_WITH_FURIGANA = 6
FIRST_WITH_CHALLENGES = 6
CHALLENGES = [(True, _("Offered")), (False, _("Not offered"))]
FIRST_COMPARED = 7
"""The first grade in which a teacher can have students see the best times of classmates."""

NOTE_LENGTH = 2000


def new_salt() -> str:
    """Return a random text from which the word of a secret address is computed."""
    return secrets.token_hex(8)


def new_class_code() -> str:
    """Return a random class code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Classroom(Deletable):
    """A class: its teachers, its students, and the code with which the students sign in.

    A class in the bin is archived, too, so nobody can sign in to it or play. Its teachers don't see
    it anywhere but in the bin (`access.in_class_of`). Unlike other models with a bin, `objects` has
    the classes in it, because the rows of students, schools and platforms refer to them.
    """

    name = models.CharField(_("Name of the class"), max_length=60)
    code = models.CharField(
        _("Class code"), max_length=CODE_LENGTH, unique=True, default=new_class_code
    )
    school = models.ForeignKey(
        School, on_delete=models.SET_NULL, null=True, blank=True, related_name="classrooms"
    )
    """The school of the class, if it belongs to one. Only an owner gives a class to a school, whose
    administrators gain rights in this way."""
    teachers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Teaching", related_name="classrooms"
    )
    students = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Enrolment", related_name="student_classrooms"
    )
    joins_until = models.DateTimeField(null=True, blank=True)
    """The time until which students can sign in; None sets no limit."""
    shows_names = models.BooleanField(
        _("Show the list of names to everyone who has the class code"), default=False
    )
    picture_pins = models.BooleanField(
        _("Use picture PINs instead of digits (for young children)"), default=False
    )
    idle_minutes = models.PositiveSmallIntegerField(
        _("On shared computers, sign out inactive students after this many minutes"),
        default=0,
        validators=[MaxValueValidator(240)],
    )
    """The minutes of inactivity; 0 stands for the site's own `IDLE_MINUTES`."""
    practice = models.BooleanField(
        _("Let students practise on their own, with stars, stamps and daily puzzles"), default=True
    )
    garden = models.BooleanField(
        _("Show the class its garden, in which solved puzzles grow"), default=True
    )
    records = models.BooleanField(
        _("Show students their records, and let them thank classmates for puzzles"), default=True
    )
    """Whether students have a page of their own records. It compares nobody with anybody."""
    challenges = models.BooleanField(
        _("Hard puzzles and playing against the clock"), null=True, blank=True, choices=CHALLENGES
    )
    """Whether students are offered challenges; None leaves it to the grade."""
    compares_times = models.BooleanField(
        _("Show the class its five best times at the boards of the week"), default=False
    )
    shares_figures = models.BooleanField(
        _("Let other classes use how often puzzles were solved here"), default=False
    )
    """Whether the class's `puzzles.models.BoardFigures` count outside the class."""
    invents = models.BooleanField(_("Let students invent kinds of puzzles"), default=False)
    kinds = models.JSONField(_("Kinds of puzzles"), null=True, blank=True)
    """As `School.kinds`, for a class without a school."""
    time_zone = models.CharField(_("Time zone"), max_length=60, blank=True, default="")
    """The name of a time zone in the IANA database; empty for that of the site."""
    grade = models.PositiveSmallIntegerField(
        _("Grade"), choices=list(GRADES.items()), null=True, blank=True
    )
    archived_at = models.DateTimeField(_("Closed on"), null=True, blank=True)
    """The time at which the class was archived. Nobody can sign in to an archived class."""
    created_at = models.DateTimeField(_("Created"), auto_now_add=True)
    kept_at = models.DateTimeField(null=True, editable=False)
    """When the class was restored from the bin last. The rules of its school count from then."""

    role: str
    """The role in the class of the teacher who asked for it. Only `access` sets it."""

    class Meta:
        verbose_name, verbose_name_plural = pgettext_lazy("of a school", "Class"), _("Classes")
        ordering = ["name", "pk"]

    @property
    def zone(self) -> tzinfo:
        """The time zone in which the class's due dates are entered and shown."""
        return zone_named(self.time_zone) or timezone.get_default_timezone()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("classroom", args=[self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.name, "classroom_list")

    @property
    def furigana(self) -> bool | None:
        """Whether students see furigana unless they choose otherwise; None if no grade is set."""
        return None if self.grade is None else self.grade <= LAST_WITH_FURIGANA

    @property
    def has_challenges(self) -> bool:
        """Whether students are offered hard boards and can play against the clock.

        They are a part of the practice and of the students' records.
        """
        is_old_enough = self.grade is not None and self.grade >= FIRST_WITH_CHALLENGES
        wanted = is_old_enough if self.challenges is None else self.challenges
        return self.practice and self.records and wanted

    @property
    def shows_best_times(self) -> bool:
        """Whether students see the best times of classmates. Young classes never do."""
        is_old_enough = self.grade is not None and self.grade >= FIRST_COMPARED
        return self.has_challenges and self.compares_times and is_old_enough

    @property
    def is_open(self) -> bool:
        """Whether students can sign in now."""
        has_time = self.joins_until is None or self.joins_until > timezone.now()
        return has_time and self.archived_at is None

    @property
    def takes_pins(self) -> bool:
        """Whether students sign in with class code and PIN. The school decides."""
        return self.school is None or self.school.takes_pins

    @property
    def takes_cards(self) -> bool:
        """Whether students sign in with cards. The school decides."""
        return self.school is None or self.school.takes_cards

    @property
    def is_of_roster(self) -> bool:
        """Whether a roster names the class. Then the roster decides to which school it belongs."""
        return self.external_ids.filter(left_at=None).exists()

    @property
    def is_in_lesson(self) -> bool:
        """Whether a teacher has opened the class for a limited time that has not ended."""
        return self.joins_until is not None and self.is_open


class Teaching(models.Model):
    """A teacher's role in a class."""

    class Role(models.TextChoices):
        """The roles, from the one with the most rights to the one with the fewest."""

        OWNER = "owner", _("Owner")
        TEACHER = "teacher", _("Teacher")
        SUBSTITUTE = "substitute", _("Substitute (view only)")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="teachings")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="teachings",
        db_column="user_id",
    )
    role = models.CharField(_("Role"), max_length=10, choices=Role, default=Role.OWNER)

    MAX_COUNT = 40
    """The most teachers of a class to whom its owners can add another one."""

    class Meta:
        # The table was created for a plain many-to-many relation.
        db_table = "classes_classroom_teachers"
        unique_together = [("classroom", "teacher")]

    def __str__(self) -> str:
        return f"{self.teacher}: {self.role}"


class TeachingInvitation(Invitation):
    """The question whether a teacher will teach a class, put by an owner of it."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="asked_teachers"
    )
    role = models.CharField(_("Role"), max_length=10, choices=Teaching.Role)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "teacher"], name="invited_once_a_class")
        ]

    def __str__(self) -> str:
        return f"{self.classroom}: {self.teacher}"

    def get_absolute_url(self) -> str:
        return reverse("teaching_invitation", args=[self.pk])

    @classmethod
    def standing(cls) -> Q:
        owners = Teaching.objects.filter(
            classroom=OuterRef("classroom"),
            teacher=OuterRef("invited_by"),
            role=Teaching.Role.OWNER,
        )
        return Q(Exists(owners), classroom__deleted_at=None, invited_by__is_active=True)

    @classmethod
    def open_for(cls, teacher: User) -> QuerySet[Self]:
        return super().open_for(teacher).select_related("classroom")


class Enrolment(models.Model):
    """A student's enrolment in a class, with the number on the class list."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="enrolments")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments"
    )
    number = models.PositiveSmallIntegerField(pgettext_lazy("student", "Number"))
    message = models.CharField(_("Message"), max_length=200, blank=True)
    """The latest message of the class's teachers to the student."""
    messaged_at = models.DateTimeField(null=True, editable=False)
    """When the message was written; None without one."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "student"], name="enrolled_once"),
            models.UniqueConstraint(fields=["classroom", "number"], name="number_once_a_class"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.student}"

    def get_absolute_url(self) -> str:
        return reverse("student_edit", args=[self.classroom_id, self.pk])

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.student.name, self.classroom)


class Group(models.Model):
    """A group of students of a class. A student may be in several groups."""

    MAX_COUNT = 30
    """The most groups in a class."""

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


class SignInCard(SecretWord):
    """A printed card that signs its holder in as the student until the row is deleted.

    The word on the card stands in the address of its QR code.
    """

    PURPOSE = "puzzleclass.card"
    HOLDER = "student"

    student = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card"
    )
    salt = models.CharField(max_length=16, default=new_salt)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.student}"


class StudentNote(models.Model):
    """A teacher's note about a student. All of the student's teachers can read it."""

    MAX_COUNT = 100
    """The most notes about one student."""

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


class ClassChange(Undoable):
    """A move of students into other classes."""

    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="class_changes"
    )
    done = models.JSONField()
    """A `class_changes.Effects`, as JSON."""

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d} {self.teacher}"


class DataRecord(models.Model):
    """A line of the audit log: who has viewed, exported, imported, changed or deleted what.

    The line holds keys and counts but nobody's name, because it stays when people are deleted. An
    event that concerns several schools has a line for each.
    """

    MAX_COUNT = 5_000_000
    """The most lines. The oldest ones go first."""

    class Action(models.TextChoices):
        """The sorts of events."""

        LOOKED = "looked", _("Student's page viewed")
        EXPORTED = "exported", _("Data exported")
        DELETED = "deleted", _("Data deleted")
        RESTORED = "restored", _("Data restored")
        IMPORTED = "imported", _("Rosters imported")
        PEOPLE = "people", _("Class lists, teachers and PINs")
        SIGN_IN = "sign-in", _("Sign-ins of staff")
        SECURITY = "security", _("Rights and security settings")

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
    """The student's number on the class list; None if the line is about a whole class."""
    person_key = models.BigIntegerField(null=True)
    """The key of the student or the teacher whom the line is about."""
    event = models.CharField(max_length=40, blank=True)
    """The event as the security log calls it (`audit.EVENTS`); empty if `action` says it all."""
    school_key = models.BigIntegerField(null=True)
    """The key of the school whose administrators see the line."""
    board_key = models.BigIntegerField(null=True)
    """The key of the board that the line is about; its schools see the line, too."""
    network = models.CharField(max_length=45, blank=True)
    """The network of the visitor's address; empty for commands, workers and the site itself."""
    rows = models.JSONField(default=dict)
    """The number of rows that were exported, imported or deleted, by table."""

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["school_key", "at"], name="log_of_a_school"),
            models.Index(fields=["board_key", "at"], name="log_of_a_board"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d} {self.action} {self.class_name} {self.number or ''}"
