"""Challenges for older students: hard boards, and playing against the clock."""

from datetime import datetime, time, timedelta

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from puzzleclass.accounts.sign_in import SignedInRequest, for_students
from puzzleclass.language.reader import say
from puzzleclass.play import clock
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.path import is_solved
from puzzleclass.play.practised import results_of
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.practice import services
from puzzleclass.practice.access import check_seen, get_challenges_class
from puzzleclass.practice.boards import boards_of_the_week, hard_boards_of_kinds
from puzzleclass.puzzles.worlds import worlds
from solvers.registry import AnyKind


@for_students("GET")
def challenges(request: SignedInRequest) -> HttpResponse:
    """Show the boards of the week and the hard boards, each with the student's own best time."""
    classroom, student, today = get_challenges_class(request), request.user, services.today()
    monday = today - timedelta(days=today.weekday())
    results, own = results_of(student), clock.best_times(student)
    weekly = boards_of_the_week(monday)
    keys = [board.key for board in weekly]
    best = {}
    if classroom.shows_best_times:
        since = timezone.make_aware(datetime.combine(monday, time()))
        best = clock.best_times_of_class(classroom, keys, since)
    context = {
        "compares": classroom.shows_best_times,
        "most_best": clock.MAX_BEST,
        "weekly": [
            (board, is_solved(board, results), own.get(board.key), best.get(board.key))
            for board in weekly
        ],
        "hard": [
            (each, [(board, own.get(board.key)) for board in each.left])
            for each in hard_boards_of_kinds(results)
        ],
    }
    return render(request, "practice/challenges.html", context)


@for_students("POST")
def clock_start(request: SignedInRequest, kind: AnyKind, level: int, number: int) -> HttpResponse:
    """Start the clock, and show the student an untouched board."""
    classroom = get_challenges_class(request)
    check_seen(request, kind)
    boards = worlds(kind).get(level, ())
    if not 1 <= number <= len(boards):
        raise Http404
    board = boards[number - 1]
    puzzle = services.begin(classroom, *board.key, board.title)
    if attempt := current_attempt(request.user, puzzle):
        try:
            restart(attempt)
        except StepRefused as refused:
            messages.error(request, say(refused.message))
            return redirect("challenges")
    clock.start_clock(request.user, puzzle)
    return redirect("play", puzzle.pk)


@for_students("POST")
def clock_stop(request: SignedInRequest) -> HttpResponse:
    """Stop the student's clock without a time."""
    clock.give_up_run(request.user)
    return redirect("challenges")
