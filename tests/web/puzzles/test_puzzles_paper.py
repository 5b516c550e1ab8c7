"""Worksheets: the content of their pages, and who may print them."""

import pytest
from django.http import QueryDict
from django.urls import reverse

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.answers import COUNT, ask_about
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.worksheets import answer_picture, sheets, worksheet
from solvers.answers import CountAnswer, Exact
from solvers.registry import examples, kinds

pytestmark = pytest.mark.django_db


@pytest.fixture
def library(make_puzzle) -> list[Puzzle]:
    """Return a puzzle of each kind."""
    return [
        make_puzzle(kind.slug, kind.write_start(kind.read(examples(kind)[0].position)), kind.slug)
        for kind in kinds().values()
    ]


def test_pages_numbers_and_answers(library, teacher, answered):
    first = next(puzzle for puzzle in library if puzzle.kind_slug == "goishi")
    job: Job = answered(ask_about(teacher, first, COUNT), 8)
    job.answer["moves"] = [first.kind.write_move(move) for move in first.kind.moves(first.start)][
        :1
    ]
    job.save()
    pages = sheets(library, "both", 3, {})
    numbers = [entry.number for page in pages if not page.is_answers for entry in page.boards]
    assert numbers == list(range(1, len(library) + 1))
    assert [page.is_answers for page in pages] == sorted(page.is_answers for page in pages)
    answers = [entry for page in pages if page.is_answers for entry in page.boards]
    assert [entry.board for entry in answers if entry.picture] == [first]


def test_a_kept_solution_is_an_answer(make_puzzle):
    board = make_puzzle("kikazu", "3/3/3 2R")
    board.set_answer(CountAnswer(Exact(18), moves=("R 1,1", "R 2,2")))
    [page] = sheets([board], "answers", 1, {})
    assert page.boards[0].picture == answer_picture(board, ["R 1,1", "R 2,2"])


def test_an_answer_is_numbers_in_order_or_the_board_at_its_end():
    goishi = Puzzle(kind_slug="goishi", position="oo/.o")
    drawn = [shape.text for shape in answer_picture(goishi, ["1,1", "1,2", "2,2"]).shapes[-3:]]
    assert drawn == ["1", "2", "3"]
    strings = Puzzle(kind_slug="maxstrings", position="../..")
    line = ["x 1,1", "o 2,2"]
    at_end = strings.kind.draw(strings.kind.play_line(strings.start, " ".join(line)))
    assert answer_picture(strings, line) == at_end


def test_the_sheet_says_name_rules_and_task(teacher_client, library):
    ids = [puzzle.pk for puzzle in library]
    page = teacher_client.get(reverse("puzzle_worksheet"), {"id": ids}).content.decode()
    for puzzle in library:
        assert f". {puzzle.title}</b>" in page
    assert "on the stones in the order" in page and "Draw on the board" in page
    assert "qr-code" not in page  # students can't open a library


def test_the_answers_stand_apart_and_say_when_none_is_known(teacher_client, library):
    ids = {"id": [library[0].pk], "part": "answers", "a_page": 1}
    page = teacher_client.get(reverse("puzzle_worksheet"), ids).content.decode()
    assert "The answer is not known yet" in page
    assert "name-line" not in page


@pytest.mark.parametrize("query", [{"id": "x"}, {"id": "9" * 30}, {"id": 10**12}])
def test_no_such_puzzle(teacher_client, query):
    assert teacher_client.get(reverse("puzzle_worksheet"), query).status_code == 404


def test_nonsense_in_the_options_is_as_the_form_begins(teacher_client, library):
    query = {"id": library[0].pk, "part": "?", "a_page": "99", "title": "x" * 300}
    page = teacher_client.get(reverse("puzzle_worksheet"), query)
    assert page.status_code == 200
    assert page.context["chosen"]["title"] == library[0].title
    assert 'class="plain boards on-1"' in page.content.decode()


@pytest.mark.parametrize(("count", "a_page"), [(1, 1), (2, 2), (3, 4), (5, 6), (6, 6), (7, 4)])
def test_a_few_boards_share_one_page_unless_something_else_is_chosen(count, a_page):
    boards = [Puzzle(kind_slug="goishi", position="oo/oo") for _ in range(count)]
    assert worksheet(QueryDict(), boards, "")["chosen"]["a_page"] == a_page
    asked = QueryDict("part=puzzles&a_page=2")
    assert worksheet(asked, boards, "")["chosen"]["a_page"] == 2


def test_an_assignment_prints_the_way_to_each_board(teacher_client, assigned):
    address = reverse("assignment_worksheet", args=[assigned.assignment_id])
    assert "qr-code" in teacher_client.get(address).content.decode()
    without = {"part": "puzzles", "a_page": 2}
    assert "qr-code" not in teacher_client.get(address, without).content.decode()


def test_nobody_prints_what_is_another_teachers(other_client, library):
    mine = {"id": library[0].pk}
    assert other_client.get(reverse("puzzle_worksheet"), mine).status_code == 404


def test_queries_do_not_grow_with_the_boards(teacher_client, library, queries_of):
    def queries(count: int) -> int:
        ids = {"id": [puzzle.pk for puzzle in library[:count]], "part": "both", "a_page": 6}
        return queries_of(teacher_client, reverse("puzzle_worksheet"), ids)

    queries(1)
    assert queries(1) == queries(len(library))
