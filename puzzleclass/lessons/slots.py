"""What this app shows in the slots of other apps' pages."""

from puzzleclass.lessons.student_views import lesson_at_home
from puzzleclass.templating.slots import fill

fill("ask_class", "lessons/_ask.html")
fill("frame", "lessons/_frame.html")
fill("head", "lessons/_head.html")
fill("student_home", "lessons/_come_in.html", lesson_at_home)
fill("play_foot", "lessons/_own_cases_link.html")
fill("assignment_actions", "lessons/_assignment_actions.html")
fill("found_solutions_actions", "lessons/_found_solutions_actions.html")
