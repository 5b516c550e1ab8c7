"""The answers to the question `rate` that all kinds share: those without a difficulty."""

from solvers.answers import RateAnswer
from solvers.message import Message

UNSOLVABLE = RateAnswer(None, note=Message("This board has no solution."))
"""The answer about a board without a solution, for which no difficulty has a meaning."""

UNDECIDED = RateAnswer(
    None,
    proven=False,
    note=Message(
        "The difficulty is not known, because it was not decided in time whether there is a "
        "solution."
    ),
)
"""The answer when a search ended before it found a solution or proved that there is none."""
