"""The questions `count` and `solutions`: how many ways there are, and all of them."""

from collections import Counter
from itertools import chain

from solvers.kikazu.placements import Placement, every, moves
from solvers.kikazu.rules import PIECES, Move, Position, mirrored
from solvers.kikazu.search import Problem, Search, problem, race
from solvers.kikazu.symmetric import symmetric
from solvers.kind import Answer, Kind, Progress, PuzzleError, Run
from solvers.message import Message

LOOKED_AT = 20_000
"""Solutions looked at one by one, to say how many there are with each move."""

LISTED = 10_000
"""Solutions that are listed at most."""


def count(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the number of ways to place the rest of the hand, mirror images counted apart.

    details: `up_to_mirror` where the position is symmetric (left out when it can't be found
    quickly); `by_move`, for each legal move the number of solutions with it (left out for more
    than `LOOKED_AT` solutions).
    """
    asked = problem(position)
    by_move = Counter({kind.write_move(move): 0 for move in kind.moves(position)})
    if asked is None:
        return Answer(0, details={"by_move": _texts(by_move)})
    search, _ = yield from race(asked)
    total = search.total
    details: dict[str, object] = {}
    if mirrored(position) == position.board:
        same = symmetric(asked)
        if same is not None:
            details["up_to_mirror"] = str((total + same) // 2)
    line: tuple[str, ...] = ()
    if total <= LOOKED_AT:
        found = yield from every(asked, search.again(), [], LOOKED_AT)
        for placement in found:
            by_move.update(moves(asked, placement))
        details["by_move"] = _texts(by_move)
        line = moves(asked, found[0]) if found else ()
    else:
        found = yield from every(asked, search.again(), [], 1)
        line = moves(asked, found[0])
    return Answer(total, line, details=details)
