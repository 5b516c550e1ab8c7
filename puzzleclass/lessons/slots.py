"""What this app shows in the slots of other apps' pages."""

from django.template import Context

from puzzleclass.assignments.pace import lesson_of_student
from puzzleclass.templating.slots import fill


def _lesson_at_home(context: Context) -> dict[str, object]:
    """Return the running lesson of the student whose home page this is. One query."""
    user = context["user"]
    return {"lesson": lesson_of_student(user.pk) if user.is_student else None}


fill("ask_class", "lessons/_ask.html")
fill("frame", "lessons/_frame.html")
fill("head", "lessons/_head.html")
fill("student_home", "lessons/_come_in.html", _lesson_at_home)
fill("play_foot", "lessons/_own_found_link.html")
fill("assignment_actions", "lessons/_assignment_actions.html")
