"""The administrator's page: the state of the installation in figures."""

import shutil
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from puzzleclass import __version__
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_administrators
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import workers
from puzzleclass.jobs.models import Job
from puzzleclass.language.reader import say
from puzzleclass.operations import state
from puzzleclass.operations.doctor import kind_findings
from puzzleclass.play.models import Step

TIMES_DAYS = 7
MAX_TIMES = 5_000
"""The most answers from which the times are taken, the newest ones."""
MAX_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Times:
    """How many seconds the answers to a question took."""

    kind: str
    question: str
    number: int
    p50: float
    p95: float


@for_administrators("GET")
def administration(request: SignedInRequest) -> HttpResponse:
    """Show parts, queues, workers, times of answers, storage and failures, with a constant number
    of queries."""
    try:
        alive, swept = workers.workers(), workers.seconds_since_sweep()
    except redis.RedisError:
        alive, swept = [], None
    disk = shutil.disk_usage(settings.VAR_DIR)
    failures = Job.objects.filter(state=Job.State.FAILED).order_by("-ended_at")
    context = {
        "version": __version__,
        "parts": state.parts(),
        "kinds": list(kind_findings()),
        "queues": jobs.queues(),
        "workers": alive,
        "swept": swept,
        "times": answer_times(),
        "days": TIMES_DAYS,
        "failures": failures.defer("answer", "stored_found")[:MAX_FAILURES],
        "database_bytes": _database_bytes(),
        "disk": disk,
        "people": _people(),
    }
    return render(request, "operations/administration.html", context)


def answer_times() -> list[Times]:
    """Return the times of the latest answers, the longest first. Uses one query."""
    since = timezone.now() - timedelta(days=TIMES_DAYS)
    done = Job.objects.filter(state=Job.State.DONE, ended_at__gt=since, started_at__isnull=False)
    rows = done.order_by("-ended_at").only("kind_slug", "question", "started_at", "ended_at")
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    for job in rows[:MAX_TIMES]:
        taken[say(job.kind_name), job.title].append(max(0.0, job.seconds or 0.0))
    times = [
        Times(kind, question, len(some), percentile(some, 0.5), percentile(some, 0.95))
        for (kind, question), some in taken.items()
    ]
    return sorted(times, key=lambda each: -each.p95)


def percentile(numbers: list[float], share: float) -> float:
    """Return the smallest of the numbers that is not exceeded by this share of them (nearest
    rank)."""
    return sorted(numbers)[max(0, -int(-share * len(numbers) // 1) - 1)]


def _people() -> dict[str, int]:
    users = User.objects.order_by()
    return {
        "teachers": users.filter(role=User.Role.TEACHER).count(),
        "students": users.filter(role=User.Role.STUDENT).count(),
        "classes": Classroom.objects.count(),
        "steps": Step.objects.count(),
    }


def _database_bytes() -> int:
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        files = (Path(f"{name}{ending}") for ending in ("", "-wal"))
        return sum(path.stat().st_size for path in files if path.is_file())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
