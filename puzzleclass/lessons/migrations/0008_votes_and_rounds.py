from datetime import timedelta

from django.db import migrations
from django.db.models import Exists, F, OuterRef

COUNTDOWN = timedelta(seconds=10)


def make_questions(apps, schema_editor):
    """Give votes the stages of questions, and make questions of the rounds that a class played."""
    question, answer = (apps.get_model("lessons", name) for name in ("Question", "Answer"))
    again = Exists(answer.objects.filter(question=OuterRef("pk"), round=2))
    question.objects.update(twice=True)
    question.objects.filter(stage="over").filter(again).update(round=2)
    question.objects.filter(stage__in=("second", "revealed")).update(round=2)
    question.objects.filter(stage="talk").update(stage="closed", closes_at=F("begun_at"))
    question.objects.filter(stage__in=("first", "second")).update(stage="open")
    for played in apps.get_model("lessons", "Round").objects.order_by("pk").iterator():
        # A vote and a round of one assignment never ran at the same time.
        stage = "over" if played.is_over else "closed" if played.ended_at else "open"
        question.objects.create(
            assignment_id=played.assignment_id,
            puzzle_id=played.puzzle_id,
            sort="solve",
            stage=stage,
            begun_at=played.starts_at - COUNTDOWN,
            starts_at=played.starts_at,
            closes_at=played.ended_at,
            pauses=played.pauses,
            shows_places=played.shows_places,
        )
    pace = apps.get_model("assignments", "Pace")
    for running in question.objects.exclude(stage="over"):
        shown = pace.objects.filter(assignment=running.assignment_id, shown="question")
        shown.update(shown=f"question {running.pk}")


class Migration(migrations.Migration):
    dependencies = [("lessons", "0007_questions")]

    operations = [migrations.RunPython(make_questions, migrations.RunPython.noop)]
