"""A school whose kinds of puzzle are not installed: a backup is restored, and every page works.

The backup of a released database is rewritten so that its four kinds have slugs of no installed
kind. Attempts, solutions, jobs, library and assignments are real. What the release did not have yet
is added.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment, WrittenPuzzle
from puzzleclass.assignments.services import make_template
from puzzleclass.gallery.services import open_gallery
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.operations import pruning
from puzzleclass.operations.doctor import findings
from puzzleclass.play.models import Attempt, Feedback, RefusedMove
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.reviews import review_quiet_attempts
from puzzleclass.practice import services as practice
from puzzleclass.practice.models import MadeBoard
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.packs import make_pack
from puzzleclass.stats.dead_ends import look_at_running_attempts
from puzzleclass.stats.models import Look
from solvers.message import Message
from solvers.registry import kinds
from tests import prepared
from tests.crawl import crawl
from tests.releases.test_backup import rewritten, sealed

GONE = {slug: f"gone-{slug}" for slug in ("goishi", "kikazu", "maxstrings", "tonari")}

TEACHERS = {
    *("home", "puzzle_list", "puzzle", "classroom", "assignment", "attempts", "assignment_edit"),
    *("found", "found_solution", "replay", "lesson", "class_gallery", "pack", "pack_file"),
    *("puzzle_edit", "trial"),
}
STUDENTS = {
    *(
        "home",
        "play",
        "own_attempts",
        "own_attempt",
        "gallery",
        "written",
        "own_records",
        "practice",
    )
}


@pytest.fixture(scope="module")
def school(using, upgraded, tmp_path_factory) -> Path:
    """Provide a database restored from the backup of a school, none of whose kinds is installed."""
    folder = tmp_path_factory.mktemp("gone")
    copy, path = folder / "copy.jsonl.gz", folder / "school.sqlite3"
    with using(upgraded):
        call_command("backup", str(copy), verbosity=0)
    slugs = "|".join(GONE).encode()

    def renamed(lines: list[bytes]) -> list[bytes]:
        return sealed([re.sub(rb'"(%s)"' % slugs, rb'"gone-\1"', line) for line in lines])

    prepared.copy_database_to(path)
    with using(path):
        call_command("restore", str(rewritten(copy, renamed)), verbosity=0)
        assert not set(Puzzle.objects.values_list("kind_slug", flat=True)) & set(kinds())
        _add_what_the_release_lacked(User.objects.get(username="demo"))
    return path


def _add_what_the_release_lacked(teacher: User) -> None:
    """Add what later releases store: packs, a gallery, practice, refused moves, feedback,
    look-aheads."""
    for puzzle in Puzzle.objects.filter(owner=teacher)[::6]:
        make_pack(teacher, [puzzle], puzzle.title)
    for assignment in Assignment.objects.filter(teacher=teacher):
        make_template(assignment, teacher)
    of_gone = Attempt.objects.filter(puzzle__kind_slug__startswith="gone-")
    for attempt in of_gone.select_related("student", "puzzle")[::5]:
        Feedback.objects.create(attempt=attempt, teacher=teacher, stamp="good idea")
        RefusedMove.objects.create(
            student=attempt.student,
            puzzle=attempt.puzzle,
            line=attempt.line,
            move="1,1",
            reason=Message("No stone is left here.").to_json(),
        )
        Look.objects.create(attempt=attempt, line=attempt.line, is_lost=True, since=1)
    for found in FoundSolution.objects.select_related("puzzle__assignment__classroom")[::9]:
        classroom, student = found.puzzle.assignment.classroom, found.student
        gallery = open_gallery(classroom, teacher)
        board = {"kind_slug": found.puzzle.kind_slug, "position": found.puzzle.position}
        for state in ("draft", "waiting", "returned", "shown"):
            written = WrittenPuzzle.objects.create(
                author=student, classroom=classroom, title=state, state=state, **board
            )
        number = gallery.puzzles.count() + 1
        gallery.puzzles.create(number=number, title="Written", written=written, **board)
        MadeBoard.objects.create(level=1, fingerprint=f"{found.pk}", **board)
        practised = practice.begin(classroom, **board, title="1-1")
        FoundSolution.objects.get_or_create(
            student=student, puzzle=practised, text=found.text, defaults={"line": found.line}
        )


@pytest.fixture
def at_school(using, school):
    with using(school):
        yield


@pytest.fixture
def teacher(at_school) -> User:
    return User.objects.get(username="demo")


@pytest.fixture
def browser(teacher) -> Client:
    """Return the browser of the teacher, who reads English."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(teacher)
    return client


