"""What this app shows in the slots of other apps' pages."""

from typing import Any

from django.template import Context

from puzzleclass.rosters.models import StudentMatch
from puzzleclass.templating.slots import fill


def _matches(context: Context) -> dict[str, Any]:
    return {"matches": StudentMatch.of_class(context["classroom"]) if context["goes_on"] else ()}


fill("classroom_students", "rosters/_classroom_matches.html", _matches)
fill("classroom_list_actions", "rosters/_classroom_list_action.html")
