"""What this app shows in the slots of other apps' pages."""

from collections.abc import Mapping
from typing import Any

from django.template import Context

from puzzleclass.practice.places import paths_for
from puzzleclass.templating.slots import fill


def invitation(context: Context) -> Mapping[str, Any]:
    """Return the student's path after a solved board of practice. Five queries at most."""
    puzzle = context["puzzle"]
    if not context.get("after"):
        return {"path": None}
    [path] = paths_for(context["attempt"].student, puzzle.assignment.classroom, [puzzle.kind])
    return {"path": path}


fill("failed_attempt", "practice/_where_link.html")
fill("practice_next", "practice/_next.html", invitation)
fill("how_to_play", "practice/_how_to_play.html")
fill("clock", "practice/_running_clock.html")
fill("play_foot", "practice/_practise_on.html")
