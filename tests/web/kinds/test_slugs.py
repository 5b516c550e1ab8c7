"""The slugs of tables: long enough that no two tables share one, and those of earlier versions."""

import hashlib
import json

import pytest
from django.apps import apps

from puzzleclass.jobs.models import Job
from puzzleclass.kinds.models import KindVersion, StoredTable
from puzzleclass.kinds.stored import store
from puzzleclass.operations import earlier
from puzzleclass.play.result_models import ClassFind
from puzzleclass.practice.models import StoredSkill
from puzzleclass.puzzles.models import Puzzle, SavedSearch, fingerprint
from puzzleclass.sharing.packs import make_pack, read_pack, save_pack_file, write_pack
from puzzleclass.workshop.services import begin_with, save_board, save_kind
from solvers.registry import OLD_SLUG_LENGTH, get_kind, ready_kinds
from solvers.rule_tables.table import read_table

STARS = ready_kinds()["stars"]


def old(slug: str) -> str:
    return slug[:OLD_SLUG_LENGTH]


def test_a_slug_has_128_bits(db):
    assert len(STARS.slug) == len("t-") + 32
    # A table that has the first 40 bits of another one does not take its place.
    row = store(STARS.table, is_kept=True)
    other = row.slug[:OLD_SLUG_LENGTH] + "0" * (len(row.slug) - OLD_SLUG_LENGTH)
    StoredTable.objects.create(slug=other, text=row.text)
    assert StoredTable.objects.count() == 2


@pytest.fixture
def made(teacher, student, classroom, assign) -> KindVersion:
    """Store a kind that a teacher has made with what belongs to it, as an earlier version did."""
    invention = begin_with(teacher, "stars")
    version = save_kind(invention)
    slug, short = version.stored_id, old(version.stored_id)
    puzzle = save_board(invention, version)
    board = assign(classroom, puzzle).puzzles.get()
    store(version.stored.table, is_kept=True)
    StoredTable.objects.create(slug=short, text=version.stored.text, is_kept=True)
    KindVersion.objects.update(stored=short)
    StoredTable.objects.filter(slug=slug).delete()
    before = {"kind_slug": short, "fingerprint": fingerprint(short, puzzle.position)}
    for each in (puzzle, board):
        type(each)._base_manager.filter(pk=each.pk).update(**before)
    found = {"classroom": classroom, "solution": "s", "board": before["fingerprint"]}
    ClassFind.objects.create(kind_slug=short, **found)
    StoredSkill.objects.create(student=student, kind_slug=old(STARS.slug), value=1, results=1)
    SavedSearch.objects.create(owner=teacher, name="Mine", query=f"kind={short}&size=small")
    Job.objects.create(key="k", kind_slug=short, question="count", position=puzzle.position)
    return version


def test_everything_that_names_a_table_follows_it(made, student, teacher_client):
    slug = made.stored_id
    earlier.carry_over()
    assert StoredTable.objects.get().slug == KindVersion.objects.get().stored_id == slug
    puzzle = Puzzle.every.get(kind_slug=slug)
    assert puzzle.fingerprint == fingerprint(slug, puzzle.position)
    assert ClassFind.objects.get().board == puzzle.fingerprint
    assert StoredSkill.objects.get(student=student).kind_slug == STARS.slug
    assert SavedSearch.objects.get().query == f"kind={slug}&size=small"
    # The answer is that of the solvers of its time, which had version 1.
    parts = [slug, 1, "count", puzzle.position, {}]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    assert Job.objects.get().key == key
    assert teacher_client.get(puzzle.get_absolute_url()).status_code == 200
    left = {
        (model._meta.label, each)
        for model in apps.get_models()
        for field in model._meta.fields
        if field.name in ("kind_slug", "slug")
        for each in model._base_manager.values_list(field.name, flat=True)
        if str(each).startswith("t-") and len(each) == OLD_SLUG_LENGTH
    }
    assert left == set()


def test_files_with_short_slugs_are_still_read(teacher, made):
    earlier.carry_over()
    slug, table = made.stored_id, made.stored.table
    puzzle = Puzzle.every.get(kind_slug=slug)
    ready = Puzzle(owner=teacher, kind_slug=STARS.slug, title="R", position=puzzle.position)
    ready.save()
    text = write_pack(make_pack(teacher, [puzzle, ready], "Set"))
    for each in (slug, STARS.slug):
        text = text.replace(each.encode(), old(each).encode())
    StoredTable.objects.filter(versions=None).delete()
    pack = save_pack_file(teacher, read_pack(text))
    assert [each.kind_slug for each in pack.puzzles.all()] == [slug, STARS.slug]
    assert get_kind(old(STARS.slug)) is get_kind(STARS.slug)
    assert read_table(StoredTable.objects.get(slug=slug).text).rules == table.rules
