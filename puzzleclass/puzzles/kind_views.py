"""The page of all kinds of puzzles: what they are, a board to try, and who sees them."""

from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import check_not_archived, get_classroom_for_teacher, taught_classes
from puzzleclass.classes.kind_choice import chosen_kinds, named_kinds, show_kind
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.kind_names import NamedKind, kinds_named, shown_board
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.seen_kinds import seen_kinds
from solvers.message import Message
from solvers.registry import AnyKind, collection

MAX_TEXT = 60
"""The most characters of a name that are looked at."""


class KindCard(NamedTuple):
    """A kind on the page."""

    name: str
    kind: AnyKind
    board: Puzzle
    boards: int
    """The number of boards in the ready collection."""
    is_seen: bool
    """Whether the teacher's menus have the kind."""
    classes: list[tuple[Classroom, bool]]
    """The classes that the teacher teaches, and whether each sees the kind."""
    missing: str
    """The name of another kind, which is not here, if this is the nearest one."""

    @property
    def trial_name(self) -> str:
        """The name of the teacher's attempt at the first board (`play.access`)."""
        return f"kind-{self.name}"


@for_teachers("GET")
def kind_list(request: SignedInRequest) -> HttpResponse:
    """Show all kinds, or those that a text names."""
    text = request.GET.get("q", "")[:MAX_TEXT].strip()
    every = [NamedKind(name, kind) for name, kind in named_kinds().items()]
    found = kinds_named(text) if text else every
    rooms = list(taught_classes(request.user).select_related("school").order_by("name", "pk"))
    seen = {room.pk: chosen_kinds((room.school or room).kinds) for room in rooms}
    cards = [
        KindCard(
            each.name,
            each.kind,
            shown_board(each.kind),
            len(collection(each.kind)),
            each.kind.slug in seen_kinds(),
            [(room, each.kind.slug in seen[room.pk]) for room in rooms],
            each.missing,
        )
        for each in found or every
    ]
    context = {"cards": cards, "text": text, "is_unknown": bool(text) and not found}
    return render(request, "puzzles/kinds.html", context)


@for_teachers("POST")
def kind_show(request: SignedInRequest, name: str, classroom: int) -> HttpResponse:
    """Show a kind to a class, or with `do=hide` take it out of the menus of the class."""
    if name not in named_kinds():
        raise Http404
    room = get_classroom_for_teacher(request.user, classroom)
    check_not_archived(room)
    if room.school_id:
        raise PermissionDenied(Message("The school chooses the kinds of its classes."))
    show_kind(room, name, shown=request.POST.get("do") != "hide")
    return redirect(f"{resolve_url('kind_list')}#{name}")
