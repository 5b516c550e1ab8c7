"""The searches of the library that a teacher saves under a name."""

import pytest
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import SavedSearch
from tests.presses import Reader

LIST, SAVE = reverse("puzzle_list"), reverse("search_save")


@pytest.fixture
def saved(teacher) -> SavedSearch:
    return teacher.saved_searches.create(name="For Monday", query="q=monday&kind=goishi")


def change(client, saved: SavedSearch, **fields: str) -> str:
    """Rename or delete the saved search; return the page that follows."""
    address = reverse("search_change", args=[saved.pk])
    return client.post(address, fields, follow=True).content.decode()


def test_a_search_is_saved_as_the_library_shows_it(teacher_client, teacher):
    searched = {"q": "five", "kind": "goishi", "level": "no such", "page": "2", "sort": "easy"}
    shown = teacher_client.get(LIST, searched)
    answer = teacher_client.post(
        SAVE, {"name": "  Five \n stones ", "query": shown.context["query"]}
    )
    saved = teacher.saved_searches.get()
    assert (saved.name, saved.query) == ("Five stones", "q=five&kind=goishi&sort=easy")
    assert answer.url == f"{LIST}?{saved.query}"


def test_one_press_opens_a_saved_search(teacher_client, puzzle, saved):
    saved.query = "q=six&kind=goishi"
    saved.save()
    reader = Reader(teacher_client, LIST).press("For Monday")
    assert reader.presses == 1
    assert "No puzzles match" in reader.response.content.decode()
    assert reader.find("For Monday").attributes["aria-current"] == "page"


def test_the_name_of_a_saved_search_takes_the_new_filters(teacher_client, teacher, saved):
    teacher_client.post(SAVE, {"name": "For Monday", "query": "size=small"})
    assert [each.query for each in teacher.saved_searches.all()] == ["size=small"]


def test_the_number_of_saved_searches_is_limited(teacher_client, teacher, saved):
    for number in range(SavedSearch.MAX_COUNT - 1):
        teacher.saved_searches.create(name=f"Search {number}", query="q=x")
    answer = teacher_client.post(SAVE, {"name": "One more", "query": "q=y"})
    assert "at most 20 saved searches" in answer.content.decode()
    teacher_client.post(SAVE, {"name": "For Monday", "query": "q=y"})
    assert teacher.saved_searches.count() == SavedSearch.MAX_COUNT
    assert teacher.saved_searches.get(name="For Monday").query == "q=y"


@pytest.mark.parametrize("name", ["", "   "])
def test_a_search_without_a_name_is_not_saved(teacher_client, teacher, name):
    page = teacher_client.post(SAVE, {"name": name, "query": "q=x"}, follow=True)
    assert "Give the search a name." in page.content.decode()
    assert not teacher.saved_searches.exists()


def test_a_saved_search_is_renamed(teacher_client, saved):
    page = change(teacher_client, saved, name="For Friday", do="rename", query=saved.query)
    saved.refresh_from_db()
    assert saved.name == "For Friday" and 'aria-current="page"' in page


@pytest.mark.parametrize(
    ("name", "said"), [("", "Give the search a name."), ("Small", "already a saved search “Small”")]
)
def test_a_name_that_does_not_fit_is_refused(teacher_client, teacher, saved, name, said):
    teacher.saved_searches.create(name="Small", query="size=small")
    assert said in change(teacher_client, saved, name=name, do="rename")
    saved.refresh_from_db()
    assert saved.name == "For Monday"


def test_a_saved_search_is_deleted(teacher_client, teacher, saved):
    assert "“For Monday” has been deleted." in change(teacher_client, saved, do="delete")
    assert not teacher.saved_searches.exists()


def test_others_do_not_see_a_saved_search(colleague_client, saved):
    assert "For Monday" not in colleague_client.get(LIST).content.decode()


def test_saved_searches_go_with_the_account(teacher, saved):
    User.objects.get(pk=teacher.pk).delete()
    assert not SavedSearch.objects.exists()
