"""The source keeps rules that a program can check: names, migrations."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import models
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

ROOT = Path(__file__).parents[2]


def test_every_change_of_a_model_has_its_migration(db):
    """After a change of a field or of its words, run: python manage.py makemigrations"""
    call_command("makemigrations", check=True, dry_run=True)


def example(model: type[models.Model], *owners: type[models.Model]) -> models.Model:
    """Return a row of the model that is not stored. Rows that it belongs to are made as well."""
    usual = {"DateTimeField": timezone.now(), "DateField": timezone.now().date(), "JSONField": {}}
    values: dict[str, object] = {}
    for field in model._meta.concrete_fields:
        if not field.is_relation:
            is_text = isinstance(field, models.CharField | models.TextField)
            values[field.name] = usual.get(field.get_internal_type(), "word" if is_text else 7)
        elif field.related_model not in (model, *owners):
            values[field.name] = example(field.related_model, model, *owners)
    return model(**values)


OURS = [each for each in apps.get_models() if each.__module__.startswith("puzzleclass.")]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_a_row_says_in_a_log_what_it_is(model):
    said = str(example(model))
    assert "word" in said or "7" in said or str(timezone.now().year) in said
    assert " object (" not in said and "None" not in said


def views_imported_by(source: Path) -> list[str]:
    """Return the modules of views that a module of ours imports."""
    imported = []
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("puzzleclass"):
            imported += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            imported += [each.name for each in node.names if each.name.startswith("puzzleclass")]
    return [name for name in imported if name.endswith((".views", "_views"))]


def test_nothing_but_addresses_imports_views():
    """What views share has a module of its own: `access` for who may have what, and others."""
    sources = (each for each in ROOT.glob("puzzleclass/**/*.py") if each.name != "urls.py")
    imports = {str(each.relative_to(ROOT)): views_imported_by(each) for each in sources}
    assert {source: views for source, views in imports.items() if views} == {}
    assert views_imported_by(ROOT / "puzzleclass/play/urls.py")


def addresses(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from addresses(each)
        else:
            yield each


def test_views_are_in_modules_that_are_called_views():
    views = [
        getattr(each.callback, "view_class", each.callback) for each in addresses(get_resolver())
    ]
    ours = {each.__module__ for each in views if each.__module__.startswith("puzzleclass.")}
    # The pages of Django's administration are methods of its classes.
    others = {name for name in ours if not name.endswith((".views", "_views"))}
    assert others == {"puzzleclass.operations.admin"}


SAYS_TITLE = re.compile(r"kind\.title\|say|Message\(\s*(\w+\.)*kind\.title\b")


def test_the_name_of_a_kind_is_never_a_text_with_fields():
    """A kind's `title` may be what somebody has typed. Pages show its `name`, a `Message`."""
    sources = [*ROOT.glob("puzzleclass/**/*.py"), *ROOT.glob("templates/**/*.html")]
    assert [each for each in sources if SAYS_TITLE.search(each.read_text(encoding="utf-8"))] == []
