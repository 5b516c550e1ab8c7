"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("classroom_actions", "stats/_classroom_action.html")
fill("classroom_menu", "stats/_classroom_menu.html")
