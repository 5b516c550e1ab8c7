"""Identifiers that a school's own system uses for schools, classes, people and enrolments.

A source is a system that a school's roster comes from. By its identifiers, every import finds the
rows that earlier imports have stored. Each school has sources of its own, so that whatever a roster
names, it finds only what was imported for the same school.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import Classroom, Enrolment, Teaching, new_salt
from puzzleclass.classes.school_models import Board, OfOwner, Owner, School
from puzzleclass.database.bin import OutsideBin
from puzzleclass.database.secret_words import SecretWord
from puzzleclass.database.undo import Undoable
from puzzleclass.outbound.sessions import LONGEST_ADDRESS

SOURCE_LENGTH = 100
ID_LENGTH = 255
CODE_LENGTH = 100
FILE_NAME_LENGTH = 100


class RosterSource(models.Model):
    """A system that a school's roster comes from. Only imports for this school write into it."""

    MAX_COUNT = 20
    """The most sources of a school."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="sources")
    name = models.CharField(max_length=SOURCE_LENGTH)
    """The name that the roster gives to the system. It says nothing outside of the school."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["school", "name"], name="source_once_a_school")
        ]

    def __str__(self) -> str:
        return f"{self.school}: {self.name}"


class ExternalId(models.Model):
    """An identifier that a source has given to a row."""

    source = models.ForeignKey(RosterSource, on_delete=models.CASCADE, related_name="%(class)ss")
    sourced_id = models.CharField(max_length=ID_LENGTH)
    left_at = models.DateTimeField(null=True, blank=True)
    """The time since which the source no longer names the row; None while it does."""
    by_operator = models.BooleanField(default=False)
    """Whether a roster that the operator of the site has imported names the row.

    Only such a row is found from another school, by the operator's own imports, and by those of a
    board in its own schools: whoever has gone from one school to another keeps the account.
    """
    by_board = models.ForeignKey(
        Board, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The board whose roster names the row. Its own imports find the row from all its schools."""

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["source", "sourced_id"], name="%(class)s_once_in_a_source"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source.name}: {self.sourced_id}"


def named_by(board: Board | None) -> Q:
    """Return the condition that an import of the operator names a row, or that one of the board or
    of the operator names a row of the board's schools."""
    by_operator = Q(by_operator=True)
    if board is None:
        return by_operator
    return (Q(by_board=board) | by_operator) & Q(
        source__school__board=board, source__school__deleted_at=None
    )


class SchoolId(ExternalId):
    """An identifier of the school that the source belongs to."""

    code = models.CharField(max_length=CODE_LENGTH, blank=True, default="")
    """The school's code (`identifier`), by which the school is recognized if the source gives
    another identifier to it; empty if the source gives none."""


class ClassId(ExternalId):
    """An identifier of a class."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="external_ids")
    special_needs = models.BooleanField(null=True)
    """Whether the roster names a class for special needs (`metadata.jp.specialNeeds`).

    It is None unless the school keeps it (`School.keeps_special_needs`); see
    `undo.forget_special_needs`.
    """


class UserId(ExternalId):
    """An identifier of a teacher or a student."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="external_ids"
    )
    master_id = models.CharField(max_length=36, blank=True, default="")
    """The `userMasterIdentifier`, a UUID that is the same in all systems of the school's operator;
    empty if the source gives none. Other systems find a student by it, if an administrator has said
    so (`identifiers.RosterIdentifier`)."""


class EnrolmentId(ExternalId):
    """An identifier of a student's enrolment, or of a teacher's role in it."""

    enrolment = models.ForeignKey(
        Enrolment, on_delete=models.CASCADE, null=True, related_name="external_ids"
    )
    teaching = models.ForeignKey(
        Teaching, on_delete=models.CASCADE, null=True, related_name="external_ids"
    )

    class Meta(ExternalId.Meta):
        constraints = [
            *ExternalId.Meta.constraints,
            models.CheckConstraint(
                condition=Q(enrolment=None) ^ Q(teaching=None), name="of_student_or_teacher"
            ),
        ]


