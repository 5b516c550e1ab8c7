import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('classes', '0001_initial'),
        ('puzzles', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=60, verbose_name='Title')),
                ('due_at', models.DateTimeField(verbose_name='Due')),
                ('shows_total', models.BooleanField(default=True, verbose_name='Tell the students how many solutions there are, and the best possible score')),
                ('shades', models.BooleanField(default=False, verbose_name='Shade the squares that pieces attack')),
                ('warns', models.BooleanField(default=False, verbose_name='Say after every step whether the puzzle can still be solved')),
                ('hints', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MaxValueValidator(50)], verbose_name='Hints for each student at each puzzle')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='classes.classroom')),
                ('teacher', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-due_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='AssignedPuzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind_slug', models.SlugField(max_length=20)),
                ('position', models.TextField()),
                ('title', models.CharField(max_length=60, verbose_name='Title')),
                ('number', models.PositiveSmallIntegerField()),
                ('puzzle', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assigned', to='puzzles.puzzle')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzles', to='assignments.assignment')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'number'), name='number_once_an_assignment')],
            },
        ),
    ]
