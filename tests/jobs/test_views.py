"""The job card as seen by its asker, by a colleague and by strangers."""

import pytest
from django.urls import reverse

from puzzleclass.jobs import delivery, runner, services, transitions
from puzzleclass.jobs.models import Job
from solvers.message import Message
from solvers.question import Progress
from tests.jobs.fake import answered

State = Job.State
HTMX = {"HX-Request": "true"}


@pytest.fixture
def asking(client, asker):
    client.force_login(asker)
    return client


def card(client, job, language="en", htmx=True) -> str:
    headers = {"Accept-Language": language} | (HTMX if htmx else {})
    response = client.get(reverse("job_card", args=[job.pk]), headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def press(client, name, job, htmx=True, **fields):
    headers = {"Accept-Language": "en"} | (HTMX if htmx else {})
    return client.post(reverse(name, args=[job.pk]), fields, headers=headers)


@pytest.mark.parametrize("changed", [{"question": "riddle"}, {"kind_slug": "chess"}])
def test_a_question_that_no_kind_answers_any_more_is_not_there(asking, running, changed):
    transitions.finish(running, answered(1))
    Job.objects.update(**changed)
    assert asking.get(reverse("job_card", args=[running.pk])).status_code == 404


def test_a_waiting_card_refreshes_itself(asking, job):
    text = card(asking, job)
    assert f'hx-get="{reverse("job_card", args=[job.pk])}"' in text
    assert 'hx-trigger="every 1s"' in text
    assert "Next in the queue" in text
    assert reverse("stop_job", args=[job.pk]) in text


def test_a_waiting_card_tells_its_place(asking, job, asker):
    later = services.ask(asker, "fake", "count", "4")
    assert "Jobs ahead in the queue: 1" in card(asking, later)
    assert "順番待ち" in card(asking, later, "ja")


def test_a_running_card_shows_progress_and_bound(asking, running):
    transitions.report(running, Progress(3, 8, Message("Calculating …"), at_least=1234567))
    text = card(asking, running)
    assert 'value="3"' in text and 'max="8"' in text
    assert "At least 1,234,567" in text
    assert "1,234,567以上" in card(asking, running, "ja").replace(" ", "")


def test_progress_without_an_end_has_no_value(asking, running):
    text = card(asking, running)
    assert "<progress" in text and "value=" not in text.split("<progress")[1].split(">")[0]


def test_a_done_card_shows_the_number_in_full_and_stops_asking(asking, running):
    transitions.finish(running, answered(10229439288))
    response = asking.get(reverse("job_card", args=[running.pk]), headers=HTMX)
    text = response.content.decode()
    assert "10,229,439,288" in text
    assert "hx-trigger" not in text and "hx-get" not in text
    assert reverse("ask_again", args=[running.pk]) not in text
    assert response["HX-Trigger"] == "job-ended"


def test_a_card_that_goes_on_fires_no_end(asking, job):
    response = asking.get(reverse("job_card", args=[job.pk]), headers=HTMX)
    assert "HX-Trigger" not in response
    assert "no-store" in response["Cache-Control"]


def test_asking_again_says_that_the_card_goes_on(asking, job):
    transitions.stop(job)
    response = asking.post(reverse("ask_again", args=[job.pk]), headers=HTMX)
    assert response["HX-Trigger"] == "job-asked"
    assert 'hx-trigger="every 1s"' in response.content.decode()


def test_a_limit_is_no_count(asking, running):
    transitions.finish(running, answered(5000, proven=False))
    text = card(asking, running)
    assert "At least 5,000" in text and "reached its limit" in text


def test_a_solvers_note_on_its_answer_is_shown(asking, running):
    note = Message("The search reached no answer after {nodes} steps.", {"nodes": 7})
    transitions.finish(running, answered(None, proven=False, note=note))
    assert "The search reached no answer after 7 steps" in card(asking, running)


def test_a_limit_without_a_bound(asking, running):
    transitions.finish(running, answered(None, proven=False))
    assert "At least 0" in card(asking, running)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (answered(1), "There is a solution."),
        (answered(0), "There is no solution."),
        (answered(None, proven=False), "No solution was found within the limit"),
    ],
)
def test_solve_is_answered_in_words(asking, asker, answer, text):
    job = services.ask(asker, "fake", "solve", "3")
    transitions.finish(transitions.claim(job.pk), answer)
    assert text in card(asking, job)


