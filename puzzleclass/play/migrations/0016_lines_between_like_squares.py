from django.db import migrations

from solvers.kind import PuzzleError, split_moves
from solvers.registry import ready_kinds
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.table import read_table


def leave_out(apps, schema_editor):
    """Leave out the lines that students of an earlier release drew between two like squares.

    Kinds of tables that join unlike squares have no place for such lines any more. The lines belong
    to no solution, and the moves around them can be made without them.
    """

    def rows(app, model):
        return apps.get_model(app, model).objects.using(schema_editor.connection.alias)

    # The slugs of tables are longer now than those that are stored at this point.
    kinds = {slug: each for each in ready_kinds().values() for slug in (each.slug, each.slug[:12])}
    for stored in rows("kinds", "StoredTable").filter(is_kept=True):
        try:
            kinds.setdefault(stored.slug, TableKind(read_table(stored.text)))
        except PuzzleError:
            continue  # No board of such a table can be played.
    joins = [slug for slug, kind in kinds.items() if kind.table.site == "links"]
    for puzzle in rows("assignments", "AssignedPuzzle").filter(kind_slug__in=joins):
        try:
            keeper = Keeper(kinds[puzzle.kind_slug], puzzle.position)
        except PuzzleError:
            continue
        for attempt in rows("play", "Attempt").filter(puzzle=puzzle).exclude(next_step=0):
            steps = rows("play", "Step").filter(attempt=attempt)
            steps.filter(pk__in=keeper.gone(steps.order_by("number"))).delete()
            keeper.cut(rows("play", "Attempt").filter(pk=attempt.pk), "line", "undone")
            keeper.cut(rows("play", "HintUse").filter(attempt=attempt), "line")
        keeper.cut(rows("play", "FoundSolution").filter(puzzle=puzzle), "line")
        for model in (("play", "RefusedMove"), ("practice", "ReturningPosition")):
            for row in rows(*model).filter(puzzle=puzzle):
                if keeper.kept(row.line) != row.line:
                    row.delete()


class Keeper:
    """Keeps the moves that have a place on a board, and leaves out the others."""

    def __init__(self, kind, position):
        self._kind, self._start = kind, kind.read(position)

    def has_place(self, move):
        return self._kind.read_move(move).cell in self._start

    def kept(self, line):
        return " ".join(filter(self.has_place, split_moves(line)))

    def gone(self, steps):
        """Return the keys of the moves without a place, and of the steps that took them back."""
        made, gone = [], []
        for step in steps:
            move = step.move if step.action == "move" else made.pop()
            if step.action == "move":
                made.append(move)
            if not self.has_place(move):
                gone.append(step.pk)
        return gone

    def cut(self, rows, *fields):
        for row in rows:
            kept = {field: self.kept(getattr(row, field)) for field in fields}
            if any(getattr(row, field) != line for field, line in kept.items()):
                rows.filter(pk=row.pk).update(**kept)


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0015_arrived_at"),
        ("assignments", "0020_came"),
        ("kinds", "0002_inventions"),
        ("practice", "0004_path_places"),
    ]

    operations = [migrations.RunPython(leave_out, migrations.RunPython.noop)]
