"""The page of a board: its answers to steps as a form and to HTMX, and the student's attempts."""

import re

import pytest
from django.utils import timezone

from puzzleclass.play import restarts
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, Step
from tests.web.play.board_page import HTMX, attempt, restart, send

__all__ = ["attempt"]


def test_a_step_answers_htmx_with_the_board_alone(student_client, attempt):
    answer = send(student_client, attempt)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.lstrip().startswith('<div id="play"')
    assert "<html" not in page
    assert "Move 1: Stone at row 1, column 1" in page
    assert 'name="step" value="1"' in page


def test_a_step_as_a_plain_form_leads_back_to_the_page(student_client, attempt):
    answer = send(student_client, attempt, htmx=False)
    assert (answer.status_code, answer.url) == (302, f"/play/{attempt.puzzle_id}/")
    assert restart(student_client, attempt, htmx=False).url == f"/play/{attempt.puzzle_id}/"
    assert Attempt.objects.count() == 2


def test_undo_says_what_it_did(student_client, attempt, play):
    attempt = play(attempt, "1,1", "2,1")
    page = send(student_client, attempt, "", action="undo").content.decode()
    assert "Move undone: Stone at row 2, column 1. Moves so far: 1" in page
    # What a screen reader also says:
    assert "Stone at row 2, column 1, can be picked up now" in page


def test_the_status_counts_the_moves_that_were_taken_back(student_client, student, assigned, tried):
    attempt = tried(student, assigned, "1,1 2,1 2,2")
    url = f"/attempts/{attempt.key}/moves/"
    page = student_client.post(url, {"step": 3, "moves": 1}, headers=HTMX).content.decode()
    assert "2 moves undone. Moves so far: 1" in page
    again = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "2 moves undone. Moves so far: 1" in again


REFUSALS = [
    ({"move": "1,2"}, 422, "There is no stone at row 1, column 2.", "石はありません"),
    ({"move": "here"}, 400, "“here” is not a point.", "「here」"),
    ({"move": "1,1", "step": 7}, 409, "in another window", "別の画面で"),
    ({"action": "undo"}, 422, "There is no move to take back.", "もどせる手がありません"),
    ({"action": "jump"}, 400, "could not be read", "読みとれませんでした"),
    ({"action": ""}, 400, "could not be read", "読みとれませんでした"),
    ({"step": "x"}, 400, "could not be read", "読みとれませんでした"),
    ({"step": "-1"}, 400, "could not be read", "読みとれませんでした"),
    ({"step": "9" * 40}, 400, "could not be read", "読みとれませんでした"),
    ({"move": "1" * 300}, 400, "could not be read", "読みとれませんでした"),
    ({"move": "1,1\0"}, 400, "could not be read", "読みとれませんでした"),
]


@pytest.mark.parametrize(("fields", "status", "english", "japanese"), REFUSALS)
@pytest.mark.parametrize("htmx", [True, False])
def test_a_refused_step_says_why_and_shows_the_board_as_it_is(
    client_of, student, attempt, fields, status, english, japanese, htmx
):
    for language, text in (("en", english), ("ja", japanese)):
        answer = send(client_of(student, language), attempt, htmx=htmx, **fields)
        page = answer.content.decode()
        # A browser's console would report a 422 as a fault of the page.
        told = int(answer.get("Refused", answer.status_code))
        assert told == status
        assert (answer.status_code == 200) is (htmx and status == 422)
        assert text in page
        assert 'name="step" value="0"' in page
        assert ("<html" in page) is not htmx
    assert not Step.objects.exists()


def test_a_step_without_fields_is_refused(student_client, attempt):
    answer = student_client.post(f"/attempts/{attempt.key}/steps/")
    assert answer.status_code == 400


def test_a_step_on_an_old_attempt_shows_the_one_that_followed(student_client, attempt, play):
    old = play(attempt, "1,1")
    restart(student_client, old)
    answer = send(student_client, old, "2,1")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "You started again in another window." in page
    assert str(Attempt.objects.get(number=2).key) in page


@pytest.mark.parametrize(
    ("language", "text"), [("en", "The due date has passed."), ("ja", "しめきりを過ぎました。")]
)
def test_after_the_due_date_the_board_is_only_looked_at(
    client_of, student, attempt, assignment, language, text, play
):
    attempt = play(attempt, "1,1")
    assignment.due_at = timezone.now()
    assignment.save()
    client = client_of(student, language)
    for answer in (
        client.get(f"/play/{attempt.puzzle_id}/"),
        send(client, attempt, "2,1"),
        restart(client, attempt),
    ):
        page = answer.content.decode()
        assert text in page
        assert "<svg" in page
        assert "data-board" not in page
        assert "/restart/" not in page
    assert Step.objects.count() == 1
    assert Attempt.objects.count() == 1


def test_a_puzzle_never_begun_is_shown_after_the_due_date(student_client, assigned, overdue):
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert "You have not started this puzzle." in page
    assert not Attempt.objects.exists()


def test_a_jam_is_told_kindly(student_client, attempt, lines, play):
    attempt = play(attempt, lines.jam.split()[0])
    page = send(student_client, attempt, lines.jam.split()[1]).content.decode()
    assert "No move is left. Go back some moves or start again." in page
    assert 'value="undo"' in page


def dot_text(current: str, seen: str, read: str) -> str:
    return (
        f'{current}><span aria-hidden="true">{seen}</span> '
        f'<span class="visually-hidden">{read}</span>'
    )


