"""The editor: one form that carries the whole board, for every kind.

Teachers draw for their library with it, and students for the gallery of their class. `EditorSetup`
has what differs between them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.http import NOTHING_NEW
from puzzleclass.language.reader import say
from puzzleclass.puzzles.drawing import Drawing, check_pasted, new_drawing, posted_drawing
from puzzleclass.puzzles.forms import BoardForm
from puzzleclass.puzzles.goals import check_goal, goal_in
from puzzleclass.puzzles.live import LiveFacts, facts_about
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead, lookahead_of
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.missing import NOT_INSTALLED, MissingKind


@dataclass(frozen=True, slots=True)
class EditorSetup:
    """What the editor edits, and how it is saved."""

    board: Board
    form: type[BoardForm]
    """The form for the title and whatever else is saved with the board."""
    save: Callable[[User, Drawing, BoardForm], str]
    """A function that saves the board of a valid form and returns the address of its page."""
    back: str
    """The address to which Cancel leads."""
    page: str = "puzzles/puzzle_edit.html"
    is_by_student: bool = False
    has_text: bool = True
    """Whether boards can be typed. Young students only draw."""


def edit(request: SignedInRequest, setup: EditorSetup) -> HttpResponse:
    """Show the editor or the board after a step, or save the board."""
    kind, fields, by_student = setup.board.kind, request.POST, setup.is_by_student
    if isinstance(kind, MissingKind):
        messages.error(request, say(NOT_INSTALLED))
        return redirect(setup.back)
    stored = drawing = new_drawing(kind, setup.board.position, is_by_student=by_student)
    if request.method == "GET":
        form = setup.form(instance=setup.board, initial={"draft": stored.text})
        return _render_editor(request, setup, drawing, form)
    step, text = _asked_step(fields), fields.get("draft", "")
    if step == "check":
        typed = fields.get("text", "")
        context = {"pasted": check_pasted(kind, typed, text), "text": typed}
        return render(
            request, "puzzles/_pasted.html", context | {"import_address": _import_address(setup)}
        )
    form = _form(fields, setup, stored, is_validated=step == "save")
    try:
        drawing = posted_drawing(kind, text, fields, is_by_student=by_student)
        if step == "look" and request.htmx:
            return _render_lookahead(request, setup, drawing)
        drawing = _drawing_after(drawing, step, fields)
    except PuzzleError as error:
        if step == "look" and request.htmx:
            return HttpResponse(status=NOTHING_NEW)
        return _render_editor(request, setup, drawing, form, error.message)
    if step == "look":
        _live_facts(setup, drawing, lookahead_at(drawing, request.user), request.user)
    if step != "save":
        return _render_editor(request, setup, drawing, form)
    drawn = fields.copy()
    drawn["draft"] = drawing.text
    form = _form(drawn, setup, stored, is_validated=True)
    is_valid = form.is_valid()
    if form.data["draft"] != drawing.text:
        # Only another window has changed the board.
        drawing = stored
    if drawing.fault or not is_valid:
        return _render_editor(request, setup, drawing, form)
    page = setup.save(request.user, drawing, form)
    messages.success(request, _("Saved."))
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _import_address(setup: EditorSetup) -> str:
    """Return the address of the page that reads many boards at once; empty for students."""
    return "" if setup.is_by_student else resolve_url("puzzle_import", setup.board.kind.slug)


def _asked_step(fields: QueryDict) -> str:
    """Return the step for which the form was sent.

    Enter in a field presses the form's first button, which saves. In the field for a cell, Enter
    paints the cell instead.
    """
    step = fields.get("do", "")
    return "point" if step == "save" and fields.get("point") else step


def _form(
    fields: QueryDict, setup: EditorSetup, stored: Drawing, *, is_validated: bool
) -> BoardForm:
    """Return the form with the texts as typed. Validate it only if it is to be saved."""
    if is_validated:
        return setup.form(fields, instance=setup.board, initial={"draft": stored.text})
    typed = {name: fields.get(name, "") for name in setup.form.base_fields}
    return setup.form(instance=setup.board, initial=typed)


def _drawing_after(drawing: Drawing, step: str, fields: QueryDict) -> Drawing:
    """Return the drawing after a step. Raise PuzzleError if it can't be done."""
    match step:
        case "point":
            return drawing.paint(fields.get("point", ""))
        case "goal":
            return drawing.with_goal(fields.get("goal", ""))
        case "look":
            return drawing
        case "save":
            return _drawing_to_save(drawing, fields)
        case _:
            return drawing.after(step, fields)


