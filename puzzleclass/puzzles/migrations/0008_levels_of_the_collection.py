from django.db import migrations

from solvers.answers import level_of
from solvers.registry import collection, kinds


def state_levels(apps, schema_editor):
    """Give the rows of the ready collection's boards the difficulty that the collection states."""
    puzzles = apps.get_model("puzzles", "Puzzle").objects
    for slug, kind in kinds().items():
        boards = {}
        for each in collection(kind):
            boards.setdefault(level_of(each.band), []).append(each.position)
        for level, positions in boards.items():
            puzzles.filter(kind_slug=slug, position__in=positions).update(level=level)


class Migration(migrations.Migration):

    dependencies = [
        ('puzzles', '0007_board_figures'),
    ]

    operations = [
        migrations.RunPython(state_levels, migrations.RunPython.noop),
    ]
