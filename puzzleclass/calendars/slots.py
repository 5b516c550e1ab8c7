"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("connections", "calendars/_connection.html")
