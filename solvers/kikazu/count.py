"""The questions `count` and `solutions`: how many ways there are, and which."""

from collections import Counter

from solvers.kikazu.placements import every, moves
from solvers.kikazu.rules import Move, Position, mirrored
from solvers.kikazu.search import problem, race
from solvers.kikazu.symmetric import symmetric
from solvers.kind import Answer, Kind, PuzzleError, Run

LOOKED_AT = 20_000
"""Solutions that `count` looks at one by one, to say how many there are with each move."""

LISTED = 10_000
"""Solutions that `solutions` lists at most."""

PAGE = 50


def count(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the number of ways to place the rest of the hand, mirror images counted apart.

    details: `by_move`, for each legal move the number of solutions with it (left out for more
    than `LOOKED_AT` solutions); `up_to_mirror` where the position is its own mirror image (left
    out when the symmetric solutions can't be counted quickly).
    """
    if kind.judge(position).solved:
        return Answer(1, details={"by_move": {}})
    by_move = Counter({kind.write_move(move): 0 for move in kind.moves(position)})
    asked = problem(position)
    if asked is None:
        return Answer(0, details={"by_move": dict.fromkeys(by_move, "0")})
    search = yield from race(asked)
    total = search.total
    details: dict[str, object] = {}
    if mirrored(position) == position.board:
        same = symmetric(asked)
        if same is not None:
            details["up_to_mirror"] = str((total + same) // 2)
    most = total if total <= LOOKED_AT else 1
    ways = yield from every(asked, fill=search.fill, most=most)
    lines = [moves(asked, placement) for placement in ways]
    if most == total:
        for line in lines:
            by_move.update(line)
        details["by_move"] = {move: str(number) for move, number in by_move.items()}
    return Answer(total, lines[0] if lines else (), details=details)


def solutions(
    kind: Kind[Position, Move], position: Position, *, first: int = 1, many: int = PAGE
) -> Run:
    """Ask for the ways themselves: `many` of them from the `first` on, counted from 1.

    They are sorted by their moves. Value: how many there are altogether. details["solutions"]:
    lists of moves. Raises PuzzleError for more than `LISTED` of them.
    """
    asked = problem(position)
    if kind.judge(position).solved or asked is None:
        lines: list[tuple[str, ...]] = [()] if asked else []
    else:
        search = yield from race(asked)
        if search.total > LISTED:
            raise PuzzleError(
                "There are {number} solutions. At most {most} can be listed.",
                number=search.total,
                most=LISTED,
            )
        ways = yield from every(asked, fill=search.fill, most=search.total)
        lines = sorted(moves(asked, placement) for placement in ways)
    page = lines[max(first - 1, 0) :][:many]
    return Answer(
        len(lines), page[0] if page else (), details={"solutions": [list(line) for line in page]}
    )
