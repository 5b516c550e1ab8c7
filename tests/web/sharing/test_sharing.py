"""Packs can be shared by their address, listed for the school, copied, and carried as a file."""

import csv
import io
import json
import re

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing import packs
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.phases import Expected, Phase, stored
from solvers.registry import examples, kinds

pytestmark = pytest.mark.django_db

PLAN = {
    "aim": "See ahead",
    "thinking": "Names the trap",
    "materials": "Go stones",
    "look_back": "What helped?",
    "wrap_up": "What was hard?",
    "board": "The trap on the left",
}


@pytest.fixture
def boards(make_puzzle) -> list[Puzzle]:
    """Return a puzzle of each kind."""
    return [
        make_puzzle(
            kind.slug,
            kind.write_start(kind.read(examples(kind)[0].position)),
            f"One of {kind.slug}",
        )
        for kind in kinds().values()
    ]


@pytest.fixture
def pack(teacher, boards) -> Pack:
    course = stored([Phase(5, "Try", expected=(Expected("Yes", "Why?"),), do="lead board 1")])
    return packs.make_pack(teacher, boards, "First lesson", phases=course, wanted=0, **PLAN)


def contents(pack: Pack) -> list[tuple[str, str, str]]:
    return [(each.kind_slug, each.title, each.position) for each in pack.puzzles.all()]


def take_in(client, data: bytes):
    file = SimpleUploadedFile("pack.json", data, "application/json")
    return client.post(reverse("pack_import"), {"file": file})


def test_chosen_puzzles_become_a_pack(teacher_client, teacher, boards):
    answer = teacher_client.post(
        reverse("pack_new"), {"puzzle": [board.pk for board in boards]}, follow=True
    )
    made = Pack.objects.get(owner=teacher)
    assert {title for _, title, _ in contents(made)} == {board.title for board in boards}
    assert answer.request["PATH_INFO"] == reverse("pack", args=[made.key])
    assert str(made.key) in answer.content.decode()


def test_a_pack_of_one_has_the_puzzles_title_whatever_it_is(teacher_client, teacher):
    odd = Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="o", title="{0} {x")
    teacher_client.post(reverse("pack_new"), {"puzzle": odd.pk})
    assert Pack.objects.get().title == "{0} {x"


def test_choosing_nothing_is_reported(teacher_client, teacher):
    answer = teacher_client.post(reverse("pack_new"), follow=True)
    assert "Choose at least one puzzle." in answer.content.decode()
    assert not Pack.objects.filter(owner=teacher)


def test_nobody_shares_another_teachers_puzzles(other_client, boards):
    other_client.post(reverse("pack_new"), {"puzzle": [board.pk for board in boards]})
    assert not Pack.objects.exists()


def test_a_colleague_copies_it(other_client, other_teacher, teacher, pack):
    page = other_client.get(reverse("pack", args=[pack.key])).content.decode()
    assert "What was hard?" in page and reverse("pack_edit", args=[pack.key]) not in page
    other_client.post(reverse("pack_copy", args=[pack.key]))
    copied = Puzzle.objects.filter(owner=other_teacher)
    assert sorted((each.kind_slug, each.title, each.position) for each in copied) == sorted(
        contents(pack)
    )
    assert {each.author for each in copied} == {teacher.name}


def test_the_schools_collection_has_what_is_put_there(teacher_client, other_client, pack):
    listed = reverse("pack_list")
    assert pack.title not in other_client.get(listed).content.decode()
    fields = {"title": "For all", **PLAN, "wanted": "1", "is_school": "on"}
    teacher_client.post(reverse("pack_edit", args=[pack.key]), fields)
    assert "For all" in other_client.get(listed).content.decode()


def test_there_and_back_as_a_file(teacher_client, other_client, other_teacher, pack):
    file = teacher_client.get(reverse("pack_file", args=[pack.key]))
    assert "attachment" in file["Content-Disposition"]
    take_in(other_client, file.content)
    taken = Pack.objects.get(owner=other_teacher)
    assert contents(taken) == contents(pack)
    assert {name: getattr(taken, name) for name in PLAN} == PLAN
    assert (taken.course, taken.wanted) == (pack.course, 0)


