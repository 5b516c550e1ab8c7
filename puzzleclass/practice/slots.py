"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("failed_attempt", "practice/_where_link.html")
fill("practice_next", "practice/_next.html")
fill("how_to_play", "practice/_how_to_play.html")
fill("clock", "practice/_running_clock.html")
fill("play_foot", "practice/_practise_on.html")
