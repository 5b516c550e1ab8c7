"""Every release's database reaches today's tables with its data, and every page answers."""

import gzip
import re
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, FoundSolution, HintUse, Step
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds

LINK = re.compile(r'(?:href|hx-get|src)="([^"#]*)')
MOST = 12
"""Pages of one view that are opened: each kind of puzzle, each state of a try comes up."""

STAYS = {"sign_out", "set_language", "set_reader"}

TEACHERS = {
    *("home", "puzzle_list", "puzzle_kind", "puzzle_new", "puzzle", "puzzle_edit"),
    *("puzzle_export", "puzzle_generate", "puzzle_generated", "puzzle_explore"),
    *("classroom_list", "classroom", "classroom_edit", "assignment_new"),
    *("assignment", "assignment_edit", "attempts", "found_solutions", "fall_off", "replay"),
    *("learn", "learn_kikazu", "learn_maxstrings", "learn_tonari"),
}
STUDENTS = {"home", "play"}

ASKED_ANEW = {
    "clues",
    "common",
    "large",
    "positions",
    "classes",
    "orders",
    "plain",
    "study",
    "targets",
}
"""Questions whose answers of an earlier release may not fit their types: these are asked anew."""


def refuse_writes(execute, sql, params, many, context):
    """A GET changes nothing but the session of its reader, and takes no lock."""
    reads = sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "PRAGMA"))
    assert reads or "django_session" in sql, sql
    return execute(sql, params, many, context)


def crawl(user: User) -> Counter[str]:
    """Open every page that leads on from the first; return how many of each view answered."""
    client = Client(headers={"accept-language": "ja"}, raise_request_exception=False)
    client.force_login(user)
    seen, wanted, opened = {"/"}, ["/"], Counter()
    while wanted:
        url = wanted.pop(0)
        name = resolve(urlsplit(url).path).url_name
        if name in STAYS or opened[name] >= MOST:
            continue
        with connection.execute_wrapper(refuse_writes):
            answer = client.get(url, follow=True)
        assert answer.status_code in (200, 204, 405), f"{url}: {answer.status_code}"
        opened[name] += 1
        if not answer["Content-Type"].startswith("text/html"):
            continue
        for link in LINK.findall(answer.content.decode()):
            to = urljoin(url, unescape(link))
            is_page = urlsplit(to).netloc == "" and not to.startswith(("/static/", "data:"))
            if is_page and to not in seen:
                seen.add(to)
                wanted.append(to)
    return opened


@pytest.fixture
def before(request, released, tmp_path) -> dict[str, int]:
    """How many rows each table of the release had."""
    path = tmp_path / "before.sqlite3"
    stored = Path(__file__).parent / request.node.callspec.params["released"].name
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in names
        }


def test_nothing_of_a_school_is_lost(using, released, before):
    with using(released):
        for model in (User, Puzzle, Assignment, Attempt, Step, HintUse, FoundSolution):
            assert model.objects.count() == before[model._meta.db_table] > 0, model


def test_the_answers_are_still_there(using, released):
    with using(released):
        done = Job.objects.filter(state=Job.State.DONE, kind_slug__in=kinds())
        read = {(job.kind_slug, job.question) for job in done if job.result}
        unread = {job.question for job in done if job.asks and not job.result}
        assert unread <= ASKED_ANEW
        for kind in kinds().values():
            assert {(kind.slug, name) for name in ("count", "rate", "hint", "review")} <= read


def test_a_divided_count_waits_to_be_done_whole(using, released):
    """It had two parts, with rows and a state that there are no more."""
    with using(released):
        assert set(Job.objects.values_list("state", flat=True)) <= set(Job.State.values)
        waiting = Job.objects.get(state=Job.State.WAITING, tries=1, question="count")
        assert (waiting.options, waiting.sent_at) == ({}, None)


def test_every_page_of_the_teacher(using, released):
    with using(released):
        # A page with reviews on their way leads to the part of it that waits for them.
        Job.objects.filter(question="review", kind_slug="goishi").update(state=Job.State.WAITING)
        opened = crawl(User.objects.get(username="demo"))
        assert opened.keys() >= TEACHERS, TEACHERS - opened.keys()


@pytest.mark.parametrize("is_over", [False, True])
def test_every_page_of_a_student_of_each_class(using, released, is_over):
    with using(released):
        due_at = timezone.now() + timedelta(days=-1 if is_over else 1)
        Assignment.objects.update(due_at=due_at)
        for classroom in User.objects.get(username="demo").classrooms.all():
            opened = crawl(classroom.students.first())
            assert opened.keys() >= STUDENTS
            assert opened["play"] > 3
