"""The library: listing, finding, copying and deleting puzzles, and its access."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.puzzles.answers import COUNT, ask_about
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.views import A_PAGE

LIST = reverse("puzzle_list")


def make_puzzle(owner, title: str, position: str = "oo/oo") -> Puzzle:
    return Puzzle.objects.create(owner=owner, kind_slug="goishi", position=position, title=title)


def test_the_owner_sees_board_title_and_facts(teacher_client, puzzle):
    page = teacher_client.get(LIST).content.decode()
    assert "Five stones" in page
    assert "<svg" in page
    assert "Rows: 4, columns: 2" in page
    assert "Stones: 5" in page
    assert "Solutions not counted yet" in page


def test_other_teachers_do_not_see_the_list(other_client, colleague_client, puzzle):
    assert "Five stones" not in other_client.get(LIST).content.decode()
    assert "Five stones" not in colleague_client.get(LIST).content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "You have no puzzles of your own yet"), ("ja", "自分の問題はまだありません")],
)
def test_an_empty_library_says_what_to_do(client_of, teacher, language, words):
    page = client_of(teacher, language).get(LIST).content.decode()
    assert words in page
    assert reverse("puzzle_kind") in page


def test_a_known_count_is_shown(teacher_client, teacher, puzzle, done):
    done(ask_about(teacher, puzzle, COUNT))
    assert "Solutions: 5" in teacher_client.get(LIST).content.decode()


def test_an_unproven_count_is_shown_as_a_bound(teacher_client, teacher, puzzle, answered):
    answered(ask_about(teacher, puzzle, COUNT), "1200", proven=False)
    assert "Solutions: at least 1,200" in teacher_client.get(LIST).content.decode()


def test_equal_boards_share_a_count(teacher_client, teacher, puzzle, done):
    make_puzzle(teacher, "The same again", puzzle.position)
    done(ask_about(teacher, puzzle, COUNT))
    assert teacher_client.get(LIST).content.decode().count("Solutions: 5") == 2


def test_the_next_board_to_show_is_the_one_below(teacher_client, teacher, other_teacher):
    first, second, third = (make_puzzle(teacher, title) for title in ("First", "Second", "Third"))
    make_puzzle(other_teacher, "A stranger's")
    Puzzle.objects.filter(pk__in=[second.pk, third.pk]).update(changed_at=third.changed_at)
    below = {second: third, third: first}
    for puzzle in (second, third, first):
        page = teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
        shown = below.get(puzzle)
        assert ("data-present-next" in page) == bool(shown)
        assert shown is None or f'href="/puzzles/{shown.pk}/#present-board"' in page


def test_more_puzzles_need_no_more_queries(teacher_client, teacher, puzzle, done, queries_of):
    done(ask_about(teacher, puzzle, COUNT))
    for number in range(10):
        make_puzzle(teacher, f"Puzzle {number}", "o" * (number + 1))
    # The queries are session with user, number of puzzles, puzzles, their tags, all tags,
    # saved searches, classes.
    assert queries_of(teacher_client, LIST) == 10


def test_pages(teacher_client, teacher):
    for number in range(A_PAGE + 1):
        make_puzzle(teacher, f"Puzzle <{number}>")
    first = teacher_client.get(LIST).content.decode()
    assert f"Puzzle &lt;{A_PAGE}&gt;" in first and "Puzzle &lt;0&gt;" not in first
    assert "Page 1 of 2" in first
    second = teacher_client.get(LIST, {"page": 2, "q": "puzzle"}).content.decode()
    assert "Puzzle &lt;0&gt;" in second and "Puzzle &lt;1&gt;" not in second
    assert 'href="?page=1&amp;q=puzzle"' in second


@pytest.mark.parametrize("page", ["0", "-3", "two", "99999999999999999999", "\0"])
def test_an_impossible_page_is_the_nearest(teacher_client, puzzle, page):
    answer = teacher_client.get(LIST, {"page": page})
    assert answer.status_code == 200
    assert "Five stones" in answer.content.decode()


@pytest.mark.parametrize(
    ("wanted", "found"), [("five", True), (" STONES ", True), ("six", False), ("%", False)]
)
def test_search_by_title(teacher_client, puzzle, wanted, found):
    page = teacher_client.get(LIST, {"q": wanted}).content.decode()
    assert ("Five stones" in page) == found
    assert ("No puzzles match" in page) != found


@pytest.mark.parametrize("wanted", ["\0", "x" * 5000])
def test_a_search_that_makes_no_sense_is_ignored(teacher_client, puzzle, wanted):
    assert "Five stones" in teacher_client.get(LIST, {"q": wanted}).content.decode()


def test_the_search_answers_htmx_with_the_list_alone(teacher_client, puzzle):
    answer = teacher_client.get(LIST, {"q": "five"}, headers={"hx-request": "true"})
    assert "<html" not in answer.content.decode()
    assert "Five stones" in answer.content.decode()


# Copying


def test_a_copy_opens_in_the_editor(teacher_client, teacher, puzzle):
    answer = teacher_client.post(reverse("puzzle_copy", args=[puzzle.pk]))
    copy = Puzzle.objects.exclude(pk=puzzle.pk).get()
    assert answer.url == reverse("puzzle_edit", args=[copy.pk])
    assert (copy.owner, copy.position, copy.title) == (teacher, puzzle.position, "Five stones 2")


def test_a_copy_of_the_longest_title_fits(teacher_client, puzzle):
    puzzle.title = "x" * 60
    puzzle.save()
    teacher_client.post(reverse("puzzle_copy", args=[puzzle.pk]))
    assert Puzzle.objects.exclude(pk=puzzle.pk).get().title == "x" * 58 + " 2"


# Deleting


def test_deleting_can_be_undone_at_once(teacher_client, puzzle):
    answer = teacher_client.post(reverse("puzzle_delete", args=[puzzle.pk]), follow=True)
    assert "“Five stones” has been deleted." in answer.content.decode()
    assert "Five stones" not in teacher_client.get(LIST).content.decode()
    assert teacher_client.get(reverse("puzzle", args=[puzzle.pk])).status_code == 404
    teacher_client.post(re.search(r"/bin/[0-9]+/", answer.content.decode())[0])
    assert Puzzle.objects.get() == puzzle


def test_a_deleted_puzzle_stays_with_the_class(
    teacher_client, puzzle, assigned, client_of, student
):
    teacher_client.post(reverse("puzzle_delete", args=[puzzle.pk]))
    assert client_of(student).get(reverse("play", args=[assigned.pk])).status_code == 200
    Puzzle.every.update(deleted_at=timezone.now() - timedelta(days=31))
    assert Puzzle.expired().delete()[0] == 1
    assigned.refresh_from_db()
    assert (assigned.puzzle, assigned.position) == (None, "o./oo/../oo")
