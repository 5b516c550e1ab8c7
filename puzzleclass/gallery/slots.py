"""What this app shows in the slots of other apps' pages."""

from django.template import Context

from puzzleclass.gallery.services import waiting_in_class
from puzzleclass.templating.slots import fill
from puzzleclass.workshop.inventing import waiting_kinds


def _handed_in(context: Context) -> dict[str, int]:
    puzzles, kinds = (
        waiting(context["classroom"].pk).order_by().values("pk")
        for waiting in (waiting_in_class, waiting_kinds)
    )
    return {"handed_in": puzzles.union(kinds, all=True).count()}


fill("classroom_tabs", "gallery/_classroom_tab.html", _handed_in)
fill("thanks", "gallery/_thanks.html")
fill("gallery_menu", "gallery/_assignment_menu.html")
