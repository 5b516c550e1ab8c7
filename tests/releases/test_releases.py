"""A school of the version before 1.0.0 is restored with its data, and every page answers."""

import gzip
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.kinds.models import KindVersion
from puzzleclass.operations import earlier
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.result_models import ClassFind, FoundSolution
from puzzleclass.puzzles.models import Puzzle, SavedSearch, fingerprint
from solvers.registry import OLD_SLUG_LENGTH, kinds
from tests import prepared
from tests.crawl import crawl

TEACHERS = {
    *("home", "puzzle_list", "puzzle_kind", "puzzle_new", "puzzle", "puzzle_edit"),
    *("puzzle_generate", "puzzle_generated", "puzzle_explore"),
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
def before() -> dict[str, list[list[object]]]:
    """Return the rows of each table that the backup has."""
    with gzip.open(prepared.EARLIER) as file:
        lines = [json.loads(line) for line in file]
    rows: dict[str, list[list[object]]] = {}
    read: list[list[object]] = []
    for line in lines[1:]:
        if isinstance(line, list):
            read.append(line)
        elif line["end"]:
            rows[line["end"]], read = read, []
    return rows


def test_nothing_of_a_school_is_lost(using, released, before):
    with using(released):
        for model in (User, Puzzle, Assignment, Attempt, Step, HintUse, FoundSolution):
            assert model._base_manager.count() == len(before[model._meta.db_table]) > 0, model


def test_what_was_stored_in_another_form_is_carried_over(using, released, before):
    with using(released):
        [made] = KindVersion.objects.all()
        assert (made.stored_id[:OLD_SLUG_LENGTH],) == tuple(
            row[0] for row in before["kinds_storedtable"]
        )
        slugs = [kind for model in earlier.WITH_SLUG for kind in _kinds_of(model)]
        tables = {slug for slug in slugs if slug.startswith("t-")}
        assert len(tables) == 2 and all(len(slug) == len(made.stored_id) for slug in tables)
        [board] = AssignedPuzzle.objects.filter(kind_slug=(tables - {made.stored_id}).pop())
        assert board.fingerprint == fingerprint(board.kind_slug, board.position)
        [find] = ClassFind.objects.filter(kind_slug=board.kind_slug)
        assert find.board == board.fingerprint
        assert SavedSearch.objects.get().query == f"kind={board.kind_slug}"
        # Two students have given up twice: the first has solved the board since.
        [again] = Attempt.objects.filter(puzzle=board, state=Attempt.State.OPEN)
        last = Attempt.objects.get(student=again.student, puzzle=board, number=again.number - 1)
        assert (again.failures, again.failed_before) == (2, last.key)
        for attempt in Attempt.objects.filter(state=Attempt.State.OPEN):
            uses = HintUse.objects.filter(
                attempt__student=attempt.student_id, attempt__puzzle=attempt.puzzle_id
            )
            assert attempt.hints_taken == uses.count()
        permissions = {f"{each.content_type.model}" for each in Permission.objects.all()}
        assert {"teachinginvitation", "attempt"} <= permissions


def _kinds_of(model) -> list[str]:
    return list(model._base_manager.values_list("kind_slug", flat=True))


def test_the_answers_are_still_there(using, released):
    with using(released):
        done = Job.objects.filter(state=Job.State.DONE, kind_slug__in=kinds())
        read = {(job.kind_slug, job.question) for job in done if job.result}
        unread = {job.question for job in done if job.asks and not job.result}
        assert unread <= ASKED_ANEW
        for kind in kinds().values():
            assert {(kind.slug, name) for name in ("count", "rate", "hint", "review")} <= read


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
