"""The ready collection: graded puzzles that come with the product, to be taken or given."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import for_teachers
from puzzleclass.http import SignedInRequest
from puzzleclass.language import say
from puzzleclass.puzzles.forms import NUMBER_SIGN
from puzzleclass.puzzles.generator import in_library, library, save_boards
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.views import classes_of, give_page
from solvers.answers import CountAnswer, Exact, GeneratedBoard, RateAnswer
from solvers.message import Message
from solvers.registry import AnyKind, CollectedPuzzle, collection, kinds


@for_teachers("GET")
def collection_start(request: SignedInRequest) -> HttpResponse:
    """Open the collection at the first level of the first kind that has one."""
    slug = next((slug for slug, kind in kinds().items() if collection(kind)), None)
    if slug is None:
        raise Http404
    return redirect("collection", slug, 1)


@for_teachers("GET", "POST")
def collection_level(request: SignedInRequest, kind: AnyKind, level: int) -> HttpResponse:
    """Show a level of a kind; take what is chosen, or all of it, and perhaps give it to a class."""
    collected = [puzzle for puzzle in collection(kind) if puzzle.level == level]
    if not collected:
        raise Http404
    if request.method == "POST":
        chosen = set(request.POST.getlist("boards"))
        taken = [puzzle for puzzle in collected if puzzle.position in chosen] or collected
        boards = [
            GeneratedBoard(
                position=puzzle.position, solutions=Exact(puzzle.solutions), band=puzzle.band
            )
            for puzzle in taken
        ]
        pattern = f"{say(Message(kind.title))} {level}-{NUMBER_SIGN}"
        saved = save_boards(request.user, kind.slug, boards, pattern)
        messages.success(request, _("In your library now: {number}").format(number=len(saved)))
        if request.POST.get("give", "").isdecimal():
            positions = [puzzle.position for puzzle in taken]
            keys = in_library(request.user, kind.slug, positions)
            return redirect(give_page(request.POST["give"], keys))
        return redirect("collection", kind.slug, level)
    known = library(request.user, kind.slug)
    context = {
        "kind": kind,
        "level": level,
        "levels": sorted({puzzle.level for puzzle in collection(kind)}),
        "kinds": [each for each in kinds().values() if collection(each)],
        "entries": [(_shown(kind.slug, each), each.position in known) for each in collected],
        "classrooms": classes_of(request.user),
    }
    return render(request, "puzzles/collection.html", context)


def _shown(kind_slug: str, collected: CollectedPuzzle) -> Puzzle:
    """Return the puzzle as lists show it, not saved."""
    puzzle = Puzzle(kind_slug=kind_slug, position=collected.position)
    puzzle.keep(CountAnswer(Exact(collected.solutions)))
    puzzle.keep(RateAnswer(band=collected.band))
    return puzzle
