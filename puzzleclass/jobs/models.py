import hashlib
import json
from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from puzzleclass.jobs.workers import silent_queues
from solvers.answers import Answer, Exact, from_json
from solvers.message import Message
from solvers.question import Question
from solvers.registry import kind_or_missing

A = TypeVar("A", bound=Answer)

MAX_ATTEMPTS = 2
"""The number of attempts after which a job whose workers have died counts as failed."""


def job_key(kind: str, question: str, position: str, options: dict[str, Any] | None = None) -> str:
    """Return the hash by which equal questions are one job.

    `position` must be canonical text. The version of the solver is part of the hash, so a better
    solver answers the question again.
    """
    parts = [kind, kind_or_missing(kind).version, question, position, options or {}]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


QUEUE_ORDER = ["priority", "turn", "asked_at", "pk"]
"""The order in which the jobs of a queue are taken."""


class Job(models.Model):
    """A question to a solver, with its progress and its answer. The row is the only source of
    truth.

    Celery's messages only say that a job waits in the queue. The sweeper sends a lost message
    again, and a duplicate message finds that the job is taken. Only `transitions.py` changes
    `state`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        STOPPING = "stopping", _("Stopping")
        DONE = "done", _("Done")
        STOPPED = "stopped", _("Stopped")
        FAILED = "failed", _("Failed")

    ENDED = (State.DONE, State.STOPPED, State.FAILED)

    key = models.CharField(max_length=64, unique=True)
    kind_slug = models.SlugField(max_length=40)
    question = models.SlugField(max_length=20)
    position = models.TextField()
    options = models.JSONField(default=dict)
    queue = models.SlugField(max_length=10)
    priority = models.PositiveSmallIntegerField(default=1)
    """The rank in the queue; 0 is taken first. Somebody may be waiting in front of a page for the
    answer to a job of rank 0."""
    turn = models.PositiveIntegerField(default=0)
    """The round in which the job is served. Nobody has more than one job in a round."""
    served = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The user whose turn the job takes in the round: the student for whom a teacher asks,
    otherwise one of the askers."""
    askers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="jobs")

    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    """The number of attempts begun. It is also the fencing token: a worker whose attempt has
    another number has lost the job. Therefore the number never decreases."""
    last_try = models.PositiveSmallIntegerField(default=MAX_ATTEMPTS)
    """The attempt after which the job is given up. Asking again allows `MAX_ATTEMPTS` more."""
    worker = models.CharField(max_length=255, blank=True, default="")
    """The name of the worker that began the last attempt."""
    asked_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    """When Celery last took the job's message; null as long as it has taken none."""
    beat_at = models.DateTimeField(null=True)
    """When the worker that holds the job last gave a sign of life."""
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    note = models.JSONField(null=True)
    """A `Message` of the solver, which is translated when it is shown."""
    at_least = models.TextField(blank=True, default="")
    """A proven lower bound, as a decimal string."""
    stored_found = models.JSONField(default=dict, db_column="found")
    """The part of the answer that is known so far, read as `found`. It is kept when the job is
    stopped."""
    answer = models.JSONField(null=True)
    """The answer as `Answer.to_json()` returns it, read as `result`. A job that is asked again
    keeps it until a better answer is stored."""
    fault = models.JSONField(null=True)
    """The reason why the job failed: a `Message`, stored like `note`."""

    is_withdrawn = False
    """Whether the user for whom this object was read has withdrawn. `services.withdraw` sets it on
    the object that it returns; there is no such column."""

    class Meta:
        ordering = ["asked_at", "pk"]
        indexes = [
            models.Index(
                fields=["queue", "priority", "turn", "asked_at"],
                condition=Q(state="waiting"),
                name="waiting_in_turn",
            ),
            models.Index(
                fields=["beat_at"],
                condition=Q(state__in=["running", "stopping"]),
                name="beating_jobs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind_slug} {self.question} {self.position}"

    @property
    def has_ended(self) -> bool:
        """Whether the job has ended. Nothing changes any more unless somebody asks again."""
        return self.state in self.ENDED

    @property
    def is_at_work(self) -> bool:
        """Whether a worker holds the job."""
        return self.state in (self.State.RUNNING, self.State.STOPPING)

    @property
    def has_no_worker(self) -> bool:
        """Whether the job waits in vain: no worker of its queue has given a sign of life lately."""
        return not self.has_ended and self.queue in silent_queues()

    @property
    def seconds(self) -> float | None:
        """How many seconds the last attempt took; None until it has ended."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds()

    @property
    def can_be_asked_again(self) -> bool:
        """Whether the job ended without a proven answer and the user is still one of its askers."""
        is_unproven = self.result is None or not self.result.proven
        return self.has_ended and is_unproven and not self.is_withdrawn

    @property
    def ahead(self) -> int:
        """The number of waiting jobs in the same queue that come before this one."""
        earlier = Q()
        same: dict[str, Any] = {}
        for field in QUEUE_ORDER:
            earlier |= Q(**same, **{f"{field}__lt": getattr(self, field)})
            same[field] = getattr(self, field)
        return Job.objects.filter(earlier, queue=self.queue, state=self.State.WAITING).count()

    @property
    def asks(self) -> Question | None:
        """The kind's question; None when no kind has it any more."""
        return kind_or_missing(self.kind_slug).questions.get(self.question)

    @property
    def kind_name(self) -> Message:
        """The kind's name; its slug when there is no such kind."""
        return kind_or_missing(self.kind_slug).name

    @property
    def title(self) -> str:
        """The title of the question, as a marked English text."""
        return self.asks.title if self.asks else self.question

    @cached_property
    def result(self) -> Answer | None:
        """The answer, in the type that the kind's question names.

        None as long as there is no answer, and when the stored answer does not fit its type. In
        that case an earlier version stored it, and `services.ask` asks again.
        """
        return self._read(self.answer)

    @cached_property
    def found(self) -> Answer | None:
        """The part of the answer that has been found so far."""
        return self._read(self.stored_found)

    def _read(self, stored: Any) -> Answer | None:
        try:
            return from_json(self.asks.answer, stored) if self.asks else None
        except ValueError:
            return None

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        for name in ("result", "found"):
            self.__dict__.pop(name, None)

    def known(self, answer: type[A]) -> A:
        """Return what is known of an answer of this type: the answer itself, else the part found so
        far, else an answer in which nothing is known."""
        known = self.result or self.found
        return known if isinstance(known, answer) else answer(proven=False)

    @property
    def value(self) -> Exact | None:
        """The number in the answer; None when there is none."""
        return self.known(Answer).value

    @property
    def at_most(self) -> Exact | None:
        """A proven upper bound of the value; None when there is none."""
        return self.known(Answer).at_most

    @property
    def remark(self) -> Message | None:
        """The solver's note on its answer, such as why it is no proof."""
        return self.known(Answer).note

    @property
    def note_message(self) -> Message | None:
        """What the solver is doing now."""
        return _message(self.note)

    @property
    def fault_message(self) -> Message | None:
        """The reason why the job failed."""
        return _message(self.fault)


def _message(stored: Any) -> Message | None:
    try:
        return Message.from_json(stored)
    except ValueError:
        return None
