"""Practice of students and guests: worlds and stars."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import Session
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes import services as class_services
from puzzleclass.classes.personal_data import rows_under, student_roots
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.path import Result, stars_of
from puzzleclass.play.practised import Rhythm, results_of, rhythm_of
from puzzleclass.play.restarts import restart
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice import services
from puzzleclass.practice.boards import from_made_board
from puzzleclass.practice.models import MadeBoard, PathPlace
from puzzleclass.puzzles.worlds import worlds
from solvers.kind import split_moves
from solvers.question import finish
from solvers.registry import get_kind, kinds

every_kind = pytest.mark.parametrize("slug", list(kinds()))


def board_of(slug: str, level: int = 1, number: int = 1):
    return worlds(get_kind(slug))[level][number - 1]


def solution_of(board) -> str:
    """Return a line that solves the board, found by the kind's solver."""
    kind = board.kind
    answer = finish(kind.questions["count"].ask(kind, kind.read(board.position)))
    return " ".join(answer.moves)


def begun(client, board) -> AssignedPuzzle:
    """Begin the board as a student does; return its assigned puzzle."""
    page = client.post(board.url)
    return AssignedPuzzle.objects.get(pk=int(page.url.strip("/").split("/")[-1]))


@pytest.fixture
def solved(tried):
    """Return a function that lets a student begin a board and solve it."""

    def solved(client, student, board, at=None):
        attempt = tried(student, begun(client, board), solution_of(board))
        assert attempt.state == Attempt.State.SOLVED
        return attempt

    return solved


@every_kind
def test_a_student_begins_a_board_and_plays_it_like_any_other(
    student, student_client, slug, solved
):
    board = board_of(slug)
    attempt = solved(student_client, student, board)
    page = student_client.get(reverse("play", args=[attempt.puzzle_id])).content.decode()
    assert "Solved!" in page and reverse("go_on", args=[attempt.puzzle.kind_slug]) in page
    assert attempt.puzzle.assignment.is_practice
    level = student_client.get(reverse("practice_level", args=[slug, 1])).content.decode()
    stars = "★★" + "☆" * (board.most_stars - 2)
    assert level.count(stars) == 1


def test_a_board_is_begun_once_by_the_whole_class(student_client, client_of, classmate):
    board = board_of("goishi")
    assert begun(student_client, board) == begun(client_of(classmate), board)
    assert begun(student_client, board_of("goishi", 2)).number == 2
    assert Assignment.every.filter(is_practice=True).count() == 1


def test_a_hint_costs_a_star_and_a_second_solution_brings_one(student, student_client, tried):
    board = next(each for each in worlds(get_kind("tonari"))[1] if each.solutions != 1)
    row = begun(student_client, board)
    attempt = tried(student, row, solution_of(board))
    HintUse.objects.create(attempt=attempt, step=1, level=1)
    assert stars_of(board, results_of(student)).won == 1
    FoundSolution.objects.create(student=student, puzzle=row, text="another", line=attempt.line)
    assert stars_of(board, results_of(student)).won == 2 < board.most_stars == 3


def test_practice_stands_in_no_list_and_counts_nowhere(
    student, student_client, teacher_client, classroom, solved, assignment
):
    attempt = solved(student_client, student, board_of("goishi"))
    assert list(classroom.assignments.all()) == [assignment]
    for url in ("/", f"/classes/{classroom.pk}/", f"/assignments/{assignment.pk}/"):
        page = teacher_client.get(url).content.decode()
        assert "Homework" in page and "1-1" not in page
    own = reverse("play", args=[attempt.puzzle_id])
    assert own not in student_client.get("/").content.decode()
    practice = Assignment.every.get(is_practice=True)
    assert teacher_client.get(f"/assignments/{practice.pk}/").status_code == 404


def test_the_teachers_switch_turns_all_of_it_off(
    student, student_client, teacher_client, classroom, solved, assignment
):
    attempt = solved(student_client, student, board_of("goishi"))
    assert reverse("practice") in student_client.get("/").content.decode()
    form = {"name": classroom.name, "idle_minutes": "0"}
    assert teacher_client.post(f"/classes/{classroom.pk}/edit/", form).status_code == 302
    assert reverse("practice") not in student_client.get("/").content.decode()
    own = reverse("play", args=[attempt.puzzle_id])
    for url in ("/practice/", "/practice/goishi/1/", own):
        answer = student_client.get(url)
        assert answer.status_code == 403
        assert "Your teacher has switched practice off." in answer.content.decode()
    assert student_client.post(board_of("goishi", 1, 2).url).status_code == 403
    again = Attempt.objects.create(student=student, puzzle_id=attempt.puzzle_id, number=2)
    for each in (attempt, again):
        fields = {"step": each.next_step, "action": "undo"}
        answer = student_client.post(reverse("step", args=[each.key]), fields)
        assert answer.status_code == 403
        assert "Your teacher has switched practice off." in answer.content.decode()
    assert (
        student_client.get(reverse("play", args=[assignment.puzzles.get().pk])).status_code == 200
    )


