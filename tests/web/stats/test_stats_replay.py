"""The list of a student's attempts, and the replay of one of them."""

import uuid

import pytest

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.play.restarts import restart

HTMX = {"HX-Request": "true"}


@pytest.fixture
def attempts_url(student, assigned) -> str:
    """Return the address of the student's attempts."""
    return f"/assigned/{assigned.pk}/students/{student.pk}/"


def replay_of(attempt) -> str:
    return f"/attempts/{attempt.key}/replay/"


# Access


def test_missing_objects_answer_404(teacher_client, attempts_url, assigned, student, other_student):
    for url in (
        f"/attempts/{uuid.uuid4()}/replay/",
        f"/assigned/{assigned.pk}/students/{other_student.pk}/",
        f"/assigned/{assigned.pk}/students/{assigned.assignment.teacher.pk}/",
        f"/assigned/999/students/{student.pk}/",
    ):
        assert teacher_client.get(url).status_code == 404


def test_departed_students_are_no_longer_shown(
    teacher_client, attempts_url, student, assigned, other_student, tried
):
    replay = replay_of(tried(student, assigned, "1,1"))
    other_student.student_classrooms.get().enrolments.create(student=student, number=2)
    assigned.assignment.classroom.enrolments.get(student=student).delete()
    assert teacher_client.get(attempts_url).status_code == 404
    assert teacher_client.get(replay).status_code == 404


def test_the_next_attempt_to_show_has_moves_and_is_of_a_student_of_the_class(
    teacher_client, student, other_student, assigned, lines, tried
):
    first = tried(student, assigned, lines.jam)
    empty = restart(first)
    later = tried(other_student, assigned, lines.jam)
    page = teacher_client.get(replay_of(first)).content.decode()
    assert f'href="{replay_of(empty)}' not in page
    assert f'href="{replay_of(later)}#present"' not in page
    assigned.assignment.classroom.enrolments.create(student=other_student, number=90)
    assert (
        f'href="{replay_of(later)}#present"'
        in teacher_client.get(replay_of(first)).content.decode()
    )
    assert "data-present-next" not in teacher_client.get(replay_of(later)).content.decode()


# The list of attempts


def test_every_attempt_is_listed_with_its_outcome(
    client_of, teacher, attempts_url, student, assigned, lines, reviewed, tried
):
    given_up = tried(student, assigned, lines.jam)
    reviewed(given_up, 2)
    solved = restart(given_up)
    tried(student, assigned, lines.solution)
    lost = restart(solved)
    reviewed(tried(student, assigned, lines.lost), 1)
    for language, said in (
        (
            "en",
            [
                "Started again",
                "After move 2, the board could no longer be solved.",
                "✓ Solved",
                "! Stuck",
            ],
        ),
        ("ja", ["2手目で、もう解けなくなりました。", "✓ 解けた", "! 行きづまり"]),
    ):
        page = client_of(teacher, language).get(attempts_url).content.decode()
        assert all(words in page for words in said)
        assert all(replay_of(attempt) in page for attempt in (given_up, solved, lost))


def test_an_attempt_that_can_be_solved_is_said_to_be(
    teacher_client, attempts_url, student, assigned, reviewed, tried
):
    reviewed(tried(student, assigned, "1,1"), 0)
    page = teacher_client.get(attempts_url).content.decode()
    assert "A solution was still left." in page
    assert "… In progress" in page


def test_without_moves_the_page_says_so(teacher_client, attempts_url, student, assigned, tried):
    tried(student, assigned)
    assert "No moves yet." in teacher_client.get(attempts_url).content.decode()


# The replay


def test_it_opens_at_the_fatal_move(client_of, teacher, student, assigned, lines, reviewed, tried):
    attempt = tried(student, assigned, lines.jam)
    reviewed(attempt, 2, ["5", "1", "0"])
    for language, said in (
        ("en", "After this move, the board could no longer be solved."),
        ("ja", "この手で、もう解けなくなりました。"),
    ):
        answer = client_of(teacher, language).get(replay_of(attempt))
        player = answer.context["player"]
        assert (player.step, player.total, player.left) == (2, 2, 0)
        assert said in answer.content.decode()


def test_the_solutions_left_are_shown_at_every_step(
    teacher_client, student, assigned, lines, reviewed, tried
):
    attempt = tried(student, assigned, lines.jam)
    reviewed(attempt, 2, [None, "1", "0"])
    left = [
        teacher_client.get(replay_of(attempt), {"step": step}).context["player"].left
        for step in range(3)
    ]
    assert left == [None, 1, 0]


def test_the_number_of_the_fatal_move_is_shown_after_it(
    teacher_client, student, assigned, lines, reviewed, tried
):
    attempt = tried(student, assigned, lines.jam)
    reviewed(attempt, 1)
    page = teacher_client.get(replay_of(attempt), {"step": "2"}).content.decode()
    assert "After move 1, no solution was left." in page
    page = teacher_client.get(replay_of(attempt), {"step": "0"}).content.decode()
    assert "no solution was left" not in page


