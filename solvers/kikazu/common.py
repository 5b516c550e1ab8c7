"""The question `common`: what all solutions of a start share, as the study asks of its 1,860."""

from collections import Counter

from solvers.kikazu.count import LISTED
from solvers.kikazu.placements import Placement, moves, placements
from solvers.kikazu.rules import EMPTY, PIECES, Move, Position, mirrored
from solvers.kikazu.search import Problem, problem, race
from solvers.kind import Answer, Kind, Run
from solvers.message import Message


def common(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask what the solutions have in common; of a solution and its mirror image only one counts
    where the position is its own mirror image.

    Value: how many solutions that leaves. details: `fixed`, the moves that all of them have;
    `occupied`, the number of squares that a piece stands on in all of them; `skeletons`, the
    boards (`o` a piece, `.` none) that they fill, the most frequent first, and how many fill
    each; `heads`, how many solutions have how many pawns with nothing ahead of them (decimal
    string -> number): a lance can only take the place of one of these. For no solutions, or
    more than `LISTED`, there is a `note` instead, and no value.
    """
    asked = problem(position)
    search = None if asked is None else (yield from race(asked, keep=LISTED))
    if asked is None or search is None or not 1 <= search.total <= LISTED:
        note = Message(
            "This can be looked at when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return Answer(None, proven=False, details={"note": note.to_json()})
    ways = [way for leaf in search.leaves() for way in placements(asked, leaf)]
    if mirrored(position) == position.board:
        # The one whose first piece stands further left, and so on.
        ways = [way for way in ways if way <= _mirror(asked, way)]
    fixed = set.intersection(*(set(way) for way in ways))
    squares = [asked.occupied | sum(1 << square for _, square in way) for way in ways]
    always = squares[0]
    for occupied in squares:
        always &= occupied
    skeletons = Counter(squares)
    heads = Counter(_heads(asked, way, occupied) for way, occupied in zip(ways, squares))
    details = {
        "fixed": list(moves(asked, tuple(fixed))),
        "occupied": always.bit_count(),
        "skeletons": [
            {"board": _board(asked, occupied), "solutions": number}
            for occupied, number in skeletons.most_common()
        ],
        "heads": {str(number): heads[number] for number in sorted(heads)},
    }
    return Answer(len(ways), details=details)


def _mirror(asked: Problem, way: Placement) -> Placement:
    last = (asked.columns - 1) * asked.rows
    turned = ((piece, last - square + 2 * (square % asked.rows)) for piece, square in way)
    return tuple(sorted(turned, key=lambda put: (PIECES.index(put[0]), put[1])))


def _heads(asked: Problem, way: Placement, occupied: int) -> int:
    ahead = asked.reach[PIECES.index("L")]
    return sum(piece == "P" and not ahead[square] & occupied for piece, square in way)


def _board(asked: Problem, occupied: int) -> str:
    return "/".join(
        "".join(
            "o" if occupied >> asked.square((row, column)) & 1 else EMPTY
            for column in range(asked.columns)
        )
        for row in range(asked.rows)
    )
