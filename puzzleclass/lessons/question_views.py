"""The pages of questions: a student's answer, a press on another page that asks, and the questions
of an assignment."""

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
from puzzleclass.assignments.pace import lesson_of_student, running_pace
from puzzleclass.classes.access import Right, check_not_archived
from puzzleclass.forms.once import once
from puzzleclass.http import quietly_refused, read_key
from puzzleclass.language.reader import say
from puzzleclass.lessons import questions
from puzzleclass.lessons.access import get_question_for_student
from puzzleclass.lessons.models import Answer, Question
from puzzleclass.lessons.outcomes import described, pictures_of, results_of
from puzzleclass.lessons.questions import A, Sort, position_of, tappable
from puzzleclass.lessons.scenes import shown_of, shows_reasons, stage_of
from puzzleclass.play.tools import tools_for
from puzzleclass.puzzles.player import player_at
from solvers.grid import read_cell
from solvers.kind import PuzzleError, split_moves
from solvers.message import Message
from solvers.picture import Picture

QUESTIONS_PER_PAGE = 20
SORTS_ABOUT_A_LINE = (Sort.MOVE, Sort.SOLVABLE, Sort.COUNT, Sort.MISTAKE)


@for_teachers("POST")
@once()
def question_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the class about the board after the moves `line`, or after the first `moves` of them."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk)
    check_not_archived(puzzle.assignment.classroom)
    if puzzle.assignment.is_gallery or puzzle.assignment.is_over:
        raise BadRequest
    sort, moves = request.POST.get("sort", ""), request.POST.get("moves", "")
    if sort not in SORTS_ABOUT_A_LINE:
        raise BadRequest
    line = request.POST.get("line", "")
    switches = questions.last_switches(puzzle.assignment)
    try:
        if moves.isdecimal() and sort != Sort.MISTAKE:
            line = " ".join(split_moves(line)[: int(moves[:6])])
        question = Question(
            assignment=puzzle.assignment,
            puzzle=puzzle,
            line=line,
            sort=sort,
            twice=switches["twice"],
        )
        questions.ask(request.user, question, same_second=switches["same_second"])
    except PuzzleError as error:
        messages.error(request, str(say(error.message)))
    return redirect("lesson", puzzle.assignment_id)


@for_students("GET", "POST")
def question(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a student a question, or take the student's answer or reason."""
    asked = get_question_for_student(request.user, pk)
    if request.method == "GET" and (asked.stage == Question.Stage.OVER or asked.is_solved_together):
        if lesson_of_student(request.user.pk) is None:
            return render(request, "lessons/question_over.html", {"question": asked})
        return redirect("play", asked.puzzle_id) if asked.puzzle_id else redirect("home")
    fault: Message | None = None
    if request.method == "POST":
        try:
            _take(request, asked)
        except PuzzleError as error:
            fault = error.message
        except PermissionDenied as denied:
            fault = denied.args[0]
    if request.method == "POST" and not request.htmx and fault is None:
        return redirect("question", pk)
    context = _question_context(request, asked) | {"fault": fault}
    template = "lessons/_question.html" if request.htmx else "lessons/question.html"
    response = render(request, template, context)
    return quietly_refused(request, response) if fault else response


def _take(request: SignedInRequest, asked: Question) -> None:
    sent = request.POST
    if "answer" in sent:
        questions.give(asked, request.user, sent["answer"], sent.get("round", ""))
    else:
        questions.give_reason(
            asked,
            request.user,
            cell=sent.get("cell"),
            words=sent.get("words"),
            round=sent.get("round", ""),
        )


def _question_context(request: SignedInRequest, asked: Question) -> dict[str, Any]:
    """Return what a student sees of a question. Nothing depends on the truth before it is shown."""
    given = asked.answers.filter(student=request.user, round__lte=asked.round).order_by("-round")
    own = given.first()
    if own and asked.is_open and own.round != asked.round:
        own = None
    pace = running_pace(asked.assignment)
    context: dict[str, Any] = {
        "question": asked,
        "assignment": asked.assignment,
        "stage": stage_of(asked, pace) if pace else "",
        "own": own,
        "described": described(asked, own.answer) if own else None,
    }
    fields = request.POST or request.GET
    if not asked.is_open:
        with_reasons = shows_reasons(pace) if pace else False
        if asked.is_revealed or with_reasons:
            return context | shown_of(results_of([asked])[0], shows_reasons=with_reasons)
        return context | {"asked": pictures_of(asked)}
    if own and "change" not in fields:
        return context | {"why": _board_for_reason(asked, own), "cell": own.cell}
    if asked.asks_for == "move" and asked.puzzle:
        tool = fields.get("tool", "")
        return context | {"choice": tools_for(asked.puzzle.kind, position_of(asked), tool)}
    if asked.asks_for == "step" and asked.puzzle:
        moves = split_moves(asked.line)
        step = read_key(fields.get("step", "")) if "step" in fields else len(moves)
        player = player_at(asked.puzzle.kind, asked.puzzle.position, moves, step)
        return context | {"player": player}
    return context | {"asked": pictures_of(asked)}


def _board_for_reason(asked: Question, own: Answer) -> Picture | None:
    """Return the board on which the student presses a cell as a reason; None without a board."""
    if asked.puzzle is None:
        return None
    which = own.answer if asked.sort == Sort.WHICH else A
    kind = asked.puzzle.kind
    puzzle, _line = questions.board_of(asked, which)
    picture = puzzle.kind.draw(position_of(asked, which)) if puzzle else asked.puzzle.picture
    rings = {}
    if asked.asks_for == "move":
        rings["hinted-move"] = kind.cells_of(kind.read_move(own.answer))
    if own.cell:
        rings["changed"] = (read_cell(own.cell),)
    return tappable(picture.annotated(rings=rings))


@for_teachers("GET")
def question_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the questions of an assignment with both rounds, the truth and the gain."""
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    asked = Question.objects.filter(assignment=assignment).exclude(sort=Sort.SOLVE)
    related = asked.select_related("puzzle__assignment", "other_puzzle__assignment", "assignment")
    over = related.filter(stage__in=(Question.Stage.REVEALED, Question.Stage.OVER))
    page = Paginator(over.order_by("-begun_at", "-pk"), QUESTIONS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {"assignment": assignment, "page": page, "results": results_of(page)}
    return render(request, "lessons/question_list.html", context)


@for_teachers("GET")
def old_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead from the address of the votes of an assignment to its questions."""
    get_assignment_for_teacher(request.user, pk, Right.LOOK)
    return redirect("question_list", pk)


@for_students("GET")
def old_vote(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead from the address of a vote to the question that it has become."""
    return redirect("question", get_question_for_student(request.user, pk).pk)
