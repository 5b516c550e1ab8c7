"""Questions to teachers whether they will take a place: nobody gets one without consent."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import (
    Board,
    BoardAdministrator,
    OfOwner,
    School,
    SchoolAdministrator,
)


class Invitation(models.Model):
    """The question to a teacher whether he or she will take a place.

    A refusal stays for the rest of `DAYS`, so that nobody is asked again and again, and nobody else
    learns of it: it outlasts that the question is withdrawn and put again. A question ends when
    whoever has put it may do so no longer.
    """

    DAYS = 30
    MAX_SHOWN = 20
    """The most questions of a sort that a teacher's home page counts."""

    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="%(class)ss"
    )
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now, db_index=True)
    declined_at = models.DateTimeField(null=True)
    is_withdrawn = models.BooleanField(default=False)
    """Whether a question that was declined has been withdrawn since."""

    class Meta:
        abstract = True

    def decline(self) -> None:
        """Refuse the place."""
        self.declined_at = timezone.now()
        self.save(update_fields=["declined_at"])

    def withdraw(self) -> None:
        """Take the question back. One that was declined is only hidden from those who ask."""
        own = type(self)._default_manager.filter(pk=self.pk)
        if not own.exclude(declined_at=None).update(is_withdrawn=True):
            own.filter(declined_at=None).delete()

    @classmethod
    def standing(cls) -> Q:
        """Return the condition that the one who asks may still do so, and the place is there."""
        raise NotImplementedError

    @classmethod
    def expired(cls) -> QuerySet[Self]:
        """Return the questions that are older than `DAYS`."""
        before = timezone.now() - timedelta(days=cls.DAYS)
        return cls._default_manager.filter(made_at__lt=before)

    @classmethod
    def current(cls) -> QuerySet[Self]:
        """Return the questions that are not over, declined ones among them."""
        since = timezone.now() - timedelta(days=cls.DAYS)
        return cls._default_manager.filter(cls.standing(), made_at__gte=since)

    @classmethod
    def listed(cls, **place: models.Model) -> QuerySet[Self]:
        """Return the questions that those see who ask for the place."""
        return cls.current().filter(is_withdrawn=False, **place)

    @classmethod
    def open_for(cls, teacher: User) -> QuerySet[Self]:
        """Return the questions that the teacher has not answered."""
        waiting = cls.current().filter(teacher=teacher, declined_at=None)
        return waiting.select_related("invited_by")

    @classmethod
    def put(
        cls, teacher: User, asks: User, place: Mapping[str, models.Model], **how: object
    ) -> None:
        """Ask the teacher. A question that he or she has declined comes back declined."""
        key: dict[str, Any] = {**place, "teacher": teacher}
        own = cls._default_manager.filter(**key)
        cls.expired().filter(pk__in=own).delete()
        own.filter(declined_at=None).exclude(pk__in=cls.current()).delete()
        asked = {"invited_by": asks, "is_withdrawn": False, **how}
        cls._default_manager.update_or_create(**key, defaults=asked)


class AdministratorInvitation(OfOwner, Invitation):
    """The question whether a teacher will administer a school or a board.

    An administrator can add nobody, because rules of a school hold for its administrators.
    """

    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, related_name="administrator_invitations"
    )
    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, null=True, related_name="administrator_invitations"
    )

    class Meta(OfOwner.Meta):
        ordering = ["pk"]
        constraints = [
            *OfOwner.Meta.constraints,
            models.UniqueConstraint(fields=["school", "teacher"], name="invited_once_a_school"),
            models.UniqueConstraint(fields=["board", "teacher"], name="invited_once_a_board"),
        ]

    def __str__(self) -> str:
        return f"{self.owner}: {self.teacher}"

    def get_absolute_url(self) -> str:
        return reverse("administrator_invitation", args=[self.pk])

    @classmethod
    def standing(cls) -> Q:
        asks = OuterRef("invited_by")
        of_school = SchoolAdministrator.objects.filter(school=OuterRef("school"), teacher=asks)
        of_board = BoardAdministrator.objects.filter(teacher=asks)
        return Q(Q(school=None) | Q(school__deleted_at=None), invited_by__is_active=True) & Q(
            Exists(of_school)
            | Exists(of_board.filter(board=OuterRef("board")))
            | Exists(of_board.filter(board=OuterRef("school__board")))
        )

    @classmethod
    def open_for(cls, teacher: User) -> QuerySet[Self]:
        return super().open_for(teacher).select_related("school", "board")
