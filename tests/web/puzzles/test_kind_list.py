"""The page of all kinds: each is found by every name, tried at once and shown to a class."""

import pytest
from django.urls import reverse

from puzzleclass.classes.kind_choice import named_kinds
from puzzleclass.classes.school_models import School
from puzzleclass.language.reader import say
from puzzleclass.puzzles.kind_names import ALSO, NEAREST, kinds_named


def names(client, text=""):
    page = client.get(reverse("kind_list"), {"q": text} if text else None)
    return [card.name for card in page.context["cards"]]


def test_all_kinds_are_shown_with_rule_and_board(teacher_client):
    page = teacher_client.get(reverse("kind_list")).content.decode()
    assert names(teacher_client) == list(named_kinds())
    for name, kind in named_kinds().items():
        assert f'id="{name}"' in page
        assert page.count("<svg") >= len(named_kinds())
        assert str(say(kind.name)) in page


@pytest.mark.parametrize(
    ("text", "first", "missing"),
    [
        ("sudoku", "sudoku_9", ""),
        ("ナンプレ", "sudoku_9", ""),
        ("数独", "sudoku", ""),
        ("ｑｕｅｅｎｓ", "queens", ""),
        ("スリザー", "slitherlink", ""),
        ("Hashi", "slitherlink", "Hashi"),
        ("ぬりかべ", "kurodoko", "ぬりかべ"),
        ("ピクロス", "mosaic", "ピクロス"),
    ],
)
def test_a_kind_is_found_by_the_names_that_people_use(teacher_client, text, first, missing):
    found = kinds_named(text)
    assert (found[0].name, found[0].missing) == (first, missing)
    assert names(teacher_client, text)[0] == first
    search = teacher_client.get("/search/", {"q": text}).content.decode()
    assert f"{reverse('kind_list')}#{first}" in search


def test_an_unknown_name_shows_all_kinds_and_says_so(teacher_client):
    page = teacher_client.get(reverse("kind_list"), {"q": "{x}%<b>"})
    assert "No kind is called “{x}%&lt;b&gt;”" in page.content.decode()
    assert len(page.context["cards"]) == len(named_kinds())


def test_other_names_belong_to_kinds_that_exist():
    assert {*ALSO, *NEAREST} <= named_kinds().keys()
    for others in NEAREST.values():
        for other in others.split(", "):
            assert kinds_named(other)[0].missing, f"{other} is here"


@pytest.mark.parametrize("name", named_kinds())
def test_each_kind_is_tried_at_once(teacher_client, student_client, name):
    address = reverse("trial", args=[f"kind-{name}"])
    assert teacher_client.get(address).status_code == 200
    assert student_client.get(address).status_code == 404


def test_one_press_shows_a_kind_to_a_class_and_another_hides_it(teacher_client, classroom):
    show = reverse("kind_show", args=["queens", classroom.pk])
    for _again in range(2):
        assert teacher_client.post(show).status_code == 302
    classroom.refresh_from_db()
    assert classroom.kinds == ["goishi", "kikazu", "maxstrings", "tonari", "queens"]
    teacher_client.post(show, {"do": "hide"})
    classroom.refresh_from_db()
    assert classroom.kinds is None


def test_a_school_chooses_the_kinds_of_its_classes(teacher_client, classroom):
    assert teacher_client.post(reverse("kind_show", args=["no", classroom.pk])).status_code == 404
    classroom.school = School.objects.create(name="School")
    classroom.save()
    refused = teacher_client.post(reverse("kind_show", args=["queens", classroom.pk]))
    assert refused.status_code == 403
    assert "The school chooses the kinds of its classes." in refused.content.decode()
    classroom.refresh_from_db()
    assert classroom.kinds is None
