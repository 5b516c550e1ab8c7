"""The goal of a puzzle with a score: drawing it, setting it on its page, assigning it to a
class."""

import re

import pytest

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.goals import Goal, goal_in
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import get_kind

WIDE = "/".join(["." * 11 + "-"] + ["." * 12] * 11)
"""A board whose optimum, 109, is not known at once because the board is too wide."""
HTMX = {"HX-Request": "true"}


@pytest.fixture
def drawn(teacher):
    """Return a function that puts a board into the teacher's library."""

    def drawn(position: str, kind: str = "maxstrings") -> Puzzle:
        return Puzzle.objects.create(owner=teacher, kind_slug=kind, position=position, title="Go")

    return drawn


@pytest.fixture
def found(teacher, answered):
    """Return a function that completes a worker's search for the optimum of a board."""

    def found(position: str, optimum: int, proven: bool = True) -> Job:
        return answered(jobs.ask(teacher, "maxstrings", "best", position), optimum, proven)

    return found


def badges(page: str) -> list[str]:
    return [" ".join(text.split()) for text in re.findall(r'class="badge[^>]*>([^<]*)<', page)]


# The editor


def sketched(client, draft: str, **sent: str):
    url = "/puzzles/new/maxstrings/"
    sent = {"draft": draft, "brush": "black", "title": "Go"} | sent
    answer = client.post(url, sent, headers=HTMX)
    return answer, answer.content.decode()


def test_the_editor_sets_the_mark(teacher_client):
    answer, page = sketched(teacher_client, "..../..../..../....", do="goal", goal="10")
    assert answer.status_code == 200
    assert 'name="draft" value="..../..../..../.... 10"' in page
    assert "Best possible score: 12" in badges(page)
    assert "Below the best possible score by 2" in badges(page)
    answer, page = sketched(teacher_client, "..../..../..../.... 10", do="goal", goal=" ")
    assert 'name="draft" value="..../..../..../...."' in page
    assert "The goal is the best possible score" in badges(page)


def test_full_width_digits_are_digits(teacher_client):
    assert (
        'value=".../.../... 5"' in sketched(teacher_client, ".../.../...", do="goal", goal="５")[1]
    )


@pytest.mark.parametrize("goal", ["x", "-1", "0", "1.5", "99999", "<b>"])
def test_an_invalid_goal_is_refused(teacher_client, goal):
    answer, page = sketched(teacher_client, ".../.../...", do="goal", goal=goal)
    assert answer.status_code == 422
    assert "The goal must be a whole number." in page
    assert "<b>" not in page


@pytest.mark.parametrize("do", ["goal", "save"])
def test_a_mark_above_the_optimum_is_refused_and_the_optimum_named(teacher_client, do):
    _, page = sketched(teacher_client, "..../..../..../....", do=do, goal="13")
    assert "13 strings can&#x27;t be reached: a board of this shape holds 12 at most." in page
    assert not Puzzle.objects.exists()


def test_saving_takes_the_mark_that_was_typed_last(teacher_client):
    sketched(teacher_client, ".../.../... 6", do="save", goal="5")
    assert Puzzle.objects.get().position == ".../.../... 5"


@pytest.mark.parametrize(
    ("text", "goal", "saved"),
    [("9x9 58", "", "58"), ("9x9 58", "50", "50"), ("9x9", "50", "50"), ("9x9", "", "")],
)
def test_a_board_that_is_pasted_and_saved_at_once_brings_its_mark(
    teacher_client, text, goal, saved
):
    sketched(teacher_client, "....../......", do="save", text=text, goal=goal)
    board = Puzzle.objects.get()
    assert board.kind.score.goal(board.position) == saved
    assert board.kind.editor.size(board.position) == (9, 9)


def test_kinds_without_a_score_have_no_mark(teacher_client, puzzle):
    for url in ("/puzzles/new/goishi/", f"/puzzles/{puzzle.pk}/"):
        assert 'name="goal"' not in teacher_client.get(url).content.decode()
    assert teacher_client.get(f"/puzzles/{puzzle.pk}/goal/").status_code == 404
    assert teacher_client.post(f"/puzzles/{puzzle.pk}/goal/", {"goal": "1"}).status_code == 404


