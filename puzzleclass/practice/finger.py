"""The finger that points at the next press on a board of the introduction.

Children who can't read the sentences yet, or don't, follow it. A kind gives the moves
(`TinyBoard.solution`) and shows without words what the next one does (`Kind.shown_to_beginners`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from puzzleclass.practice.scratch import Scratch
from solvers.capabilities import TinyBoard
from solvers.kind import IllegalMove, split_moves
from solvers.picture import Circle, Polygon, Shape, Spot
from solvers.registry import AnyKind

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
    kind, text = board.kind, next_move(tiny, board)
    if not text:
        return Finger(is_undo=bool(board.line))
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


def next_move(tiny: TinyBoard, board: Scratch) -> str:
    """Return the text of the move to make next, or an empty text if no solution can be reached.

    The finger follows a child who has found another way than the one that it would have shown.
    """
    kind, moves = board.kind, tuple(split_moves(tiny.solution))
    made = tuple(split_moves(board.line))
    if kind.family == "sequence":
        fitting = (way for way in _lines(kind, tiny, moves) if way[: len(made)] == made)
        return next((way[len(made)] for way in fitting if len(way) > len(made)), "")
    ways = (moves,) if set(made) <= set(moves) else _placements(kind, tiny)
    rests = (_left_of(board, way) for way in ways)
    return min(filter(None, rests), key=len, default=("",))[0]


def _left_of(board: Scratch, way: tuple[str, ...]) -> tuple[str, ...]:
    """Return the moves of a solution that are still to be made on a board of a placement kind.

    What stands on the board counts, not in which order it was set. No moves are returned if
    something stands there that does not fit.
    """
    kind, position, left = board.kind, board.position, []
    for text in way:
        try:
            position = kind.play(position, kind.read_move(text))
        except IllegalMove:
            continue
        left.append(text)
    return tuple(left) if kind.judge(position).solved else ()


@cache
def _lines(kind: AnyKind, tiny: TinyBoard, shown: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the lines that solve a tiny board of a sequence kind, beginning with the shown one."""

    def lines(position: object) -> Iterator[tuple[str, ...]]:
        if kind.judge(position).solved:
            yield ()
            return
        for move in kind.moves(position):
            for rest in lines(kind.play(position, move)):
                yield (kind.write_move(move), *rest)

    return (shown, *lines(kind.read(tiny.position)))


@cache
def _placements(kind: AnyKind, tiny: TinyBoard) -> tuple[tuple[str, ...], ...]:
    """Return the solutions of a tiny board of a placement kind that have as many moves as the one
    that is shown."""
    start = kind.read(tiny.position)
    number = len(split_moves(tiny.solution))
    moves = sorted(kind.moves(start), key=kind.cell_of)

    def placements(position: object, first: int, left: int) -> Iterator[tuple[str, ...]]:
        if not left:
            if kind.judge(position).solved:
                yield ()
            return
        for index, move in enumerate(moves[first:], first):
            try:
                after = kind.play(position, move)
            except IllegalMove:
                continue
            # A move adds one to a score at most.
            score = kind.judge(after) if kind.score else None
            if score and score.goal is not None and (score.score or 0) + left - 1 < score.goal:
                continue
            for rest in placements(after, index + 1, left - 1):
                yield (kind.write_move(move), *rest)

    return tuple(placements(start, 0, number))


def _pointing_at(spot: Spot) -> tuple[Shape, ...]:
    hand = tuple((spot.x + SIZE * x, spot.y + SIZE * y) for x, y in _HAND)
    return Circle(spot.x, spot.y, 18, "pointed"), Polygon(hand, "finger")