def test_the_set_has_a_dot_for_each_puzzle_and_ways_to_the_next(
    student_client, student, classroom, puzzle, django_assert_num_queries, assign, lines, play
):
    puzzle.title = "Five <stones>"
    puzzle.save()
    first, second, third = assign(classroom, puzzle, puzzle, puzzle).puzzles.all()
    play(current_attempt(student, first), lines.solution)
    play(current_attempt(student, third), "1,1")
    page = " ".join(student_client.get(f"/play/{second.pk}/").content.decode().split())
    assert f'<a class="button quiet" href="/play/{first.pk}/">← Previous puzzle</a>' in page
    assert f'<a class="button next" href="/play/{third.pk}/">Next puzzle →</a>' in page
    dots = re.findall(
        r'<a id="dot-(\d+)" class="dot (.*?)" href="(.*?)" title="(.*?)"(.*?)</a>', page
    )
    title, current = "Five &lt;stones&gt;", ' aria-current="page"'
    assert [(int(pk), *dot) for pk, *dot in dots] == [
        (first.pk, "ok", f"/play/{first.pk}/", title, dot_text("", "✓", f"1 {title}: Solved")),
        (
            second.pk,
            "",
            f"/play/{second.pk}/",
            title,
            dot_text(current, "2", f"2 {title}: Not started"),
        ),
        (
            third.pk,
            "busy",
            f"/play/{third.pk}/",
            title,
            dot_text("", "3", f"3 {title}: In progress"),
        ),
    ]
    assert "Previous puzzle" not in student_client.get(f"/play/{first.pk}/").content.decode()
    assert "Next puzzle" not in student_client.get(f"/play/{third.pk}/").content.decode()


def test_a_step_asks_the_database_a_fixed_number_of_times(
    student_client, student, classroom, puzzle, django_assert_max_num_queries, assign, lines, play
):
    """The number depends neither on the puzzles of the assignment nor on the student's
    solutions."""
    assigned = assign(classroom, *[puzzle] * 12).puzzles.first()
    play(current_attempt(student, assigned), lines.solution)
    attempt = Attempt.objects.create(student=student, puzzle=assigned, number=2)
    with django_assert_max_num_queries(22):
        send(student_client, attempt)


def test_nothing_is_styled_or_run_inline(student_client, attempt):
    """The Content-Security-Policy would block it."""
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert not re.search(r"<[^>]* (style|on\w+|hx-on\S*)=", page)
    assert "<script>" not in page


def test_a_repeat_answers_as_the_first_did(student_client, attempt):
    first = send(student_client, attempt, step=0)
    second = send(student_client, attempt, step=0)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content == second.content
    assert take_step(attempt, 0, "move", "1,1").next_step == 1


# Students' own attempts


def test_the_latest_attempt_is_shown_with_its_order(
    student_client, student, assigned, lines, tried
):
    restarts.restart(tried(student, assigned, lines.jam))
    tried(student, assigned, lines.solution.split()[0])
    page = student_client.get(f"/play/{assigned.pk}/tries/")
    assert page.context["shown"].number == 2
    assert page.context["player"].step == page.context["player"].total == 1
    # This is shown to teachers only.
    assert b"Show to the class" not in page.content
    assert [attempt.number for attempt in page.context["page"]] == [2, 1]
    earlier = f"/play/{assigned.pk}/tries/1/"
    player = student_client.get(earlier, {"step": 1}, headers=HTMX)
    assert player.context["player"].step == 1
    assert b"<html" not in player.content
    assert student_client.get(f"/play/{assigned.pk}/").content.count(b"/tries/") == 1


def test_more_attempts_cost_no_query(student_client, student, assigned, lines, tried, queries_of):
    attempt = tried(student, assigned, lines.jam)
    url = f"/play/{assigned.pk}/tries/"
    few = queries_of(student_client, url)
    for _ in range(3):
        restarts.restart(attempt)
        attempt = tried(student, assigned, lines.jam)
    assert queries_of(student_client, url) == few
    assert len(student_client.get(url).context["page"]) == 4


def test_there_may_be_no_attempts(student_client, assigned):
    assert student_client.get(f"/play/{assigned.pk}/tries/").status_code == 200
    assert student_client.get(f"/play/{assigned.pk}/tries/0/").status_code == 404
    assert not Attempt.objects.exists()


def test_a_classmate_sees_nothing_of_it(client_of, classmate, student, assigned, lines, tried):
    tried(student, assigned, lines.jam)
    client = client_of(classmate)
    assert client.get(f"/play/{assigned.pk}/tries/").context["shown"] is None
    assert client.get(f"/play/{assigned.pk}/tries/1/").status_code == 404


def test_the_moves_so_far_are_listed_in_words(student_client, attempt, play):
    here = f"/play/{attempt.puzzle_id}/history/"
    assert "No move has been made yet." in student_client.get(here).content.decode()
    play(attempt, "1,1", "2,1")
    page = student_client.get(here).content.decode()
    first, second = (f"Stone at row {row}, column 1</li>" for row in (1, 2))
    assert 0 < page.find(first) < page.find(second)
    assert f'href="/play/{attempt.puzzle_id}/"' in page


@pytest.mark.parametrize(("grade", "is_there"), [(3, False), (4, True), (None, True)])
def test_a_move_is_typed_from_the_fourth_grade_on(
    student_client, classroom, assigned, grade, is_there
):
    classroom.grade = grade
    classroom.save()
    page = student_client.get(f"/play/{assigned.pk}/").content.decode()
    assert ('name="typed"' in page) == is_there
