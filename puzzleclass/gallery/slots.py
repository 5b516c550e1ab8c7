"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("classroom_actions", "gallery/_classroom_action.html")
fill("thanks", "gallery/_thanks.html")
fill("gallery_menu", "gallery/_assignment_menu.html")
