"""The board that a wish speaks of, drawn by hand. The text in the form's hidden field is it."""

from django.http import QueryDict

from puzzleclass.puzzles.sketch import STEPS, Sketch, check, new_sketch
from solvers.kind import BadText, PuzzleError, Question
from solvers.registry import AnyKind

DRAWN = "drawn"
"""The choice of `Question.drawn_by`."""


def drawing(kind: AnyKind, question: Question, text: str) -> Sketch:
    """Return the sketch of a text: a draft, or a board in any format of the kind.

    Of no text the board that the question takes then. Raises PuzzleError for any other text.
    """
    # Where the board matters only if it is drawn, the question's own one is a stopgap.
    text = text.strip() or ("" if question.drawn_by else question.position)
    if not text:
        return new_sketch(kind)
    try:
        check(kind, text)
    except PuzzleError:
        text = kind.write_start(kind.read(text))
    return new_sketch(kind, text)


def posted_drawing(kind: AnyKind, question: Question, fields: QueryDict) -> Sketch:
    """Return the sketch that a form carries. Raises PuzzleError when its text is none."""
    sketch = drawing(kind, question, fields.get("position", ""))
    past = tuple(fields.getlist("past")[-STEPS:])
    return Sketch(kind, sketch.draft, fields.get("brush", sketch.brush), past)


def drawn_on(sketch: Sketch, step: str, fields: QueryDict) -> Sketch:
    """Return the sketch after a step. Raises PuzzleError when it can't be done."""
    match step:
        case "paint":
            return sketch.paint(fields.get("move", ""))
        case "resize":
            return sketch.resize(fields.get("rows", ""), fields.get("columns", ""))
        case "clear":
            return sketch.clear()
        case "undo":
            return sketch.undo()
        case "take":
            return sketch.take(fields.get("text", ""))
        case _:
            raise BadText("The editor does not know this step.")
