"""Ask for jobs, look them up, withdraw and count them, on behalf of the rest of the site."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.database.batches import BATCH_ROWS
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import delivery, transitions
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.jobs.workers import LONG_QUEUE, QUEUES_OF_JOBS
from solvers.message import Message
from solvers.registry import get_kind, kind_or_missing

USUAL_PRIORITY = 1

FAILED_SHOWN = timedelta(days=3)
"""Teachers are told for this long that one of their jobs has failed."""


def ask(
    user: User | None,
    kind_slug: str,
    question: str,
    position_text: str,
    options: dict[str, Any] | None = None,
    *,
    again: bool = False,
    queue: str = "",
    priority: int = USUAL_PRIORITY,
    served: int | None = None,
) -> Job:
    """Return the job that answers the question, creating it if there is none.

    The user becomes one of the job's askers. `None` stands for the site itself, which becomes no
    asker. A job that was stopped or failed waits again, and so does a job whose answer can't be
    read any more. With `again`, a job that ended without a proof also waits again.

    The queue is that of the question unless `queue` names another one. In a queue, jobs of a lower
    `priority` come first. Jobs of equal priority are taken in turns, one for each user who is
    served: the asking user, or the user with the key `served` for whom that user asks.

    `position_text` may be in any format of the kind. Raises PuzzleError when it can't be read and
    when it is known at once that there is no answer, and QuotaReached when the user has too many
    long questions under way. Returns at once, even when the broker does not answer: the sweeper
    sends the job later.
    """
    kind = get_kind(kind_slug)
    start = kind.read(position_text)
    position = kind.write(start)
    options = options or {}
    kind.questions[question].refuse_impossible(start, **options)
    queue = queue or kind.questions[question].queue
    with transaction.atomic():
        served = served or (user.pk if user else None)
        turn = _next_turn(served, queue, priority)
        job, is_new = Job.objects.get_or_create(
            key=job_key(kind_slug, question, position, options),
            defaults={
                "kind_slug": kind_slug,
                "question": question,
                "position": position,
                "options": options,
                "queue": queue,
                "priority": priority,
                "turn": turn,
                "served_id": served,
            },
        )
        if user:
            job.askers.add(user)
        is_unfit = job.result is None or (again and not job.result.proven)
        if is_new or transitions.restart(
            job, turn, served, done=is_unfit, queue=queue, priority=priority
        ):
            if queue == LONG_QUEUE and user:
                _refuse_over_quota(user)
            job.refresh_from_db()
            transaction.on_commit(partial(delivery.send, job))
        elif job.state == Job.State.WAITING and (priority, turn) < (job.priority, job.turn):
            # A user who joins need not wait for the earlier questions of the other askers.
            same = Job.objects.filter(pk=job.pk, priority=job.priority, turn=job.turn)
            same.update(priority=priority, turn=turn, served=served)
    return job


def _refuse_over_quota(user: User) -> None:
    """Raise QuotaReached when the user has more than `MAX_JOBS` long questions under way.

    The question being asked is counted, too: the exception rolls back the transaction that stored
    it.
    """
    number = asked_by(user).filter(queue=LONG_QUEUE).exclude(state=Job.State.STOPPING).count()
    if number > settings.MAX_JOBS:
        raise QuotaReached(
            Message(
                "You have {number} jobs waiting or running, which is the maximum. Wait until "
                "some have finished, or stop some.",
                {"number": settings.MAX_JOBS},
            )
        )


def asked_by(user: User) -> QuerySet[Job]:
    """Return the user's unfinished questions, the oldest first, without those asked for
    students."""
    mine = Job.objects.filter(askers=user).exclude(state__in=Job.ENDED)
    return mine.exclude(served__role=User.Role.STUDENT)


def failed_lately(user: User) -> QuerySet[Job]:
    """Return the user's questions that have failed within `FAILED_SHOWN`, the latest first, without
    those asked for students."""
    failed = Job.objects.filter(askers=user, state=Job.State.FAILED)
    lately = failed.filter(ended_at__gt=timezone.now() - FAILED_SHOWN)
    return lately.exclude(served__role=User.Role.STUDENT).order_by("-ended_at")


def _next_turn(served: int | None, queue: str, priority: int) -> int:
    """Return the round after the last waiting job of the user who is served; the current round when
    that user has no waiting job."""
    waiting = Job.objects.filter(state=Job.State.WAITING, queue=queue, priority=priority)
    turns = waiting.order_by().aggregate(mine=Max("turn", filter=Q(served=served)), now=Min("turn"))
    return turns["now"] or 0 if turns["mine"] is None else turns["mine"] + 1


def ask_only(
    user: User,
    kind_slug: str,
    question: str,
    position_text: str,
    options: dict[str, Any],
    *,
    priority: int = USUAL_PRIORITY,
    **scheduling: Any,
) -> Job:
    """Ask, and withdraw all other waiting jobs of the user with this question, these options and
    this priority.

    This is for questions about what a user is looking at: what the user looked at before no longer
    matters. A job that a worker has begun continues. Returns and raises as `ask` does.
    """
    job = ask(user, kind_slug, question, position_text, options, priority=priority, **scheduling)
    # Each job is withdrawn in a transaction of its own: transactions that lock several jobs could
    # deadlock.
    mine = Job.objects.filter(askers=user, question=question, options=options, priority=priority)
    for left in mine.filter(state=Job.State.WAITING).exclude(pk=job.pk).only("pk"):
        withdraw(user, left)
    return job


def withdraw_others(user: User, queue: str, kept: Iterable[int]) -> None:
    """Withdraw all unfinished questions of a user in a queue except the jobs with these keys.

    This is for a queue with questions about what a user is drawing: only the newest matter.
    """
    mine = Job.objects.filter(askers=user, queue=queue).exclude(state__in=Job.ENDED)
    # Each job is withdrawn in a transaction of its own: transactions that lock several jobs could
    # deadlock.
    for left in mine.exclude(pk__in=set(kept)).only("pk"):
        withdraw(user, left)


def delete_unwanted(keys: Iterable[str]) -> None:
    """Delete the jobs with these keys that nobody waits for and no worker has begun."""
    unbegun = Job.objects.filter(state=Job.State.WAITING, tries=0, priority__gt=0)
    with transaction.atomic():
        # The order is always the same, so that two transactions never wait for each other.
        rows = unbegun.filter(key__in=set(keys)).order_by("pk").select_for_update()
        if left := list(rows.values_list("pk", flat=True)):
            unbegun.filter(pk__in=left).delete()


def find(
    kind_slug: str, question: str, position_text: str, options: dict[str, Any] | None = None
) -> Job | None:
    """Return the job of this question, whoever asked it; None when nobody has.

    A job with an answer that can't be read any more counts as never asked. Raises PuzzleError when
    the position can't be read.
    """
    kind = kind_or_missing(kind_slug)
    key = job_key(kind_slug, question, kind.write(kind.read(position_text)), options)
    return find_all([key]).get(key)


def find_all(keys: Iterable[str]) -> dict[str, Job]:
    """Return key -> job for the questions with these keys (`job_key`) that somebody has asked.

    As in `find`, a job with an answer that can't be read any more is left out. Uses one query.
    """
    jobs = Job.objects.filter(key__in=set(keys)).order_by()
    return {job.key: job for job in jobs if job.result or job.state != Job.State.DONE}


def withdraw_all(user: User) -> int:
    """Withdraw all the user's unfinished questions. Return how many there were."""
    jobs = list(asked_by(user).only("pk"))
    # Each job is withdrawn in a transaction of its own: transactions that lock several jobs could
    # deadlock.
    for job in jobs:
        withdraw(user, job)
    return len(jobs)


