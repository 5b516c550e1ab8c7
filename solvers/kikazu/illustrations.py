"""Pictures beside the rules: what each piece attacks, and why blocking makes no difference."""

from functools import cache

from solvers.grid import HALF, centre
from solvers.kikazu.picture import koma, shogi_board
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, attacks
from solvers.message import Message
from solvers.picture import CELL, Circle, Line, Mark, Picture, Rect

SIDE = 5
"""Squares on a side of the board that shows a piece's attack."""


@cache
def illustrations() -> tuple[tuple[Picture, Message], ...]:
    """Return the pictures, each with what it says."""
    reaches = tuple((_reach(piece), NAMES[piece]) for piece in PIECES)
    return reaches + blocking()


@cache
def blocking() -> tuple[tuple[Picture, Message], ...]:
    """Return a rook's attack with and without blocking: the same board is forbidden in both."""
    row = "R..P..G."
    return (
        (
            _ray(row, seen_through=False),
            Message("Pieces block: the rook attacks the pawn. Forbidden."),
        ),
        (
            _ray(row, seen_through=True),
            Message("Pieces don't block: it attacks the pawn and the gold. Forbidden too."),
        ),
    )


def _reach(piece: str) -> Picture:
    middle = SIDE // 2
    # What attacks only ahead shows more of it from the lower edge.
    cell = (SIDE - 1 if piece in "LN" else middle, middle)
    attacked = sorted(attacks(piece, cell, SIDE, SIDE))
    shapes: list[Mark] = [*shogi_board(SIDE, SIDE)]
    for row, column in attacked:
        shapes.append(Rect(column * CELL, row * CELL, CELL, CELL, "reached"))
        shapes.append(Circle(*centre((row, column)), 6, "reached-dot"))
    shapes += koma(piece, *centre(cell), "koma given")
    text = "\n".join(
        "".join(
            piece if (row, column) == cell else "x" if (row, column) in attacked else EMPTY
            for column in range(SIDE)
        )
        for row in range(SIDE)
    )
    title = Message("What the piece attacks: {piece}", {"piece": NAMES[piece]})
    return Picture(SIDE * CELL, SIDE * CELL, title, text, tuple(shapes))


def _ray(row: str, *, seen_through: bool) -> Picture:
    ends = [at for at, sign in enumerate(row) if at and sign != EMPTY]
    hit = ends if seen_through else ends[:1]
    shapes: list[Mark] = [*shogi_board(1, len(row))]
    for at, sign in enumerate(row):
        if sign != EMPTY:
            shapes += koma(sign, *centre((0, at)), "koma")
    shapes += [Line(*centre((0, 0)), *centre((0, at)), "attack") for at in hit]
    shapes += [Circle(*centre((0, at)), HALF - 2, "hit") for at in hit]
    title = Message("A rook and the pieces on its way")
    return Picture(len(row) * CELL, CELL, title, row, tuple(shapes))
