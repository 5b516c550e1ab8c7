"""A question that makes boards, for the tests of the pages that show them."""

from solvers import options
from solvers.kind import Answer, Kind, Option, Progress, PuzzleError, Question, Run
from solvers.message import Message

BOARDS = [
    {"position": "oo/oo", "solutions": "8", "band": "easy"},
    {"position": "o.o/ooo", "solutions": "12", "band": 4},
    {"position": "ooo/ooo"},
]
TOO_MANY = Message("So many stones have no room.")


def make(
    kind: Kind, position: object, *, stones: list[int], look: str, seed: int, known: list[str]
) -> Run:
    """Make some boards, one after the other; none for a wish that is too great."""
    if stones[1] > 40:
        raise PuzzleError(TOO_MANY.text)
    for number in range(len(BOARDS)):
        yield Progress(number, len(BOARDS), details={"boards": BOARDS[:number]})
    return Answer(len(BOARDS), details={"boards": BOARDS})


MAKES = Question(
    "New boards",
    "tests.web.makers:make",
    options={
        "stones": options.span("Number of stones", "8..12", 2, 60),
        "look": options.choice("Look", {"any": "Any", "round": "Round <b>"}),
        "seed": options.whole("Seed", 1, 0, 999),
        "known": Option("Known", "", str.split),
    },
    position="o",
)
MAKES_FROM = Question("New boards like this one", "tests.web.makers:make", options=MAKES.options)
"""The same from a board that must be given."""
