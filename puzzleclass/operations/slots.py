"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("data_log_actions", "operations/_data_log_action.html")
fill("more_menu", "operations/_administration_link.html")
