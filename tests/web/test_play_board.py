"""The board's page: its content, its answers to steps as a form and to HTMX, and students'
attempts."""

import re
import uuid
from itertools import permutations

import pytest
from django.utils import timezone

from puzzleclass.classes.models import Enrolment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play import attempts
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, Step
from puzzleclass.puzzles.models import Puzzle

HTMX = {"HX-Request": "true"}


@pytest.fixture
def attempt(student, assigned, begun) -> Attempt:
    return begun(student, assigned)


def send(client, attempt, move="1,1", step=None, action="move", htmx=True):
    number = attempt.next_step if step is None else step
    fields = {"action": action, "move": move, "step": number}
    return client.post(f"/attempts/{attempt.key}/steps/", fields, headers=HTMX if htmx else {})


def restart(client, attempt, htmx=True):
    return client.post(f"/attempts/{attempt.key}/restart/", headers=HTMX if htmx else {})


def counted(puzzle, value: str = "5", **answer) -> Job:
    return Job.objects.create(
        key=job_key(puzzle.kind_slug, "count", puzzle.position),
        kind_slug=puzzle.kind_slug,
        question="count",
        position=puzzle.position,
        queue="solve",
        state=Job.State.DONE,
        answer={"value": value, "proven": True, "moves": [], "details": {}} | answer,
    )


# Access


def test_the_first_move_creates_the_first_attempt_and_the_page_returns_to_it(
    student_client, student, assigned
):
    url = f"/play/{assigned.pk}/"
    board = re.compile('action="(/attempts/[^/]*/steps/)"')
    steps = board.search(student_client.get(url).content.decode())[1]
    assert student_client.get(steps).url == url
    assert steps == board.search(student_client.get(url).content.decode())[1]
    assert not Attempt.objects.exists()
    fields = {"action": "move", "move": "1,1", "step": 0}
    for _ in range(2):  # the step is repeated because its answer was lost
        answer = student_client.post(steps, fields, headers=HTMX)
        assert (answer.status_code, board.search(answer.content.decode())[1]) == (200, steps)
    attempt = Attempt.objects.get()
    assert (attempt.student, attempt.puzzle, attempt.number) == (student, assigned, 1)
    again = student_client.get(url).content.decode()
    assert 'name="step" value="1"' in again
    assert "Move 1: Stone at row 1, column 1" in again
    assert Attempt.objects.count() == 1


def test_an_invalid_step_creates_no_attempt(student_client, student, assigned):
    key = current_attempt(student, assigned).key
    steps = f"/attempts/{key}/steps/"
    for fields, status in (
        ({"action": "move", "move": "9,9", "step": 0}, 422),
        ({"action": "move", "move": "?", "step": 0}, 400),
        ({"action": "undo", "step": 0}, 422),
        ({"action": "move", "move": "1,1", "step": 1}, 409),
        ({"action": "undo", "step": 7}, 409),
        ({"take": "R"}, 200),
    ):
        answer = student_client.post(steps, fields, headers=HTMX)
        assert int(answer.get("Refused", answer.status_code)) == status
    for path in ("restart", "back", "look-ahead"):
        page = student_client.post(f"/attempts/{key}/{path}/", {"step": 0}, headers=HTMX)
        assert page.status_code in (200, 204, 409)
    assert not Attempt.objects.exists()


def test_the_key_of_a_future_attempt_works_for_its_student_only(
    client_of, student, classmate, assigned, classroom, overdue
):
    """Its key names the student and the puzzle. Another student who has the key finds nothing
    there."""
    key = Attempt.first(student, assigned).key
    fields = {"action": "move", "move": "1,1", "step": 0}
    assert client_of(classmate).post(f"/attempts/{key}/steps/", fields).status_code == 404
    client = client_of(student)
    assert client.post(f"/attempts/{key}/steps/", fields).status_code == 409  # it is overdue
    for puzzle in (999, 2**63, 2**64 - 1):
        unknown = uuid.UUID(int=student.pk << 64 | puzzle)
        assert client.post(f"/attempts/{unknown}/steps/", fields).status_code == 404
    Enrolment.objects.filter(student=student).delete()
    assert client.post(f"/attempts/{key}/steps/", fields).status_code == 404
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("pk", [999, 10**30])
def test_a_puzzle_that_is_not_there_answers_404(student_client, pk):
    assert student_client.get(f"/play/{pk}/").status_code == 404


