"""What people have typed is shown as it is: never a template, a format or HTML."""

from collections.abc import Iterator
from html import escape

import pytest
from django.apps import apps
from django.db.models import Field

from puzzleclass.kinds.models import Invention, StoredTable
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.models import Pack
from puzzleclass.sharing.phases import Phase, stored
from puzzleclass.workshop.services import begin_with, save_board, save_kind
from tests.crawl import Opened, crawl
from tests.web.roles import administrator, world

__all__ = ["administrator", "world"]

TYPED = "{ {x} {0} %s %(x)s % <i> {{x}} \u202e\u2067"
"""What a careless page would take for a field, a format, HTML or the direction of its text."""

WRITTEN = frozenset(
    {
        *("name", "title", "message", "text", "word", "words", "instructions", "comment", "note"),
        *("sentence", "asked", "author", "reading", "file_name", "class_name", *Pack.PLAN),
    }
)
"""The names of the columns that people write."""
OTHERS = frozenset(
    {
        *("accounts.User.words", "kinds.StoredTable.text", "play.FoundSolution.text"),
        *("play.BestScore.text", "practice.PathPlace.asked", "jobs.Job.note"),
        *("kinds.InventionStep.board", "play.ClassFind.board"),
    }
)
"""Columns with such names that no one writes."""


def columns() -> Iterator[Field]:
    for model in apps.get_models():
        for column in model._meta.fields:
            is_text = column.get_internal_type() in ("CharField", "TextField")
            if (
                is_text
                and model.__module__.startswith("puzzleclass.")
                and column.name in WRITTEN
                and f"{model._meta.label}.{column.name}" not in OTHERS
            ):
                yield column


@pytest.fixture
def typed(world, teacher, student) -> None:
    """Store the text in every column that people write, and in the names of kinds and phases."""
    for owner in (teacher, student):
        made = begin_with(owner, "stars")
        made.name, made.state = TYPED[:40], Invention.State.SHOWN
        made.classroom_id = world["class"]
        made.save()
        version = save_kind(made)
        board = save_board(made, version)
        Puzzle.objects.filter(pk=board.pk).update(owner=teacher)
    phases = stored((Phase(5, TYPED, "lead board 1"),))
    Pack.objects.update(phases=phases)
    for column in columns():
        room = column.max_length or 1000
        for row in column.model._base_manager.all():
            text = f"{TYPED[: room - len(str(row.pk))]}{row.pk}"
            column.model._base_manager.filter(pk=row.pk).update(**{column.name: text})
    assert StoredTable.objects.filter(text__contains="{x}").count() == 2


def faults_of(pages: list[Opened]) -> list[str]:
    return [page.url for page in pages if "{0} %s %(x)s % <i>" in page.text]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_page_shows_what_people_have_typed(typed, teacher, student, administrator, language):
    shown = 0
    for reader in (teacher, student, administrator):
        pages = crawl(reader, most=2, language=language)
        assert faults_of(pages) == []
        shown += sum(escape("{ {x} {0} %s %(x)s % <i>") in page.text for page in pages)
    assert shown > 30
