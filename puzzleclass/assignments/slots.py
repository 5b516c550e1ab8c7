"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("classroom_actions", "assignments/_classroom_action.html")
fill("classroom_lead", "assignments/_classroom_list.html")
fill("puzzle_sections", "assignments/_assign_puzzle.html")
