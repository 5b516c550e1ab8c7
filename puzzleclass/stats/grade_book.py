"""The grade book: an assignment as a table with one row for each student or for each attempt."""

from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.reviews import known_reviews, review_key
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.class_table import class_table
from puzzleclass.stats.sheets import ColumnGroup, Sheet, Value
from solvers.kind import split_moves

Rows = Literal["students", "tries"]

MAX_TRIES = 20_000
"""The most rows of one table: forty students with five hundred attempts each."""


def grade_book(assignment: Assignment, rows: Rows) -> Sheet:
    """Return the assignment's table. The number of queries does not depend on its size."""
    return _by_student(assignment) if rows == "students" else _by_attempt(assignment)


def _by_student(assignment: Assignment) -> Sheet:
    table = class_table(assignment)
    head = [pgettext("student", "Number"), _("Name"), _("Solved")]
    groups = [ColumnGroup("", 2), ColumnGroup("", 1)]
    for column in table.columns:
        figures = [_("Status"), _("Seconds"), _("Attempts"), _("Solutions"), _("Hints")]
        if column.goal:
            figures.append(_("Best score"))
        head += figures
        title = f"{column.puzzle.number}. {column.puzzle.title}"
        groups.append(ColumnGroup(title, len(figures)))
    lines: list[list[Value]] = []
    for row in table.rows:
        line: list[Value] = [row.number, row.name, row.solved]
        for cell, column in zip(row.cells, table.columns):
            status = cell.status
            line += [str(status.state.label), status.seconds, status.attempts, status.found]
            line.append(cell.hints)
            if column.goal:
                line.append(int(cell.score) if cell.score else None)
        lines.append(line)
    links = [reverse("student", args=[row.student]) for row in table.rows]
    return Sheet(assignment.title, head, lines, links=links, groups=groups)


def _by_attempt(assignment: Assignment) -> Sheet:
    puzzles = {puzzle.pk: puzzle for puzzle in assignment.puzzles.all()}
    enrolments = {
        student: (number, name)
        for student, number, name in enrolments_of(assignment).values_list(
            "student", "number", "student__name"
        )
    }
    found = Attempt.objects.filter(
        puzzle__in=list(puzzles), student__in=list(enrolments), next_step__gt=0
    ).select_related("feedback")
    tries = list(found.order_by("-last_at", "-pk")[: MAX_TRIES + 1])
    is_cut, tries = len(tries) > MAX_TRIES, tries[:MAX_TRIES]
    for attempt in tries:
        attempt.puzzle = puzzles[attempt.puzzle_id]
    known = known_reviews(review_key(attempt.puzzle, attempt.line) for attempt in tries).reviews
    tries.sort(key=lambda a: (enrolments[a.student_id], a.puzzle.number, a.number))
    head = [
        *(pgettext("student", "Number"), _("Name"), _("Puzzle"), _("Title")),
        *(_("Attempt"), _("Status"), _("Seconds")),
        *(
            _("Moves"),
            _("No longer solvable after move"),
            _("Started"),
            _("Last move"),
            _("Feedback"),
        ),
    ]
    rows: list[list[Value]] = []
    for attempt in tries:
        review = known.get(review_key(attempt.puzzle, attempt.line))
        feedback: Feedback | None = getattr(attempt, "feedback", None)
        state = PuzzleState.SOLVED.label if attempt.has_solved else attempt.get_state_display()
        rows.append(
            [
                *enrolments[attempt.student_id],
                *(attempt.puzzle.number, attempt.puzzle.title, attempt.number, str(state)),
                *(attempt.seconds, len(split_moves(attempt.line))),
                (review.fatal or None) if review and not attempt.has_solved else None,
                *(attempt.started_at, attempt.last_at, feedback.said if feedback else None),
            ]
        )
    links = [reverse("student", args=[each.student_id]) for each in tries]
    return Sheet(assignment.title, head, rows, links=links, is_cut=is_cut)


def name_of_rows(rows: Rows) -> str:
    """Return what the rows are, for the name of a file."""
    return _("students") if rows == "students" else _("attempts")
