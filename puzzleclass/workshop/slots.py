"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("puzzle_list_actions", "workshop/_list_link.html")
