"""Steps that were made without a network before the due date and arrive after it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.offline_steps import MAX_AGE, handed_out
from puzzleclass.play.result_models import FoundSolution, TimedRun
from puzzleclass.stats.assignment_ledger import assignment_ledger

HTMX = {"HX-Request": "true"}
HOUR = timedelta(hours=1)


@pytest.fixture
def send(student, assigned, client_of):
    """Return a function that sends the first steps at a board, made so long ago, on a page that was
    handed out `handed` ago."""
    client = client_of(student)

    def send(line, ago, handed, puzzle=assigned, first=0, token=None):
        now = timezone.now()
        token = handed_out(student.pk, puzzle.pk, now - handed) if token is None else token
        key = Attempt.first(student, puzzle).key
        for number, move in enumerate(line.split(), first):
            fields = {"move": move, "step": number, "handed": token}
            fields["ago"] = int(ago / timedelta(milliseconds=1))
            answer = client.post(f"/attempts/{key}/steps/", fields, headers=HTMX)
        return answer

    return send


def due(ago: timedelta) -> None:
    Assignment.objects.filter(is_practice=False).update(due_at=timezone.now() - ago)


def cell(student):
    ledger = assignment_ledger(Assignment.objects.get(is_practice=False))
    [row] = [each for each in ledger.rows if each.enrolment.student == student]
    return row.work.row[0]


def test_work_from_before_the_due_date_counts_as_in_time_on_every_page(
    send, student, lines, assigned, teacher_client, client_of
):
    due(HOUR)
    assert send(lines.solution, 3 * HOUR, 5 * HOUR).status_code == 200
    own = cell(student)
    assert own.status.is_solved and not own.is_late and own.arrived_at
    attempt = Attempt.objects.get()
    assert attempt.started_at <= attempt.last_at < attempt.arrived_at - 2 * HOUR
    assert FoundSolution.objects.get().found_at == Step.objects.last().at == attempt.last_at
    page = f"/assignments/{assigned.assignment_id}/?show=status+due"
    for shown, said in ((teacher_client.get(page), "arrived"), (client_of(student).get("/"), "1")):
        assert said in shown.content.decode()
    assert "Made in time without a network" in teacher_client.get(page).content.decode()
    for address in (reverse("replay", args=[attempt.key]), attempt.get_absolute_url()):
        assert "Arrived later" in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("ago", "handed", "due_ago"),
    [
        # Made after the due date.
        (HOUR, 9 * HOUR, 2 * HOUR),
        # Said to be made before the board was handed to the browser.
        (5 * HOUR, HOUR, 2 * HOUR),
        # Older than a board can be played without a network.
        (2 * MAX_AGE, 2 * MAX_AGE, MAX_AGE + HOUR),
        # Said to be made in the future.
        (-HOUR, 9 * HOUR, HOUR),
    ],
)
def test_a_time_that_is_too_late_or_not_possible_gives_nothing(send, ago, handed, due_ago):
    due(due_ago)
    assert send("1,1", ago, handed).status_code in (400, 409)
    assert not Step.objects.exists()


def test_a_word_that_the_server_did_not_give_for_this_board_gives_nothing(
    send, student, classmate, assigned
):
    due(2 * HOUR)
    now = timezone.now() - 9 * HOUR
    own = handed_out(student.pk, assigned.pk, now)
    forged = f"{student.pk}-{assigned.pk}-1:{own.split(':')[1]}"
    others = handed_out(classmate.pk, assigned.pk, now), handed_out(student.pk, 999, now)
    for token in (forged, *others, "", "nonsense", own + "x"):
        assert send("1,1", 5 * HOUR, HOUR, token=token).status_code == 409
    assert send("1,1", 5 * HOUR, HOUR, token=own).status_code == 200


def test_a_step_is_never_before_the_accepted_one(send, lines, student):
    first, *others = lines.solution.split()
    send(first, timedelta(), HOUR)
    at = Step.objects.get().at
    send(" ".join(others), HOUR / 2, HOUR, first=1)
    assert {step.at for step in Step.objects.all()} == {at}
    assert cell(student).seconds == 0


def test_what_is_measured_by_a_clock_counts_from_its_arrival(send, lines, student, assigned):
    Classroom.objects.update(practice=True, records=True, challenges=True)
    Assignment.objects.update(is_practice=True)
    run = TimedRun.objects.create(student=student, puzzle=assigned)
    TimedRun.objects.update(started_at=timezone.now() - timedelta(seconds=90))
    send(lines.solution, timedelta(seconds=80), HOUR)
    run.refresh_from_db()
    assert run.seconds in range(90, 95)
