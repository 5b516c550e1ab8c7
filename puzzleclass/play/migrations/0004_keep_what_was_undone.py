from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0003_feedback")]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="undone",
            field=models.TextField(blank=True, default=""),
        ),
    ]
