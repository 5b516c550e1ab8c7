"""The editor's page: one form that carries the whole board, whatever kind it is of.

Teachers draw for their library here, students for the gallery of their class: `Desk` says what
differs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import SignedInRequest
from puzzleclass.puzzles.draft import Draft, check_pasted, new_draft, posted_draft
from puzzleclass.puzzles.forms import BoardForm, PuzzleForm
from puzzleclass.puzzles.goals import ask_for_optimum, check_goal, goal_in, goal_of
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead, lookahead_of
from puzzleclass.puzzles.models import Board, Puzzle, showpiece
from puzzleclass.puzzles.views import get_puzzle_for_owner
from solvers.answers import CountAnswer
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.registry import AnyKind, kinds

NOTHING_NEW = 204
"""HTMX leaves the page as it is."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Whose board is drawn, and what becomes of it."""

    board: Board
    form: type[BoardForm]
    """Title, and what else is saved with the board."""
    save: Callable[[User, Draft, BoardForm], str]
    """Saves the board of a form that is in order; returns the address of its page."""
    back: str
    """Where Cancel leads."""
    page: str = "puzzles/puzzle_edit.html"
    is_by_student: bool = False


@for_teachers("GET")
def puzzle_kind(request: SignedInRequest) -> HttpResponse:
    """Ask of what kind a new puzzle is to be."""
    shown = [showpiece(kind) for kind in kinds().values()]
    return render(request, "puzzles/puzzle_kind.html", {"kinds": shown})


@for_teachers("GET", "POST")
def puzzle_new(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Draw up a puzzle."""
    check_room(request.user)
    new = Puzzle(owner=request.user, kind_slug=kind.slug)
    return edit(request, Desk(new, PuzzleForm, _save, resolve_url("puzzle_list")))


@for_teachers("GET", "POST")
def puzzle_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change a puzzle. Classes that have it keep it as it was."""
    puzzle = get_puzzle_for_owner(request.user, pk)
    return edit(request, Desk(puzzle, PuzzleForm, _save, resolve_url("puzzle", pk)))


def edit(request: SignedInRequest, desk: Desk) -> HttpResponse:
    """Show the editor, or the board after a step, or save it."""
    kind, fields, by_student = desk.board.kind, request.POST, desk.is_by_student
    draft = new_draft(kind, desk.board.position, is_by_student=by_student)
    if request.method == "GET":
        return _editor(request, desk, draft, desk.form(instance=desk.board))
    step, text = _asked_step(fields), fields.get("draft", "")
    if step == "check":
        pasted = check_pasted(kind, fields.get("text", ""), text)
        return render(request, "puzzles/_pasted.html", {"pasted": pasted})
    form = _form(fields, desk, is_judged=step == "save")
    try:
        draft = posted_draft(kind, text, fields, is_by_student=by_student)
        if step == "look" and request.htmx:
            return _look(request, draft)
        draft = _after(draft, step, fields)
    except PuzzleError as error:
        if step == "look" and request.htmx:
            return HttpResponse(status=NOTHING_NEW)
        return _editor(request, desk, draft, form, error.message)
    if step == "look":
        _lookahead(draft, request.user)
    if step != "save" or draft.fault or not form.is_valid():
        return _editor(request, desk, draft, form)
    page = desk.save(request.user, draft, form)
    messages.success(request, _("Saved."))
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _asked_step(fields: QueryDict) -> str:
    """Return what the form was sent for.

    Enter in a field presses the form's first button, which saves; in the field for a
    point it is the point that is meant.
    """
    step = fields.get("do", "")
    return "point" if step == "save" and fields.get("point") else step


def _form(fields: QueryDict, desk: Desk, *, is_judged: bool) -> BoardForm:
    """Return title and note as they were typed; judged only when they are to be saved."""
    if is_judged:
        return desk.form(fields, instance=desk.board)
    typed = {name: fields.get(name, "") for name in desk.form.base_fields}
    return desk.form(instance=desk.board, initial=typed)


def _after(draft: Draft, step: str, fields: QueryDict) -> Draft:
    """Return the draft after a step. Raises PuzzleError when it can't be done."""
    match step:
        case "point":
            return draft.paint(fields.get("point", ""))
        case "goal":
            return draft.with_goal(fields.get("goal", ""))
        case "look":
            return draft
        case "save":
            return _to_save(draft, fields)
        case _:
            return draft.after(step, fields)


def _look(request: SignedInRequest, draft: Draft) -> HttpResponse:
    """Say whether the drawing can be solved, as soon as that is known; till then, nothing.

    A drawing that has rested a moment asks, and asks again until there is an answer.
    """
    lookahead = _lookahead(draft, request.user)
    if lookahead is None or not lookahead.is_known:
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "puzzles/_lookahead.html", {"lookahead": lookahead})


def _lookahead(draft: Draft, asker: User | None = None) -> LookAhead | None:
    """Return what is known of the drawing, None where there is nothing to ask the worker.

    Only with an `asker` the worker is asked.
    """
    slug, start = draft.kind.slug, draft.start_text
    if start is None or not has_lookahead(slug):
        return None
    return ask_lookahead(asker, slug, start) if asker else lookahead_of(slug, start)


def _to_save(draft: Draft, fields: QueryDict) -> Draft:
    """Return the draft as it is to be saved. Raises PuzzleError, also for a goal out of reach."""
    text, goal = fields.get("text", ""), fields.get("goal")
    if draft.is_blank and text.strip():
        # Who pastes a board and saves at once means the pasted one, with its goal.
        draft = draft.take(text)
        goal = goal or draft.goal
    if draft.goal is None:
        return draft
    draft = draft.with_goal(draft.goal if goal is None else goal)
    if not draft.fault:
        check_goal(draft.kind, draft.text)
    return draft


def _editor(
    request: SignedInRequest,
    desk: Desk,
    draft: Draft,
    form: BoardForm,
    fault: Message | None = None,
) -> HttpResponse:
    """Show the editor, with status 422 when what was asked could not be done."""
    text = request.POST.get("text", "")
    context = {
        "puzzle": form.instance,
        "back": desk.back,
        "draft": draft,
        "goal": goal_in(draft.kind, draft.text),
        "lookahead": _lookahead(draft),
        "form": form,
        "fault": fault,
        "text": text,
        "pasted": check_pasted(draft.kind, text, draft.text),
        "point_open": _asked_step(request.POST) == "point",
    }
    template = "puzzles/_editor.html" if request.htmx else desk.page
    failed = fault is not None or form.is_bound
    return render(request, template, context, status=422 if failed else 200)


def _save(teacher: User, draft: Draft, form: BoardForm) -> str:
    puzzle: Puzzle = form.save(commit=False)
    puzzle.position = written_text(draft)
    puzzle.describe()
    lookahead = _lookahead(draft)
    if lookahead and not puzzle.solutions and (left := lookahead.answer.left) is not None:
        # The editor's count is the puzzle's count.
        puzzle.keep(CountAnswer(left))
    puzzle.save()
    goal = goal_of(puzzle)
    if goal and goal.optimum is None:
        ask_for_optimum(teacher, puzzle)
    return resolve_url("puzzle", puzzle.pk)


def written_text(draft: Draft) -> str:
    """Return a draft that is a puzzle as canonical text."""
    return draft.kind.write_start(draft.kind.read(draft.text))
