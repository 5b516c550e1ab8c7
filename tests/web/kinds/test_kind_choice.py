"""Which kinds of puzzles a class sees, and the kinds of stored tables."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from puzzleclass.classes.school_models import School
from puzzleclass.gallery.services import open_gallery
from puzzleclass.kinds.models import StoredTable
from puzzleclass.kinds.stored import read_foreign_table, store
from puzzleclass.sharing.packs import make_pack, read_pack, save_pack_file, write_pack
from solvers.kind import PuzzleError
from solvers.registry import get_kind, kinds, ready_kinds
from solvers.rule_tables.table import read_table

STARS = ready_kinds()["stars"]
TABLE = """{"name": {"en": "Lonely lamps"}, "symbols": [{"letter": "o", "picture": "lamp"}],
"rules": [{"where": "row", "relation": "exactly", "what": "o", "number": 2}], "draws": ["rooms"]}"""


def choose(client, classroom, *names):
    fields = {"name": classroom.name, "practice": "on", "records": "on", "kinds": names}
    sent = client.post(reverse("classroom_edit", args=[classroom.pk]), fields)
    assert sent.status_code == 302
    classroom.refresh_from_db()


def menu(client, kind="goishi"):
    """Return the kinds to which the menu of the editor leads."""
    page = client.get(reverse("puzzle_new", args=[kind])).content.decode()
    every = [*kinds(), *(kind.slug for kind in ready_kinds().values())]
    return {slug for slug in every if f"/puzzles/new/{slug}/" in page}


def test_four_kinds_are_seen_by_default(teacher_client, classroom, student_client):
    assert len(kinds()) == 4
    assert menu(teacher_client) == set(kinds())
    page = student_client.get(reverse("practice")).content.decode()
    assert "Star Battle" not in page and "Goishi" in page


def test_a_class_without_a_school_chooses_its_kinds(
    teacher_client, teacher, classroom, student_client
):
    open_gallery(classroom, teacher)
    choose(teacher_client, classroom, "goishi", "stars", "sudoku")
    assert classroom.kinds == ["goishi", "stars", "sudoku"]
    slugs = {"goishi", STARS.slug, ready_kinds()["sudoku"].slug}
    assert menu(teacher_client) == slugs
    for address in ("practice", "gallery"):
        page = student_client.get(reverse(address)).content.decode()
        assert "Star Battle" in page and "Kikazu" not in page and "Max Strings" not in page
    choose(teacher_client, classroom, *kinds())
    assert classroom.kinds is None


def test_a_school_chooses_for_its_classes(teacher_client, teacher, classroom, student_client):
    school = School.objects.create(name="School")
    school.administrators.add(teacher)
    classroom.school, classroom.kinds = school, ["tonari"]
    classroom.save()
    sent = teacher_client.post(
        reverse("school_edit", args=[school.pk]), {"takes_pins": "on", "kinds": ["stars", "mosaic"]}
    )
    assert sent.status_code == 302
    assert menu(teacher_client, STARS.slug) == {STARS.slug, ready_kinds()["mosaic"].slug}
    assert "Star Battle" in student_client.get(reverse("practice")).content.decode()
    page = teacher_client.get(reverse("classroom_edit", args=[classroom.pk])).content.decode()
    assert 'name="kinds"' not in page


def test_a_student_writes_only_what_the_class_sees(student_client):
    assert student_client.get(reverse("written_new", args=[STARS.slug])).status_code == 404


def test_what_is_assigned_plays_although_nobody_sees_the_kind(
    student_client, make_puzzle, assign, classroom
):
    puzzle = make_puzzle(STARS.slug, STARS.introduction[-1].position.split(" |")[0], "Stars")
    assigned = assign(classroom, puzzle).puzzles.get()
    assert student_client.get(reverse("play", args=[assigned.pk])).status_code == 200


def test_a_stored_table_is_a_kind(db, teacher_client):
    table = read_table(TABLE)
    assert store(table, is_kept=True).slug == table.slug
    assert get_kind(table.slug).rule == get_kind(table.slug).rule
    assert teacher_client.get(reverse("puzzle_new", args=[table.slug])).status_code == 200
    assert teacher_client.get(reverse("puzzle_new", args=["t-" + 32 * "0"])).status_code == 404


def test_a_table_from_elsewhere_is_checked(db):
    table = read_table(TABLE)
    assert read_foreign_table(TABLE, table.slug) == table
    for text, slug in [
        (TABLE, "t-" + 32 * "0"),
        (TABLE.replace("row", "rows"), table.slug),
        (TABLE.replace('"draws"', '"each": [2, 2], "draws"'), table.slug),
        (" " * 5000, table.slug),
    ]:
        with pytest.raises(PuzzleError):
            read_foreign_table(text, slug)
    assert not StoredTable.objects.exists()


def test_a_pack_has_the_tables_of_its_kinds(teacher, make_puzzle):
    table = read_table(TABLE)
    store(table, is_kept=True)
    text = write_pack(make_pack(teacher, [make_puzzle(table.slug, "4x4", "Lamps")], "Lamps"))
    StoredTable.objects.all().delete()
    read = read_pack(text)
    assert read.puzzles[0].kind == table.slug and not StoredTable.objects.exists()
    save_pack_file(teacher, read)
    assert StoredTable.objects.get(slug=table.slug).table.rules == table.rules
    with pytest.raises(ValidationError, match="Table of rules"):
        read_pack(text.replace(b'"row"', b'"rows"'))
    with pytest.raises(ValidationError, match="Table of rules"):
        read_pack(text.replace(b'"row"', b'"column"'))


def test_students_cannot_race_the_clock_on_a_kind_that_they_do_not_see(student_client, classroom):
    classroom.challenges = True
    classroom.save()
    for slug, status in ((STARS.slug, 404), ("goishi", 302)):
        address = reverse("clock_start", args=[slug, 3, 1])
        assert student_client.post(address).status_code == status


def test_how_to_play_an_assigned_kind_can_be_read(student_client, make_puzzle, assign, classroom):
    address = reverse("introduction", args=[STARS.slug])
    assert student_client.get(address).status_code == 404
    position = STARS.introduction[-1].position.split(" |")[0]
    assign(classroom, make_puzzle(STARS.slug, position, "Stars"))
    assert student_client.get(address).status_code == 200


def test_a_guest_does_not_reach_a_kind_that_nobody_shows(db, client):
    pages = [
        reverse("introduction", args=[STARS.slug]),
        reverse("practice_level", args=[STARS.slug, 1]),
        reverse("practice_board", args=[STARS.slug, 1, 1]),
    ]
    assert [client.get(page).status_code for page in pages] == [404] * 3
    assert client.get(reverse("practice_level", args=["goishi", 1])).status_code == 200
