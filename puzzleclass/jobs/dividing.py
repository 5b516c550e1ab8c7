"""Divides a job that takes long among the workers that have nothing to do.

A job begins whole. Most counts take milliseconds, and nobody knows before how long one
takes, so what it costs to divide it (messages, and situations that several parts look at) is
only paid by those that have run for `WHOLE_SECONDS`. Their work so far is thrown away; at
worst, for one that was about to end, that doubles these seconds. Nobody waits for a part:
the worker gives the whole up and is free to take one, so a single process can do them all,
one after another. `runner.gather` adds the answers.
"""

from puzzleclass.jobs import delivery, transitions
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.workers import free_processes
from solvers.registry import get_kind
from solvers.splitting import parts

WHOLE_SECONDS = 2.0

MOST_PARTS = 8
"""The more parts, the more of the work is done several times."""


def can_be_divided(job: Job) -> bool:
    """Return whether the job's question can be split, and the job is no part already."""
    return not job.whole_id and bool(get_kind(job.kind_slug).questions[job.question].split)


def divide(job: Job) -> bool:
    """Split the job, if there are free workers and it can be. Returns whether it is split."""
    number = min(1 + free_processes(job.queue), MOST_PARTS)
    if number == 1:
        return False
    kind = get_kind(job.kind_slug)
    told = parts(kind, job.question, kind.read(job.position), number)
    if len(told) == 1:
        return False
    waiting = transitions.split(job, [job.options | options for options in told])
    for part in waiting:
        delivery.send(part)
    return bool(waiting)
