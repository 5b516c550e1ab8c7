import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lessons", "0006_screens_and_seats"),
        ("assignments", "0016_lesson"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint("vote", "one_running_vote"),
        migrations.RemoveConstraint("ballot", "one_ballot_a_round"),
        migrations.RenameModel("Vote", "Question"),
        migrations.RenameModel("Ballot", "Answer"),
        migrations.RenameField("question", "question", "sort"),
        migrations.RenameField("answer", "vote", "question"),
        migrations.AlterField(
            "question",
            "assignment",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="assignments.assignment"),
        ),
        migrations.AlterField(
            "question",
            "puzzle",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="assignments.assignedpuzzle"),
        ),
        migrations.AlterField(
            "question",
            "sort",
            models.CharField(choices=[("move", "Which move next?"), ("solvable", "Can this still be solved?"), ("count", "How many solutions are there?"), ("which", "Which board has more solutions?"), ("mistake", "Where is the mistake?"), ("free", "A question in my words"), ("solve", "Solve together")], max_length=10),
        ),
        migrations.AlterField(
            "question",
            "stage",
            models.CharField(choices=[("open", "Open"), ("closed", "Closed"), ("revealed", "The answer"), ("over", "Over")], default="open", max_length=10),
        ),
        migrations.AddField(
            "question",
            "other_puzzle",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assignments.assignedpuzzle"),
        ),
        migrations.AddField("question", "other_line", models.TextField(blank=True, default="")),
        migrations.AddField("question", "words", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField(
            "question",
            "form",
            models.CharField(blank=True, choices=[("number", "A number"), ("move", "A move"), ("sentence", "A sentence")], default="", max_length=10),
        ),
        migrations.AddField("question", "right", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField("question", "round", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField("question", "twice", models.BooleanField(default=False)),
        migrations.AddField("question", "starts_at", models.DateTimeField(null=True)),
        migrations.AddField("question", "closes_at", models.DateTimeField(null=True)),
        migrations.AddField("question", "pauses", models.JSONField(default=list)),
        migrations.AddField("question", "shows_places", models.BooleanField(default=False)),
        migrations.AddField(
            "question",
            "led_before",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="assignments.assignedpuzzle"),
        ),
        migrations.AlterField(
            "answer",
            "question",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="lessons.question"),
        ),
        migrations.AlterField(
            "answer",
            "student",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="answers", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField("answer", "answer", models.CharField(max_length=200)),
        migrations.AddField("answer", "cell", models.CharField(blank=True, default="", max_length=10)),
        migrations.AddField("answer", "words", models.CharField(blank=True, default="", max_length=120)),
        migrations.AddField("answer", "is_late", models.BooleanField(default=False)),
        migrations.AddField("answer", "is_chosen", models.BooleanField(default=False)),
    ]
