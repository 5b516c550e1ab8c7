from django.db import migrations
from django.db.models import F


def join_parts(apps, schema_editor):
    """Put split jobs back to waiting, as when a worker hands them back, and delete the parts."""
    jobs = apps.get_model("jobs", "Job").objects.using(schema_editor.connection.alias)
    jobs.filter(whole__isnull=False).delete()
    jobs.filter(state="split").update(
        state="waiting", sent_at=None, last_try=F("last_try") + 1
    )


class Migration(migrations.Migration):
    """A count uses all cores of one machine; jobs are not divided among workers any more.

    The columns go in a migration of their own: PostgreSQL changes no table in the transaction
    that has deleted rows others refer to.
    """

    dependencies = [("jobs", "0002_stored_found")]

    operations = [migrations.RunPython(join_parts, migrations.RunPython.noop)]
