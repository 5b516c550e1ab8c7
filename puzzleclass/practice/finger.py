"""The finger that points at the next press on a board of the introduction.

Children who can't read the sentences yet, or don't, follow it. A kind gives the moves
(`TinyBoard.solution`) and shows without words what the next one does (`Kind.shown_to_beginners`).
"""

from dataclasses import dataclass

from puzzleclass.practice.scratch import Scratch
from solvers.capabilities import TinyBoard
from solvers.kind import split_moves
from solvers.picture import Circle, Polygon, Shape, Spot

_HAND = (
    *((-3.5, 2), (-2.5, -1), (0, -2.5), (2.5, -1), (3.5, 2), (3.5, 12), (6, 10.5), (8.5, 11.5)),
    *((9.3, 13.5), (11.5, 12.6), (13.8, 13.6), (14.6, 15.5), (16.6, 15), (18.5, 16.5), (19, 19)),
    *((19, 25), (16, 31), (15, 35), (1, 35), (-1, 31), (-8, 23), (-9.5, 19.5), (-8, 17.5)),
    *((-5.5, 18), (-3.5, 20)),
)
"""The outline of a hand whose finger points at (0, 0)."""
SIZE = 0.75
"""The size of the hand on a board, as a share of the outline's."""


@dataclass(frozen=True, slots=True)
class Finger:
    """Where the finger points: at a spot of the board, at a button, or nowhere."""

    shapes: tuple[Shape, ...] = ()
    """The finger on the board, with what shows the effect of the move."""
    tool: str = ""
    """The name of the tool whose button it points at, if the board has no spot for it."""
    is_undo: bool = False
    """Whether it points at the button that takes a move back."""


def finger_of(tiny: TinyBoard, board: Scratch) -> Finger:
    """Return where the finger points on a board of the introduction as it stands."""
    if not tiny.solution or board.is_solved:
        return Finger()
    kind, text = board.kind, _next_move(tiny, board)
    if not text:
        # Another way may lead to a solution, too. The finger leads back only if it is sure not to.
        made, shown = split_moves(board.line), split_moves(tiny.solution)
        is_lost = board.verdict.faults or board.is_jammed or len(made) >= len(shown)
        return Finger(is_undo=bool(made and is_lost))
    move = kind.read_move(text)
    shapes = kind.shown_to_beginners(board.position, move)
    spots = [shape for shape in board.tools.picture.shapes if isinstance(shape, Spot)]
    tool = kind.tools.tool_of(move) if kind.tools else ""
    for spot in spots:
        if spot.move == text:
            return Finger((*shapes, *_pointing_at(spot)))
    for spot in spots:
        if tool and tool in (spot.move, spot.carries):
            return Finger((*shapes, *_pointing_at(spot)))
    return Finger(shapes, tool)


def _next_move(tiny: TinyBoard, board: Scratch) -> str:
    """Return the text of the move to make next, or an empty text on a board of another way."""
    made, shown = split_moves(board.line), split_moves(tiny.solution)
    if board.kind.family == "placement":
        # What stands on the board counts, not in which order it was set.
        left = [text for text in shown if text not in made]
        return left[0] if left and set(made) <= set(shown) else ""
    return shown[len(made)] if made == shown[: len(made)] and len(made) < len(shown) else ""


def _pointing_at(spot: Spot) -> tuple[Shape, ...]:
    hand = tuple((spot.x + SIZE * x, spot.y + SIZE * y) for x, y in _HAND)
    return Circle(spot.x, spot.y, 18, "pointed"), Polygon(hand, "finger")
