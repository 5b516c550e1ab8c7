"""The page of an assignment: how far each student is with each puzzle."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play import reviews
from puzzleclass.play.models import Attempt
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.ledger_screen import screen_rows
from puzzleclass.stats.ledger_table import read_shown, table_of_assignment
from puzzleclass.templating.templatetags.words import clock

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(assignment) -> str:
    return f"/assignments/{assignment.pk}/"


def states(assignment) -> list[PuzzleState]:
    """Return the state of every student at the only puzzle."""
    return [row.work.row[0].status.state for row in assignment_ledger(assignment).rows]


def rest(attempt: Attempt) -> None:
    """Let the last step be a while ago."""
    Attempt.objects.filter(pk=attempt.pk).update(last_at=timezone.now() - timedelta(seconds=21))


def asked() -> int:
    return Job.objects.filter(question="review").count()


# States


def test_nobody_has_begun(assignment, assigned, student, tried):
    tried(student, assigned)  # opened, without a move
    assert states(assignment) == [PuzzleState.NOT_STARTED] * 3


def test_a_move_makes_it_work_and_a_solution_solves_it(
    assignment, assigned, student, classmate, lines, tried
):
    tried(student, assigned, "1,1")
    tried(classmate, assigned, lines.solution)
    assert states(assignment) == [
        PuzzleState.IN_PROGRESS,
        PuzzleState.SOLVED,
        PuzzleState.NOT_STARTED,
    ]


def test_a_jam_is_stuck_until_it_is_undone(assignment, assigned, student, lines, tried):
    tried(student, assigned, lines.jam)
    assert states(assignment)[0] == PuzzleState.STUCK
    tried(student, assigned, "undo")
    assert states(assignment)[0] == PuzzleState.IN_PROGRESS


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"value": 1}, PuzzleState.STUCK),
        ({"value": None}, PuzzleState.STUCK),  # there never was a solution
        ({"value": 0}, PuzzleState.IN_PROGRESS),
        ({"value": None, "proven": False}, PuzzleState.IN_PROGRESS),  # it was not decided
    ],
)
def test_the_workers_word_decides_when_moves_are_left(
    assignment, assigned, student, answer, state, answered, lines, reviewed, tried
):
    job = reviewed(tried(student, assigned, lines.lost), 0)
    answered(job, **answer, left=[])
    assert states(assignment)[0] == state


def test_a_review_of_an_older_line_says_nothing(
    assignment, assigned, student, lines, reviewed, tried
):
    attempt = tried(student, assigned, lines.lost)
    reviewed(attempt, 1)
    tried(student, assigned, "undo", "1,1")
    assert states(assignment)[0] == PuzzleState.IN_PROGRESS


def test_a_new_attempt_after_a_stuck_one_is_in_progress(
    assignment, assigned, student, lines, tried
):
    restart(tried(student, assigned, lines.jam))
    Attempt.objects.update(seconds=0)
    cell = assignment_ledger(assignment).rows[0].work.row[0]
    assert (cell.state, cell.time, cell.attempts) == (PuzzleState.IN_PROGRESS, "0:00", 1)


def test_solved_stays_solved_while_another_solution_is_looked_for(
    assignment, assigned, student, lines, tried
):
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.jam)
    Attempt.objects.update(seconds=0)
    cell = assignment_ledger(assignment).rows[0].work.row[0]
    assert (cell.state, cell.found, cell.time, cell.attempts) == (PuzzleState.SOLVED, 1, "0:00", 2)


def test_states_differ_by_sign_and_style(teacher_client, url):
    assert len({state.symbol for state in PuzzleState}) == len(PuzzleState)
    legend = teacher_client.get(url).content.decode()
    shown = {state for state in PuzzleState if f'class="state-sign {state.value}"' in legend}
    # Every student has all boards here.
    assert shown == set(PuzzleState) - {PuzzleState.NOT_ASSIGNED}


# Figures


def test_time_attempts_and_solutions_add_up(
    teacher_client, assignment, assigned, student, lines, tried
):
    restart(tried(student, assigned, lines.solution))
    restart(tried(student, assigned, lines.other_solution))
    tried(student, assigned, "1,1")
    Attempt.objects.filter(number__lt=3).update(seconds=100)
    Attempt.objects.filter(number=3).update(seconds=45)
    table = table_of_assignment(assignment_ledger(assignment))
    cell = screen_rows(table, read_shown("status time attempts"))[0].cells[0]
    assert (cell.sign, cell.lines) == ("✓", "4:05 ×3")
    assert cell.description == "Solved. Time: 4:05. Attempts: 3. Solutions found: 2"
    assert cell.url == f"/assigned/{assigned.pk}/students/{student.pk}/"
    assert teacher_client.get(cell.url).status_code == 200


def test_the_column_counts_students_and_different_solutions(
    teacher_client, url, assignment, assigned, student, classmate, counted, lines, tried
):
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.other_solution)
    tried(classmate, assigned, lines.solution)
    [column] = assignment_ledger(assignment).columns
    assert (column.solved, column.found_together, column.count) == (2, 2, None)
    page = teacher_client.get(url).content.decode()
    assert "Solutions found: 2" in page
    counted(assigned, 5)
    assert "Solutions found: 2 of 5" in teacher_client.get(url).content.decode()


def test_a_bound_is_not_shown_as_the_total(teacher_client, url, assigned, counted):
    counted(assigned, 4, proven=False)
    assert "Solutions: 0 of 4" not in teacher_client.get(url).content.decode()


def test_a_puzzle_without_a_solution_is_reported(client_of, teacher, url, assigned, counted):
    counted(assigned, 0)
    assert "cannot be solved" in client_of(teacher).get(url).content.decode()
    assert "解けない問題" in client_of(teacher, "ja").get(url).content.decode()


def test_the_summary(assignment, assigned, student, classmate, lines, tried):
    tried(student, assigned, lines.solution)
    tried(classmate, assigned, lines.jam)
    table = assignment_ledger(assignment)
    assert (table.begun, table.stuck_now, table.found_together) == (2, 1, 1)
    assert (table.ledger.total.solved, table.ledger.total.given) == (1, 3)


def test_departed_students_are_not_counted(
    assignment, assigned, student, other_student, lines, tried
):
    place = assignment.classroom.enrolments.create(student=other_student, number=4)
    tried(other_student, assigned, lines.solution)
    place.delete()
    table = assignment_ledger(assignment)
    assert (len(table.rows), table.found_together, table.columns[0].solved) == (3, 0, 0)


def test_order_by_need(teacher_client, url, assignment, assigned, classmate, lines, tried):
    tried(classmate, assigned, lines.jam)
    for order, numbers in (("help", [2, 1, 3]), ("number", [1, 2, 3]), ("nonsense", [1, 2, 3])):
        table = teacher_client.get(url, {"order": order}).context["book"]
        assert [row.enrolment.number for row in table.rows] == numbers


# The page


def test_it_refreshes_itself_alone_while_it_is_open(client_of, teacher, url, assignment):
    for language, sign in (("en", "Open"), ("ja", "受付中")):
        client = client_of(teacher, language)
        page = client.get(f"{url}?order=help").content.decode()
        assert f'hx-get="{url}?order=help"' in page
        assert 'hx-trigger="every 5s"' in page
        assert sign in page
        fragment = client.get(url, headers=HTMX).content.decode()
        assert "<html" not in fragment
        assert fragment.strip().startswith('<div id="ledger"')


def test_it_stops_when_the_assignment_is_over(teacher_client, url, overdue):
    fragment = teacher_client.get(url, headers=HTMX).content.decode()
    assert "hx-trigger" not in fragment
    assert "Closed" in fragment


def test_an_empty_class_says_what_to_do(teacher_client, teacher, puzzle, assign, make_class):
    assignment = assign(make_class(teacher, "Empty"), puzzle)
    page = teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "There are no students yet." in page and "Paste the class list" in page


def test_names_and_titles_are_escaped(teacher_client, url, assignment, student):
    student.name = "<b>Abe"
    student.save()
    assignment.puzzles.update(title='"><script>')
    page = teacher_client.get(url).content.decode()
    assert "<b>Abe" not in page
    assert '"><script>' not in page


# Reviews


def test_resting_open_attempts_are_reviewed_once(teacher, assigned, student, tried):
    attempt = tried(student, assigned, "1,1")
    reviews.review_quiet_attempts()
    assert asked() == 0  # the student is still making moves
    rest(attempt)
    reviews.review_quiet_attempts()
    job = Job.objects.get(question="review")
    assert job.position == "o./oo/../oo | 1,1"
    assert job.askers.get() == teacher
    reviews.review_quiet_attempts()
    assert asked() == 1
    rest(tried(student, assigned, "2,1"))
    reviews.review_quiet_attempts()
    assert Job.objects.get(question="review").position == "o./oo/../oo | 1,1 2,1"


def test_giving_up_again_and_again_leaves_one_review_waiting(
    assigned, student, classmate, lines, tried
):
    restart(tried(classmate, assigned, lines.lost))
    for line in (lines.lost, lines.jam, "1,1", "1,1 2,1", "2,1"):
        restart(tried(student, assigned, line))
    waiting = Job.objects.filter(question="review", state=Job.State.WAITING)
    assert {job.position.partition(" | ")[2] for job in waiting} == {lines.lost, "2,1"}


def test_a_question_of_a_teacher_is_not_replaced(teacher, assigned, student, lines, tried):
    old = tried(student, assigned, lines.jam)
    restart(old)
    reviews.ask_for_review(teacher, old)
    restart(tried(student, assigned, "1,1"))
    waiting = Job.objects.filter(question="review", state=Job.State.WAITING)
    assert waiting.count() == 2
    assert transitions.claim_next("review").position == old.position_text


def test_a_jam_is_reviewed_at_once(assigned, student, lines, tried):
    tried(student, assigned, lines.jam)
    reviews.review_quiet_attempts()
    assert asked() == 1


def test_students_with_one_line_share_a_review(
    assignment, assigned, student, classmate, answered, lines, tried
):
    for someone in (student, classmate):
        rest(tried(someone, assigned, lines.lost))
    reviews.review_quiet_attempts()
    assert asked() == 1
    answered(Job.objects.get(question="review"), 1, left=["5", "0"])
    assert states(assignment)[:2] == [PuzzleState.STUCK] * 2


def test_a_stopped_review_is_not_asked_again(assigned, student, lines, reviewed, tried):
    job = reviewed(tried(student, assigned, lines.lost), 1)
    Job.objects.filter(pk=job.pk).update(state=Job.State.STOPPED, answer=None)
    rest(Attempt.objects.get())
    reviews.review_quiet_attempts()
    job.refresh_from_db()
    assert job.state == Job.State.STOPPED


def test_one_round_asks_for_some_reviews_only(assigned, student, classmate, monkeypatch, tried):
    monkeypatch.setattr(reviews, "MAX_AT_ONCE", 1)
    rest(tried(student, assigned, "1,1"))
    rest(tried(classmate, assigned, "2,1"))
    reviews.review_quiet_attempts()
    assert asked() == 1
    reviews.review_quiet_attempts()
    assert asked() == 2


def test_untouched_and_solved_attempts_are_not_reviewed(assigned, student, classmate, lines, tried):
    rest(tried(student, assigned, "1,1", "undo"))
    tried(classmate, assigned, lines.solution)
    reviews.review_quiet_attempts()
    assert asked() == 0
    assert FoundSolution.objects.count() == 1


def test_clock():
    assert [clock(s) for s in (0, 59, 245, 3661)] == ["0:00", "0:59", "4:05", "1:01:01"]