def test_after_the_due_date_one_goes_on_for_practice(
    student, student_client, teacher_client, overdue, assigned, tried, lines
):
    url = reverse("practise_on", args=[assigned.pk])
    assert url in student_client.get(reverse("play", args=[assigned.pk])).content.decode()
    page = student_client.post(url)
    row = AssignedPuzzle.objects.get(position=assigned.position, assignment__is_practice=True)
    assert page.url == reverse("play", args=[row.pk])
    tried(student, row, lines.solution)
    table = teacher_client.get(f"/assignments/{overdue.pk}/").content.decode()
    assert "cell solved" not in table


def test_before_the_due_date_there_is_nothing_to_go_on_from(student_client, assigned):
    url = reverse("practise_on", args=[assigned.pk])
    assert student_client.post(url).url == reverse("play", args=[assigned.pk])
    assert not Assignment.every.filter(is_practice=True).exists()


def test_a_student_of_no_class_has_no_practice(student, student_client, assigned):
    student.enrolments.all().delete()
    for answer in (
        student_client.get(reverse("garden")),
        student_client.post(reverse("practise_on", args=[assigned.pk])),
        student_client.post(reverse("go_on", args=[assigned.kind_slug])),
    ):
        assert answer.status_code == 403
    assert not Assignment.every.filter(is_practice=True).exists()


def test_a_class_without_a_teacher_begins_no_practice(student_client, classroom):
    classroom.teachings.all().delete()
    assert student_client.post(board_of("goishi").url).status_code == 403
    assert not Assignment.every.filter(is_practice=True).exists()


def test_the_address_of_a_board_leads_a_student_to_its_level(student_client):
    """Only the button on that page stores anything."""
    assert student_client.get(board_of("goishi", 2).url).url == "/practice/goishi/2/"
    assert not Assignment.every.filter(is_practice=True).exists()


@pytest.fixture
def made(db) -> MadeBoard:
    """Return a board of the second level that the worker has made."""
    return MadeBoard.objects.create(
        kind_slug="goishi", level=2, position="o./oo/../oo", solutions="5", fingerprint="1"
    )


def test_a_guest_plays_a_made_board_and_goes_on_in_its_level(anonymous, lines, made):
    url = reverse("practice_made", args=[made.pk])
    assert anonymous.get(url).status_code == 200
    page = anonymous.post(url, {"line": "1,1 2,1 2,2 4,2", "move": "4,1"})
    assert page.context["scratch"].is_solved
    assert page.context["following"] == board_of("goishi", 2)


def test_after_a_made_board_a_student_goes_on_with_another_of_the_kind(student_client, made):
    first = begun(student_client, from_made_board(made))
    student_client.post(reverse("go_on", args=[first.kind_slug]))
    last = AssignedPuzzle.objects.order_by("pk").last()
    assert last != first and last.kind_slug == "goishi"


def test_when_every_star_is_won_the_worlds_are_shown(student_client, monkeypatch):
    goishi = get_kind("goishi")
    everything = {
        board.key: Result(2, without_hint=True)
        for boards in worlds(goishi).values()
        for board in boards
    }
    monkeypatch.setattr("puzzleclass.practice.places.results_of", lambda _student: everything)
    assert student_client.post(reverse("go_on", args=["goishi"])).url == "/practice/"


SUNDAY = date(2026, 11, 22)
"""The boards of a Sunday are of the last worlds."""


def test_the_next_board_is_one_that_is_not_solved(student, student_client, solved, monkeypatch):
    monkeypatch.setattr("puzzleclass.practice.services.today", lambda: SUNDAY)
    first, second = worlds(get_kind("goishi"))[1][:2]
    solved(student_client, student, second)
    attempt = solved(student_client, student, first)
    student_client.post(reverse("go_on", args=[attempt.puzzle.kind_slug]))
    last = AssignedPuzzle.objects.order_by("pk").last()
    assert last.kind_slug == "goishi" and last.position not in (first.position, second.position)


# Guests


