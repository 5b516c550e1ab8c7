"""The editor's page: one form that carries the whole board, whatever kind it is of."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.outlook import Outlook, ask_outlook, has_outlook, outlook_of
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.forms import PuzzleForm
from puzzleclass.puzzles.marks import ask_for_optimum, check_mark, mark_in, mark_of
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.pasting import check_pasted
from puzzleclass.puzzles.showpieces import showpiece
from puzzleclass.puzzles.sketch import Sketch, new_sketch, posted_sketch
from solvers.kind import BadText, PuzzleError
from solvers.message import Message
from solvers.registry import AnyKind, UnknownKind, get_kind, kinds

NOTHING_NEW = 204
"""HTMX leaves the page as it is."""


@require_GET
@teacher_required
def puzzle_kind(request: HttpRequest) -> HttpResponse:
    """Ask of what kind a new puzzle is to be."""
    shown = [showpiece(kind) for kind in kinds().values()]
    return render(request, "puzzles/puzzle_kind.html", {"section": "puzzles", "kinds": shown})


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_new(request: HttpRequest, kind_slug: str) -> HttpResponse:
    """Draw up a puzzle."""
    try:
        kind = get_kind(kind_slug)
    except UnknownKind:
        raise Http404 from None
    return _edit(request, Puzzle(owner=request.user, kind_slug=kind.slug))


@require_http_methods(["GET", "POST"])
@teacher_required
def puzzle_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a puzzle. Classes that have it keep it as it was."""
    return _edit(request, get_puzzle_for_owner(request.user, pk))


def _edit(request: HttpRequest, puzzle: Puzzle) -> HttpResponse:
    kind, fields = puzzle.kind, request.POST
    sketch = new_sketch(kind, puzzle.position)
    if request.method == "GET":
        return _editor(request, sketch, PuzzleForm(instance=puzzle))
    step = _asked_step(fields)
    if step == "check":
        pasted = check_pasted(kind, fields.get("text", ""))
        context = {"pasted": pasted, "draft": fields.get("draft")}
        return render(request, "puzzles/_pasted.html", context)
    if step == "look" and request.htmx:
        return _look(request, kind, fields)
    form = _form(fields, puzzle, is_judged=step == "save")
    try:
        sketch = posted_sketch(kind, fields)
        sketch = _after(sketch, step, fields)
    except PuzzleError as error:
        return _editor(request, sketch, form, error.message)
    if step == "look":
        _outlook(sketch, request.user)
    if step != "save" or sketch.fault or not form.is_valid():
        return _editor(request, sketch, form)
    return _save(request, sketch, form)


def _asked_step(fields: QueryDict) -> str:
    """Return what the form was sent for.

    Enter in a field presses the form's first button, which saves; in the field for a
    point it is the point that is meant.
    """
    step = fields.get("do", "")
    return "point" if step == "save" and fields.get("point") else step


def _form(fields: QueryDict, puzzle: Puzzle, *, is_judged: bool) -> PuzzleForm:
    """Return title and note as they were typed; judged only when they are to be saved."""
    if is_judged:
        return PuzzleForm(fields, instance=puzzle)
    typed = {name: fields.get(name, "") for name in PuzzleForm.Meta.fields}
    return PuzzleForm(instance=puzzle, initial=typed)


def _after(sketch: Sketch, step: str, fields: QueryDict) -> Sketch:
    """Return the sketch after a step. Raises PuzzleError when it can't be done."""
    text = fields.get("text", "")
    match step:
        case "paint":
            return sketch.paint(fields.get("move", ""))
        case "point":
            return sketch.paint(fields.get("point", ""))
        case "mark":
            return sketch.ask_for(fields.get("mark", ""))
        case "resize":
            return sketch.resize(fields.get("rows", ""), fields.get("columns", ""))
        case "clear":
            return sketch.clear()
        case "look":
            return sketch
        case "undo":
            return sketch.undo()
        case "redo":
            return sketch.redo()
        case "take":
            return sketch.take(text)
        case "save":
            return _to_save(sketch, text, fields)
        case _:
            raise BadText("The editor does not know this step.")


def _look(request: HttpRequest, kind: AnyKind, fields: QueryDict) -> HttpResponse:
    """Say whether the drawing can be solved, as soon as that is known; till then, nothing.

    A drawing that has rested a moment asks, and asks again until there is an answer.
    """
    try:
        outlook = _outlook(posted_sketch(kind, fields), request.user)
    except PuzzleError:
        outlook = None
    if outlook is None or not outlook.is_known:
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "puzzles/_outlook.html", {"outlook": outlook})


def _outlook(sketch: Sketch, asker: User | None = None) -> Outlook | None:
    """Return what is known of the drawing, None where there is nothing to ask the worker.

    Only with an `asker` the worker is asked.
    """
    slug, start = sketch.kind.slug, sketch.start_text
    if start is None or not has_outlook(slug):
        return None
    return ask_outlook(asker, slug, start) if asker else outlook_of(slug, start)


def _to_save(sketch: Sketch, text: str, fields: QueryDict) -> Sketch:
    """Return the sketch as it is to be saved. Raises PuzzleError, also for a mark out of reach."""
    mark = fields.get("mark")
    if sketch.is_blank and text.strip():
        # Who pastes a board and saves at once means the pasted one, with its mark.
        sketch = sketch.take(text)
        mark = mark or sketch.mark
    if sketch.mark is None:
        return sketch
    sketch = sketch.ask_for(sketch.mark if mark is None else mark)
    if not sketch.fault:
        check_mark(sketch.kind, sketch.draft)
    return sketch


def _editor(
    request: HttpRequest, sketch: Sketch, form: PuzzleForm, fault: Message | None = None
) -> HttpResponse:
    """Show the editor, with status 422 when what was asked could not be done."""
    text = request.POST.get("text", "")
    context = {
        "section": "puzzles",
        "puzzle": form.instance,
        "sketch": sketch,
        "mark": mark_in(sketch.kind, sketch.draft),
        "draft": sketch.draft,
        "outlook": _outlook(sketch),
        "form": form,
        "fault": fault,
        "text": text,
        "pasted": check_pasted(sketch.kind, text),
        "point_open": _asked_step(request.POST) == "point",
    }
    template = "puzzles/_editor.html" if request.htmx else "puzzles/puzzle_edit.html"
    failed = fault is not None or form.is_bound
    return render(request, template, context, status=422 if failed else 200)


def _save(request: HttpRequest, sketch: Sketch, form: PuzzleForm) -> HttpResponse:
    puzzle = form.save(commit=False)
    puzzle.position = sketch.kind.write_start(sketch.kind.read(sketch.draft))
    puzzle.save()
    mark = mark_of(puzzle)
    if mark and mark.optimum is None:
        ask_for_optimum(request.user, puzzle)
    messages.success(request, _("Saved."), extra_tags="ok")
    page = resolve_url("puzzle", puzzle.pk)
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)