def _render_lookahead(
    request: SignedInRequest, setup: EditorSetup, drawing: Drawing
) -> HttpResponse:
    """Say whether the drawing can be solved, or that no worker is running; then a teacher learns
    how difficult it is, and sees a solution.

    Return an empty response until something is known that the page does not say. The page asks when
    nothing has been drawn for a moment, and asks again until it has all answers.
    """
    lookahead = lookahead_at(drawing, request.user)
    if lookahead is None:
        return HttpResponse(status=NOTHING_NEW)
    live = _live_facts(setup, drawing, lookahead, request.user)
    seen = request.POST.get("known")
    if seen == str(live.known) if live and seen else not lookahead.is_news(request.POST):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "puzzles/_lookahead.html", {"lookahead": lookahead, "live": live})


def _live_facts(
    setup: EditorSetup, drawing: Drawing, lookahead: LookAhead | None, asker: User | None = None
) -> LiveFacts | None:
    """Return what a teacher sees of the drawing beside the look-ahead; None for students."""
    if setup.is_by_student or lookahead is None or not lookahead.is_known:
        return None
    board = Puzzle(kind_slug=drawing.kind.slug, position=canonical_text(drawing))
    return facts_about(lookahead, board, asker)


def lookahead_at(drawing: Drawing, asker: User | None = None) -> LookAhead | None:
    """Return the look-ahead for the drawing; None if there is nothing to ask the worker.

    The worker is asked only if there is an `asker`.
    """
    slug, start = drawing.kind.slug, drawing.start_text
    if start is None or not has_lookahead(slug):
        return None
    return ask_lookahead(asker, slug, start) if asker else lookahead_of(slug, start)


def _drawing_to_save(drawing: Drawing, fields: QueryDict) -> Drawing:
    """Return the drawing to save. Raise PuzzleError if it or its goal is impossible."""
    text, goal = fields.get("text", ""), fields.get("goal")
    if drawing.is_blank and text.strip():
        # Use the pasted board, with its goal, if the form is saved before the board is updated.
        drawing = drawing.take(text)
        goal = goal or drawing.goal
    if drawing.goal is None:
        return drawing
    drawing = drawing.with_goal(drawing.goal if goal is None else goal)
    if not drawing.fault:
        check_goal(drawing.kind, drawing.text)
    return drawing


def _render_editor(
    request: SignedInRequest,
    setup: EditorSetup,
    drawing: Drawing,
    form: BoardForm,
    fault: Message | None = None,
) -> HttpResponse:
    """Show the editor, with status 422 if the request could not be carried out."""
    text, lookahead = request.POST.get("text", ""), lookahead_at(drawing)
    context = {
        "puzzle": form.instance,
        "back": setup.back,
        "drawing": drawing,
        "goal": goal_in(drawing.kind, drawing.text),
        "lookahead": lookahead,
        "live": _live_facts(setup, drawing, lookahead),
        "form": form,
        "fault": fault,
        "text": text,
        "pasted": check_pasted(drawing.kind, text, drawing.text),
        "point_open": _asked_step(request.POST) == "point",
        "import_address": _import_address(setup),
        "has_text": setup.has_text,
    }
    template = "puzzles/_editor.html" if request.htmx else setup.page
    failed = fault is not None or form.is_bound
    return render(request, template, context, status=422 if failed else 200)


def canonical_text(drawing: Drawing) -> str:
    """Return a drawing that is a puzzle as canonical text."""
    return drawing.kind.write_start(drawing.kind.read(drawing.text))
