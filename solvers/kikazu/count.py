"""The question `count`: how many ways there are to place the pieces."""

from collections.abc import Generator

from solvers.asking import limited
from solvers.kikazu.most import held, most
from solvers.kikazu.placements import moves, placements
from solvers.kikazu.rules import PIECES, Move, Position, mirrored
from solvers.kikazu.search import problem, race
from solvers.kikazu.symmetric import symmetric
from solvers.kind import Answer, Kind, Progress, Run
from solvers.message import Message

KEPT = 10_000
"""Leaves of a search kept to say, from a second look, how many ways there are with each move."""

SECOND_LOOK = 500_000_000
"""Additions that it may take, about half a second."""

FITS_SECONDS = 2.0
"""For what is said of a start without solutions."""


def count(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the number of ways to place the rest of the hand, mirror images counted apart.

    details: `by_move`, for each legal move the number of solutions with it (left out where
    that would take long); `up_to_mirror` where the position is its own mirror image (left out
    when the symmetric solutions can't be counted quickly); `note`, why it is none, or how many
    pieces fit, for a start without solutions.
    """
    if kind.judge(position).solved:
        return Answer(1, details={"by_move": {}})
    asked = problem(position)
    never = kind.obstacle(position)
    if asked is None or never:
        note = {"note": never.to_json()} if never else {}
        return Answer(0, details={"by_move": {}, "up_to_mirror": "0", **note})
    search = yield from race(asked, keep=KEPT)
    details: dict[str, object] = {}
    if mirrored(position) == position.board:
        same = symmetric(asked)
        if same is not None:
            details["up_to_mirror"] = str((search.total + same) // 2)
    if (
        search.leaf_count == search.kept
        and search.tally_cost() <= SECOND_LOOK
        and search.total < 1 << 64
    ):
        search.tally()
        details["by_move"] = {
            kind.write_move(move): str(search.with_move(move.piece, asked.square(move.cell)))
            for move in kind.moves(position)
        }
    first = next(search.leaves(), None)
    if not first and not position.line:
        details |= yield from _what_fits(kind, position)
    line = moves(asked, next(placements(asked, first))) if first else ()
    return Answer(search.total, line, details=details)


def _what_fits(
    kind: Kind[Position, Move], start: Position
) -> Generator[Progress, None, dict[str, object]]:
    """Return as a `note` how many pieces fit when some of the most frequent one are left out."""
    piece = max(PIECES, key=lambda piece: (held(start, piece), PIECES.index(piece)))
    answer = yield from limited(most(kind, start, piece=piece), FITS_SECONDS)
    if not answer.value or not answer.proven:
        return {}
    text = Message(
        "These {pieces} pieces don't fit on the board together. When only {letter} are left "
        "out, {most} fit.",
        {
            "pieces": sum(sign in PIECES for sign in start.board) + sum(start.hand),
            "letter": piece,
            "most": answer.details["pieces"],
        },
    )
    return {"note": text.to_json()}
