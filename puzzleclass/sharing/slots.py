"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("puzzle_exports", "sharing/_share_puzzle.html")
fill("chosen_puzzles", "sharing/_share_chosen.html")
fill("lesson_start", "sharing/_start_link.html")
fill("look_at_plans", "sharing/_plans_link.html")
fill("ready_puzzles", "sharing/_ready_link.html")
