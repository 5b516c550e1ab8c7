import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('assignments', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('open', 'Working'), ('solved', 'Solved'), ('given up', 'Started again')], default='open', max_length=10)),
                ('line', models.TextField(blank=True, default='')),
                ('next_step', models.PositiveIntegerField(default=0)),
                ('is_jammed', models.BooleanField(default=False)),
                ('has_solved', models.BooleanField(default=False)),
                ('seconds', models.PositiveIntegerField(default=0)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='assignments.assignedpuzzle')),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='BestScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('score', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('line', models.TextField()),
                ('reached_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='best_scores', to='assignments.assignedpuzzle')),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='best_scores', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-score', 'reached_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='FoundSolution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('line', models.TextField()),
                ('found_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='found_solutions', to='assignments.assignedpuzzle')),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='found_solutions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['found_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='HintUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveIntegerField()),
                ('line', models.TextField(blank=True)),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'Can it still be solved?'), (2, 'Where should I look?'), (3, 'The next move')])),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hints', to='play.attempt')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('action', models.CharField(choices=[('move', 'Move'), ('undo', 'Undo')], max_length=4)),
                ('move', models.CharField(blank=True, max_length=20)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='play.attempt')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('student', 'puzzle', 'number'), name='attempt_number_once'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('student', 'puzzle'), name='one_open_attempt'),
        ),
        migrations.AddConstraint(
            model_name='bestscore',
            constraint=models.UniqueConstraint(fields=('student', 'puzzle'), name='one_best_score'),
        ),
        migrations.AddConstraint(
            model_name='foundsolution',
            constraint=models.UniqueConstraint(fields=('student', 'puzzle', 'text'), name='solution_found_once'),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.UniqueConstraint(fields=('attempt', 'number'), name='step_number_once'),
        ),
    ]
