from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_join_parts")]

    operations = [
        migrations.RemoveIndex("job", "split_jobs"),
        migrations.RemoveField("job", "whole"),
        migrations.AlterField(
            "job",
            "state",
            models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("stopping", "Stopping"),
                    ("done", "Done"),
                    ("stopped", "Stopped"),
                    ("failed", "Failed"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
    ]
