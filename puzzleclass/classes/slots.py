"""What this app shows in the slots of other apps' pages."""

from puzzleclass.templating.slots import fill

fill("account_data", "classes/_account_data.html")
fill("sign_in", "classes/_student_sign_in.html")