def withdraw(user: User, job: Job) -> Job:
    """Withdraw the user's question. Return the job as this user should see it now.

    While others wait for the same answer, the work continues and only this user leaves. The last
    one to withdraw stops the job and remains its asker. A job that has ended stays as it is.
    """
    with transaction.atomic():
        # The lock makes users who withdraw at the same moment do so one after the other.
        job = Job.objects.select_for_update().get(pk=job.pk)
        if job.has_ended:
            return job
        if job.askers.exclude(pk=user.pk).exists():
            job.askers.remove(user)
            job.state = Job.State.STOPPED  # for this user only; never saved
            job.is_withdrawn = True
            return job
        transitions.stop(job)
        job.refresh_from_db()
    return job


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue, with the number of its waiting and running jobs."""

    name: str
    waiting: int
    running: int
    oldest: datetime | None
    """When the job that has waited longest was asked."""


def queues() -> list[Queue]:
    """Return each queue that jobs wait in, with its numbers of jobs. Uses one query."""
    states = Job.objects.filter(state__in=(Job.State.WAITING, Job.State.RUNNING)).order_by()
    waiting = Q(state=Job.State.WAITING)
    rows = states.values("queue").annotate(
        waiting=Count("pk", filter=waiting),
        running=Count("pk", filter=~waiting),
        oldest=Min("asked_at", filter=waiting),
    )
    known = {
        row["queue"]: Queue(row["queue"], row["waiting"], row["running"], row["oldest"])
        for row in rows
    }
    return [known.get(name) or Queue(name, 0, 0, None) for name in QUEUES_OF_JOBS]


# Old jobs


def delete_old_jobs(boards: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Delete the jobs that ended `JOBS_KEPT_DAYS` ago and that no page shows. Yield the number of
    deleted rows step by step.

    Most of these jobs are hints and reviews, one for each position that students have reached.
    `boards` are the kind and the canonical start of everything that a page may ask about.
    """
    long_ago = timezone.now() - timedelta(days=settings.JOBS_KEPT_DAYS)
    old = Job.objects.filter(state__in=Job.ENDED, ended_at__lt=long_ago).order_by("pk")
    starts: set[int] = set()
    for board in boards:
        starts.add(hash(board))
        yield 0
    fields = ("pk", "key", "kind_slug", "question", "position", "options")
    last = 0
    while batch := list(old.filter(pk__gt=last).values_list(*fields)[:BATCH_ROWS]):
        last = batch[-1][0]
        yield _delete(old, (row[0] for row in batch if not _may_be_shown(row[1:], starts)))


def _delete(old: QuerySet[Job], keys: Iterable[int]) -> int:
    """Delete those of the jobs that are still old, because somebody may have asked again meanwhile.
    Return how many there were."""
    with transaction.atomic():
        locked = old.select_for_update(skip_locked=True).filter(pk__in=list(keys))
        gone = list(locked.values_list("pk", flat=True))
        # Deleting the jobs does not need their answers, so they are not read.
        Job.objects.only("pk").filter(pk__in=gone).delete()
    return len(gone)


def _may_be_shown(row: tuple[Any, ...], starts: set[int]) -> bool:
    """Return whether a page may show the job: it is about one of the boards, and no newer version
    of the solver would be asked instead."""
    key, slug, question, position, options = row
    if hash((slug, position)) not in starts:
        return False
    return bool(key == job_key(slug, question, position, options))
