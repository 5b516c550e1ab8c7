"""What can be asked about a Goishi Hiroi board, and what each question may be told."""

from solvers import options
from solvers.kind import Question
from solvers.message import gettext_noop

QUESTIONS = {
    "count": Question(gettext_noop("How many solutions?"), "solvers.goishi.count:count"),
    "solve": Question(gettext_noop("Is there a solution?"), "solvers.goishi.solve:solve"),
    "solutions": Question(
        gettext_noop("Which solutions are there?"),
        "solvers.goishi.solutions:solutions",
        options={
            "first": options.whole(gettext_noop("From number"), 1, 1, 10_000),
            "limit": options.whole(gettext_noop("How many at once"), 100, 1, 10_000),
        },
    ),
    "estimate": Question(
        gettext_noop("About how many solutions?"), "solvers.goishi.estimate:estimate"
    ),
    "rate": Question(gettext_noop("How difficult is it?"), "solvers.goishi.rate:rate"),
    "hint": Question(
        gettext_noop("Give a hint"),
        "solvers.goishi.hint:hint",
        "hint",
        options={
            "level": options.choice(
                gettext_noop("What may be told"),
                {
                    "next": gettext_noop("The next stone"),
                    "region": gettext_noop("A part of the board"),
                    "alive": gettext_noop("Only whether it can still be solved"),
                },
            )
        },
    ),
    "review": Question(
        gettext_noop("Where was the last solution lost?"), "solvers.review:review", "hint"
    ),
}
