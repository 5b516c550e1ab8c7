from django.db import migrations, models


class Migration(migrations.Migration):
    """Only the field's name changes; the column keeps its own."""

    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AlterField(
            "job", "found", models.JSONField(db_column="found", default=dict)
        ),
        migrations.RenameField("job", "found", "stored_found"),
    ]
