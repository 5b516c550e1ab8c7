import re

from django.core.validators import MaxValueValidator
from django.db import migrations, models

STAGE = re.compile(r"([0-9]+) ?[–〜-] ?([0-9]+) ?\w+[:：]?[ 　]+(.*)")
WORDS = {
    "unit": "Unit",
    "in_unit": "This lesson in the unit",
    "children": "The students",
    "material": "The material",
    "teaching": "The teaching",
    "knowledge": "Knowledge and skills",
    "thinking": "Thinking, judgement, expression",
    "attitude": "Attitude towards learning",
    "goal": "Goal on the blackboard",
    "look_back": "Looking back",
}
CHANGED = {
    "aim": "Aim of the lesson",
    "wrap_up": "Wrap-up",
    "evaluation": "How it is assessed",
}


def to_phases(course):
    """Return the course of a pack as phases: its stages, or one phase with all of it."""
    phases, before = [], []
    for line in filter(str.strip, course.splitlines()):
        match = STAGE.fullmatch(line.rstrip())
        if match:
            minutes = min(max(int(match[2]) - int(match[1]), 1), 120)
            activity = "\n".join([*before, match[3]])[:2000]
            phases.append(phase(minutes, str(len(phases) + 1), activity))
            before = []
        elif not phases:
            before.append(line)
        elif line[0] in " 　":
            phases[-1]["watch"] = f"{phases[-1]['watch']}\n{line.strip()}".strip()[:2000]
        else:
            phases = []
            break
    if not phases and course.strip():
        parts = [course[at : at + 2000] for at in range(0, len(course), 2000)]
        phases = [phase(45, str(number), part) for number, part in enumerate(parts, 1)]
    return phases[:20]


def phase(minutes, title, activity):
    words = dict.fromkeys(("question", "watch", "assess", "do"), "")
    return {"minutes": minutes, "title": title, "activity": activity, "expected": [], **words}


def read_courses(apps, schema_editor):
    Pack = apps.get_model("sharing", "Pack")
    for pack in Pack.objects.exclude(course="").iterator():
        Pack.objects.filter(pk=pack.pk).update(phases=to_phases(pack.course))


class Migration(migrations.Migration):
    dependencies = [("sharing", "0006_one_word_for_one_thing")]

    operations = [
        *(
            migrations.AddField(
                "pack",
                name,
                models.TextField(blank=True, default="", max_length=4000, verbose_name=label),
            )
            for name, label in WORDS.items()
        ),
        migrations.AddField("pack", "phases", models.JSONField(default=list)),
        migrations.AddField(
            "pack",
            "shows_total",
            models.BooleanField(
                default=True,
                verbose_name="Show students the number of solutions and the best possible score",
            ),
        ),
        migrations.AddField(
            "pack",
            "wanted",
            models.PositiveSmallIntegerField(
                default=1,
                validators=[MaxValueValidator(99)],
                verbose_name="Solutions to find of each puzzle (0: all, by the class together)",
            ),
        ),
        migrations.RenameField("pack", "criteria", "evaluation"),
        *(
            migrations.AlterField(
                "pack",
                name,
                models.TextField(blank=True, default="", max_length=4000, verbose_name=label),
            )
            for name, label in CHANGED.items()
        ),
        migrations.RunPython(read_courses, migrations.RunPython.noop),
        migrations.RemoveField("pack", "course"),
    ]
