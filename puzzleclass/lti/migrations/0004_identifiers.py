import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def key():
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def of(model, related_name):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=related_name, to=model
    )


class Migration(migrations.Migration):

    dependencies = [
        ("classes", "0015_shares_figures"),
        ("lti", "0003_refused_scores"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PlatformUser",
            fields=[
                ("id", key()),
                ("sub", models.CharField(max_length=255)),
                ("platform", of("lti.platform", "users")),
                ("user", of(settings.AUTH_USER_MODEL, "platform_users")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("platform", "sub"), name="platform_user_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="PlatformClass",
            fields=[
                ("id", key()),
                ("course_id", models.CharField(max_length=255)),
                ("platform", of("lti.platform", "courses")),
                ("classroom", of("classes.classroom", "platform_classes")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("platform", "course_id"), name="platform_class_once"
                    )
                ]
            },
        ),
    ]
