"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("connections", "api/_connection.html")
fill("school_sections", "api/_school.html")
