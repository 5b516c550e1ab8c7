import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def begin_running(apps, schema_editor):
    """Say of each lesson that something was pressed when it has begun."""
    apps.get_model("assignments", "Pace").objects.update(begun_at=F("changed_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("assignments", "0015_one_word_for_one_thing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveField(model_name="pace", name="hides_names"),
        migrations.AddField("pace", "begun_at", models.DateTimeField(null=True)),
        migrations.AddField("pace", "message_at", models.DateTimeField(null=True)),
        migrations.AddField("pace", "paused_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "pace", "shown", models.CharField(blank=True, default="", max_length=100)
        ),
        migrations.AddField(
            "pace",
            "led_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("absent_at", models.DateTimeField(null=True)),
                ("message", models.CharField(blank=True, default="", max_length=200)),
                ("stamp", models.CharField(blank=True, default="", max_length=10)),
                ("message_at", models.DateTimeField(null=True)),
                ("put_away_at", models.DateTimeField(null=True)),
                (
                    "assignment",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to="assignments.assignment"),
                ),
                (
                    "student",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="attendances", to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="attendance",
            constraint=models.UniqueConstraint(fields=("assignment", "student"), name="one_attendance_each"),
        ),
        migrations.RunPython(begin_running, migrations.RunPython.noop),
    ]