@every_kind
def test_a_guest_plays_and_nothing_is_stored(anonymous, slug):
    board, moves = board_of(slug), solution_of(board_of(slug))
    line = ""
    with CaptureQueriesContext(connection) as seen:
        page = anonymous.get(board.url)
        for move in split_moves(moves):
            page = anonymous.post(board.url, {"line": line, "move": move})
            line = page.context["scratch"].line
    assert page.context["scratch"].is_solved
    assert all(query["sql"].startswith("SELECT") for query in seen)
    for model in (Session, Attempt, Assignment):
        assert not model._base_manager.exists()
    level = anonymous.get(reverse("practice_level", args=[slug, 1])).content.decode()
    assert level.count("★") == 2
    assert f"World {board.level}, number {board.number}" in page.content.decode()
    # A guest's progress is gone when the browser is closed.
    assert not anonymous.cookies[f"practice-{slug}"]["max-age"]


def test_a_guest_begins_anew_after_very_many_moves(anonymous, monkeypatch):
    monkeypatch.setattr("puzzleclass.practice.scratch.MAX_MOVES", 1)
    board = board_of("goishi")
    first, second, *_rest = split_moves(solution_of(board))
    page = anonymous.post(board.url, {"line": first, "move": second})
    assert page.status_code == 422 and "too many moves" in page.content.decode()
    page = anonymous.post(board.url, {"line": first, "action": "restart"})
    assert (page.status_code, page.context["scratch"].line) == (200, "")


def test_a_guest_cannot_write_stars(anonymous):
    anonymous.cookies["practice-goishi"] = "fffff"
    assert "★" not in anonymous.get("/practice/goishi/1/").content.decode()


# The puzzle of the day


def test_a_week_without_a_day_ends_a_row_and_this_week_may_still_be_empty(student, student_client):
    row = begun(student_client, board_of("goishi"))
    now = timezone.now()
    today = services.today()
    for weeks in (1, 2, 4):
        FoundSolution.objects.create(
            student=student,
            puzzle=row,
            text=str(weeks),
            line="",
            found_at=now - timedelta(weeks=weeks),
        )
    assert rhythm_of(student, today) == Rhythm(2, 0)
    FoundSolution.objects.create(student=student, puzzle=row, text="now", line="")
    assert rhythm_of(student, today) == Rhythm(3, 1)


# Bounds


def test_the_pages_cost_the_same_however_much_is_solved(
    student, student_client, solved, queries_of
):
    urls = ["/practice/", "/practice/goishi/1/"]

    def queries() -> list[int]:
        numbers = []
        for url in urls:
            numbers.append(queries_of(student_client, url))
        return numbers

    solved(student_client, student, board_of("goishi"))
    MadeBoard.objects.create(kind_slug="goishi", level=1, position="oo", fingerprint="1")
    before = queries()
    for slug in kinds():
        solved(student_client, student, board_of(slug, 1, 2))
    MadeBoard.objects.create(kind_slug="goishi", level=1, position="ooo", fingerprint="2")
    assert queries() == before and max(before) <= 14


def test_the_practice_of_a_class_has_a_bound(student_client, monkeypatch):
    monkeypatch.setattr(services, "MAX_BOARDS", 1)
    begun(student_client, board_of("goishi"))
    assert student_client.post(board_of("goishi", 1, 2).url).status_code == 429
    assert begun(student_client, board_of("goishi"))


def test_practice_is_deleted_with_the_student(student, student_client, solved):
    solved(student_client, student, board_of("goishi"))
    tables = rows_under(student_roots(student))
    assert tables[Attempt].count() == tables[FoundSolution].count() == 1


def test_deleting_a_class_counts_practice(classroom, student, student_client, teacher, solved):
    solved(student_client, student, board_of("goishi"))
    begun(student_client, board_of("goishi", number=2))
    loss = class_services.loss_of_classroom(classroom)
    assert (loss.assignments, loss.attempts) == (0, 1)
    rows = class_services.delete_classroom(classroom, teacher).rows
    assert rows[Attempt._meta.label] == loss.attempts
    assert not Assignment.every.exists()


def test_old_fruitless_attempts_are_deleted_but_not_stars_and_solutions(
    student, student_client, solved, tried, assigned, monkeypatch
):
    monkeypatch.setattr(services, "BATCH_ROWS", 1)
    first, second, third = (board_of("goishi", number=number) for number in (1, 2, 3))
    won = solved(student_client, student, first)
    restart(won)
    again = tried(student, won.puzzle, solution_of(first))
    restart(again)
    left = tried(student, won.puzzle, solution_of(first).split()[0])
    dropped = tried(student, begun(student_client, second), solution_of(second).split()[0])
    homework = tried(student, assigned, "1,1")
    Attempt.objects.update(last_at=timezone.now() - timedelta(days=91))
    young = tried(student, begun(student_client, third), solution_of(third).split()[0])
    before = {key: result for key, result in results_of(student).items() if result.found}
    sum(services.delete_fruitless_attempts())
    kept = set(Attempt.objects.values_list("pk", flat=True))
    assert kept == {again.pk, homework.pk, young.pk}
    assert left.pk not in kept and dropped.pk not in kept
    assert before.items() <= results_of(student).items()
    assert set(Assignment.every.get(is_practice=True).puzzles.all()) == {won.puzzle, young.puzzle}
    assert sum(services.delete_fruitless_attempts()) == 0
    begun(student_client, second)


