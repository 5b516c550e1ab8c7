"""Deep linking and scores, with an independent platform."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.lti import grades
from puzzleclass.lti.keys import public_keys, renew_keys
from puzzleclass.lti.models import GradeColumn, OutgoingScore, PlatformUser
from puzzleclass.play.models import Attempt
from tests.learning_platform import CLAIM, CLIENT_ID, DEPLOYMENT, DL
from tests.web.lti.test_lti import (
    TARGET,
    Visitor,
    linked,
    platform,
    registered,
    said,
    school,
    visitor,
)

__all__ = ["linked", "platform", "registered", "school", "visitor"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def known(visitor, linked, registered, teacher, platform):
    """Link the teacher's account, and let the platform know the site's keys."""
    PlatformUser.objects.create(platform=registered, sub="t-1", user=teacher)
    renew_keys()
    platform.site_keys = public_keys()
    return visitor


@pytest.fixture
def sent(monkeypatch):
    """Do the worker's work at once when it is sent to the queue."""
    calls: list[dict[str, object]] = []

    def at_once(**options: object) -> None:
        calls.append(options)
        grades.send_scores()

    monkeypatch.setattr(grades.send_scores, "apply_async", at_once)
    return calls


@pytest.fixture
def playing(known, registered, student, assignment, platform, sent, settings):
    """Let the student come from the link of the assignment, whose scores the platform wants."""
    PlatformUser.objects.create(platform=registered, sub="s-1", user=student)
    platform.message = platform.column
    page = Visitor(platform).come("s-1", f"{TARGET}?assignment={assignment.pk}")
    assert page.status_code == 200
    return GradeColumn.objects.get()


def wait_over():
    """Make every score due that waits to be tried again."""
    OutgoingScore.objects.exclude(due_at=None).update(due_at=timezone.now())


# Deep linking


def test_a_teacher_chooses_an_assignment_for_a_link(known, platform, assignment, school):
    page = known.come("t-1", **platform.deep_linking)
    assert page.redirect_chain[-1][0] == reverse("lti_choose")
    assert assignment.title in said(page) and "1 puzzle" in said(page)
    page = known.client.post(reverse("lti_choose"), {"assignment": assignment.pk})
    assert f'action="{platform.address}/chosen"' in said(page)
    assert "form-action https: http:" in page["Content-Security-Policy"]
    claims = platform.read(said(page).split('name="JWT" value="')[1].split('"')[0])
    assert (claims["iss"], claims["aud"]) == (CLIENT_ID, platform.address)
    assert claims[f"{CLAIM}deployment_id"] == DEPLOYMENT and claims["nonce"]
    assert claims[f"{DL}data"] == "the platform's own words"
    [link] = claims[f"{DL}content_items"]
    assert (link["type"], link["title"]) == ("ltiResourceLink", assignment.title)
    assert link["url"] == f"{TARGET}?assignment={assignment.pk}"
    assert link["lineItem"]["scoreMaximum"] == 100
    # The link leads the teacher to the assignment.
    page = known.come("t-1", link["url"])
    assert page.redirect_chain[-1][0] == f"/assignments/{assignment.pk}/"


def test_only_assignments_of_the_course_can_be_linked(known, platform, other_teacher, make_class):
    known.come("t-1", **platform.deep_linking)
    assert known.client.post(reverse("lti_choose"), {"assignment": 999}).status_code == 404
    assert known.client.get(reverse("lti_choose")).status_code == 200


def test_a_frame_waits_for_the_choice(known, platform, assignment, client):
    begun = known.client.get(
        reverse("lti_login"),
        platform.login_fields("t-1", TARGET),
        headers={"sec-fetch-dest": "iframe"},
    )
    frame = reverse("lti_frame", args=[begun.context["word"]])
    assert client.head(frame).status_code == 204
    platform.message = platform.deep_linking
    asked = known.client.get(begun.context["again"])
    state = asked["Location"].split("state=")[1].split("&")[0]
    nonce = asked["Location"].split("nonce=")[1].split("&")[0]
    token = platform.token(platform.claims("t-1", nonce, TARGET))
    known.open(known.send({"state": state.replace("%3A", ":"), "id_token": token}))
    assert client.head(frame).status_code == 204
    page = known.client.post(reverse("lti_choose"), {"assignment": assignment.pk})
    assert "Close this tab" in said(page)
    assert client.head(frame).status_code == 200
    page = client.get(frame)
    assert "X-Frame-Options" not in page and f"{platform.address}/chosen" in said(page)


