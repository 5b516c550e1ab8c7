"""Quotas: their limits, the messages beyond them, and the list of a teacher's running jobs."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import Invitation, User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play import attempts
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.puzzles.models import Puzzle

HTMX = {"HX-Request": "true"}
LIST = "/jobs/"
FULL = {"en": "which is the maximum", "ja": "これが同時にできる上限です"}


@pytest.fixture
def full(settings, teacher) -> list[Job]:
    """Let the teacher have as many jobs as allowed, one of them running."""
    settings.MAX_JOBS = 3
    asked = [jobs.ask(teacher, "goishi", "count", "o" * n) for n in (3, 4, 5)]
    return [transitions.claim(asked[0].pk), *asked[1:]]


# Questions


def test_beyond_the_quota_nothing_is_stored(full, teacher, other_teacher):
    with pytest.raises(QuotaReached):
        jobs.ask(teacher, "goishi", "count", "oooooo")
    assert Job.objects.count() == len(full)
    # The quota does not affect other teachers, short questions, and questions already under way.
    assert jobs.ask(other_teacher, "goishi", "count", "oooooo").state == Job.State.WAITING
    assert jobs.ask(teacher, "goishi", "hint", "ooo").state == Job.State.WAITING
    assert jobs.ask(teacher, "goishi", "count", "oooo") == full[1]
    jobs.withdraw(teacher, full[2])
    jobs.ask(teacher, "goishi", "count", "ooooooo")


def test_asking_again_counts_too(full, teacher, settings):
    stopped = jobs.withdraw(teacher, full[1])
    jobs.ask(teacher, "goishi", "count", "oooooo")
    with pytest.raises(QuotaReached):
        jobs.ask(teacher, "goishi", "count", "oooo")
    stopped.refresh_from_db()
    assert stopped.state == Job.State.STOPPED


def test_questions_on_behalf_of_students_are_not_counted(full, teacher, student):
    for n in range(3, 12):
        jobs.ask(teacher, "goishi", "hint", "o" * n, served=student.pk)
    assert set(jobs.asked_by(teacher)) == set(full)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_button_is_answered_with_a_page_or_a_notice(full, teacher, puzzle, client_of, language):
    client = client_of(teacher, language)
    for headers in ({}, HTMX):
        answer = client.post(f"/puzzles/{puzzle.pk}/count/", headers=headers)
        assert answer.status_code == 429
        assert FULL[language] in answer.content.decode()
        assert f'href="{LIST}"' in answer.content.decode()
    assert answer["HX-Retarget"] == "#notice"
    assert 'id="notice"' in client.get(f"/puzzles/{puzzle.pk}/").content.decode()


@pytest.mark.parametrize(
    ("url", "typed"),
    [
        ("/puzzles/generate/goishi/", {"stones": "5..9", "seed": "77123"}),
        ("/puzzles/explore/goishi/", {"stones": "12", "seed": "77123"}),
    ],
)
def test_typed_values_stay(full, teacher_client, url, typed):
    form = teacher_client.get(url).context["form"]
    fields = {name: field.initial for name, field in form.fields.items() if field.initial}
    answer = teacher_client.post(url, fields | typed)
    text = answer.content.decode()
    assert answer.status_code == 429
    assert FULL["en"] in text
    assert 'value="77123"' in text


def test_a_form_sent_by_a_script_is_left_as_it_is(full, teacher_client):
    """Only the notice is sent, so that the page keeps everything that was typed."""
    url = "/puzzles/generate/goishi/"
    form = teacher_client.get(url).context["form"]
    fields = {name: field.initial for name, field in form.fields.items() if field.initial}
    answer = teacher_client.post(url, fields | {"stones": "5..9"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (429, "#notice")
    assert FULL["en"] in answer.content.decode() and "<form" not in answer.content.decode()


def test_a_question_of_a_kind_is_refused_on_its_own_page(full, teacher_client, make_puzzle):
    url = reverse("puzzle_question", args=[make_puzzle("tonari", "Bb/bb").pk, "orders"])
    answer = teacher_client.post(url)
    assert answer.status_code == 429
    assert FULL["en"] in answer.content.decode() and 'id="findings"' in answer.content.decode()
    assert not Job.objects.filter(question="orders").exists()


def test_the_puzzle_is_assigned_all_the_same(full, teacher, classroom, puzzle):
    due = timezone.now() + timedelta(days=2)
    assignment = assign_puzzles(classroom, teacher, "Homework", due, [puzzle, puzzle])
    assert assignment.puzzles.count() == 2
    assert Job.objects.count() == len(full)


# The list


def test_the_list_says_what_is_under_way(full, teacher, teacher_client, student, puzzle):
    mine = jobs.ask(teacher, "goishi", "hint", puzzle.position)
    jobs.ask(teacher, "goishi", "hint", "oooo", served=student.pk)
    page = " ".join(teacher_client.get(LIST).content.decode().split())
    rows = page.split("<tr id=")[1:]
    assert len(rows) == 4
    assert [state in row for row, state in zip(rows, ("Running", *["Waiting"] * 3))] == [True] * 4
    assert "<code>ooo</code>" in rows[0] and "Goishi Hiroi" in rows[0]
    assert "How many solutions?" in rows[0] and "minutes" in rows[0]
    assert f'href="/puzzles/{puzzle.pk}/"' in rows[3] and puzzle.title in rows[3]
    assert f"/jobs/{mine.pk}/stop/" in rows[3]
    assert "Hints and reviews under way for your students: 1" in page


def test_one_is_stopped_from_the_list(full, teacher_client):
    answer = teacher_client.post(f"/jobs/{full[1].pk}/stop/", {"next": LIST})
    assert answer.url == LIST
    states = dict(Job.objects.values_list("pk", "state"))
    assert [states[job.pk] for job in full] == ["running", "stopped", "waiting"]


def test_all_are_stopped_but_those_that_others_wait_for(
    full, teacher, other_teacher, teacher_client, student
):
    for_student = jobs.ask(teacher, "goishi", "hint", "oooo", served=student.pk)
    jobs.ask(other_teacher, "goishi", "count", "oooo")
    page = teacher_client.post(LIST, follow=True).content.decode()
    assert "Jobs stopped: 3" in page and "You have no running jobs" not in page
    states = dict(Job.objects.values_list("pk", "state"))
    assert [states[job.pk] for job in full] == ["stopping", "waiting", "stopped"]
    assert states[for_student.pk] == "waiting"
    assert list(full[1].askers.all()) == [other_teacher]


def test_the_list_is_the_teachers_own(full, other_client, teacher):
    assert "You have no running jobs" in other_client.get(LIST).content.decode()
    other_client.post(LIST)
    assert jobs.asked_by(teacher).count() == len(full)


def test_the_list_asks_as_often_for_many(teacher, teacher_client, queries_of):
    numbers = []
    for n in (2, 9):
        for board in range(1, n):
            jobs.ask(teacher, "goishi", "count", "o" * board)
            Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="o" * board)
        numbers.append(queries_of(teacher_client, LIST))
    assert numbers[0] == numbers[1] <= 7


# Attempts and steps


def test_attempts_have_a_daily_quota(student, assigned, tried, settings, client_of):
    settings.MAX_ATTEMPTS_PER_DAY = 3
    for _ in range(2):
        restart(tried(student, assigned, "1,1"))
    last = tried(student, assigned, "1,1")
    answer = client_of(student).post(f"/attempts/{last.key}/restart/", headers=HTMX)
    assert answer.status_code == 429
    text = answer.content.decode()
    assert "You have started again a great many times today." in text
    assert 'id="board"' in text and f"/attempts/{last.key}/steps/" in text
    # The attempt goes on, and the student can start again tomorrow.
    assert tried(student, assigned, "2,1").number == 3
    Attempt.objects.update(started_at=timezone.now() - timedelta(days=1))
    assert restart(current_attempt(student, assigned)).number == 4


def test_steps_have_a_quota_for_a_day(student, classmate, assigned, settings, monkeypatch):
    settings.MAX_STEPS_PER_DAY = 6
    monkeypatch.setattr(attempts, "QUOTA_STEPS", 4)

    def press(someone, number: int) -> Attempt:
        attempt = current_attempt(someone, assigned)
        for _ in range(number):
            action = ("undo", "") if attempt.next_step % 2 else ("move", "1,1")
            attempt = take_step(attempt, attempt.next_step, *action)
        return attempt

    press(student, 7)  # the quota is checked at every fourth step
    with pytest.raises(StepRefused) as refused:
        press(student, 1)
    assert refused.value.status == 429
    assert str(refused.value).startswith("You have made a great many moves today.")
    with pytest.raises(StepRefused):
        restart(current_attempt(student, assigned))
    assert Step.objects.count() == 7
    press(classmate, 4)
    Step.objects.filter(attempt__student=student).update(at=timezone.now() - timedelta(days=1))
    assert press(student, 1).next_step == 8


def test_a_lesson_of_forty_comes_nowhere_near_the_quotas(settings):
    """It makes a step a second and an attempt every ten seconds for fifty minutes, at one
    address."""
    assert settings.MAX_STEPS_PER_DAY / 4 > 50 * 60
    assert settings.MAX_ATTEMPTS_PER_DAY > 50 * 6
    # Forty puzzles need their best score, and forty teachers attend a course.
    assert settings.MAX_JOBS > 40 * 2
    assert settings.MAX_SIGN_UPS_PER_DAY > 2 * 40


# Accounts


def sign_up(client, number: int, query: str = ""):
    fields = {"username": f"kondo{number}", "password": "stones on a board"}
    return client.post(f"/sign-up/{query}", fields)


def test_sign_ups_have_a_quota_for_an_address_and_a_day(client_of, db, settings):
    settings.MAX_SIGN_UPS_PER_DAY = 2
    assert [sign_up(client_of(None), n).status_code for n in range(2)] == [302, 302]
    answer = sign_up(client_of(None), 2)
    assert answer.status_code == 429
    text = answer.content.decode()
    assert "Too many accounts have been created from here today." in text
    assert 'value="kondo2"' in text
    elsewhere = client_of(None, REMOTE_ADDR="198.51.100.7")
    assert sign_up(elsewhere, 3).status_code == 302
    settings.SIGN_UP_OPEN = False
    assert sign_up(client_of(None), 4, f"?invitation={Invitation.make()}").status_code == 302
    assert User.objects.count() == 4


# Libraries


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("get", "/puzzles/new/goishi/"),
        ("post", "/puzzles/{pk}/copy/"),
        ("post", "/puzzles/chosen/"),
    ],
)
def test_a_full_library_says_so_and_stays_as_it_is(client_of, teacher, settings, method, url):
    puzzle = Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="ooo", title="A")
    settings.MAX_PUZZLES = 1
    for language, words in (("en", "keep at most 1 puzzles"), ("ja", "1問までです")):
        ask = getattr(client_of(teacher, language), method)
        answer = ask(url.format(pk=puzzle.pk), {"do": "copy", "puzzle": puzzle.pk})
        assert answer.status_code == 429
        assert words in answer.content.decode()
    assert teacher.puzzles.count() == 1