def test_a_guest_goes_on_where_the_last_solved_board_stands(anonymous):
    board = board_of("goishi", 4, 3)
    line = ""
    for move in split_moves(solution_of(board)):
        page = anonymous.post(board.url, {"line": line, "move": move})
        line = page.context["scratch"].line
    assert page.context["following"] == board_of("goishi", 4, 4)
    [path] = [
        each.way
        for each in anonymous.get("/practice/").context["maps"]
        if each.kind.slug == "goishi"
    ]
    assert (path.pin, path.next) == (4, board_of("goishi", 4, 4))


@pytest.mark.parametrize(
    "url",
    ["/practice/goishi/11/", "/practice/chess/1/", "/practice/goishi/1/13/", "/practice/made/9/"],
)
def test_an_unknown_board_answers_404(anonymous, url):
    assert anonymous.get(f"/practice/{url}").status_code == 404


def test_a_solved_board_leads_to_the_next_one_of_practice(student, student_client, tried):
    """It does not lead to boards that classmates have begun."""
    begun(student_client, board_of("goishi", number=2))
    board = begun(student_client, board_of("goishi"))
    tried(student, board, solution_of(board_of("goishi")))
    page = student_client.get(f"/play/{board.pk}/").content.decode()
    solved = page.partition('class="solved')[2].partition("</form>")[0]
    assert reverse("go_on", args=[board.kind_slug]) in solved and "Next puzzle" in solved
    assert " to go" not in page and "Goishi Hiroi" in page


def test_a_board_with_one_solution_asks_for_no_other(student_client, student, classroom, play):
    board = next(each for each in worlds(get_kind("goishi"))[1] if each.solutions == 1)
    student_client.post(board.url)
    puzzle = AssignedPuzzle.objects.get(position=board.position)
    attempt = play(current_attempt(student, puzzle), *split_moves(solution_of(board)))
    page = student_client.get(f"/play/{puzzle.pk}/").content.decode()
    assert attempt.state == "solved"
    assert "There is one solution, and you have found it!" in page
    assert "1 of 1" not in " ".join(page.split())
    assert "another solution" not in page


@every_kind
def test_every_world_has_one_board_with_which_to_begin(student_client, student, slug, solved):
    """Also a world that practice would not choose yet. It is the first unsolved board."""
    for level in worlds(get_kind(slug)):
        page = student_client.get(f"/practice/{slug}/{level}/")
        assert page.content.decode().count('class="picture-button start"') == 1
    solved(student_client, student, board_of(slug, 2))
    page = student_client.get(f"/practice/{slug}/2/")
    assert page.context["start"] == board_of(slug, 2, 2)


def test_a_browser_stores_a_world_and_the_boards_of_today_before_anybody_begins_them(
    student_client, classroom
):
    address = reverse("stored_boards", args=["goishi", 2])
    stored = student_client.post(address).json()
    assert student_client.post(address).json() == stored
    assert stored["pages"] == ["/practice/", "/practice/goishi/2/"]
    assert list(stored["boards"]) == [board.url for board in worlds(get_kind("goishi"))[2]]
    assert AssignedPuzzle.objects.count() == len(stored["boards"])
    pages = {*stored["pages"], *stored["boards"].values()}
    assert {student_client.get(page).status_code for page in pages} == {200}
    today = student_client.post(reverse("stored_boards")).json()
    assert [f'action="{begun}"' in student_client.get("/").text for begun in today["boards"]] == [
        True,
        True,
    ]
    assert not Attempt.objects.exists()
    assert not PathPlace.objects.exists()
    assert student_client.post(reverse("stored_boards", args=["goishi", 99])).status_code == 404
    classroom.practice = False
    classroom.save()
    assert student_client.post(address).status_code == 403


def test_a_stored_world_takes_at_most_150_kb(student_client):
    """Beyond the files that its play pages share, which a browser has from the first of them."""
    for slug in kinds():
        stored = student_client.post(reverse("stored_boards", args=[slug, 1])).json()
        pages = [*stored["pages"], *stored["boards"].values(), "/"]
        zipped = (student_client.get(page, headers={"Accept-Encoding": "gzip"}) for page in pages)
        assert sum(len(page.content) for page in zipped) <= 150_000
