"""The bin: what is deleted can be restored for 30 days, by those who may delete it."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from puzzleclass.assignments.models import Assignment, Template
from puzzleclass.assignments.services import make_template
from puzzleclass.classes.models import Teaching
from puzzleclass.database.bin import deletion_number
from puzzleclass.operations import pruning
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.packs import make_pack


@pytest.fixture
def deleted(teacher, teacher_client, puzzle, assignment):
    """Delete one of each sort as a teacher does."""
    template = make_template(assignment, teacher)
    pack = make_pack(teacher, [puzzle], "Shared")
    for url in (
        f"/puzzles/{puzzle.pk}/delete/",
        f"/assignments/{assignment.pk}/delete/",
        f"/templates/{template.pk}/delete/",
        f"/packs/{pack.key}/delete/",
    ):
        assert teacher_client.post(url).status_code == 302


@pytest.mark.parametrize(("language", "words"), [("en", "The bin is empty."), ("ja", "ごみ箱は空")])
def test_an_empty_bin(client_of, teacher, language, words):
    assert words in client_of(teacher, language).get("/bin/").content.decode()


def test_everything_in_the_bin_is_listed_and_restored(teacher_client, deleted, queries_of):
    # The queries are session with user, number of rows, rows.
    assert queries_of(teacher_client, "/bin/") == 3
    lines = teacher_client.get("/bin/").context["lines"]
    assert {line["title"] for line in lines} == {"Five stones", "Homework", "Shared"}
    for line in lines:
        sent = {"only": line["name"]}
        assert teacher_client.post(f"/bin/{line['deletion']}/", sent).status_code == 302
    for model in (Puzzle, Assignment, Template, Pack):
        assert model.objects.count() == 1
    assert teacher_client.get("/bin/").context["lines"] == []


def test_the_bin_is_everybodys_own(other_client, client_of, colleague, deleted):
    assert other_client.get("/bin/").context["lines"] == []
    for row in (Puzzle.every.get(), Assignment.every.filter(is_practice=False).get()):
        number = deletion_number(row.deleted_at)
        assert other_client.post(f"/bin/{number}/").status_code == 404
    Teaching.objects.filter(teacher=colleague).update(role=Teaching.Role.TEACHER)
    (line,) = client_of(colleague).get("/bin/").context["lines"]
    assert line["title"] == "Homework"


def test_what_does_not_exist_is_missing(teacher_client, db):
    for number in (0, 1, 2**62):
        assert teacher_client.post(f"/bin/{number}/").status_code == 404


def test_the_bin_is_emptied_after_30_days(teacher, deleted):
    for days, left in ((29, 1), (31, 0)):
        for model in (Puzzle, Assignment, Template, Pack):
            model.every.filter(deleted_at__isnull=False).update(
                deleted_at=timezone.now() - timedelta(days=days)
            )
        for _ in pruning._new_pass():
            pass
        for model in (Puzzle, Assignment, Template, Pack):
            assert model.every.count() == left, (model, days)


def test_assignments_outside_the_bin_are_not_pruned(assignment):
    assert not Assignment.expired().exists()


def test_a_full_library_takes_nothing_back(teacher_client, deleted, make_puzzle, monkeypatch):
    make_puzzle("goishi", "ooo", "Another")
    monkeypatch.setattr(settings, "MAX_PUZZLES", 1)
    number = deletion_number(Puzzle.every.get(title="Five stones").deleted_at)
    assert teacher_client.post(f"/bin/{number}/").status_code == 429
    assert not Puzzle.objects.filter(title="Five stones").exists()


def test_the_bin_has_a_limit(teacher_client, deleted, make_puzzle, monkeypatch):
    monkeypatch.setattr(settings, "MAX_PUZZLES", 2)
    for title in ("Second", "Third"):
        late = make_puzzle("goishi", "ooo", title)
        teacher_client.post(f"/puzzles/{late.pk}/delete/")
    assert set(Puzzle.every.values_list("title", flat=True)) == {"Second", "Third"}


@pytest.mark.parametrize(("language", "words"), [("en", "Undo"), ("ja", "削除を取り消す")])
def test_a_deletion_offers_to_undo_it(client_of, teacher, puzzle, language, words):
    page = client_of(teacher, language).post(f"/puzzles/{puzzle.pk}/delete/", follow=True)
    assert f">{words}</button>" in page.content.decode()