def test_a_frame_without_a_choice_stops_asking(known, platform, client):
    begun = known.client.get(
        reverse("lti_login"),
        platform.login_fields("s-1", TARGET),
        headers={"sec-fetch-dest": "iframe"},
    )
    asked = known.client.get(begun.context["again"])
    state = asked["Location"].split("state=")[1].split("&")[0].replace("%3A", ":")
    nonce = asked["Location"].split("nonce=")[1].split("&")[0]
    token = platform.token(platform.claims("s-1", nonce, TARGET))
    assert known.send({"state": state, "id_token": token}).status_code == 200
    assert client.head(reverse("lti_frame", args=[begun.context["word"]])).status_code == 410


# Scores


def test_a_solved_board_reaches_the_grade_book(
    playing, tried, student, assigned, lines, platform, sent
):
    grades.find_scores()
    assert platform.scores == []
    first, _, rest = lines.solution.partition(" ")
    tried(student, assigned, first)
    grades.find_scores()
    [score] = platform.scores
    assert (score["userId"], score["scoreGiven"], score["scoreMaximum"]) == ("s-1", 0, 1)
    assert (score["activityProgress"], score["gradingProgress"]) == ("InProgress", "FullyGraded")
    tried(student, assigned, rest)
    grades.find_scores()
    assert platform.scores[1]["scoreGiven"] == 1
    assert platform.scores[1]["activityProgress"] == "Completed"
    assert platform.scores[1]["timestamp"] > score["timestamp"]
    grades.find_scores()
    assert len(platform.scores) == 2
    assert not OutgoingScore.objects.exclude(due_at=None).exists()


def test_a_board_that_was_solved_without_a_network_reaches_the_grade_book_when_it_arrives(
    playing, tried, student, assigned, lines, platform, sent
):
    tried(student, assigned, lines.solution)
    before = timezone.now() - timedelta(days=2)
    Attempt.objects.update(last_at=before, arrived_at=before)
    grades.find_scores()
    assert platform.scores == []
    Attempt.objects.update(arrived_at=timezone.now())
    grades.find_scores()
    assert [score["scoreGiven"] for score in platform.scores] == [1]


def test_a_score_waits_for_a_platform_that_is_down(
    playing, tried, student, assigned, lines, platform, sent
):
    platform.is_down = True
    tried(student, assigned, lines.solution)
    waits = []
    for _ in range(8):
        grades.find_scores()
        wait = OutgoingScore.objects.get().due_at - timezone.now()
        waits.append(round(wait / timedelta(minutes=1)))
        wait_over()
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert platform.scores == []
    platform.is_down = False
    grades.find_scores()
    assert [score["scoreGiven"] for score in platform.scores] == [1]
    assert OutgoingScore.objects.get().failures == 0


def test_moves_do_not_make_a_platform_that_is_down_busy(
    playing, tried, student, assigned, lines, platform, sent
):
    platform.is_down = True
    first, _, rest = lines.solution.partition(" ")
    tried(student, assigned, first)
    grades.find_scores()
    asked = len(platform.asked)
    assert platform.asked[-1] == "POST /token"
    tried(student, assigned, rest)
    grades.find_scores()
    assert len(platform.asked) == asked


def test_a_worker_that_dies_loses_no_score(
    playing, tried, student, assigned, lines, platform, monkeypatch
):
    monkeypatch.setattr(grades.send_scores, "apply_async", lambda **options: None)
    tried(student, assigned, lines.solution)
    grades.find_scores()

    class Death(BaseException):
        pass

    def die(*args: object) -> None:
        raise Death

    with monkeypatch.context() as patch, pytest.raises(Death):
        patch.setattr(grades, "_send_line_item", die)
        grades.send_scores()
    grades.send_scores()
    assert platform.scores == []
    OutgoingScore.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    grades.send_scores()
    assert len(platform.scores) == 1


