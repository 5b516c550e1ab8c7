"""The views of what a class has done: the class table, the grade book, attempts, replays, the
solutions found."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import get_assigned_puzzle_for_teacher
from puzzleclass.classes.access import Right, may, may_teach_now
from puzzleclass.forms.once import once
from puzzleclass.play.models import Attempt, Feedback, HintUse
from puzzleclass.play.progress import is_board_stuck
from puzzleclass.play.reviews import (
    ask_for_review,
    can_be_reviewed,
    known_reviews,
    read_review,
    review_job,
    review_key,
)
from puzzleclass.puzzles.answers import COUNT, SOLUTIONS, answer_in, count_in, jobs_about
from puzzleclass.puzzles.player import ALL_SOLUTIONS, decisive_move, player_at
from puzzleclass.stats.access import get_attempt_for_teacher, get_enrolment_for_puzzle
from puzzleclass.stats.class_results import class_solutions
from puzzleclass.stats.forms import FeedbackForm
from puzzleclass.stats.replay import replay_player, replayed_steps
from puzzleclass.templating.templatetags.words import clock
from solvers.answers import SolutionsAnswer
from solvers.kind import split_moves

STEPS_PER_PAGE = 500
"""The number of steps of an attempt on one page."""


@for_teachers("GET")
def attempts(request: SignedInRequest, pk: int, student: int) -> HttpResponse:
    """Show a student's attempts at a puzzle."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, Right.LOOK)
    enrolment = get_enrolment_for_puzzle(puzzle, student)
    tries = list(Attempt.objects.filter(puzzle=puzzle, student=student, next_step__gt=0))
    for attempt in tries:
        attempt.puzzle = puzzle
    known = known_reviews(review_key(puzzle, attempt.line) for attempt in tries)
    is_stuck = is_board_stuck(student, puzzle, known.reviews)
    hints = HintUse.objects.filter(attempt__puzzle=puzzle, attempt__student=student)
    context = {
        "puzzle": puzzle,
        "enrolment": enrolment,
        "hints": hints.select_related("attempt"),
        "tries": [
            {
                "attempt": attempt,
                "time": clock(attempt.seconds),
                "moves": len(split_moves(attempt.line)),
                "review": known.reviews.get(review_key(puzzle, attempt.line)),
                "is_stuck": is_stuck and attempt.state == Attempt.State.OPEN,
            }
            for attempt in tries
        ],
    }
    return render(request, "stats/attempts.html", context)


@for_teachers("GET")
def replay(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show an attempt move by move: a page; for HTMX, the player at a step or everything about the
    attempt."""
    return _replay_page(request, get_attempt_for_teacher(request.user, key))


def _replay_page(
    request: SignedInRequest, attempt: Attempt, form: FeedbackForm | None = None
) -> HttpResponse:
    """Return the page of an attempt, with the form for its feedback if that was refused."""
    job = review_job(attempt)
    review = read_review(job)
    context: dict[str, object] = {
        "player": replay_player(attempt, review, request.GET.get("step")),
        "may_ask": may_teach_now(attempt, attempt.puzzle.assignment.classroom),
    }
    if request.htmx and "step" in request.GET:
        return render(request, "stats/_replay_player.html", context | {"attempt": attempt})
    feedback = Feedback.objects.filter(attempt=attempt).first()
    reviews = {review_key(attempt.puzzle, attempt.line): review}
    is_stuck = is_board_stuck(attempt.student_id, attempt.puzzle, reviews)
    form = form or FeedbackForm(instance=feedback)
    steps = Paginator(replayed_steps(attempt, review), STEPS_PER_PAGE)
    context |= {
        "feedback": feedback,
        "feedback_form": form,
        "can_teach": may(attempt, Right.TEACH),
        "attempt": attempt,
        "puzzle": attempt.puzzle,
        "job": job if job and job.askers.filter(pk=request.user.pk).exists() else None,
        "can_ask": can_be_reviewed(attempt),
        "review": review,
        "is_stuck": is_stuck and attempt.state == Attempt.State.OPEN,
        "page": steps.get_page(request.GET.get("page")),
        "hints": attempt.hints.all(),
        "time": clock(attempt.seconds),
        "player_next": _next_replay(attempt),
    }
    template = "stats/_replay.html" if request.htmx else "stats/replay.html"
    return render(request, template, context, status=422 if form.is_bound else 200)


def _next_replay(attempt: Attempt) -> str:
    """Return the address of the replay of the next attempt that has moves, among those of students
    who are in the class; empty after the last one."""
    tries = Attempt.objects.filter(
        puzzle=attempt.puzzle, puzzle__assignment__classroom__students=F("student")
    )
    later = tries.filter(pk__gt=attempt.pk).exclude(line="").order_by("pk")
    key = later.values_list("key", flat=True).first()
    return reverse("replay", args=[key]) if key else ""


@for_teachers("POST")
@once()
def give_feedback(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Store the feedback on an attempt for its student; empty feedback deletes what is stored."""
    attempt = get_attempt_for_teacher(request.user, key, Right.TEACH)
    stored = Feedback.objects.filter(attempt=attempt).first()
    form = FeedbackForm(request.POST, instance=stored or Feedback(attempt=attempt))
    if not form.is_valid():
        return _replay_page(request, attempt, form)
    if not any(form.cleaned_data.values()):
        Feedback.objects.filter(attempt=attempt).delete()
    else:
        form.instance.teacher = request.user
        form.save()
        messages.success(request, _("The student sees it on the puzzle's page."))
    return redirect("replay", key)


@for_teachers("POST")
def review_attempt(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Ask for a review of the attempt."""
    ask_for_review(request.user, get_attempt_for_teacher(request.user, key, Right.TEACH))
    return redirect("replay", key)


@for_teachers("GET")
def found_solution(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Show one of the solutions move by move: a page; for HTMX, the player."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, Right.LOOK)
    solutions = class_solutions(puzzle)
    if not 1 <= number <= len(solutions):
        raise Http404
    solution = solutions[number - 1]
    step = request.GET.get("step")
    moves = split_moves(solution.line)
    known = jobs_about(request.user, puzzle, {COUNT: None, SOLUTIONS: ALL_SOLUTIONS})
    listed = answer_in(known.get(SOLUTIONS), SolutionsAnswer)
    decisive = decisive_move(puzzle, moves, count_in(puzzle, known.get(COUNT)), listed)
    context = {
        "puzzle": puzzle,
        "solution": solution,
        "previous": number - 1,
        "next": number + 1 if number < len(solutions) else None,
        "player": player_at(puzzle.kind, puzzle.position, moves, step, decisive=decisive),
    }
    template = "stats/_solution_player.html" if request.htmx else "stats/found_solution.html"
    return render(request, template, context)
