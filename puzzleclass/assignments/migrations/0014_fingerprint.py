from django.db import migrations, models

from puzzleclass.puzzles.models import fingerprint

MANY = 500


def fill(apps, schema_editor):
    puzzles = apps.get_model("assignments", "AssignedPuzzle").objects
    puzzles = puzzles.using(schema_editor.connection.alias).only("kind_slug", "position")
    last = 0
    while some := list(puzzles.filter(pk__gt=last).order_by("pk")[:MANY]):
        last = some[-1].pk
        for puzzle in some:
            puzzle.fingerprint = fingerprint(puzzle.kind_slug, puzzle.position)
        puzzles.bulk_update(some, ["fingerprint"])


class Migration(migrations.Migration):
    dependencies = [("assignments", "0013_reading_of_titles")]

    operations = [
        migrations.AddField(
            model_name="assignedpuzzle",
            name="fingerprint",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddIndex(
            model_name="assignedpuzzle",
            index=models.Index(fields=["fingerprint"], name="assigned_alike"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
