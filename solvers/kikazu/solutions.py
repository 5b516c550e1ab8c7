"""The question `solutions`: every way to place the pieces, page by page."""

from solvers.kikazu.placements import moves
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import problem
from solvers.kikazu.ways import LISTED, all_ways
from solvers.kind import Answer, Kind, Run
from solvers.message import Message


def solutions(kind: Kind[Position, Move], position: Position, *, first: int, limit: int) -> Run:
    """Ask for the solutions from the position on, `limit` of them from number `first` (from 1).

    They are sorted by the squares of the rooks, row by row, then the bishops, and so on. Value:
    how many there are; when there are more than `LISTED`, that many and one, not proven, and a
    `note`. details: `solutions`, the lines of the page as texts; `more`, whether solutions
    follow the page.
    """
    asked = problem(position)
    ways = yield from all_ways(position)
    if ways is None or asked is None:
        if ways is not None:
            return Answer(0, details={"solutions": [], "more": False})
        note = Message(
            "There are more than {most} solutions. They are not listed.", {"most": LISTED}
        )
        details = {"solutions": [], "more": True, "note": note.to_json()}
        return Answer(LISTED + 1, proven=False, details=details)
    last = first + limit - 1
    lines = [moves(asked, way) for way in ways[first - 1 : last]]
    details = {"solutions": [" ".join(line) for line in lines], "more": len(ways) > last}
    return Answer(len(ways), lines[0] if lines else (), details=details)