@pytest.mark.parametrize(("status", "is_final"), [(404, True), (500, False), (429, False)])
def test_a_refusal_that_stays_is_final(
    playing, tried, student, assigned, lines, platform, sent, status, is_final
):
    platform.refuses = status
    tried(student, assigned, lines.solution)
    grades.find_scores()
    assert (OutgoingScore.objects.get().due_at is None) is is_final
    platform.refuses = 0
    wait_over()
    GradeColumn.objects.update(looked_at=timezone.now())
    grades.find_scores()
    assert len(platform.scores) == (0 if is_final else 1)


def test_a_teacher_sees_what_a_platform_refuses_and_sends_it_again(
    playing, tried, student, assigned, lines, platform, sent, teacher_client, substitute, client_of
):
    platform.refuses = 404
    tried(student, assigned, lines.solution)
    grades.find_scores()
    page = f"/assignments/{assigned.assignment_id}/"
    shown = said(teacher_client.get(page))
    assert "has not taken the score of 1 student" in shown and "is not there any more" in shown
    assert "Scores that a platform has not taken" in said(teacher_client.get("/"))
    assert "Send again" not in said(client_of(substitute).get(page))
    assert "has not taken" not in said(client_of(substitute).get("/"))
    platform.refuses = 0
    answer = teacher_client.post(f"{page}scores/", follow=True)
    assert "sent again within a minute" in said(answer)
    assert "has not taken" not in said(teacher_client.get(page))
    GradeColumn.objects.update(looked_at=timezone.now())
    grades.find_scores()
    assert [score["scoreGiven"] for score in platform.scores] == [1]


def test_scores_are_given_up_after_days_and_shown(
    playing, tried, student, assigned, lines, platform, sent, teacher_client
):
    platform.refuses = 500
    tried(student, assigned, lines.solution)
    grades.find_scores()
    assert OutgoingScore.objects.get().refusal is None
    OutgoingScore.objects.update(failures=grades.MAX_FAILURES - 1, due_at=timezone.now())
    grades.send_scores()
    row = OutgoingScore.objects.get()
    assert (row.refusal, row.due_at) == (0, None)
    page = said(teacher_client.get(f"/assignments/{assigned.assignment_id}/"))
    assert "has not answered for four days" in page


def test_a_silent_platform_is_asked_once_for_a_whole_column(
    playing, tried, student, classmate, registered, assigned, lines, platform, sent, monkeypatch
):
    PlatformUser.objects.create(platform=registered, sub="s-2", user=classmate)
    asked = []

    def silent(*args):
        asked.append(args)
        raise grades.NotTaken("silence", is_silence=True)

    monkeypatch.setattr(grades, "access_token", silent)
    for each in (student, classmate):
        tried(each, assigned, lines.solution)
    grades.find_scores()
    assert len(asked) == 1
    assert set(OutgoingScore.objects.values_list("failures", flat=True)) == {1}


def test_a_slow_platform_has_its_place_for_a_while_only(
    playing, tried, student, assigned, lines, platform, monkeypatch, sent
):
    tried(student, assigned, lines.solution)
    with monkeypatch.context() as patch:
        # The time is over when the first score is about to be sent.
        patch.setattr(grades, "LEASE", -timedelta(seconds=1))
        grades.find_scores()
    score = OutgoingScore.objects.get()
    assert platform.scores == [] and score.due_at and score.failures == 0
    wait_over()
    grades.find_scores()
    assert len(platform.scores) == 1


def test_what_was_solved_before_the_link_is_sent(
    known, registered, student, assignment, assigned, platform, tried, lines, sent
):
    PlatformUser.objects.create(platform=registered, sub="s-1", user=student)
    tried(student, assigned, lines.solution)
    platform.message = platform.column
    known.come("t-1", f"{TARGET}?assignment={assignment.pk}")
    grades.find_scores()
    assert [score["scoreGiven"] for score in platform.scores] == [1]


def test_a_column_without_the_right_to_send_scores_is_left_alone(
    known, assignment, platform, registered
):
    [(name, endpoint)] = platform.column.items()
    platform.message = {name: endpoint | {"scope": []}}
    known.come("t-1", f"{TARGET}?assignment={assignment.pk}")
    platform.message = {name: endpoint | {"lineitem": "file:///etc/passwd"}}
    known.come("t-1", f"{TARGET}?assignment={assignment.pk}")
    assert not GradeColumn.objects.exists()
