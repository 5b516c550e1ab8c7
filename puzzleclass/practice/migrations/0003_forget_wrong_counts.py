from django.db import migrations


def forget(apps, schema_editor):
    """Forget the counts of Max Strings boards that ask for stones of either colour.

    Stones beside each other may be joined, which earlier counts left out.
    """
    alias = schema_editor.connection.alias
    boards = apps.get_model("practice", "MadeBoard").objects.using(alias)
    boards.filter(kind_slug="maxstrings", position__contains="s").update(solutions="")


class Migration(migrations.Migration):

    dependencies = [
        ('practice', '0002_skills_and_returning_positions'),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
