"""The tree of all placements: the pieces of the hand are set one after the other."""

from collections.abc import Iterator, Mapping

from solvers.capabilities import Branching
from solvers.kikazu.formats import KANJI
from solvers.kikazu.rules import EMPTY, PIECES, Move, Position, moves
from solvers.message import gettext_noop


def _next_piece(position: Position) -> Iterator[Move]:
    """Yield the placements of the next piece of the hand after which no piece attacks another."""
    piece = next((piece for piece, left in zip(PIECES, position.hand) if left), None)
    return (move for move in moves(position) if move.piece == piece)


def _branches(position: Position) -> Iterator[Move]:
    """Yield the placements of the next piece. Of like pieces, each stands behind the one before."""
    last = position.line[-1] if position.line else None
    for move in _next_piece(position):
        if last is None or last.piece != move.piece or last.cell < move.cell:
            yield move


def _is_dead_end(position: Position) -> bool:
    return any(position.hand) and next(_next_piece(position), None) is None


def _contains(played: Position, case: Position) -> bool:
    """Return whether all pieces of a case stand on a board."""
    return all(sign in (now, EMPTY) for sign, now in zip(case.board, played.board))


def _signs(move: Move) -> Mapping[str, str]:
    return {"kanji": KANJI[move.piece], "letter": move.piece}


BRANCHING = Branching(
    _branches,
    _is_dead_end,
    _contains,
    gettext_noop(
        "The pieces are placed in the order of the hand, each where no piece attacks another. Of "
        "equal pieces, each stands after the one before in the order of the letters."
    ),
    gettext_noop("dead end: the next piece has no square left"),
    _signs,
)