GOOD = {
    "format": "puzzleclass-pack",
    "version": 1,
    "title": "One",
    "puzzles": [{"kind": "goishi", "title": "Three", "position": "oo/.o"}],
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "zip"}, "not the file of a set: field “format”: the value &#x27;zip&#x27; is"),
        ({"version": 4}, "not the file of a set: field “version”: the value 4 is unknown"),
        ({"title": "x" * 61}, "not the file of a set: field “title”: this is too long; at most 60"),
        (
            {"title": 3},
            "not the file of a set: field “title”: this is the wrong kind of value; “str”",
        ),
        ({"puzzles": []}, "not the file of a set: field “puzzles”: there is too little here"),
        ({"puzzles": [{"kind": "goishi"}]}, "puzzle 1: the field “title” is missing"),
        ({"title": "a\0b"}, "field “title”: it holds a character that cannot be stored"),
        (
            {"version": 3, "phases": [{"minutes": 5, "title": "A", "do": "lead board 2"}]},
            "Phase 1: the action “lead board 2” is not possible in this plan",
        ),
        ({"version": 3, "phases": [{"minutes": 0, "title": "A"}]}, "field “phases[0].minutes”"),
        ({"aim": "a\0b"}, "field “aim”: it holds a character that cannot be stored"),
        (
            {"puzzles": [{"kind": "goishi", "title": "\0", "position": "oo"}]},
            "puzzle 1: field “title”: it holds a character that cannot be stored",
        ),
        ({"title": "\ud800"}, "not the file of a set"),
        ({"more": 1}, "not the file of a set: a set has no field “more”"),
        ({"puzzles": [{"kind": "chess", "title": "A", "position": "x"}]}, "no kind “chess”"),
        (
            {"puzzles": [{"kind": "goishi", "title": "A <b>", "position": "o?o"}]},
            "Puzzle 1, “A &lt;b&gt;”",
        ),
    ],
)
def test_a_faulty_file_is_told_and_nothing_kept(teacher_client, change, said):
    answer = take_in(teacher_client, json.dumps(GOOD | change).encode())
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Pack.objects.exists()


NO_PACKS = [b"\xff\xfe", b"{", b"[]", b"null", b"[" * 100_000, b'{"a" 1}', b'{"title": "\xff"}']


@pytest.mark.parametrize("data", NO_PACKS)
def test_no_json_of_ours(teacher_client, data):
    answer = take_in(teacher_client, data)
    assert answer.status_code == 422
    assert "not the file of a set" in answer.content.decode()


def test_the_fault_of_a_file_is_told_in_japanese(teacher_client):
    with translation.override("ja"):
        for change in ({"format": "zip"}, {"title": "x" * 61}, {"puzzles": []}, {"more": 1}):
            with pytest.raises(ValidationError) as caught:
                packs.read_pack(json.dumps(GOOD | change).encode())
            own_words = re.sub("「.*?」|'.*?'", "", caught.value.message)
            assert not re.search("[A-Za-z]{2,}", own_words)
        with pytest.raises(ValidationError, match="JSON"):
            packs.read_pack(b"{")


def test_a_file_that_is_cut_off(teacher_client):
    answer = take_in(teacher_client, json.dumps(GOOD).encode()[:70])
    assert "not the file of a set: the JSON is cut off before" in answer.content.decode()


def test_the_page_of_a_fault_leads_back_to_the_packs(teacher_client):
    assert teacher_client.get(reverse("pack_import")).url == reverse("pack_list")


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_titles_like_formulas_stay_as_they_are_and_are_none_in_spreadsheets(
    teacher_client, teacher, classroom, student, assign, boards, title, lines, tried
):
    Puzzle.objects.update(title=title)
    made = packs.make_pack(teacher, Puzzle.objects.filter(kind_slug="goishi"), title)
    file = teacher_client.get(reverse("pack_file", args=[made.key])).content
    taken = Pack.objects.get(key=take_in(teacher_client, file).url.split("/")[2])
    assert (taken.title, contents(taken)) == (title, contents(made))
    packs.copy_to_library(taken, teacher)
    copied = Puzzle.objects.latest("pk")
    assert copied.title == title
    assignment = assign(classroom, copied, title=title)
    tried(student, assignment.puzzles.get(), lines.solution)
    grades = reverse("assignment", args=[assignment.pk])
    for rows in ("students", "attempts"):
        asked = {"rows": rows, "format": "csv"}
        text = teacher_client.get(grades, asked).content.decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
        book = teacher_client.get(grades, asked | {"format": "xlsx"}).content
        sheet = load_workbook(io.BytesIO(book)).active
        assert not any(cell.data_type == "f" for row in sheet for cell in row)


def test_a_file_that_is_too_large(teacher_client, settings):
    answer = take_in(teacher_client, b" " * settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    assert answer.status_code == 413
    assert "larger than 1 MB" in answer.content.decode()


def test_there_are_only_so_many(teacher_client, pack, boards, monkeypatch):
    monkeypatch.setattr(packs, "MAX_PACKS", 1)
    answer = teacher_client.post(reverse("pack_new"), {"puzzle": boards[0].pk}, follow=True)
    assert "which is the maximum" in answer.content.decode()
    assert take_in(teacher_client, json.dumps(GOOD).encode()).status_code == 422
    assert Pack.objects.count() == 1


def test_queries_do_not_grow(teacher_client, teacher, boards, queries_of):
    def queries(path: str) -> int:
        return queries_of(teacher_client, path)

    small = packs.make_pack(teacher, boards[:1], "Small")
    queries("/packs/")
    of_list, of_page = queries("/packs/"), queries(reverse("pack", args=[small.key]))
    large = packs.make_pack(teacher, boards * 3, "Large")
    assert queries("/packs/") == of_list
    assert queries(reverse("pack", args=[large.key])) == of_page
