import django.db.models.deletion
from django.db import migrations, models

MODELS = ("schoolid", "classid", "userid", "enrolmentid")


def source(related_name):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to="rosters.rostersource",
    )


class Migration(migrations.Migration):

    dependencies = [("rosters", "0009_fill_roster_sources")]

    operations = [
        *(migrations.RemoveConstraint(name, f"{name}_once_in_a_source") for name in MODELS),
        *(migrations.RemoveField(name, "source") for name in (*MODELS, "studentmatch")),
        migrations.RemoveField("schoolid", "school"),
        migrations.RemoveField("userid", "school"),
        migrations.RemoveField("studentmatch", "school"),
        *(migrations.RenameField(name, "place", "source") for name in (*MODELS, "studentmatch")),
        *(migrations.AlterField(name, "source", source("%(class)ss")) for name in MODELS),
        migrations.AlterField("studentmatch", "source", source("matches")),
        *(
            migrations.AddConstraint(
                name,
                models.UniqueConstraint(
                    fields=("source", "sourced_id"), name=f"{name}_once_in_a_source"
                ),
            )
            for name in MODELS
        ),
    ]
