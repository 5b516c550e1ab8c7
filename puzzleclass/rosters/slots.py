"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("classroom_notices", "rosters/_classroom_matches.html")
fill("classroom_list_actions", "rosters/_classroom_list_action.html")