class Leavers(models.Model):
    """The archived class that lists the students who have left a class of a roster."""

    left = models.OneToOneField(Classroom, on_delete=models.CASCADE, related_name="leavers")
    """The class that they have left."""
    classroom = models.OneToOneField(Classroom, on_delete=models.CASCADE, related_name="leavers_of")

    def __str__(self) -> str:
        return f"{self.classroom}"


class RosterImport(Undoable):
    """An import of a roster."""

    source = models.CharField(max_length=SOURCE_LENGTH)
    """The name of the source."""
    schools = models.ManyToManyField(School, related_name="imports")
    """The schools that the import was about."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    file_name = models.CharField(max_length=FILE_NAME_LENGTH, blank=True)
    counts = models.JSONField(default=dict)
    """Table -> change -> the number of rows."""
    created = models.JSONField(default=dict)
    """Label of a model -> the keys of the rows that the import has created."""

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d} {self.source}"

    @classmethod
    def of(cls, owner: Owner) -> QuerySet[Self]:
        """Return the imports that were about the school, or about schools of the board."""
        about = cls.schools.through._default_manager.filter(school__in=owner.own_schools())
        return cls.objects.filter(pk__in=about.values("rosterimport"))


class ChangedRow(models.Model):
    """A row that an import has changed or deleted, as it was before."""

    of = models.ForeignKey(RosterImport, on_delete=models.CASCADE, related_name="changed")
    table = models.CharField(max_length=40)
    """The label of the model."""
    key = models.BigIntegerField()
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    """The person whom the row is about. What it holds is deleted with the person."""
    before = models.JSONField()
    """The values of the changed columns; of all columns if the row was deleted."""
    after = models.JSONField(null=True)
    """The values that the import has given to these columns; None if the row was deleted."""

    def __str__(self) -> str:
        return f"{self.table} {self.key}"


class RosterRequest(models.Model):
    """The question to a teacher whether a school's roster means him or her, with the answer.

    The row is kept while the roster names the teacher, so that it tells who has agreed to what.
    """

    MAX_COUNT = 500
    """The most questions about one source."""
    MAX_CLASSES = 30
    """The most names of classes in a question."""
    KEPT_DAYS = 90
    """The days after which a question without an answer is deleted."""

    source = models.ForeignKey(RosterSource, on_delete=models.CASCADE, related_name="requests")
    sourced_id = models.CharField(max_length=ID_LENGTH)
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roster_requests"
    )
    name = models.CharField(max_length=150)
    """The teacher's name on the roster."""
    classes = models.JSONField(default=list)
    """The names of the classes that the roster lets the teacher teach."""
    asked_at = models.DateTimeField(default=timezone.now, db_index=True)
    answered_at = models.DateTimeField(null=True)
    agrees = models.BooleanField(null=True)
    given = models.ManyToManyField(Classroom, related_name="+")
    """The teacher's own classes that become those of the roster."""

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["source", "teacher"], name="asked_once_a_source")
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.teacher}"

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the questions without an answer that are older than `KEPT_DAYS`."""
        asked = timezone.now() - timedelta(days=cls.KEPT_DAYS)
        return cls.objects.filter(agrees=None, asked_at__lt=asked)


class RosterUpload(OfOwner):
    """A roster that an administrator has sent: checked, shown, and then imported or discarded.

    The file is deleted when it has been imported, and in any case after `KEPT_HOURS`.
    """

    KEPT_HOURS = 24
    MAX_COUNT = 5
    """The most uploads of a school or a board at a time."""

    class State(models.TextChoices):
        """The states. The worker begins to work on an upload that waits."""

        WAITING = "waiting"
        RUNNING = "running"
        CHECKED = "checked"
        DONE = "done"
        FAILED = "failed"

    school = models.ForeignKey(School, on_delete=models.CASCADE, null=True, related_name="uploads")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, null=True, related_name="uploads")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roster_uploads"
    )
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    file_name = models.CharField(max_length=FILE_NAME_LENGTH)
    content = models.BinaryField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    begun_at = models.DateTimeField(null=True)
    """The time at which the worker began, or the upload was sent to it."""
    stage = models.CharField(max_length=10, blank=True)
    """The `imports.Stage` of the work under way."""
    stores = models.BooleanField(default=False)
    """Whether the work is the import; otherwise it is the dry run."""
    links = models.BooleanField(default=False)
    """Whether the administrator has confirmed that teachers' accounts are the same persons."""
    many_changes = models.BooleanField(default=False)
    """Whether the administrator has confirmed that so many people leave, come or change."""
    decisions = models.JSONField(default=dict)
    """What the administrator has said about rows of schools, as `claims.Decisions` reads it."""
    report = models.JSONField(default=dict)
    """The outcome of the dry run or the import, as `uploads.report_of` describes it."""

    class Meta(OfOwner.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.owner} {self.file_name}"

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the uploads that are older than `KEPT_HOURS`."""
        return cls.objects.filter(made_at__lt=timezone.now() - timedelta(hours=cls.KEPT_HOURS))

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)


class RosterService(OfOwner):
    """The REST service of a school's or a board's own system, from which rosters can be fetched."""

    school = models.OneToOneField(
        School, on_delete=models.CASCADE, null=True, related_name="service"
    )
    board = models.OneToOneField(Board, on_delete=models.CASCADE, null=True, related_name="service")
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roster_services"
    )
    """The administrator who has set the service up. The nightly imports are in this name."""
    address = models.CharField(_("Address of the service"), max_length=LONGEST_ADDRESS)
    token_address = models.CharField(_("Address for tokens"), max_length=LONGEST_ADDRESS)
    client_id = models.CharField(_("Client ID"), max_length=200)
    sealed_secret = models.TextField()
    """The client secret, encrypted by `outbound.sealed`."""
    source = models.CharField(
        _("Name of the system"), max_length=SOURCE_LENGTH, default="OneRoster"
    )
    is_nightly = models.BooleanField(_("Fetch and import every night"), default=False)
    fetched_at = models.DateTimeField(null=True)
    fault = models.JSONField(null=True)
    """The message about the last time, if it failed."""

    objects: ClassVar[models.Manager[Self]] = OutsideBin("school")

    class Meta(OfOwner.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.owner} {self.address}"


class TeacherInvitation(SecretWord):
    """An invitation of a school to a teacher, which is used up by joining the school.

    Whoever has the word makes a new account or joins with the own one. It never opens an account
    that exists.
    """

    PURPOSE = "puzzleclass.teacher_invitation"
    HOLDER = "school"
    MAX_COUNT = 500
    """The most open invitations of a school."""
    DAYS = 30

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="invitations")
    name = models.CharField(max_length=60)
    email = models.EmailField(blank=True, default="")
    """The address to which it can be sent. It does not become that of the account, because whoever
    wrote it could then set a new password."""
    source = models.ForeignKey(
        RosterSource, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    sourced_id = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """The identifier on the roster of the source, if a roster names the teacher."""
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="invitations"
    )
    """The class without a teacher that is given to the invited one."""
    salt = models.CharField(max_length=16, default=new_salt)
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return f"{self.school}: {self.name}"

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the invitations that are older than `DAYS`."""
        return cls.objects.filter(made_at__lt=timezone.now() - timedelta(days=cls.DAYS))

    @property
    def good_until(self) -> datetime:
        return self.made_at + timedelta(days=self.DAYS)


class StudentMatch(models.Model):
    """A student entered by hand whom a roster names with the same number and name.

    The row waits until a teacher of the class confirms that this is the same student.
    """

    source = models.ForeignKey(RosterSource, on_delete=models.CASCADE, related_name="matches")
    sourced_user = models.CharField(max_length=ID_LENGTH)
    """The identifier of the student in the roster."""
    sourced_enrolment = models.CharField(max_length=ID_LENGTH)
    """The identifier of the enrolment in the roster."""
    enrolment = models.OneToOneField(Enrolment, on_delete=models.CASCADE, related_name="match")

    def __str__(self) -> str:
        return f"{self.enrolment}"

    @classmethod
    def of_class(cls, classroom: Classroom) -> QuerySet[Self]:
        """Return the students of the class who wait to be confirmed."""
        matches = cls.objects.filter(enrolment__classroom=classroom)
        return matches.select_related("enrolment__student").order_by("enrolment__number")
