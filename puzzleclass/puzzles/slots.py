"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("too_many_requests", "puzzles/_running_jobs.html")
fill("job_waits", "puzzles/_running_jobs.html")
