"""The source keeps rules that a program can check: names, migrations."""

import ast
from collections import defaultdict
from pathlib import Path

from django.core.management import call_command

ROOT = Path(__file__).parents[2]
COPIED = {"_template_moves", "_template_placement", "_template_sequence"}
"""The templates for a new kind. Their classes get other names when they are copied."""
SHARED = {"Command", "Position"}
"""Django finds a command by the name of its class. Each kind has its own `Position`."""


def test_every_change_of_a_model_has_its_migration(db):
    """After a change of a field or of its words, run: python manage.py makemigrations"""
    call_command("makemigrations", check=True, dry_run=True)


def test_two_classes_never_share_a_name():
    """A class inside another one is read together with its owner's name: `Job.State`."""
    places = defaultdict(list)
    for source in [*ROOT.glob("puzzleclass/**/*.py"), *ROOT.glob("solvers/**/*.py")]:
        path = source.relative_to(ROOT)
        if COPIED.isdisjoint(path.parts) and "migrations" not in path.parts:
            for part in ast.parse(source.read_text(encoding="utf-8")).body:
                if isinstance(part, ast.ClassDef) and part.name not in SHARED:
                    places[part.name].append(str(path))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
