import django.db.models.deletion
from django.db import migrations, models

MODELS = ("schoolid", "classid", "userid", "enrolmentid", "studentmatch")


def place(related_name):
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="rosters.rostersource",
    )


class Migration(migrations.Migration):
    """A source belongs to a school. The rows find theirs in the next migration."""

    dependencies = [("classes", "0015_shares_figures"), ("rosters", "0007_special_needs")]

    operations = [
        migrations.CreateModel(
            name="RosterSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "school",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sources",
                        to="classes.school",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("school", "name"), name="source_once_a_school")
                ]
            },
        ),
        *(
            migrations.AddField(model, "place", place("matches" if model == "studentmatch" else "+"))
            for model in MODELS
        ),
        *(
            migrations.AddField(model, "by_operator", models.BooleanField(default=False))
            for model in MODELS[:-1]
        ),
    ]
