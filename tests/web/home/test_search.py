"""The search of the whole site finds what its reader may see, and nothing else."""

import pytest

from puzzleclass.home.search import MAX_SHOWN
from puzzleclass.puzzles.models import Puzzle

HTMX = {"HX-Request": "true"}


def found(client, text: str) -> dict[str, list[str]]:
    """Return the titles that the search finds, by the title of their sort."""
    groups = client.get("/search/", {"q": text}).context["groups"]
    return {str(group.title): [str(each.title) for each in group.results] for group in groups}


def addresses(client, text: str) -> list[str]:
    groups = client.get("/search/", {"q": text}).context["groups"]
    return [each.url for group in groups for each in group.results]


def test_every_sort_is_found_and_every_result_opens(
    teacher_client, classroom, student, puzzle, assignment
):
    for text, sort in (
        ("five ston", "Puzzles"),
        (classroom.name, "Classes"),
        (student.name.split()[0], "Students"),
        ("homework", "Assignments"),
        ("bin", "Pages"),
        ("PIN", "Help"),
    ):
        assert sort in found(teacher_client, text), text
        for url in addresses(teacher_client, text):
            assert teacher_client.get(url).status_code == 200, url


def test_a_student_is_found_by_the_reading(teacher_client, student):
    type(student).objects.filter(pk=student.pk).update(reading="あべ はると")
    assert found(teacher_client, "あべ はる")["Students"] == [student.name]


def test_every_word_must_be_found(teacher_client, puzzle):
    assert "Puzzles" in found(teacher_client, "stones five")
    assert "Puzzles" not in found(teacher_client, "stones six")


def test_other_teachers_find_nothing_of_it(other_client, classroom, student, puzzle, assignment):
    for text in ("five", classroom.name, student.name, "homework"):
        theirs = found(other_client, text)
        assert not theirs.keys() & {"Puzzles", "Students", "Assignments"}, theirs
        assert f"/classes/{classroom.pk}/" not in addresses(other_client, text)


def test_a_colleague_finds_the_class_but_not_the_owners_puzzles(
    colleague_client, student, puzzle, assignment
):
    assert found(colleague_client, student.name)["Students"] == [student.name]
    assert "Puzzles" not in found(colleague_client, "five")


def test_what_is_in_the_bin_is_not_found(teacher_client, puzzle):
    teacher_client.post(f"/puzzles/{puzzle.pk}/delete/")
    assert "Puzzles" not in found(teacher_client, "five")


def test_results_are_bounded_and_queries_constant(teacher_client, make_puzzle, queries_of):
    few = queries_of(teacher_client, "/search/?q=row")
    for number in range(2 * MAX_SHOWN):
        make_puzzle("goishi", "oo/oo", f"Row {number}")
    # The queries are session with user, puzzles, classes, assignments, students.
    assert few == queries_of(teacher_client, "/search/?q=row") == 5
    assert len(found(teacher_client, "row")["Puzzles"]) == MAX_SHOWN
    assert queries_of(teacher_client, "/search/") == 1


def test_typing_gets_only_the_results(teacher_client, puzzle):
    page = teacher_client.get("/search/", {"q": "five"}, headers=HTMX).content.decode()
    assert "<html" not in page and 'role="option"' in page
    page = teacher_client.get("/search/", {"q": "%_<b>" * 30}, headers=HTMX).content.decode()
    assert "Nothing was found" in page and "<b>" not in page


@pytest.mark.parametrize(("language", "words"), [("en", "Search"), ("ja", "さがす")])
def test_every_page_of_a_teacher_has_the_search(client_of, teacher, student, language, words):
    button = "data-search-open"
    assert button in client_of(teacher, language).get("/").content.decode()
    assert words in client_of(teacher, language).get("/").content.decode()
    assert button not in client_of(student, language).get("/").content.decode()
    assert button not in client_of(None, language).get("/").content.decode()


def test_a_title_with_a_percent_sign_is_found_as_it_is(teacher_client, make_puzzle):
    make_puzzle("goishi", "oo/oo", "100 % stones")
    assert found(teacher_client, "%")["Puzzles"] == ["100 % stones"]
    assert Puzzle.objects.count() >= 1


@pytest.mark.parametrize("text", ["がっこう", "ｶﾞｯｺｳ", "ガッコウ　５年", "taro"])
def test_a_text_is_found_in_every_form(teacher_client, classroom, student, puzzle, text):
    type(classroom).objects.filter(pk=classroom.pk).update(name="ガッコウ 5年")
    type(student).objects.filter(pk=student.pk).update(name="Ｔａｒｏ")
    Puzzle.objects.filter(pk=puzzle.pk).update(title="ガッコウ 5年")
    sorts = ["Students"] if text == "taro" else ["Classes", "Puzzles"]
    assert not set(sorts) - set(found(teacher_client, text))
    for path in ["/classes/", "/puzzles/"] if "Classes" in sorts else []:
        assert "ガッコウ 5年" in teacher_client.get(path, {"q": text}).content.decode()
