from django.db import migrations

from puzzleclass.http import HIGHEST_KEY
from puzzleclass.jobs.models import job_key
from puzzleclass.puzzles.models import fingerprint, natural_key
from solvers.answers import level_of
from solvers.kind import PuzzleError
from solvers.registry import UnknownKind, get_kind

MANY = 500


def fill(apps, schema_editor):
    """Read from the boards, and from the answers there are, what libraries are searched by."""
    alias = schema_editor.connection.alias
    puzzles = apps.get_model("puzzles", "Puzzle").objects.using(alias)
    jobs = apps.get_model("jobs", "Job").objects.using(alias)
    names = [
        "title_key", "fingerprint", "rows", "columns", "stones", "solutions", "is_counted",
        "solutions_order", "solution", "level",
    ]  # fmt: skip
    described = []
    for puzzle in puzzles.order_by("pk").iterator(MANY):
        if _describe(puzzle, jobs):
            described.append(puzzle)
        if len(described) == MANY:
            puzzles.bulk_update(described, names)
            described.clear()
    puzzles.bulk_update(described, names)


def _describe(puzzle, jobs):
    """Set the columns. Returns False for a board whose kind is not installed."""
    try:
        kind = get_kind(puzzle.kind_slug)
        facts = kind.facts(kind.read(puzzle.position))
    except (UnknownKind, PuzzleError):
        return False
    puzzle.title_key = natural_key(puzzle.title)
    puzzle.fingerprint = fingerprint(puzzle.kind_slug, puzzle.position)
    puzzle.rows, puzzle.columns = kind.editor.size(puzzle.position)
    numbers = [n for fact in facts[1:2] for n in fact.values.values()]
    puzzle.stones = next((n for n in numbers if isinstance(n, int) and n >= 0), 0)
    keys = {q: job_key(puzzle.kind_slug, q, puzzle.position) for q in ("count", "rate")}
    answers = dict(jobs.filter(key__in=keys.values()).values_list("question", "answer"))
    count, rating = answers.get("count"), answers.get("rate")
    if count and count.get("value") is not None:
        puzzle.solutions = str(count["value"])
        puzzle.is_counted = bool(count.get("proven", True))
        puzzle.solutions_order = min(int(count["value"]), HIGHEST_KEY)
        puzzle.solution = " ".join(count.get("moves") or [])
    if rating:
        puzzle.level = level_of((rating.get("details") or {}).get("band", ""))
    return True


class Migration(migrations.Migration):
    dependencies = [("puzzles", "0002_library_columns"), ("jobs", "0005_queues")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
