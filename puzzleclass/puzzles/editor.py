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
from puzzleclass.puzzles.draft import Draft, check_pasted, new_draft, posted_draft
from puzzleclass.puzzles.forms import BoardForm
from puzzleclass.puzzles.goals import check_goal, goal_in
from puzzleclass.puzzles.lookahead import LookAhead, ask_lookahead, has_lookahead, lookahead_of
from puzzleclass.puzzles.models import Board
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.missing import NOT_INSTALLED, MissingKind


@dataclass(frozen=True, slots=True)
class EditorSetup:
    """What the editor edits, and how it is saved."""

    board: Board
    form: type[BoardForm]
    """The form for the title and whatever else is saved with the board."""
    save: Callable[[User, Draft, BoardForm], str]
    """A function that saves the board of a valid form and returns the address of its page."""
    back: str
    """The address to which Cancel leads."""
    page: str = "puzzles/puzzle_edit.html"
    is_by_student: bool = False


def edit(request: SignedInRequest, setup: EditorSetup) -> HttpResponse:
    """Show the editor or the board after a step, or save the board."""
    kind, fields, by_student = setup.board.kind, request.POST, setup.is_by_student
    if isinstance(kind, MissingKind):
        messages.error(request, say(NOT_INSTALLED))
        return redirect(setup.back)
    stored = draft = new_draft(kind, setup.board.position, is_by_student=by_student)
    if request.method == "GET":
        form = setup.form(instance=setup.board, initial={"draft": stored.text})
        return _render_editor(request, setup, draft, form)
    step, text = _asked_step(fields), fields.get("draft", "")
    if step == "check":
        typed = fields.get("text", "")
        context = {"pasted": check_pasted(kind, typed, text), "text": typed}
        return render(
            request, "puzzles/_pasted.html", context | {"import_address": _import_address(setup)}
        )
    form = _form(fields, setup, stored, is_validated=step == "save")
    try:
        draft = posted_draft(kind, text, fields, is_by_student=by_student)
        if step == "look" and request.htmx:
            return _render_lookahead(request, draft)
        draft = _draft_after(draft, step, fields)
    except PuzzleError as error:
        if step == "look" and request.htmx:
            return HttpResponse(status=NOTHING_NEW)
        return _render_editor(request, setup, draft, form, error.message)
    if step == "look":
        lookahead_at(draft, request.user)
    if step != "save":
        return _render_editor(request, setup, draft, form)
    drawn = fields.copy()
    drawn["draft"] = draft.text
    form = _form(drawn, setup, stored, is_validated=True)
    is_valid = form.is_valid()
    if form.data["draft"] != draft.text:
        # Only another window has changed the board.
        draft = stored
    if draft.fault or not is_valid:
        return _render_editor(request, setup, draft, form)
    page = setup.save(request.user, draft, form)
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


def _form(fields: QueryDict, setup: EditorSetup, stored: Draft, *, is_validated: bool) -> BoardForm:
    """Return the form with the texts as typed. Validate it only if it is to be saved."""
    if is_validated:
        return setup.form(fields, instance=setup.board, initial={"draft": stored.text})
    typed = {name: fields.get(name, "") for name in setup.form.base_fields}
    return setup.form(instance=setup.board, initial=typed)


def _draft_after(draft: Draft, step: str, fields: QueryDict) -> Draft:
    """Return the draft after a step. Raise PuzzleError if it can't be done."""
    match step:
        case "point":
            return draft.paint(fields.get("point", ""))
        case "goal":
            return draft.with_goal(fields.get("goal", ""))
        case "look":
            return draft
        case "save":
            return _draft_to_save(draft, fields)
        case _:
            return draft.after(step, fields)


def _render_lookahead(request: SignedInRequest, draft: Draft) -> HttpResponse:
    """Say whether the draft can be solved, or that no worker is running.

    Return an empty response until one of the two is known. The page asks when nothing has been
    drawn for a moment, and asks again until there is an answer.
    """
    lookahead = lookahead_at(draft, request.user)
    if lookahead is None or not lookahead.is_news(request.POST):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "puzzles/_lookahead.html", {"lookahead": lookahead})


def lookahead_at(draft: Draft, asker: User | None = None) -> LookAhead | None:
    """Return the look-ahead for the draft; None if there is nothing to ask the worker.

    The worker is asked only if there is an `asker`.
    """
    slug, start = draft.kind.slug, draft.start_text
    if start is None or not has_lookahead(slug):
        return None
    return ask_lookahead(asker, slug, start) if asker else lookahead_of(slug, start)


def _draft_to_save(draft: Draft, fields: QueryDict) -> Draft:
    """Return the draft to save. Raise PuzzleError if it or its goal is impossible."""
    text, goal = fields.get("text", ""), fields.get("goal")
    if draft.is_blank and text.strip():
        # Use the pasted board, with its goal, if the form is saved before the board is updated.
        draft = draft.take(text)
        goal = goal or draft.goal
    if draft.goal is None:
        return draft
    draft = draft.with_goal(draft.goal if goal is None else goal)
    if not draft.fault:
        check_goal(draft.kind, draft.text)
    return draft


def _render_editor(
    request: SignedInRequest,
    setup: EditorSetup,
    draft: Draft,
    form: BoardForm,
    fault: Message | None = None,
) -> HttpResponse:
    """Show the editor, with status 422 if the request could not be carried out."""
    text = request.POST.get("text", "")
    context = {
        "puzzle": form.instance,
        "back": setup.back,
        "draft": draft,
        "goal": goal_in(draft.kind, draft.text),
        "lookahead": lookahead_at(draft),
        "form": form,
        "fault": fault,
        "text": text,
        "pasted": check_pasted(draft.kind, text, draft.text),
        "point_open": _asked_step(request.POST) == "point",
        "import_address": _import_address(setup),
    }
    template = "puzzles/_editor.html" if request.htmx else setup.page
    failed = fault is not None or form.is_bound
    return render(request, template, context, status=422 if failed else 200)


def canonical_text(draft: Draft) -> str:
    """Return a draft that is a puzzle as canonical text."""
    return draft.kind.write_start(draft.kind.read(draft.text))
