import hashlib
import json
from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from solvers.answers import Answer, Exact, from_json
from solvers.message import Message
from solvers.question import Question
from solvers.registry import UnknownKind, get_kind

A = TypeVar("A", bound=Answer)

TRIES = 2
"""How many workers may die over a job before it counts as failed."""


def job_key(kind: str, question: str, position: str, options: dict[str, Any] | None = None) -> str:
    """Return the hash by which equal questions are one job.

    `position` must be canonical text. The solver's version is part of it, so a
    better solver answers anew.
    """
    parts = [kind, get_kind(kind).version, question, position, options or {}]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


LONG = "solve"
"""The queue of the questions that may take minutes. Those have a quota."""

ORDER = ["priority", "turn", "asked_at", "pk"]
"""In which the jobs of a queue are taken."""


class Job(models.Model):
    """A question to a solver, its progress and its answer. The row is the truth.

    Celery's messages only say "look at this row": a lost message is sent again by the
    sweeper, a doubled one finds the row taken. `transitions.py` is the only place that
    changes `state`.
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
    kind_slug = models.SlugField(max_length=20)
    question = models.SlugField(max_length=20)
    position = models.TextField()
    options = models.JSONField(default=dict)
    queue = models.SlugField(max_length=10)
    priority = models.PositiveSmallIntegerField(default=1)
    """In its queue: 0 is taken first. Somebody may be looking at what a 0 will say."""
    turn = models.PositiveIntegerField(default=0)
    """The round in which it is served, for nobody has more than one job in a round."""
    served = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Whose job of the round it is: the student for whom a teacher is the asker, else an asker."""
    askers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="jobs")

    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    """Also the fencing token: a worker whose try is not this number has lost the job.
    So it never goes down."""
    last_try = models.PositiveSmallIntegerField(default=TRIES)
    """The try after which the job is given up. Asking again allows `TRIES` more."""
    asked_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    """When Celery last took its message; null while none has been taken."""
    beat_at = models.DateTimeField(null=True)
    """The last sign of life of the worker that has it."""
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    note = models.JSONField(null=True)
    """A solver's Message, put into words when it is shown."""
    at_least = models.TextField(blank=True, default="")
    """A proven lower bound, as a decimal string."""
    stored_found = models.JSONField(default=dict, db_column="found")
    """The answer as far as it is known, read as `found`; kept when the job is stopped."""
    answer = models.JSONField(null=True)
    """`Answer.to_json()`; read it as `result`. Asked again, a job keeps it until a better one
    is there."""
    fault = models.JSONField(null=True)
    """Why it failed: a Message, like `note`."""

    is_withdrawn = False
    """Set by `services.withdraw` on the object it returns to a user who has left; no column."""

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
        """Nothing will change any more unless somebody asks again."""
        return self.state in self.ENDED

    @property
    def is_at_work(self) -> bool:
        """A worker has it."""
        return self.state in (self.State.RUNNING, self.State.STOPPING)

    @property
    def seconds(self) -> float | None:
        """How long its last try took, once it has ended."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds()

    @property
    def can_be_asked_again(self) -> bool:
        """It ended without a proven answer, and the user is still one of its askers."""
        is_unproven = self.result is None or not self.result.proven
        return self.has_ended and is_unproven and not self.is_withdrawn

    @property
    def ahead(self) -> int:
        """How many waiting jobs of the same queue come before this one."""
        earlier = Q()
        same: dict[str, Any] = {}
        for field in ORDER:
            earlier |= Q(**same, **{f"{field}__lt": getattr(self, field)})
            same[field] = getattr(self, field)
        return Job.objects.filter(earlier, queue=self.queue, state=self.State.WAITING).count()

    @property
    def asks(self) -> Question | None:
        """The kind's question; None where no kind has it any more."""
        try:
            return get_kind(self.kind_slug).questions.get(self.question)
        except UnknownKind:
            return None

    @property
    def kind_title(self) -> str:
        """The kind's name, as a marked English text; its slug where there is no such kind."""
        try:
            return get_kind(self.kind_slug).title
        except UnknownKind:
            return self.kind_slug

    @property
    def title(self) -> str:
        """What is asked, as a marked English text."""
        return self.asks.title if self.asks else self.question

    @cached_property
    def result(self) -> Answer | None:
        """The answer, in the type that the kind's question names.

        None as long as there is none, and when the stored one does not fit its type: then an
        earlier version gave it, and `services.ask` asks anew.
        """
        return self._read(self.answer)

    @cached_property
    def found(self) -> Answer | None:
        """What has been found of the answer on the way."""
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
        """Return what is known of an answer of this type: the answer itself, else what has been
        found of it so far, else one in which nothing is known."""
        known = self.result or self.found
        return known if isinstance(known, answer) else answer(proven=False)

    @property
    def value(self) -> Exact | None:
        """The answer's number, when there is one."""
        return self.known(Answer).value

    @property
    def at_most(self) -> Exact | None:
        """A proven upper bound of the value, when there is one."""
        return self.known(Answer).at_most

    @property
    def remark(self) -> Message | None:
        """What the solver has to say about its answer, such as why it is no proof."""
        return self.known(Answer).note

    @property
    def note_message(self) -> Message | None:
        """What the solver does just now."""
        return _message(self.note)

    @property
    def fault_message(self) -> Message | None:
        """Why it failed."""
        return _message(self.fault)


def _message(stored: Any) -> Message | None:
    try:
        return Message.from_json(stored)
    except ValueError:
        return None
