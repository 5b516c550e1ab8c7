"""The pages of votes: the form that begins one, the student's ballot, and the votes of a class."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.access import (
    get_assigned_puzzle_for_teacher,
    get_assignment_for_teacher,
)
from puzzleclass.assignments.pace import PAUSED, running_pace
from puzzleclass.classes.access import Right, check_not_archived
from puzzleclass.forms.once import once
from puzzleclass.http import quietly_refused
from puzzleclass.language.reader import say
from puzzleclass.lessons.access import get_vote_for_student
from puzzleclass.lessons.models import Vote
from puzzleclass.lessons.votes import begin_vote, cast, position_of, results_of
from puzzleclass.play.tools import tools_for
from solvers.kind import PuzzleError, split_moves
from solvers.message import Message

VOTES_PER_PAGE = 20


@for_teachers("POST")
@once()
def vote_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the class about the board after the moves `line`, or after the first `moves` of them."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk)
    check_not_archived(puzzle.assignment.classroom)
    if puzzle.assignment.is_gallery or puzzle.assignment.is_over:
        raise BadRequest
    question, moves = request.POST.get("question", ""), request.POST.get("moves", "")
    if question not in Vote.Question.values:
        raise BadRequest
    line = request.POST.get("line", "")
    try:
        if moves.isdecimal():
            line = " ".join(split_moves(line)[: int(moves[:6])])
        begin_vote(request.user, puzzle, line, question)
    except PuzzleError as error:
        messages.error(request, str(say(error.message)))
    return redirect("lesson", puzzle.assignment_id)


@for_students("GET", "POST")
def vote(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a student the question of a vote, or take the student's answer."""
    asked = get_vote_for_student(request.user, pk)
    if asked.stage == Vote.Stage.OVER and request.method == "GET":
        return redirect("play", asked.puzzle_id)
    fault: Message | None = None
    if request.method == "POST":
        pace = running_pace(asked.assignment)
        try:
            if pace and pace.is_paused:
                raise PermissionDenied(PAUSED)
            cast(asked, request.user, request.POST.get("answer", ""), request.POST.get("round"))
        except PuzzleError as error:
            fault = error.message
        except PermissionDenied as denied:
            fault = denied.args[0]
    context = _ballot_context(request, asked) | {"fault": fault}
    if request.method == "POST" and not request.htmx and fault is None:
        return redirect("vote", pk)
    template = "lessons/_vote.html" if request.htmx else "lessons/vote.html"
    response = render(request, template, context)
    return quietly_refused(request, response) if fault else response


def _ballot_context(request: SignedInRequest, vote: Vote) -> dict[str, Any]:
    """Return what a student sees of a vote. Nothing of it depends on the truth."""
    kind, position = vote.puzzle.kind, position_of(vote)
    ballots = {each.round: each.answer for each in vote.ballots.filter(student=request.user)}
    own = ballots.get(vote.round, "")
    fields = request.POST or request.GET
    choice = None
    picture = kind.draw(position)
    if vote.question == Vote.Question.MOVE:
        choice = tools_for(kind, position, fields.get("tool", ""))
        picture = choice.picture
        if own:
            picture = picture.annotated(rings={"hinted-move": kind.cells_of(kind.read_move(own))})
    return {
        "vote": vote,
        "assignment": vote.assignment,
        "puzzle": vote.puzzle,
        "picture": picture,
        "choice": choice,
        "own": own,
        "described": kind.describe(kind.read_move(own)) if own and choice else None,
    }


@for_teachers("GET")
def vote_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the votes of an assignment with both rounds, the truth and the gain."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    votes = Vote.objects.filter(assignment=assignment).select_related("puzzle__assignment")
    over = votes.filter(stage__in=(Vote.Stage.REVEALED, Vote.Stage.OVER))
    page = Paginator(over, VOTES_PER_PAGE).get_page(request.GET.get("page"))
    context = {"assignment": assignment, "page": page, "results": results_of(page)}
    return render(request, "lessons/vote_list.html", context)
