"""Questions without a place of their own, which answer in every shape: for the tests of the pages
that show them. The kind is the template, with these."""

from solvers._template import Row, Template

from solvers import options
from solvers.kind import Answer, Kind, Progress, PuzzleError, Question, Run
from solvers.message import Message


def words(text: str, **values: object) -> dict:
    return Message(text, values).to_json()


def everything(kind: Kind, position: Row, *, size: int, step: str) -> Run:
    """Answer with something in every shape; a size of 9 comes to no end."""
    table = {
        "head": [words("Number"), words("Words"), words("Share")],
        "rows": [[n, words("Row {n} <b>", n=n), "12345678901234567890"] for n in range(1, 4)],
    }
    details = {
        "note": words("Looked at: {look}", look=step),
        "table": table,
        "tables": [
            {"title": words("Another table"), "head": [], "rows": [[0.25, "1.50", "x 1,1"]]}
        ],
        "boards": [
            {"position": "bwbw | 1,1", "caption": words("Half way")},
            *({"position": "b" * n} for n in range(1, 21)),
            *({"position": "w" * n} for n in range(1, 6)),
        ],
        "files": [
            {"name": f'model "{size}".lp', "title": words("The model"), "text": "Größe 盤\n"},
        ],
        "at_most": "98765",
    }
    yield Progress(1, 2, details=details)
    if size == 9:
        return Answer(4321, proven=False, details=details)
    return Answer(1234567, ("1,1", "1,2"), details=details)


def plain(kind: Kind, position: Row) -> Run:
    """Answer without a number and without a word."""
    yield Progress(0, 1)
    return Answer(None)


def refuse(position: Row, **told: object) -> None:
    """Know at once that a long row is too much."""
    if len(position.stones) > 3:
        raise PuzzleError("This row is too long: {length}.", length=len(position.stones))


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
