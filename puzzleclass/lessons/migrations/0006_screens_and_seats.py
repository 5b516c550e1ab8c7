import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def keep_messages(apps, schema_editor):
    """Take the messages to students along."""
    attendance = apps.get_model("assignments", "Attendance")
    for each in apps.get_model("lessons", "PersonalMessage").objects.iterator():
        attendance.objects.create(
            assignment_id=each.assignment_id,
            student_id=each.student_id,
            message=each.text,
            message_at=each.at,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("lessons", "0005_name_the_last_stage"),
        ("assignments", "0016_lesson"),
        ("classes", "0016_class_bin"),
    ]

    operations = [
        migrations.RunPython(keep_messages, migrations.RunPython.noop),
        migrations.DeleteModel("PersonalMessage"),
        migrations.AddField("round", "pauses", models.JSONField(default=list)),
        migrations.CreateModel(
            name="SeatingPlan",
            fields=[
                (
                    "classroom",
                    models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="seating_plan", serialize=False, to="classes.classroom"),
                ),
                ("columns", models.PositiveSmallIntegerField(default=6)),
                ("places", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="Screen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=6, null=True, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "assignment",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="screens", to="assignments.assignment"),
                ),
            ],
        ),
    ]