def test_a_puzzle_that_never_had_a_solution(teacher_client, student, assigned, reviewed, tried):
    attempt = tried(student, assigned, "1,1")
    reviewed(attempt, None)
    answer = teacher_client.get(replay_of(attempt))
    assert answer.context["player"].step == 0
    assert "This puzzle cannot be solved." in answer.content.decode()


@pytest.mark.parametrize("step", ["-5", "999", "x", "", "9" * 5000])
def test_any_step_can_be_asked_for(teacher_client, student, assigned, step, lines, tried):
    attempt = tried(student, assigned, lines.jam)
    assert teacher_client.get(replay_of(attempt), {"step": step}).status_code == 200


def test_the_player_turns_alone(teacher_client, student, assigned, lines, tried):
    attempt = tried(student, assigned, lines.jam)
    turned = teacher_client.get(replay_of(attempt), {"step": "1"}, headers=HTMX).content.decode()
    assert "Move 1 of 2" in turned
    assert "<h1" not in turned
    whole = teacher_client.get(replay_of(attempt), headers=HTMX).content.decode()
    assert "<html" not in whole
    assert 'id="replay"' in whole
    assert "<h1" in whole


def test_the_review_is_asked_for_once_and_its_card_is_shown(
    teacher_client, colleague_client, teacher, colleague, student, assigned, tried
):
    attempt = tried(student, assigned, "1,1")
    wish = f"/attempts/{attempt.key}/review/"
    assert wish in teacher_client.get(replay_of(attempt)).content.decode()
    assert not Job.objects.filter(question="review").exists()
    page = teacher_client.post(wish, follow=True).content.decode()
    job = Job.objects.get(question="review")
    assert f'hx-get="/jobs/{job.pk}/"' in page and wish not in page
    assert 'hx-trigger="job-ended from:document"' in page
    assert wish in colleague_client.get(replay_of(attempt)).content.decode()
    page = colleague_client.post(wish, follow=True).content.decode()
    assert f'hx-get="/jobs/{job.pk}/"' in page
    assert set(job.askers.all()) == {teacher, colleague}
    assert colleague_client.get(f"/jobs/{job.pk}/").status_code == 200


def test_a_review_that_was_stopped_stays_so(teacher_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1")
    teacher_client.post(f"/attempts/{attempt.key}/review/")
    job = Job.objects.get(question="review")
    teacher_client.post(f"/jobs/{job.pk}/stop/")
    page = teacher_client.get(replay_of(attempt)).content.decode()
    job.refresh_from_db()
    assert job.state == Job.State.STOPPED
    assert "Calculate again" in page


def test_the_worker_finds_the_fatal_move(teacher_client, student, assigned, lines, tried):
    attempt = tried(student, assigned, lines.jam)
    teacher_client.post(f"/attempts/{attempt.key}/review/")
    runner.run(Job.objects.get(question="review").pk)
    answer = teacher_client.get(replay_of(attempt))
    assert answer.context["review"].left == (5, 1, 0)
    html = answer.content.decode()
    assert "After move 2, the board could no longer be solved." in html
    assert "Why: " in html and 'class="doomed"' in html


def test_an_attempt_without_a_move_has_nothing_to_review(teacher_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1", "undo")
    page = teacher_client.get(replay_of(attempt))
    assert page.context["job"] is None
    assert not Job.objects.filter(question="review").exists()


def test_moves_taken_back_are_told(teacher_client, student, assigned, lines, reviewed, tried):
    attempt = tried(student, assigned, "1,1", "2,1", "undo", "undo", lines.jam)
    reviewed(attempt, 2)
    told = teacher_client.get(replay_of(attempt)).context["page"].object_list
    assert [(step.text, step.is_undone, step.is_fatal) for step in told] == [
        ("1,1", True, False),
        ("2,1", True, False),
        ("", False, False),
        ("", False, False),
        ("2,1", False, False),
        ("1,1", False, True),
    ]


def test_an_attempt_of_thousands_of_steps_is_shown_in_pages(
    teacher_client, student, assigned, lines, tried
):
    attempt = tried(student, assigned, lines.jam.split()[0], "undo")
    Step = attempt.steps.model
    attempt.steps.all().delete()
    Step.objects.bulk_create(
        Step(attempt=attempt, number=n, action=("move", "undo")[n % 2], move=("2,1", "")[n % 2])
        for n in range(30_000)
    )
    attempt.next_step = 30_000
    attempt.save()
    first = teacher_client.get(replay_of(attempt))
    assert len(first.content) < 300_000
    last = teacher_client.get(replay_of(attempt) + "?page=60")
    assert [len(answer.context["page"]) for answer in (first, last)] == [500, 500]
    assert "Page 60 of 60" in last.content.decode()
