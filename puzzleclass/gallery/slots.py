"""What this app shows in the slots of other apps' pages."""

from django.template import Context

from puzzleclass.gallery.services import waiting_in_class
from puzzleclass.templating.slots import fill


def _handed_in(context: Context) -> dict[str, int]:
    return {"handed_in": waiting_in_class(context["classroom"].pk).count()}


fill("classroom_tabs", "gallery/_classroom_tab.html", _handed_in)
fill("thanks", "gallery/_thanks.html")
fill("gallery_menu", "gallery/_assignment_menu.html")
