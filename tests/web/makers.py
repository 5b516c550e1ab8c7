"""A question that makes boards, for the tests of the pages that show them."""

from solvers import options
from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kind import Kind, PuzzleError
from solvers.question import Option, Progress, Question, Run

BOARDS = (
    GeneratedBoard(position="oo/oo", solutions=Exact(8), band="easy"),
    GeneratedBoard(position="o.o/ooo", solutions=Exact(12), band=4),
    GeneratedBoard(position="ooo/ooo"),
)


def refuse(position: object, *, stones: list[int], **others: object) -> None:
    """Know at once that fifty stones have no room."""
    if stones[1] >= 50:
        raise PuzzleError("So many stones have no room: {stones}.", stones=stones[1])


def make(
    kind: Kind, position: object, *, stones: list[int], look: str, seed: int, known: list[str]
) -> Run[GenerateAnswer]:
    """Make some boards, one after the other; none for options that ask too much."""
    if stones[1] > 40:
        raise PuzzleError("These stones don't fit after all.")
    for number in range(len(BOARDS)):
        yield Progress(number, len(BOARDS), found=GenerateAnswer(boards=BOARDS[:number]))
    return GenerateAnswer(Exact(len(BOARDS)), boards=BOARDS)


MAKES = Question(
    "New boards",
    "tests.web.makers:make",
    GenerateAnswer,
    check="tests.web.makers:refuse",
    options={
        "stones": options.span("Number of stones", "8..12", 2, 60),
        "look": options.choice("Look", {"any": "Any", "round": "Round <b>"}),
        "seed": options.whole("Seed", 1, 0, 999),
        "known": Option("Known", "", str.split),
    },
    position="o",
)
MAKES_FROM = Question(
    "New boards like this one", "tests.web.makers:make", GenerateAnswer, options=MAKES.options
)
"""The same from a board that must be given."""
