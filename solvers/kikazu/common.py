"""The question `common`: what all solutions of a start share, as the study asks of its 1,860."""

from collections import Counter

from solvers.kikazu.placements import Placement, moves
from solvers.kikazu.rules import PIECES, Move, Position, mirrored
from solvers.kikazu.search import Problem, problem
from solvers.kikazu.ways import LISTED, all_ways
from solvers.kind import Answer, Kind, Run
from solvers.message import Message

SHOWN = 30
"""Skeletons that are drawn at most."""


def common(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask what the solutions have in common; of a solution and its mirror image only one counts
    where the position is its own mirror image.

    Value: how many solutions that leaves. details: `fixed`, the moves that all of them have;
    `occupied`, the number of squares that a piece stands on in all of them; `skeletons`, the
    number of different sets of squares that they fill; `boards`: the fixed pieces, then a
    solution for each skeleton, the most frequent first; `table`: how many solutions have how many
    pawns with nothing ahead of them: a lance can only take the place of one of these; `note`, all
    of it in words. For no solutions, or more than `LISTED`, a `note` alone, and no value.
    """
    asked = problem(position)
    ways = yield from all_ways(position)
    if not ways or asked is None:
        note = Message(
            "This can be looked at when there are 1 to {most} solutions.", {"most": LISTED}
        )
        return Answer(None, proven=False, details={"note": note.to_json()})
    if mirrored(position) == position.board:
        # The one whose first piece stands further left, and so on.
        ways = [way for way in ways if way <= _mirror(asked, way)]
    fixed = tuple(set.intersection(*(set(way) for way in ways)))
    squares = [asked.occupied | sum(1 << square for _, square in way) for way in ways]
    always = squares[0]
    for occupied in squares:
        always &= occupied
    skeletons = Counter(squares)
    example = dict(zip(squares, ways))

    def board(way: Placement, caption: Message) -> dict[str, object]:
        shown = kind.play_line(position, " ".join(moves(asked, way)))
        return {"position": kind.write(shown), "caption": caption.to_json()}

    note = Message(
        "Solutions, mirror images counted once: {solutions}. Pieces that stand at the same place "
        "in all of them: {fixed}. Squares that are always taken: {occupied}. Different sets of "
        "taken squares: {skeletons}.",
        {
            "solutions": len(ways),
            "fixed": len(fixed),
            "occupied": always.bit_count(),
            "skeletons": len(skeletons),
        },
    )
    boards = [board(fixed, Message("These pieces stand there in all solutions"))] if fixed else []
    for number, (occupied, many) in enumerate(skeletons.most_common(SHOWN), 1):
        values = {"number": number, "solutions": many}
        caption = Message("Taken squares {number}. Solutions on them: {solutions}", values)
        boards.append(board(example[occupied], caption))
    heads = Counter(_heads(asked, way, occupied) for way, occupied in zip(ways, squares))
    table = {
        "head": [
            Message("Pawns with nothing ahead").to_json(),
            Message("Solutions").to_json(),
        ],
        "rows": [[str(pawns), str(heads[pawns])] for pawns in sorted(heads)],
    }
    details = {
        "fixed": list(moves(asked, fixed)),
        "occupied": always.bit_count(),
        "skeletons": len(skeletons),
        "boards": boards,
        "table": table,
        "note": note.to_json(),
    }
    return Answer(len(ways), details=details)


def _mirror(asked: Problem, way: Placement) -> Placement:
    last = (asked.columns - 1) * asked.rows
    turned = ((piece, last - square + 2 * (square % asked.rows)) for piece, square in way)
    return tuple(sorted(turned, key=lambda put: (PIECES.index(put[0]), put[1])))


def _heads(asked: Problem, way: Placement, occupied: int) -> int:
    ahead = asked.reach[PIECES.index("L")]
    return sum(piece == "P" and not ahead[square] & occupied for piece, square in way)