def test_every_page_of_the_teacher(at_school, teacher):
    opened = {page.name for page in crawl(teacher)}
    assert opened >= TEACHERS, TEACHERS - opened


@pytest.mark.parametrize("is_over", [False, True])
def test_every_page_of_a_student(at_school, is_over):
    set_tasks = Assignment.objects.filter(is_gallery=False)
    set_tasks.update(due_at=timezone.now() + timedelta(days=-1 if is_over else 1))
    for student in User.objects.filter(written_puzzles__state="waiting").distinct()[:2]:
        opened = {page.name for page in crawl(student)}
        assert opened >= STUDENTS, STUDENTS - opened


def test_pages_of_a_puzzle_and_a_job_that_nothing_leads_to_any_more(at_school, browser):
    for puzzle in Puzzle.objects.filter(kind_slug__startswith="gone-")[:8]:
        for name in ("puzzle_svg", "puzzle_edit", "puzzle"):
            assert browser.get(reverse(name, args=[puzzle.pk]), follow=True).status_code == 200
    for job in Job.objects.filter(kind_slug__startswith="gone-"):
        name = "puzzle_generated" if job.question == "generate" else "job_card"
        assert browser.get(reverse(name, args=[job.pk])).status_code in (200, 404)


def test_a_page_names_the_missing_kind_beside_the_text_of_the_board(at_school, browser):
    puzzle = Puzzle.objects.filter(kind_slug="gone-goishi").first()
    page = browser.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    assert "The kind “gone-goishi” is not installed" in page
    assert puzzle.position.split("/")[0] in page


def test_a_student_who_plays_on_is_told_and_nothing_is_stored(at_school):
    attempt = Attempt.objects.filter(state="open", puzzle__kind_slug="gone-goishi").first()
    student = Client()
    student.force_login(attempt.student)
    sent = {"action": "move", "step": attempt.next_step, "move": "1,1"}
    answer = student.post(
        reverse("step", args=[attempt.key]), sent, headers={"accept-language": "en"}
    )
    assert answer.status_code == 409
    assert "is not installed here" in answer.content.decode()
    assert Attempt.objects.get(pk=attempt.pk).line == attempt.line


def test_a_question_about_it_is_refused_in_words(at_school, browser):
    puzzle = Puzzle.objects.filter(kind_slug="gone-tonari").first()
    answer = browser.post(reverse("puzzle_count", args=[puzzle.pk]))
    assert answer.status_code in (404, 409)
    draft = browser.post(reverse("puzzle_edit", args=[puzzle.pk]), {"do": "save"}, follow=True)
    assert "is not installed here" in draft.content.decode()


def test_background_tasks_go_on(at_school):
    # The kinds that are made of tables are installed.
    Attempt.objects.filter(puzzle__kind_slug__startswith="t-").update(state="given up")
    Attempt.objects.filter(state="open").update(last_at=timezone.now())
    assert look_at_running_attempts() == 0
    assert review_quiet_attempts() == 0
    pruning.prune()
    assert Attempt.objects.exists()


def test_a_question_that_waits_for_a_worker_fails_with_the_reason(at_school):
    job = Job.objects.filter(kind_slug="gone-goishi", question="count").first()
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING, tries=0)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.fault_message) == (Job.State.FAILED, runner.NO_KIND)


def test_the_doctor_and_the_administration_page_name_it(at_school, teacher, browser):
    said = {str(finding.fault) for finding in findings()}
    assert "Puzzles of the kind “gone-kikazu” are stored, but it is not installed." in said
    User.objects.filter(pk=teacher.pk).update(is_staff=True)
    page = browser.get(reverse("administration")).content.decode()
    User.objects.filter(pk=teacher.pk).update(is_staff=False)
    assert "Puzzles of the kind “gone-kikazu” are stored" in page
