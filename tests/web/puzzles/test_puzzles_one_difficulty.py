"""One difficulty for a board: library, form, students' pages, sheets and statistics agree."""

import pytest
from django.urls import reverse

from puzzleclass.puzzles.answers import RATE, ask_about
from puzzleclass.puzzles.generator import save_boards
from puzzleclass.puzzles.models import Puzzle, levels_of
from puzzleclass.puzzles.worlds import worlds
from solvers.answers import GeneratedBoard
from solvers.registry import get_kind

STATED = next(
    board
    for boards in worlds(get_kind("goishi")).values()
    for board in boards
    if board.band == "very hard"
)
"""A board of the collection, whose difficulty the collection states."""
MADE = "ooo/o../o.."


@pytest.fixture
def boards(teacher, make_puzzle, answered) -> dict[str, Puzzle]:
    """Return boards that are very hard, by the way in which this has become known."""
    (generated,) = save_boards(
        teacher, "goishi", [GeneratedBoard(position=MADE, band="very hard")], "Generated"
    )
    rated = make_puzzle("goishi", "oooo/...o/...o", "Rated")
    answered(ask_about(teacher, rated, RATE), 4, band="very hard")
    rated.refresh_from_db()
    stated = make_puzzle("goishi", STATED.position, "Stated")
    return {"generated": generated, "rated": rated, "stated": stated}


@pytest.mark.parametrize("way", ["generated", "rated", "stated"])
def test_all_pages_say_how_difficult_a_board_is(
    teacher_client, classroom, student, boards, assign, tried, way
):
    assignment = assign(classroom, boards[way])
    (assigned,) = assignment.puzzles.all()
    tried(student, assigned, str(next(iter(_first_moves(assigned)))))
    library = teacher_client.get("/puzzles/", {"q": boards[way].title}).content.decode()
    assert "very hard" in library.partition('class="thumb')[2]
    form = teacher_client.get(f"/assignments/{assignment.pk}/edit/").content.decode()
    assert 'data-level="4"' in form.partition('class="plain basket"')[2].partition("</ol>")[0]
    for url in (
        reverse("student", args=[student.pk]),
        reverse("student_sheets", args=[classroom.pk]),
    ):
        page = teacher_client.get(url).content.decode()
        assert "very hard" in page and "not rated" not in page, url


def _first_moves(assigned) -> list[str]:
    kind = assigned.kind
    return [kind.write_move(move) for move in kind.moves(assigned.start)]


def test_a_rating_does_not_change_what_the_collection_states(teacher, boards, answered):
    stated = boards["stated"]
    answered(ask_about(teacher, stated, RATE), 1, band="easy")
    stated.refresh_from_db()
    assert stated.level == 4 and levels_of([stated]) == {stated.key: 4}


def test_the_page_of_a_board_of_the_collection_shows_what_the_collection_states(
    teacher_client, teacher, boards, answered
):
    stated = boards["stated"]
    answered(ask_about(teacher, stated, "count"), 1, moves=["1,1"])
    answered(ask_about(teacher, stated, RATE), 1, band="easy")
    page = teacher_client.get(f"/puzzles/{stated.pk}/").content.decode()
    assert 'data-level="4"' in page and 'data-level="1"' not in page


def test_a_copy_of_a_colleague_is_as_difficult(other_teacher, boards):
    copy = Puzzle.objects.create(
        owner=other_teacher, kind_slug="goishi", position=MADE, title="Copy"
    )
    assert copy.level == 4


def test_the_difficulties_of_many_boards_take_two_queries(
    boards, make_puzzle, django_assert_max_num_queries
):
    unknown = [make_puzzle("goishi", "o" * n + "/" + "o" * n, str(n)) for n in range(2, 9)]
    with django_assert_max_num_queries(2):
        levels = levels_of([*boards.values(), *unknown])
    assert sorted(levels.values()) == [0] * 7 + [4] * 3


def test_the_collection_has_worlds_and_no_second_scale(client_of, teacher):
    for language, word, other in (("en", "World", "Level"), ("ja", "ワールド", "レベル")):
        page = client_of(teacher, language).get("/puzzles/collection/goishi/1/").content.decode()
        assert f'aria-label="{word}"' in page and f'aria-label="{other}"' not in page
