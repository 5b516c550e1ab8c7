"""One stamp or comment for several students at once."""

from typing import NamedTuple

from django.contrib import messages
from django.db.models import Max, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import get_assigned_puzzle_for_teacher
from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Enrolment
from puzzleclass.http import read_key
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.stats.forms import FeedbackForm


class Candidate(NamedTuple):
    """A student who has begun the board, and the attempt that a stamp goes to."""

    enrolment: Enrolment
    attempt: Attempt
    feedback: Feedback | None


def candidates(puzzle: AssignedPuzzle) -> list[Candidate]:
    """Return the students who have begun the board, each with the latest solved attempt, or with
    the latest one. Three queries."""
    begun = Attempt.objects.filter(puzzle=puzzle, next_step__gt=0).order_by()
    latest = begun.values("student").annotate(
        latest=Max("pk"), solved=Max("pk", filter=Q(has_solved=True))
    )
    keys = [row["solved"] or row["latest"] for row in latest]
    attempts = {
        attempt.student_id: attempt
        for attempt in Attempt.objects.filter(pk__in=keys).select_related("feedback")
    }
    return [
        Candidate(each, attempt, getattr(attempt, "feedback", None))
        for each in enrolments_of(puzzle.assignment).select_related("student").order_by("number")
        if (attempt := attempts.get(each.student_id))
    ]


@for_teachers("GET", "POST")
def feedback_many(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give the chosen students one stamp, one comment, or both, for this board."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk)
    listed = candidates(puzzle)
    form = FeedbackForm(request.POST or None)
    chosen = {read_key(text) for text in request.POST.getlist("student")}
    context = {
        "puzzle": puzzle,
        "candidates": listed,
        "feedback_form": form,
        "boards": puzzle.assignment.puzzles.all(),
        "chosen": chosen,
    }
    if request.method == "GET" or not form.is_valid():
        status = 200 if request.method == "GET" else 422
        return render(request, "stats/feedback_many.html", context, status=status)
    receivers = [each for each in listed if each.enrolment.pk in chosen]
    if not receivers or not any(form.cleaned_data.values()):
        text = (
            _("Choose a stamp or write a comment.")
            if receivers
            else _("Choose at least one student.")
        )
        messages.warning(request, text)
        return render(request, "stats/feedback_many.html", context, status=422)
    Feedback.objects.bulk_create(
        [
            Feedback(attempt=each.attempt, teacher=request.user, **form.cleaned_data)
            for each in receivers
        ],
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["teacher", "stamp", "comment", "at"],
    )
    messages.success(request, _("Sent: {number}").format(number=len(receivers)))
    return redirect("feedback_many", pk)
