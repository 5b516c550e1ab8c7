from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0008_votes_and_rounds")]

    operations = [
        migrations.DeleteModel("Round"),
        migrations.AddConstraint(
            "question",
            models.UniqueConstraint(condition=models.Q(("stage", "over"), _negated=True), fields=("assignment",), name="one_running_question"),
        ),
        migrations.AddConstraint(
            "answer",
            models.UniqueConstraint(fields=("question", "student", "round"), name="one_answer_a_round"),
        ),
    ]
