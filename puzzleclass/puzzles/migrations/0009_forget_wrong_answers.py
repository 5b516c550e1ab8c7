from django.db import migrations
from django.db.models import Q

from solvers.registry import collection, kinds

UNKNOWN = {"solutions": "", "is_counted": False, "solutions_order": None, "solution": ""}

STONES = Q(position__contains="x") | Q(position__contains="o") | Q(position__contains="s")


def forget(apps, schema_editor):
    """Forget what earlier solvers said wrongly of boards in libraries, until they are asked again.

    Solutions of Max Strings boards with stones of the puzzle were counted wrongly, and boards
    without a solution were called very hard. What the ready collection states is right.
    """
    puzzles = apps.get_model("puzzles", "Puzzle").objects.using(schema_editor.connection.alias)
    puzzles.filter(solutions="0", is_counted=True).update(level=0)
    for slug in ("maxstrings", "tonari"):
        kind = kinds().get(slug)
        collected = [each.position for each in collection(kind)] if kind else []
        others = puzzles.filter(kind_slug=slug).exclude(position__in=collected)
        # It is not known of these whether they have a solution.
        others.filter(solutions="", level=4).update(level=0)
        if slug == "maxstrings":
            others.filter(STONES).update(**UNKNOWN)


class Migration(migrations.Migration):

    dependencies = [
        ('puzzles', '0008_levels_of_the_collection'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
