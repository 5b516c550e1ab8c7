"""Questions without a place of their own, which answer in every shape: for the tests of the pages
that show them. The kind is the template, with these."""

from solvers import options
from solvers._template_sequence import Row, Template
from solvers.answers import AnswerFile, AnswerTable, Exact, ShownAnswer, ShownBoard
from solvers.kind import Kind, PuzzleError
from solvers.message import Message
from solvers.question import Progress, Question, Run


def everything(kind: Kind, position: Row, *, size: int, step: str) -> Run[ShownAnswer]:
    """Answer with something in every shape; a size of 9 comes to no end."""
    shown = {
        "note": Message("Looked at: {look}", {"look": step}),
        "tables": (
            AnswerTable(
                (Message("Number"), Message("Words"), Message("Share")),
                tuple(
                    (n, Message("Row {n} <b>", {"n": n}), 12345678901234567890)
                    for n in range(1, 4)
                ),
            ),
            AnswerTable((), ((0.25, None, Message("x 1,1")),), Message("Another table")),
        ),
        "boards": (
            ShownBoard("bwbw | 1,1", Message("Half way")),
            *(ShownBoard("b" * n) for n in range(1, 21)),
            *(ShownBoard("w" * n) for n in range(1, 6)),
        ),
        "files": (AnswerFile(f'model "{size}".lp', Message("The model"), "Größe 盤\n"),),
        "at_most": Exact(98765),
    }
    yield Progress(1, 2, found=ShownAnswer(**shown))
    if size == 9:
        return ShownAnswer(Exact(4321), proven=False, **shown)
    return ShownAnswer(Exact(1234567), ("1,1", "1,2"), **shown)


def plain(kind: Kind, position: Row) -> Run[ShownAnswer]:
    """Answer without a number and without a word."""
    yield Progress(0, 1)
    return ShownAnswer()


def refuse(position: Row, **told: object) -> None:
    """Know at once that a long row is too much."""
    if position.columns > 3:
        raise PuzzleError("This row is too long: {length}.", length=position.columns)


class Asked(Template):
    questions = Template.questions | {
        "everything": Question(
            "What is there to see?",
            "tests.web.asked:everything",
            about="Something in every shape.",
            options={
                "size": options.whole("Size", 3, 1, 9),
                "step": options.choice("Look", {"any": "Any look", "round": "Round"}),
            },
        ),
        "plain": Question("Is it over?", "tests.web.asked:plain"),
        "refused": Question(
            "What if?", "tests.web.asked:plain", about="Never seen.", check="tests.web.asked:refuse"
        ),
    }


KIND = Asked()
