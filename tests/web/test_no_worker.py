"""Every page that waits for a worker says so when none is running."""

import re

import pytest

from puzzleclass.assignments.models import WrittenPuzzle
from puzzleclass.gallery import services
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt

HTMX = {"HX-Request": "true"}
GONE = {
    "en": ("No worker is running", "The computer is not running just now"),
    "ja": ("計算係が動いていません", "いまコンピューターが止まっています"),
}


PREPARING = {
    "en": ("solvers are still being prepared", "The computer is still getting ready"),
    "ja": ("計算のプログラムを準備しています", "コンピューターの準備をしています"),
}


def says_so(page: str, language: str = "en") -> bool:
    return any(words in page for words in GONE[language])


@pytest.mark.parametrize("language", GONE)
@pytest.mark.parametrize("state", [Job.State.WAITING, Job.State.RUNNING, Job.State.STOPPING])
def test_a_question_reports_the_missing_worker_and_goes_on_with_it(
    client_of, teacher, broker, state, language
):
    client = client_of(teacher, language)
    job = jobs.ask(teacher, "goishi", "count", "oo/oo")
    Job.objects.update(state=state)
    pages = (f"/jobs/{job.pk}/", "/jobs/")

    def said() -> list[bool]:
        return [says_so(client.get(page).content.decode(), language) for page in pages]

    assert said() == [False, False]
    broker.loses("solve")
    assert said() == [True, True]
    broker.finds("solve")
    assert said() == [False, False]


@pytest.mark.parametrize("language", PREPARING)
def test_while_the_solvers_are_compiled_pages_say_that_they_are_being_prepared(
    client_of, teacher, student, assigned, broker, language, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    job = jobs.ask(teacher, "goishi", "count", "oo/oo")
    assigned.assignment.warns = True
    assigned.assignment.save()
    attempt = current_attempt(student, assigned)
    broker.loses("solve")
    broker.loses("review")

    def pages() -> list[str]:
        ahead = client_of(student, language).post(
            f"/attempts/{attempt.key}/look-ahead/", {"step": 0}, headers=HTMX
        )
        card = client_of(teacher, language).get(f"/jobs/{job.pk}/")
        return [card.content.decode(), ahead.content.decode()]

    for page, gone, preparing in zip(pages(), GONE[language], PREPARING[language]):
        assert gone in page and preparing not in page
    (tmp_path / "compiling-solvers").touch()
    for page, gone, preparing in zip(pages(), GONE[language], PREPARING[language]):
        assert preparing in page and gone not in page


def test_another_queues_worker_is_not_missed(teacher_client, teacher, broker):
    job = jobs.ask(teacher, "goishi", "count", "oo/oo")
    broker.loses("hint")
    assert not says_so(teacher_client.get(f"/jobs/{job.pk}/").content.decode())


def test_without_a_broker_nobody_answers(teacher_client, teacher, broker):
    job = jobs.ask(teacher, "goishi", "count", "oo/oo")
    broker.is_away = True
    assert says_so(teacher_client.get(f"/jobs/{job.pk}/").content.decode())


def test_an_answered_question_needs_no_worker(teacher_client, teacher, broker, done):
    job = jobs.ask(teacher, "goishi", "count", "oo/oo")
    done(job)
    broker.loses("solve")
    assert not says_so(teacher_client.get(f"/jobs/{job.pk}/").content.decode())


@pytest.mark.parametrize(
    ("queue", "path"),
    [
        ("review", "/assignments/{assignment}/"),
        ("hint", "/assignments/{assignment}/lesson/"),
        ("review", "/students/{student}/"),
        ("review", "/assigned/{assigned}/found/"),
        ("solve", "/assignments/{assignment}/worksheet/"),
    ],
)
def test_progress_of_a_class_is_said_to_be_out_of_date(
    teacher_client, broker, assigned, student, tried, queue, path
):
    tried(student, assigned, "1,1")
    url = path.format(assignment=assigned.assignment_id, assigned=assigned.pk, student=student.pk)
    assert not says_so(teacher_client.get(url).content.decode())
    broker.loses(queue)
    answer = teacher_client.get(url)
    assert answer.status_code == 200
    assert says_so(answer.content.decode())


def test_the_lesson_page_is_told_when_the_worker_goes_and_comes(
    teacher_client, broker, assigned, student, tried
):
    tried(student, assigned, "1,1")
    url = f"/assignments/{assigned.assignment_id}/lesson/"
    page = teacher_client.get(url)
    have = re.findall(r'name="have"[^>]*value="([^"]+)"', page.content.decode())
    seen = {"have": have}
    assert teacher_client.get(url, seen, headers=HTMX).status_code == 204
    broker.loses("hint")
    assert says_so(teacher_client.get(url, seen, headers=HTMX).content.decode())


@pytest.mark.parametrize("language", GONE)
def test_the_look_ahead_reports_the_missing_worker_once_and_goes_on(
    client_of, student, assigned, broker, done, language
):
    assigned.assignment.warns = True
    assigned.assignment.save()
    client, attempt = client_of(student, language), current_attempt(student, assigned)

    def ask(**seen: str):
        url = f"/attempts/{attempt.key}/look-ahead/"
        return client.post(url, {"step": 0, **seen}, headers=HTMX)

    assert ask().status_code == 204
    broker.loses("review")
    answer = ask().content.decode()
    assert says_so(answer, language) and 'name="away"' in answer
    assert ask(away="1").status_code == 204
    broker.finds("review")
    assert not says_so(ask(away="1").content.decode(), language)
    done(Job.objects.get())
    assert "every 1s" not in ask().content.decode()


def test_the_editor_reports_the_missing_worker(teacher_client, broker):
    fields = {"do": "look", "draft": "oo/oo", "title": "T"}
    url = "/puzzles/new/goishi/"
    assert teacher_client.post(url, fields, headers=HTMX).status_code == 204
    broker.loses("review")
    assert says_so(teacher_client.post(url, fields, headers=HTMX).content.decode())


def test_the_gallery_reports_the_missing_worker(
    student_client, student, classroom, teacher, broker
):
    services.open_gallery(classroom, teacher)
    written = WrittenPuzzle.objects.create(
        author=student, classroom=classroom, kind_slug="goishi", position="oo/oo", title="Mine"
    )
    url = f"/gallery/mine/{written.pk}/"
    student_client.post(f"{url}count/", {"do": "count"})
    assert not says_so(student_client.get(url).content.decode())
    broker.loses("solve")
    assert says_so(student_client.get(url).content.decode())


def test_practice_reports_the_missing_worker(
    student_client, student, assigned, tried, lines, broker
):
    attempt = tried(student, assigned, lines.jam)
    url = f"/attempts/{attempt.key}/where/"
    student_client.post(url)
    assert not says_so(student_client.get(url).content.decode())
    broker.loses("review")
    assert says_so(student_client.get(url).content.decode())
