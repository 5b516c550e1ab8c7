"""The attempts at an assignment as a table, a row for each."""

from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.reviews import known_reviews, review_key
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.sheets import Sheet, Value
from solvers.kind import split_moves

MAX_ATTEMPTS = 20_000
"""The most rows of one table: forty students with five hundred attempts each."""


def attempt_sheet(assignment: Assignment) -> Sheet:
    """Return the table. The number of queries does not depend on its size."""
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
    attempts = list(found.order_by("-last_at", "-pk")[: MAX_ATTEMPTS + 1])
    is_cut, attempts = len(attempts) > MAX_ATTEMPTS, attempts[:MAX_ATTEMPTS]
    for attempt in attempts:
        attempt.puzzle = puzzles[attempt.puzzle_id]
    known = known_reviews(review_key(attempt.puzzle, attempt.line) for attempt in attempts).reviews
    attempts.sort(key=lambda a: (enrolments[a.student_id], a.puzzle.number, a.number))
    head = [
        *(pgettext("student", "Number"), _("Name"), _("Puzzle"), _("Title")),
        *(_("Attempt"), _("Status"), _("Time"), _("Moves"), _("No longer solvable after move")),
        *(_("Started"), _("Last move"), _("Arrived later"), _("Feedback")),
    ]
    rows: list[list[Value]] = []
    for attempt in attempts:
        review = known.get(review_key(attempt.puzzle, attempt.line))
        feedback: Feedback | None = getattr(attempt, "feedback", None)
        state = PuzzleState.SOLVED.label if attempt.has_solved else attempt.get_state_display()
        rows.append(
            [
                *enrolments[attempt.student_id],
                *(attempt.puzzle.number, attempt.puzzle.title, attempt.number, str(state)),
                *(timedelta(seconds=attempt.seconds), len(split_moves(attempt.line))),
                (review.fatal or None) if review and not attempt.has_solved else None,
                *(attempt.started_at, attempt.last_at, attempt.arrived_later),
                feedback.said if feedback else None,
            ]
        )
    links = [reverse("student", args=[each.student_id]) for each in attempts]
    return Sheet(assignment.title, head, rows, links=links, is_cut=is_cut)
