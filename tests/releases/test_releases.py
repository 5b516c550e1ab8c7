"""Every release's database is migrated to today's tables with its data, and every page answers."""

import gzip
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds
from tests.crawl import crawl

TEACHERS = {
    *("home", "puzzle_list", "puzzle_kind", "puzzle_new", "puzzle", "puzzle_edit"),
    *("puzzle_export", "puzzle_generate", "puzzle_generated", "puzzle_explore"),
    *("classroom_list", "classroom", "classroom_edit", "assignment_new"),
    *("assignment", "assignment_edit", "attempts", "found", "replay"),
    *("studies", "study_kikazu", "study_maxstrings", "study_tonari"),
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
"""Questions whose stored answers may not fit their types any more, so that they are asked again."""


@pytest.fixture
def before(request, released, tmp_path) -> dict[str, int]:
    """Return the number of rows that each table of the release had."""
    path = tmp_path / "before.sqlite3"
    stored = Path(__file__).parent / request.node.callspec.params["upgraded"].name
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
    """The release stored such a count in two parts, with rows and a state that no longer exist."""
    with using(released):
        assert set(Job.objects.values_list("state", flat=True)) <= set(Job.State.values)
        waiting = Job.objects.get(state=Job.State.WAITING, tries=1, question="count")
        assert (waiting.options, waiting.sent_at) == ({}, None)


def test_every_page_of_the_teacher(using, released):
    with using(released):
        # A page with unfinished reviews leads to the fragment that waits for them.
        # The kinds' versions have risen since the release, so its answers are asked for again.
        for job in Job.objects.filter(question="review", kind_slug="goishi"):
            job.key = job_key(job.kind_slug, job.question, job.position, job.options)
            job.state = Job.State.WAITING
            job.save(update_fields=["key", "state"])
        opened = {page.name for page in crawl(User.objects.get(username="demo"))}
        assert opened >= TEACHERS, TEACHERS - opened


@pytest.mark.parametrize("is_over", [False, True])
def test_every_page_of_a_student_of_each_class(using, released, is_over):
    """One student has played. The other is new to the class and has not begun anything."""
    with using(released):
        due_at = timezone.now() + timedelta(days=-1 if is_over else 1)
        Assignment.objects.update(due_at=due_at)
        for classroom in User.objects.get(username="demo").classrooms.all():
            fresh = User.objects.create_student("New", "1234")
            classroom.enrolments.create(student=fresh, number=200 + is_over)
            for student in (classroom.students.first(), fresh):
                opened = [page.name for page in crawl(student)]
                assert set(opened) >= STUDENTS
                assert opened.count("play") > 3
