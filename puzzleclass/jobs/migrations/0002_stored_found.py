from django.db import migrations, models


def as_answers(apps, schema_editor):
    """Give what was found on the way the shape of an answer; it had that of its details."""
    for job in _with_findings(apps, schema_editor):
        answer = {"value": None, "proven": False, "moves": [], "details": job.stored_found}
        job.stored_found = answer
        job.save(update_fields=["stored_found"])


def as_details(apps, schema_editor):
    for job in _with_findings(apps, schema_editor):
        job.stored_found = job.stored_found.get("details", {})
        job.save(update_fields=["stored_found"])


def _with_findings(apps, schema_editor):
    jobs = apps.get_model("jobs", "Job").objects.using(schema_editor.connection.alias)
    return jobs.exclude(stored_found={}).only("stored_found").iterator()


class Migration(migrations.Migration):
    """The field's name changes and what it holds; the column keeps its own name."""

    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AlterField("job", "found", models.JSONField(db_column="found", default=dict)),
        migrations.RenameField("job", "found", "stored_found"),
        migrations.RunPython(as_answers, as_details),
    ]
