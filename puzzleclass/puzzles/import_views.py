"""The page that reads many boards at once: it shows them, and saves those that are chosen."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import taught_classes
from puzzleclass.errors import QuotaReached
from puzzleclass.forms.once import once, saves_without_step
from puzzleclass.language.reader import say
from puzzleclass.puzzles.forms import BoardsForm, SaveForm
from puzzleclass.puzzles.generator import save_chosen
from puzzleclass.puzzles.imports import ImportedBoard, boards_of, generated, kind_of
from puzzleclass.puzzles.library import assign_address
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.titles import kind_pattern
from solvers.boards import MAX_BOARDS
from solvers.kind import PuzzleError
from solvers.registry import AnyKind


@for_teachers("GET", "POST")
@once(saves_without_step)
def puzzle_import(request: SignedInRequest, kind: AnyKind) -> HttpResponse:
    """Ask for boards as text or as a file, show each of them, and save the chosen ones.

    The text stays in the form, so the server stores nothing before a board is saved. A class can be
    pressed before the boards are shown; it gets all of them, unless one can't be read.
    """
    if request.method == "GET":
        return _render_page(request, kind, BoardsForm())
    form, text = BoardsForm(request.POST, request.FILES), request.POST.get("text", "")
    if not form.is_valid():
        return _render_page(request, kind, form, text, status=422)
    text = form.cleaned_data["text"]
    try:
        kind = kind_of(kind, text)
        boards = boards_of(request.user, kind, text)
    except PuzzleError as error:
        form.add_error("text", say(error.message))
        return _render_page(request, kind, form, text, status=422)
    readable = [board.puzzle for board in boards if board.puzzle]
    are_all = len(readable) == len(boards)
    sent, gives = request.POST.copy(), request.POST.get("give", "").isdecimal()
    if not (sent.get("do") == "save" or (gives and ("title" in sent or are_all))):
        return _render_page(request, kind, form, text, boards)
    if gives:
        sent.setdefault("title", kind_pattern(kind))
        if "boards" not in sent:
            sent.setlist("boards", [puzzle.position for puzzle in readable])
    save_form = SaveForm([puzzle.position for puzzle in readable], sent)
    if not save_form.is_valid():
        return _render_page(request, kind, form, text, boards, save_form, 422)
    # Of equal boards the first one counts.
    titles = {puzzle.position: puzzle.title for puzzle in reversed(readable)}
    try:
        keys = save_chosen(request, kind, save_form, generated(readable), titles)
    except QuotaReached as error:
        save_form.add_error(None, say(error.message))
        return _render_page(request, kind, form, text, boards, save_form, 429)
    if gives:
        return redirect(assign_address(request.POST["give"], keys))
    if are_all:
        return redirect("puzzle_list")
    # The boards that can't be read stay in the form.
    return _render_page(request, kind, form, text, boards_of(request.user, kind, text))


def _render_page(
    request: SignedInRequest,
    kind: AnyKind,
    form: BoardsForm,
    text: str = "",
    boards: list[ImportedBoard] | None = None,
    save_form: SaveForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the form and the boards of its text. At first all are chosen that can be saved."""
    boards = boards or []
    savable = [board.puzzle.position for board in boards if board.puzzle and board.can_be_saved]
    context = {
        "puzzle": Puzzle(kind_slug=kind.slug),
        "import_address": request.path,
        "way": "import",
        "panel": "puzzles/_import.html",
        "kind": kind,
        "form": form,
        "text": text,
        "boards": boards,
        "can_choose": bool(savable),
        "save_form": save_form or SaveForm(savable, initial={"title": kind_pattern(kind)}),
        "chosen": request.POST.getlist("boards") if save_form else savable,
        "most": MAX_BOARDS,
        "classrooms": taught_classes(request.user),
    }
    return render(request, "puzzles/puzzle_edit.html", context, status=status)