def test_a_stranger_sees_neither_board_nor_attempt(client_of, other_student, assigned, attempt):
    for language, text in (("en", "you may not see it"), ("ja", "見ることのできないページです")):
        client = client_of(other_student, language)
        for answer in (
            client.get(f"/play/{assigned.pk}/"),
            send(client, attempt),
            send(client, attempt, htmx=False),
            restart(client, attempt),
        ):
            assert answer.status_code == 404
            assert text in answer.content.decode()
    assert not Step.objects.exists()


def test_departed_students_cannot_play(student_client, student, assigned, attempt):
    Enrolment.objects.filter(student=student).delete()
    assert student_client.get(f"/play/{assigned.pk}/").status_code == 404
    assert send(student_client, attempt).status_code == 404


def test_a_signed_out_student_is_told_where_the_board_is(client_of, anonymous, assigned, attempt):
    plain = send(anonymous, attempt, htmx=False)
    assert plain.status_code == 302
    assert plain.url.startswith("/join/?next=")
    page = f"http://testserver/play/{assigned.pk}/"
    for language, text in (("en", "You have been signed out."), ("ja", "ログインが切れました")):
        answer = client_of(None, language).post(
            f"/attempts/{attempt.key}/steps/", headers=HTMX | {"HX-Current-URL": page}
        )
        assert answer.status_code == 401
        assert text in answer.content.decode()
        assert f"/join/?next=%2Fplay%2F{assigned.pk}%2F" in answer.content.decode()


def test_a_forged_step_is_refused(client_of, student, attempt):
    client = client_of(student, enforce_csrf_checks=True)
    assert send(client, attempt).status_code == 403
    assert restart(client, attempt).status_code == 403
    assert not Step.objects.exists()


def test_the_page_has_the_token_for_what_is_pressed_on_it(client_of, student, attempt):
    """Forms for browsers without scripts have the token, and so has a header. Fragments need
    none."""
    client = client_of(student, enforce_csrf_checks=True)
    page = client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    token = re.search("""hx-headers:inherited='{"X-CSRFToken": "([^"]+)"}'""", page)[1]
    assert page.count(f'name="csrfmiddlewaretoken" value="{token}"') >= 2
    fields = {"action": "move", "move": "1,1", "step": 0}
    sent = {**HTMX, "X-CSRFToken": token}
    answer = client.post(f"/attempts/{attempt.key}/steps/", fields, headers=sent)
    assert answer.status_code == 200
    assert "csrf" not in answer.content.decode()


@pytest.mark.parametrize("path", ["steps", "restart"])
def test_a_steps_address_opened_as_a_page_leads_to_the_board(student_client, attempt, path):
    answer = student_client.get(f"/attempts/{attempt.key}/{path}/")
    assert answer.url == f"/play/{attempt.puzzle_id}/"
    assert student_client.delete(f"/attempts/{attempt.key}/{path}/").status_code == 405
    assert not Step.objects.exists()


# Steps


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


# Solved


@pytest.fixture
def solve(play, lines):
    """Return a function that solves the board, with its last move in the browser, and returns the
    answer."""

    def solve(client, attempt, line: str = lines.solution) -> str:
        *moves, last = line.split()
        attempt = play(attempt, *moves)
        return " ".join(send(client, attempt, last).content.decode().split())

    return solve


def test_solving_is_celebrated_and_counted(student_client, attempt, solve):
    counted(attempt.puzzle)
    page = solve(student_client, attempt)
    assert "Solved!" in page
    assert 'class="flower"' in page
    assert "Solution 1 of 5" in page
    assert ">New<" in page
    assert "Look for another solution" in page
    assert "data-board" not in page
    assert "Your solutions: 1 of 5" in page
    assert 'hx-target="#found"' in page


def test_a_solution_found_before_is_recognised(client_of, student, attempt, lines, solve):
    counted(attempt.puzzle)
    client = client_of(student, "ja")
    solve(client, attempt)
    restart(client, attempt)
    page = solve(client, current_attempt(student, attempt.puzzle), lines.other_solution)
    assert "5通りのうち2通り目" in page
    assert "新発見" in page
    restart(client, current_attempt(student, attempt.puzzle))
    page = solve(client, current_attempt(student, attempt.puzzle))
    assert "5通りのうち1通り目" in page
    assert "前にも見つけた" in page
    assert "新発見" not in page


