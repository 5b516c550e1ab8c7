from django.db import migrations


def keep_finding(apps, schema_editor):
    """Platforms that were registered before have found students by this identifier."""
    apps.get_model("lti", "Platform").objects.update(roster_claim="lis.person_sourcedid")


class Migration(migrations.Migration):
    dependencies = [("lti", "0006_boards")]

    operations = [migrations.RunPython(keep_finding, migrations.RunPython.noop)]
