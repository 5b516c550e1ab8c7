"""Learning platforms of schools, the people and courses that they name, the launches from them, and
the site's own keys.
"""

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import Board, OfOwner, School
from puzzleclass.outbound.sessions import LONGEST_ADDRESS
from puzzleclass.rosters.identifiers import RosterIdentifier

ID_LENGTH = 255


class SigningKey(models.Model):
    """A key of this site. Platforms read its public part at `/lti/jwks/`."""

    kid = models.CharField(max_length=40, unique=True)
    sealed = models.TextField()
    """The private key, encrypted with the site's secret key, so that no backup contains it."""
    public = models.JSONField()
    """The public key, as a JSON Web Key."""
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.kid


class Platform(RosterIdentifier, OfOwner):
    """A learning platform of a school or a board, as it was registered."""

    MAX_COUNT = 20
    """The most platforms of a school or a board."""

    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, related_name="platforms"
    )
    board = models.ForeignKey(Board, on_delete=models.CASCADE, null=True, related_name="platforms")
    name = models.CharField(_("Name of the platform"), max_length=60)
    issuer = models.CharField(_("Issuer (platform ID)"), max_length=ID_LENGTH)
    client_id = models.CharField(_("Client ID"), max_length=ID_LENGTH)
    auth_url = models.CharField(_("Authentication request URL"), max_length=LONGEST_ADDRESS)
    token_url = models.CharField(_("Access token URL"), max_length=LONGEST_ADDRESS)
    key_set_url = models.CharField(_("Public keyset URL"), max_length=LONGEST_ADDRESS)
    makes_students = models.BooleanField(
        _("Students of a course whom the site does not know yet get an account"), default=True
    )
    makes_teachers = models.BooleanField(
        _("Teachers whom the site does not know yet may create an account"), default=True
    )
    key_set = models.JSONField(default=list)
    """The platform's public keys, as they were read last."""
    keys_read_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            *OfOwner.Meta.constraints,
            models.UniqueConstraint(fields=["issuer", "client_id"], name="platform_once"),
        ]

    def __str__(self) -> str:
        return self.name


class PlatformUser(models.Model):
    """The account of a platform's user. Only launches write such rows."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="users")
    sub = models.CharField(max_length=ID_LENGTH)
    """The identifier that the platform has given to the user."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="platform_users"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "sub"], name="platform_user_once")
        ]

    def __str__(self) -> str:
        return f"{self.platform}: {self.user}"


class PlatformClass(models.Model):
    """The class of a platform's course. Only launches write such rows."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="courses")
    course_id = models.CharField(max_length=ID_LENGTH)
    """The identifier that the platform has given to the course."""
    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="platform_classes"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "course_id"], name="platform_class_once")
        ]

    def __str__(self) -> str:
        return f"{self.platform}: {self.classroom}"


class Deployment(models.Model):
    """A deployment of this site in a platform. Launches come only from those that are allowed."""

    MAX_COUNT = 50
    """The most deployments of a platform."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="deployments")
    deployment_id = models.CharField(max_length=ID_LENGTH)
    is_allowed = models.BooleanField(default=True)
    """False when a launch has named a deployment that no administrator has allowed yet."""

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "deployment_id"], name="deployment_once_a_platform"
            )
        ]

    def __str__(self) -> str:
        return self.deployment_id


class Launch(models.Model):
    """A launch from a platform with a valid token. It becomes a sign-in in the user's own tab.

    The row also remembers the nonce, so that no token counts twice.
    """

    OPEN_SECONDS = 60
    """Seconds for which the word of a launch can be redeemed."""
    LASTS = timedelta(hours=2)
    """The time for which a teacher can answer the launch's questions."""
    KEPT = timedelta(days=1)

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="launches")
    nonce = models.CharField(max_length=64, unique=True)
    word_digest = models.CharField(max_length=64, unique=True)
    browser_digest = models.CharField(max_length=64)
    """The digest of the cookie that the browser has had since the login began."""
    claims = models.JSONField()
    """A `tokens.Claims`, as JSON."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="launches"
    )
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    opened_at = models.DateTimeField(null=True)
    frame_digest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    """The digest of the frame's word, if the login began in a frame."""
    answer = models.TextField(blank=True, default="")
    """The signed answer of a deep linking launch, which the browser takes back to the platform."""

    def __str__(self) -> str:
        return f"{self.platform} {self.made_at:%Y-%m-%d %H:%M}"

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the launches, with the names in them, that are older than `KEPT`."""
        return cls.objects.filter(made_at__lt=timezone.now() - cls.KEPT)


class GradeColumn(models.Model):
    """A column (line item) of the platform's grade book, with the scores of an assignment."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="columns")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="grade_columns"
    )
    url = models.CharField(max_length=LONGEST_ADDRESS)
    looked_at = models.DateTimeField(default=timezone.now)
    """The time up to which the students' moves have been looked at."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "assignment", "url"], name="grade_column_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.assignment}"


class OutgoingScore(models.Model):
    """A student's score for a column. It waits here until the platform has taken it.

    There is one row for each student of a column, so the table can't grow without end.
    """

    column = models.ForeignKey(GradeColumn, on_delete=models.CASCADE, related_name="scores")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="outgoing_scores"
    )
    sent = models.CharField(max_length=40, blank=True, default="")
    """The score that the platform has taken last, as solved and assigned boards."""
    version = models.PositiveIntegerField(default=0)
    """The number of times that the student's moves have made the row due."""
    due_at = models.DateTimeField(null=True, default=timezone.now, db_index=True)
    """When the score is sent, or sent again; None if the platform has it or will not take it."""
    failures = models.PositiveSmallIntegerField(default=0)
    """The number of failed requests since the last one that was taken."""
    refusal = models.PositiveSmallIntegerField(null=True)
    """The status by which the platform has refused the score for good; 0 if it has not answered for
    days, None if nothing is refused."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["column", "student"], name="score_once_a_column")
        ]

    def __str__(self) -> str:
        return f"{self.column_id} {self.student_id}: {self.sent}"
