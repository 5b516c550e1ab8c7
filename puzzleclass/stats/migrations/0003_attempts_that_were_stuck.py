from django.db import migrations

BATCH_ROWS = 500


def mark_attempts(apps, schema_editor):
    """Mark the attempts of which a step, a look or a review knows whether they were stuck."""
    attempts = apps.get_model("play", "Attempt").objects
    looks = apps.get_model("stats", "Look").objects
    _mark(attempts, attempts.filter(is_jammed=True).values_list("pk", flat=True), True)
    for is_lost in (True, False):
        known = looks.filter(is_lost=is_lost, attempt__was_stuck=None)
        _mark(attempts, known.values_list("attempt", flat=True), is_lost)
    jobs = apps.get_model("jobs", "Job").objects.filter(question="review", state="done")
    reviews = {}
    for kind, position, answer in jobs.values_list("kind_slug", "position", "answer").iterator():
        if answer and answer.get("proven", True):
            reviews[kind, position] = answer.get("value") != "0"
    if not reviews:
        return
    rows = attempts.filter(was_stuck=None, has_solved=False).exclude(line="")
    places = rows.values_list("pk", "puzzle__kind_slug", "puzzle__position", "line")
    found = {True: [], False: []}
    for pk, kind, start, line in places.iterator():
        is_lost = reviews.get((kind, f"{start} | {line}"))
        if is_lost is not None:
            found[is_lost].append(pk)
    for is_lost, keys in found.items():
        _mark(attempts, keys, is_lost)


def _mark(attempts, keys, was_stuck):
    keys = list(keys)
    for start in range(0, len(keys), BATCH_ROWS):
        attempts.filter(pk__in=keys[start : start + BATCH_ROWS]).update(was_stuck=was_stuck)


class Migration(migrations.Migration):
    dependencies = [
        ("stats", "0002_pseudonym_keys"),
        ("play", "0012_was_stuck"),
        ("jobs", "0006_served"),
    ]

    operations = [migrations.RunPython(mark_attempts, migrations.RunPython.noop)]
