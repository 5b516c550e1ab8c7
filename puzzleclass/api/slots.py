"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("account_programs", "api/_account.html")
