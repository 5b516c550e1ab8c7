"""See where: the last position of a failed try that could be solved, as a small puzzle of its own.

"Find the move that keeps it solvable": the review says which position it is, the look-ahead whether
a move keeps it so. Both are exact, and nothing but the question to the worker is stored.
"""

from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.backends.utils import csrf_input

from puzzleclass.accounts.sign_in import for_students
from puzzleclass.http import SignedInRequest
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt
from puzzleclass.play.views import get_attempt_for_student
from puzzleclass.practice import scratch
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead
from puzzleclass.stats.reviews import QUESTION, Review, can_be_reviewed, read_review, review_job
from solvers.kind import Place, split_moves
from solvers.message import Message


@for_students("GET", "POST")
def where(request: SignedInRequest, key: UUID) -> HttpResponse:
    """Show where the student's try was lost, and answer to a move there."""
    attempt = get_attempt_for_student(request.user, key)
    if not can_be_reviewed(attempt) or not has_lookahead(attempt.puzzle.kind_slug):
        raise Http404
    if not _has_failed(attempt):
        return redirect("play", attempt.puzzle_id)
    job = review_job(attempt)
    if request.method == "POST" and (job is None or (job.has_ended and job.result is None)):
        place = {"queue": "review", "priority": 0}
        slug, text = attempt.puzzle.kind_slug, attempt.position_text
        job = jobs.ask_only(request.user, slug, QUESTION, text, {}, **place)
    review = read_review(job)
    context: dict[str, object] = {"attempt": attempt, "kind": attempt.puzzle.kind}
    context |= {"job": job, "review": review, "csrf_input": csrf_input(request)}
    if review and review.fatal:
        context |= _position(request, attempt, review)
    page = "practice/_where.html" if request.htmx else "practice/where.html"
    return render(request, page, context, status=422 if context.get("fault") else 200)


def _has_failed(attempt: Attempt) -> bool:
    """Return whether the try can't go on: what was wrong with it is no hint any more."""
    is_given_up = attempt.state == Attempt.State.GIVEN_UP
    return is_given_up or attempt.is_jammed or attempt.puzzle.assignment.is_over


def _position(request: SignedInRequest, attempt: Attempt, review: Review) -> dict[str, object]:
    """Return the position before the fatal move, which is marked there, or with the move that was
    chosen instead."""
    kind, moves = attempt.puzzle.kind, split_moves(attempt.line)
    before = kind.play_line(attempt.puzzle.start, " ".join(moves[: review.fatal - 1]))
    board, fatal = scratch.play(request, kind, before), kind.read_move(moves[review.fatal - 1])
    if not board.line and not board.fault:
        board = replace(board, place=Place(kind.cell_of(fatal)))
    ahead = None
    if board.line and not board.is_solved:
        ahead = ask_lookahead(request.user, kind.slug, kind.write(board.position))
    return {
        "scratch": board,
        "fault": board.fault,
        "tools": board.tools,
        "was": kind.describe(fatal),
        "is_asking": ahead is not None and not ahead.is_known,
        "is_bad": bool(ahead and ahead.is_lost),
        "is_good": board.is_solved or bool(ahead and ahead.state == "live"),
        "said": _said(board, ahead),
    }


def _said(board: scratch.Scratch, ahead: LookAhead | None) -> Message:
    if board.fault:
        return board.fault
    if not board.line:
        return Message("Here it could still be solved. Find a move after which it still can.")
    if board.is_solved or (ahead and ahead.state == "live"):
        return Message("Yes! After this move it can still be solved.")
    if ahead is None or not ahead.is_known:
        return Message("Is it good? The worker looks.")
    if ahead.is_lost:
        return Message("After this move it can't be solved either. Try another one.")
    return Message("It could not be found out whether this move is good. Try another one.")
