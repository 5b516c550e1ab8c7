"""What the rest of the site does with jobs: ask, look up, withdraw."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.http import QuotaReached
from puzzleclass.jobs import delivery, transitions
from puzzleclass.jobs.models import LONG, Job, job_key
from solvers.message import Message
from solvers.registry import get_kind


def ask(
    user: User | None,
    kind_slug: str,
    question: str,
    position_text: str,
    options: dict[str, Any] | None = None,
    *,
    again: bool = False,
    queue: str = "",
    priority: int = 1,
    served: int | None = None,
) -> Job:
    """Return the job that answers the question, newly made or the one that is there.

    The user becomes one of its askers; the site itself, None, is none. A job that was stopped or
    failed waits again, and one whose answer can't be read any more; with `again` also one that
    ended without a proof.
    The queue is the question's unless told otherwise; there the jobs of a lower `priority` come
    first, then all who are served in turn: the user, or the one with the key `served`, who has
    the user ask.
    `position_text` may be in any format of the kind. Raises PuzzleError when it can't be
    read, and where it is known at once that there is no answer; QuotaReached when the user has too
    many long questions under way. Returns at once, also when the broker is away: the sweeper
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
        if is_new or transitions.restart(job, turn, served, done=is_unfit):
            if queue == LONG and user:
                _refuse_too_many(user)
            job.refresh_from_db()
            transaction.on_commit(partial(delivery.send, job))
        elif job.state == Job.State.WAITING and (priority, turn) < (job.priority, job.turn):
            # Whoever joins need not wait for the others' earlier questions.
            same = Job.objects.filter(pk=job.pk, priority=job.priority, turn=job.turn)
            same.update(priority=priority, turn=turn, served=served)
    return job


def _refuse_too_many(user: User) -> None:
    """Raise QuotaReached when the user has more long questions under way than one may have.

    The last one is among them: with the exception its transaction takes it back.
    """
    number = asked_by(user).filter(queue=LONG).exclude(state=Job.State.STOPPING).count()
    if number > settings.MOST_JOBS:
        raise QuotaReached(
            Message(
                "You have {number} questions waiting or being answered. That is as many as can be "
                "at a time: wait until some are answered, or stop some.",
                {"number": settings.MOST_JOBS},
            )
        )


def asked_by(user: User) -> QuerySet[Job]:
    """Return the user's unfinished questions, the oldest first; not those asked for students."""
    mine = Job.objects.filter(askers=user).exclude(state__in=Job.ENDED)
    return mine.exclude(served__role=User.Role.STUDENT)


def _next_turn(served: int | None, queue: str, priority: int) -> int:
    """Return the round after the last waiting job of the one who is served; without one, the
    round that is on."""
    waiting = Job.objects.filter(state=Job.State.WAITING, queue=queue, priority=priority)
    turns = waiting.order_by().aggregate(mine=Max("turn", filter=Q(served=served)), now=Min("turn"))
    return turns["now"] or 0 if turns["mine"] is None else turns["mine"] + 1


def ask_only(
    user: User,
    kind_slug: str,
    question: str,
    position_text: str,
    options: dict[str, Any],
    **place: Any,
) -> Job:
    """Ask, and withdraw whatever else the user waits for of the same question and options.

    For questions about what somebody is looking at: what was looked at before matters no more.
    Work that has begun goes on. `place` is queue and priority. Returns and raises as `ask`.
    """
    job = ask(user, kind_slug, question, position_text, options, **place)
    # Each in a transaction of its own: two who change places must not wait for each other.
    mine = Job.objects.filter(askers=user, question=question, options=options)
    for left in mine.filter(state=Job.State.WAITING).exclude(pk=job.pk).only("pk"):
        withdraw(user, left)
    return job


def forget_waiting(keys: Iterable[str]) -> None:
    """Delete the jobs with these keys that nobody waits for and no worker has begun."""
    unbegun = Job.objects.filter(state=Job.State.WAITING, tries=0, priority__gt=0)
    with transaction.atomic():
        # Always in the same order: two who forget must not wait for each other.
        rows = unbegun.filter(key__in=set(keys)).order_by("pk").select_for_update()
        if left := list(rows.values_list("pk", flat=True)):
            unbegun.filter(pk__in=left).delete()


def find(
    kind_slug: str, question: str, position_text: str, options: dict[str, Any] | None = None
) -> Job | None:
    """Return the job of this question, whoever asked it, or None when nobody has.

    One whose answer can't be read any more counts as never asked. Raises PuzzleError when the
    position can't be read.
    """
    kind = get_kind(kind_slug)
    key = job_key(kind_slug, question, kind.write(kind.read(position_text)), options)
    return find_all([key]).get(key)


def find_all(keys: Iterable[str]) -> dict[str, Job]:
    """Return key -> job for the questions with these keys (`job_key`) that somebody has asked.

    As with `find`, a job whose answer can't be read any more is left out. One query.
    """
    jobs = Job.objects.filter(key__in=set(keys)).order_by()
    return {job.key: job for job in jobs if job.result or job.state != Job.State.DONE}


def withdraw_all(user: User) -> int:
    """Take back all the user's unfinished questions. Returns how many."""
    jobs = list(asked_by(user).only("pk"))
    # Each in a transaction of its own: two who change places must not wait for each other.
    for job in jobs:
        withdraw(user, job)
    return len(jobs)


def withdraw(user: User, job: Job) -> Job:
    """Take back the user's question. Returns the job as this user should see it now.

    While others wait for the same answer the work goes on and only this user leaves;
    the last one to withdraw stops it, and stays its asker. A job that has ended stays
    as it is.
    """
    with transaction.atomic():
        # The lock makes two who leave at the same moment leave one after the other.
        job = Job.objects.select_for_update().get(pk=job.pk)
        if job.has_ended:
            return job
        if job.askers.exclude(pk=user.pk).exists():
            job.askers.remove(user)
            job.state = Job.State.STOPPED  # in this user's eyes only: never saved
            job.is_withdrawn = True
            return job
        transitions.stop(job)
        job.refresh_from_db()
    return job
