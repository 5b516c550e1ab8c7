"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("ask_class", "lessons/_ask.html")
fill("lesson", "lessons/_now.html")
fill("play_foot", "lessons/_own_cases_link.html")
fill("assignment_actions", "lessons/_assignment_actions.html")
fill("found_solutions_actions", "lessons/_found_solutions_actions.html")
