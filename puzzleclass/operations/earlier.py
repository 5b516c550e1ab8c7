"""Carry the data of the last version before release 1.0.0 over, from a backup that it has made.

That version had other migrations and other tables. Its backup is restored into today's tables:
renamed columns get their rows, new columns their defaults, and what it stored in another form is
written anew.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db.models import Count, F, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Replace

from puzzleclass.assignments.models import AssignedPuzzle, TemplatePuzzle, WrittenPuzzle
from puzzleclass.jobs.models import Job
from puzzleclass.kinds.models import KindVersion, StoredTable
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.result_models import ClassFind
from puzzleclass.practice.models import MadeBoard, Making, PathPlace, StoredSkill
from puzzleclass.puzzles.models import BoardFigures, Puzzle, SavedSearch, fingerprint
from puzzleclass.sharing.models import PackedPuzzle
from solvers.kind import PuzzleError
from solvers.registry import OLD_SLUG_LENGTH, ready_kinds
from solvers.rule_tables.table import read_table

MIGRATIONS = "e847de16cd6880020c3850b23ac933c6981fac98cabfc64dd3a72f6a130d8b19"
"""The digest of the version's own migrations."""
RENAMED = {("rosters_rosterupload", "many_leave"): "many_changes"}
"""Table and column of the version -> the column's name today."""
TABLES_VERSION = 1
"""The version of the solvers of tables, which is a part of the key of each job."""
WITH_SLUG: tuple[type[Model], ...] = (
    *(Puzzle, BoardFigures, PackedPuzzle, AssignedPuzzle, WrittenPuzzle, TemplatePuzzle),
    *(ClassFind, MadeBoard, Making, StoredSkill, PathPlace),
)
"""The models that name a kind, besides jobs."""
PRINTS: tuple[tuple[type[Model], str], ...] = ((BoardFigures, "fingerprint"), (ClassFind, "board"))
"""The models that name a board by its fingerprint alone, with the column."""


def has_made(migrations: Iterable[Iterable[str]]) -> bool:
    """Return whether a backup with these migrations comes from that version."""
    own = sorted([app, name] for app, name in migrations if is_own(app))
    return hashlib.sha256(json.dumps(own).encode()).hexdigest() == MIGRATIONS


def is_own(app: str) -> bool:
    """Return whether this label is that of an app of the site itself."""
    config = apps.app_configs.get(app)
    return config is not None and config.name.startswith("puzzleclass.")


def columns_today(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the tables of such a backup with the names that their columns have today."""
    return {
        table: [RENAMED.get((table, column), column) for column in columns]
        for table, columns in tables.items()
    }


def carry_over() -> None:
    """Bring the rows that have just been restored into today's form."""
    _lengthen_slugs()
    _count_failures()
    _count_hints()


def _rows(model: type[Model]) -> QuerySet[Any]:
    return model._base_manager.all()


def _lengthen_slugs() -> None:
    """Give tables the slugs that begin with those of 40 bits, wherever these are stored."""
    new = {kind.slug[:OLD_SLUG_LENGTH]: kind.slug for kind in ready_kinds().values()}
    for stored in StoredTable.objects.filter(slug__in=_short_slugs()):
        try:
            new[stored.slug] = read_table(stored.text).slug
        except PuzzleError:
            continue  # It makes no kind any more.
        copy = {"text": stored.text, "is_kept": stored.is_kept}
        StoredTable.objects.get_or_create(slug=new[stored.slug], defaults=copy)
        KindVersion.objects.filter(stored_id=stored.slug).update(stored_id=new[stored.slug])
        StoredTable.objects.filter(slug=stored.slug).delete()
    for job in _rows(Job).filter(kind_slug__in=new).iterator():
        slug = new[job.kind_slug]
        _rows(Job).filter(pk=job.pk).update(kind_slug=slug, key=_job_key(slug, job))
    prints = {}
    for model in (Puzzle, AssignedPuzzle, MadeBoard):
        for board in _rows(model).filter(kind_slug__in=new).iterator():
            now = fingerprint(new[board.kind_slug], board.position)
            prints[board.fingerprint] = now
            _rows(model).filter(pk=board.pk).update(fingerprint=now)
    for named, column in PRINTS:
        for row in _rows(named).filter(kind_slug__in=new).iterator():
            if now := prints.get(getattr(row, column), ""):
                _rows(named).filter(pk=row.pk).update(**{column: now})
    for old, slug in new.items():
        for each in WITH_SLUG:
            _rows(each).filter(kind_slug=old).update(kind_slug=slug)
        searches = SavedSearch.objects.filter(query__contains=f"kind={old}")
        searches.update(query=Replace(F("query"), Value(f"kind={old}"), Value(f"kind={slug}")))


def _short_slugs() -> list[str]:
    slugs = StoredTable.objects.values_list("slug", flat=True)
    return [slug for slug in slugs if len(slug) <= OLD_SLUG_LENGTH]


def _job_key(slug: str, job: Job) -> str:
    parts = [slug, TABLES_VERSION, job.question, job.position, job.options or {}]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _count_failures() -> None:
    """Write into the attempts that go on what the attempts before them tell."""
    own = Attempt.objects.filter(student=OuterRef("student"), puzzle=OuterRef("puzzle"))
    failed = own.filter(state=Attempt.State.GIVEN_UP).exclude(line="").order_by()
    counted = failed.values("puzzle").annotate(n=Count("pk")).values("n")
    before = failed.filter(number=OuterRef("number") - 1).values("key")
    Attempt.objects.filter(state=Attempt.State.OPEN, number__gt=1).update(
        failures=Coalesce(Subquery(counted), 0), failed_before=Subquery(before)
    )


def _count_hints() -> None:
    """Write into the attempts that go on how many hints were taken at their puzzles."""
    uses = HintUse.objects.filter(
        attempt__student=OuterRef("student"), attempt__puzzle=OuterRef("puzzle")
    )
    counted = uses.order_by().values("attempt__puzzle").annotate(n=Count("pk")).values("n")
    Attempt.objects.filter(state=Attempt.State.OPEN).update(
        hints_taken=Coalesce(Subquery(counted), 0)
    )