def test_an_optimum_that_is_not_known_is_asked_for_when_the_board_is_saved(teacher_client):
    sketched(teacher_client, WIDE, do="save", goal="")
    job = Job.objects.get()
    assert (job.question, job.position) == ("best", WIDE)
    sketched(teacher_client, "9x9".replace("9x9", ".../.../..."), do="save", goal="")
    assert Job.objects.count() == 1


@pytest.mark.parametrize("draft", [WIDE, WIDE + " 110"])
def test_a_workers_optimum_bounds_the_mark_too(teacher_client, found, draft):
    found(WIDE, 109)
    answer, page = sketched(teacher_client, draft, do="save", goal="110")
    assert answer.status_code == 422
    assert "The goal 110 can&#x27;t be reached. The best possible score is 109." in page
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("rows", ["20", "25"])
def test_larger_boards_are_refused_with_what_is_known_of_them(teacher_client, rows):
    answer, page = sketched(teacher_client, "...", do="resize", rows=rows, columns=rows)
    assert answer.status_code == 422
    assert {"20": "308 strings", "25": "484 strings"}[rows] in page
    assert "Discover" in page


# The puzzle's page


def test_the_page_sets_the_mark(teacher_client, drawn):
    board = drawn(".../.../...")
    page = teacher_client.get(f"/puzzles/{board.pk}/").content.decode()
    assert "Solved by a score of 6" in page
    assert teacher_client.post(f"/puzzles/{board.pk}/goal/", {"goal": "4"}).status_code == 302
    board.refresh_from_db()
    assert board.position == ".../.../... 4"
    page = teacher_client.get(f"/puzzles/{board.pk}/").content.decode()
    assert "Below the best possible score by 2" in badges(page)
    assert 'value="4"' in page


def test_the_page_refuses_a_mark_out_of_reach_and_keeps_what_was_typed(teacher_client, drawn):
    board = drawn(".../.../... 4")
    answer = teacher_client.post(f"/puzzles/{board.pk}/goal/", {"goal": "7"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "a board of this shape holds 6 at most" in page and 'value="7"' in page
    board.refresh_from_db()
    assert board.position == ".../.../... 4"


def test_the_page_has_the_optimum_computed(teacher_client, drawn, found):
    board = drawn(WIDE)
    url = f"/puzzles/{board.pk}/goal/"
    assert (
        "Calculate the best possible score"
        in teacher_client.get(f"/puzzles/{board.pk}/").content.decode()
    )
    assert teacher_client.post(url, {"do": "optimum"}).status_code == 302
    assert "job-card" in teacher_client.get(url, headers=HTMX).content.decode()
    found(WIDE, 109)
    assert "Best possible score: 109" in badges(
        teacher_client.get(url, headers=HTMX).content.decode()
    )
    page = teacher_client.get(url, headers=HTMX).content.decode()
    assert "Set it, or a lower score, as the goal" in page and 'value="109"' in page
    answer = teacher_client.post(url, {"goal": "110"})
    assert "The best possible score is 109." in answer.content.decode()
    teacher_client.post(url, {"goal": "109"})
    page = teacher_client.get(url, headers=HTMX).content.decode()
    assert "Solved by a score of 109" in page


def test_an_optimum_without_a_proof_is_not_used(teacher_client, drawn, found):
    board = drawn(WIDE)
    found(WIDE, 100, proven=False)
    page = teacher_client.get(f"/puzzles/{board.pk}/").content.decode()
    assert "Best possible score: not known yet" in badges(page)
    assert "could not be calculated completely" in page


def test_a_draft_that_is_no_board_yet_keeps_the_goal_that_was_typed():
    kind = get_kind("maxstrings")
    for draft in ("", "#/#", "XO/X"):
        assert goal_in(kind, draft) == Goal("", None, None)
    assert goal_in(kind, "#/# 3").typed == "3"
