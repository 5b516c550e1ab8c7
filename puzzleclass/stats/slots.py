"""What this app shows in the slots of other apps' pages."""

from typing import Any

from django.template import Context

from puzzleclass.classes.access import taught_classes
from puzzleclass.templating.slots import fill


def _classes(context: Context) -> dict[str, Any]:
    return {"statement_classes": taught_classes(context["user"])}


fill("classroom_tabs", "stats/_classroom_tab.html")
fill("classroom_students_links", "stats/_classroom_links.html")
fill("connections", "stats/_statements_links.html", _classes)
