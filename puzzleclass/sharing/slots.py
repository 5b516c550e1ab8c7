"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("puzzle_exports", "sharing/_share_puzzle.html")
fill("chosen_puzzles", "sharing/_share_chosen.html")
fill("puzzle_list_actions", "sharing/_packs_link.html")
