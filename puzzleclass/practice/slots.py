"""What this app shows in the slots of other apps' pages."""

from collections.abc import Mapping
from typing import Any

from django.template import Context

from puzzleclass.practice.garden import garden_of
from puzzleclass.practice.places import paths_for
from puzzleclass.practice.services import today
from puzzleclass.puzzles.daily import daily_boards_of
from puzzleclass.templating.slots import fill


def invitation(context: Context) -> Mapping[str, Any]:
    """Return the student's path after a solved board of practice, or the board of the day that it
    was. Five queries at most."""
    puzzle = context["puzzle"]
    if not context.get("after"):
        return {"path": None, "daily": None}
    [path] = paths_for(context["attempt"].student, puzzle.assignment.classroom, [puzzle.kind])
    is_here = path.here is not None and path.here.key == puzzle.key
    daily = (
        None if is_here else daily_boards_of(puzzle.assignment.classroom, today()).get(puzzle.key)
    )
    return {"path": path, "daily": daily}


def class_garden(context: Context) -> Mapping[str, Any]:
    """Return the garden of the class; None if the class's switch hides it. Four queries at most."""
    classroom = context["classroom"]
    return {"garden": garden_of(classroom, today()) if classroom.garden else None}


fill("failed_attempt", "practice/_where_link.html")
fill("practice_next", "practice/_next.html", invitation)
fill("classroom_lead", "practice/_class_garden.html", class_garden)
fill("class_garden", "practice/_garden_scene.html", class_garden)
fill("how_to_play", "practice/_how_to_play.html")
fill("clock", "practice/_running_clock.html")
fill("play_foot", "practice/_practise_on.html")
