from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rosters', '0014_claims_of_schools'),
    ]

    operations = [
        migrations.RenameField(
            model_name='rosterupload',
            old_name='many_leave',
            new_name='many_changes',
        ),
        migrations.AddField(
            model_name='schoolid',
            name='code',
            field=models.CharField(blank=True, default='', max_length=100),
        ),
    ]
