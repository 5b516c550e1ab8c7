import hashlib
import json

from django.db import migrations
from django.db.models import F, Value
from django.db.models.functions import Replace

from solvers.kind import PuzzleError
from solvers.registry import ready_kinds
from solvers.rule_tables.table import read_table

OLD_LENGTH = 12
VERSION = 1
"""The version of the solvers of tables, which is a part of the key of each job."""


def fingerprint(slug, position):
    return hashlib.sha256(f"{slug} {position}".encode()).hexdigest()


def job_key(slug, job):
    parts = [slug, VERSION, job.question, job.position, job.options or {}]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def lengthen(apps, schema_editor):
    """Give tables the slugs that begin with those of 40 bits, wherever these are stored."""

    def rows(app, model):
        return apps.get_model(app, model)._base_manager.using(schema_editor.connection.alias)

    new = {kind.slug[:OLD_LENGTH]: kind.slug for kind in ready_kinds().values()}
    for stored in rows("kinds", "StoredTable").iterator():
        if len(stored.slug) > OLD_LENGTH:
            continue
        try:
            new[stored.slug] = read_table(stored.text).slug
        except PuzzleError:
            continue  # It makes no kind any more.
        copy = {"text": stored.text, "is_kept": stored.is_kept}
        rows("kinds", "StoredTable").get_or_create(slug=new[stored.slug], defaults=copy)
        of_table = rows("kinds", "KindVersion").filter(stored_id=stored.slug)
        of_table.update(stored_id=new[stored.slug])
        rows("kinds", "StoredTable").filter(slug=stored.slug).delete()

    for job in rows("jobs", "Job").filter(kind_slug__in=new).iterator():
        slug = new[job.kind_slug]
        rows("jobs", "Job").filter(pk=job.pk).update(kind_slug=slug, key=job_key(slug, job))
    prints = {}
    for model in (("puzzles", "Puzzle"), ("assignments", "AssignedPuzzle"),
                  ("practice", "MadeBoard")):  # fmt: skip
        for board in rows(*model).filter(kind_slug__in=new).iterator():
            now = fingerprint(new[board.kind_slug], board.position)
            prints[board.fingerprint] = now
            rows(*model).filter(pk=board.pk).update(fingerprint=now)
    for figures in rows("puzzles", "BoardFigures").filter(kind_slug__in=new).iterator():
        if now := prints.get(figures.fingerprint):
            rows("puzzles", "BoardFigures").filter(pk=figures.pk).update(fingerprint=now)
    for find in rows("play", "ClassFind").filter(kind_slug__in=new).iterator():
        if now := prints.get(find.board):
            rows("play", "ClassFind").filter(pk=find.pk).update(board=now)
    for old, slug in new.items():
        for model in WITH_SLUG:
            rows(*model).filter(kind_slug=old).update(kind_slug=slug)
        searches = rows("puzzles", "SavedSearch").filter(query__contains=f"kind={old}")
        searches.update(query=Replace(F("query"), Value(f"kind={old}"), Value(f"kind={slug}")))


WITH_SLUG = (
    ("puzzles", "Puzzle"), ("puzzles", "BoardFigures"), ("sharing", "PackedPuzzle"),
    ("assignments", "AssignedPuzzle"), ("assignments", "WrittenPuzzle"),
    ("assignments", "TemplatePuzzle"), ("play", "ClassFind"), ("practice", "MadeBoard"),
    ("practice", "Making"), ("practice", "StoredSkill"), ("practice", "PathPlace"),
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("kinds", "0003_longer_slugs_of_kinds"),
        ("jobs", "0008_longer_slugs_of_kinds"),
        ("puzzles", "0011_longer_slugs_of_kinds"),
        ("assignments", "0021_longer_slugs_of_kinds"),
        ("sharing", "0008_longer_slugs_of_kinds"),
        ("play", "0017_longer_slugs_of_kinds"),
        ("practice", "0005_longer_slugs_of_kinds"),
    ]

    operations = [migrations.RunPython(lengthen, migrations.RunPython.noop)]
