from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("assignments", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="shades",
            field=models.BooleanField(default=False),
        ),
    ]
