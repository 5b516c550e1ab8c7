import hashlib
import json
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from solvers.registry import get_kind


def job_key(kind: str, question: str, position: str, options: dict[str, Any] | None = None) -> str:
    """Return the hash by which equal questions are one job.

    `position` must be canonical text. The solver's version is part of it, so a
    better solver answers anew.
    """
    parts = [kind, get_kind(kind).version, question, position, options or {}]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Job(models.Model):
    """A question to a solver, its progress and its answer. The row is the truth.

    Celery's messages only say "look at this row": a lost message is sent again by the
    sweeper, a doubled one finds the row taken.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        STOPPING = "stopping", _("Stopping")
        DONE = "done", _("Done")
        STOPPED = "stopped", _("Stopped")
        FAILED = "failed", _("Failed")

    key = models.CharField(max_length=64, unique=True)
    kind_slug = models.SlugField(max_length=20)
    question = models.SlugField(max_length=20)
    position = models.TextField()
    options = models.JSONField(default=dict)
    queue = models.SlugField(max_length=10)
    askers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="jobs")

    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    """Also the fencing token: a worker whose try is not this number has lost the job."""
    asked_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(default=timezone.now)
    """When its message was last given to Celery."""
    beat_at = models.DateTimeField(null=True)
    """The last sign of life of the worker that has it."""
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    note = models.JSONField(null=True)
    """A solvers' Message as {"text", "values"}, put into words when it is shown."""
    at_least = models.TextField(blank=True, default="")
    """A proven lower bound, as a decimal string."""
    answer = models.JSONField(null=True)
    """`Answer.to_json()`."""
    fault = models.JSONField(null=True)
    """Why it failed: a Message, like `note`."""

    class Meta:
        ordering = ["asked_at", "pk"]
        indexes = [
            models.Index(
                fields=["queue", "asked_at"],
                condition=Q(state="waiting"),
                name="waiting_jobs",
            ),
            models.Index(
                fields=["beat_at"],
                condition=Q(state__in=["running", "stopping"]),
                name="beating_jobs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind_slug} {self.question} {self.position}"
