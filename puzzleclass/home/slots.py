"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("head", "home/_head.html")
fill("frame", "home/_outbox.html")
fill("frame", "home/_stored_page.html")
fill("masthead", "home/_masthead.html")
fill("message", "home/_undo.html")
fill("page_end", "home/_search_dialog.html")
fill("first_steps", "home/_steps.html")
fill("practice_actions", "home/_own_records_link.html")
