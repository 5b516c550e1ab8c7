"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("puzzle_actions", "play/_trial_link.html")
fill("kind_actions", "play/_kind_trial.html")
