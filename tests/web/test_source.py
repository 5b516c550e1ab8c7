"""The source keeps rules that a program can check: names, migrations."""

from django.core.management import call_command


def test_every_change_of_a_model_has_its_migration(db):
    """After a change of a field or of its words, run: python manage.py makemigrations"""
    call_command("makemigrations", check=True, dry_run=True)