@pytest.mark.parametrize("why", ["not counted", "not to the end", "kept secret", "failed"])
def test_without_a_total_only_the_number_is_said(student_client, attempt, assignment, why, solve):
    if why == "not to the end":
        counted(attempt.puzzle, "3", proven=False)
    elif why == "kept secret":
        counted(attempt.puzzle)
        assignment.shows_total = False
        assignment.save()
    elif why == "failed":
        Job.objects.filter(pk=counted(attempt.puzzle).pk).update(state=Job.State.FAILED)
    page = solve(student_client, attempt)
    assert "Solution 1 <" in page
    assert not re.search(r"[Ss]olutions?:? \d of", page)


def test_a_student_who_has_found_all_is_told_so(student_client, attempt, solve):
    counted(attempt.puzzle, "1")
    page = solve(student_client, attempt)
    assert "There is one solution, and you have found it!" in page
    assert "Look for another solution" not in page


def test_nobody_looks_for_a_second_solution_where_there_is_one(
    student_client, attempt, assignment, solve
):
    counted(attempt.puzzle, "1")
    assignment.shows_total = False
    assignment.save()
    page = solve(student_client, attempt)
    assert "Play again" in page
    assert "another solution" not in page and " of 1" not in page
    restart(student_client, attempt)
    page = solve(student_client, current_attempt(attempt.student, attempt.puzzle))
    assert "Found before" in page and "different one" not in page


def test_another_solution_is_looked_for_on_a_fresh_board(student_client, attempt, solve):
    solve(student_client, attempt)
    page = restart(student_client, attempt).content.decode()
    assert "New attempt. The board is back at the start." in page
    assert 'name="step" value="0"' in page


# The puzzles of an assignment


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


def test_after_solving_the_next_puzzle_comes_first(
    student_client, student, classroom, puzzle, assign, lines, tried
):
    puzzles = list(assign(classroom, puzzle, puzzle, puzzle).puzzles.order_by("number"))

    def after(board) -> str:
        tried(student, board, lines.solution)
        return student_client.get(f"/play/{board.pk}/").content.decode()

    def button(board) -> str:
        return f'<a class="button large primary" href="/play/{board.pk}/" data-after>'

    page = after(puzzles[1])
    assert button(puzzles[2]) in page
    assert "Still to be solved in this set: 2" in page
    # After the last puzzle, the page offers those that are left.
    assert button(puzzles[0]) in after(puzzles[2])
    assert "Every puzzle of this set is solved!" in after(puzzles[0])


def test_the_flower_is_for_what_is_new_and_comes_once(student_client, student, attempt, solve):
    assert 'class="flower"' in solve(student_client, attempt)
    # The reloaded page says that the solution is new, but draws no flower.
    page = student_client.get(f"/play/{attempt.puzzle.pk}/").content.decode()
    assert "data-new" in page
    assert 'class="flower"' not in page
    attempts.restart(current_attempt(student, attempt.puzzle))
    again = solve(student_client, current_attempt(student, attempt.puzzle))
    assert "Solved!" in again and 'class="flower"' not in again


def test_solutions_that_look_alike_bear_the_order_of_their_moves(
    student_client, student, classroom, teacher, assign, tried
):
    board = Puzzle.objects.create(owner=teacher, kind_slug="tonari", position="Bw/bw", title="Four")
    (assigned_puzzle,) = assign(classroom, board).puzzles.all()
    line = next(
        " ".join(moves)
        for moves in permutations(["1,2", "2,1", "2,2"])
        if assigned_puzzle.kind.judge(
            assigned_puzzle.kind.play_line(assigned_puzzle.start, " ".join(moves))
        ).solved
    )
    tried(student, assigned_puzzle, line)
    page = student_client.get(f"/play/{assigned_puzzle.pk}/").content.decode()
    shown = page[page.index("found-list") :]
    assert sorted(re.findall(r'class="label"[^>]*>(\d)<', shown)) == ["1", "2", "3"]


# Students' own attempts


def test_the_latest_attempt_is_shown_with_its_order(
    student_client, student, assigned, lines, tried
):
    attempts.restart(tried(student, assigned, lines.jam))
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
        attempts.restart(attempt)
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