@pytest.mark.parametrize(
    ("fault", "english", "japanese"),
    [
        (runner.BROKEN, "The calculation failed", "エラー"),
        (runner.NO_MEMORY, "needs more memory", "メモリ"),
        (delivery.WORKERS_DIED, "interrupted twice", "2回"),
    ],
)
def test_a_failed_card_says_why_and_offers_to_ask_again(asking, running, fault, english, japanese):
    transitions.fail(running, fault)
    text = card(asking, running)
    assert english in text
    assert reverse("ask_again", args=[running.pk]) in text
    assert japanese in card(asking, running, "ja")


def test_stop_while_waiting(asking, job):
    response = press(asking, "stop_job", job)
    assert 'data-state="stopped"' in response.content.decode()
    assert response["HX-Trigger"] == "job-ended"


def test_stop_while_running(asking, running):
    response = press(asking, "stop_job", running)
    text = response.content.decode()
    assert 'data-state="stopping"' in text and "every 1s" in text
    assert "HX-Trigger" not in response


def test_stop_of_a_finished_job_shows_its_answer(asking, running, again):
    transitions.finish(running, answered(42))
    response = press(asking, "stop_job", running)
    assert response.status_code == 200
    assert ">42<" in response.content.decode()
    assert again(running).state == State.DONE


def test_stop_by_one_of_two(asking, running, colleague, again):
    running.askers.add(colleague)
    text = press(asking, "stop_job", running).content.decode()
    assert 'data-state="stopped"' in text
    assert "<form" not in text  # the user is no asker now, so the page around the card asks again
    assert again(running).state == State.RUNNING


def test_ask_again(asking, running):
    transitions.stop(running)
    transitions.close(running)
    text = press(asking, "ask_again", running).content.decode()
    assert 'data-state="waiting"' in text and "every 1s" in text


def test_an_answer_without_proof_may_be_asked_again(asking, running, again):
    transitions.finish(running, answered(5000, proven=False))
    assert reverse("ask_again", args=[running.pk]) in card(asking, running)
    press(asking, "ask_again", running)
    assert (again(running).state, again(running).value) == (State.WAITING, 5000)


def test_a_proven_answer_stays(asking, running, again):
    transitions.finish(running, answered(5000))
    press(asking, "ask_again", running)
    assert again(running).state == State.DONE


def test_an_answer_that_cannot_be_read_may_be_asked_again(asking, running, again):
    transitions.finish(running, answered(5000))
    Job.objects.update(answer={"value": 5000})
    assert reverse("ask_again", args=[running.pk]) in card(asking, running)
    press(asking, "ask_again", running)
    assert again(running).state == State.WAITING


def test_without_htmx_it_is_a_page(asking, job):
    text = card(asking, job, htmx=False)
    assert "<html" in text and "Show progress" in text


def test_without_htmx_asking_again_returns_to_the_page_around(asking, running, again):
    transitions.stop(running)
    transitions.close(running)
    answer = press(asking, "ask_again", running, htmx=False, next="/puzzles/")
    assert answer.url == "/puzzles/" and again(running).state == State.WAITING


def test_without_htmx_stop_returns_to_the_page_around(asking, job):
    response = press(asking, "stop_job", job, htmx=False, next="/somewhere/?a=1")
    assert (response.status_code, response.url) == (302, "/somewhere/?a=1")


@pytest.mark.parametrize("page", ["https://elsewhere.example/", "", "self", "foo", "-1"])
def test_without_htmx_and_page_stop_shows_the_card(asking, job, page):
    page = reverse("job_card", args=[job.pk]) if page == "self" else page
    response = press(asking, "stop_job", job, htmx=False, next=page)
    assert response.status_code == 200
    assert 'data-state="stopped"' in response.content.decode()
