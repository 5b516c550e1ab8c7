"""The question `positions`: all boards that reach the goal, in all colours and with long strings.

`count` counts checkerboard forms, the boards at heart. Here every legal board counts for itself:
the states of `general`, with the number of ways to each of them. An empty board's legal positions
are those of the game of Go: 1, 57, 12675, 24318165, 414295148741, 62567386502084877 for n = 1 to 6
(OEIS A094777, Tromp and Farnebäck, "Combinatorics of Go").
"""

import time
from collections.abc import Generator

from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings import general
from solvers.maxstrings.frontier import IMPOSSIBLE
from solvers.maxstrings.plain import goal
from solvers.maxstrings.review import without_goal
from solvers.maxstrings.rules import EMPTY, HOLE, Move, Position, merged
from solvers.message import Message

WIDEST_FOR_ALL = 7
"""The shorter side up to which all legal boards are counted too: half a minute at 7 x 7."""

MOST_STATES = 1_000_000
"""In one layer, about 500 bytes each."""

_SHOW_EVERY = 0.3
"""Seconds between two signs of life."""


def positions(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for the number of boards that keep the stones standing now and reach the goal.

    details: `legal`, the number of all legal boards, up to `WIDEST_FOR_ALL` points wide; `table`,
    both in words. Not proven, with a `note`, on boards that are too wide or have too many states;
    no value, and a `note`, when the number of strings asked for is not known.
    """
    wanted = goal(position)
    if wanted is None:
        return without_goal()
    board = merged(position)
    if min(len(board), len(board[0])) > general.WIDEST:
        return _cut_off()
    if len(board[0]) > len(board):
        board = tuple(map("".join, zip(*board)))
    way = yield from general.way_over(board)
    points = sum(letter not in (HOLE, EMPTY) for row in board for letter in row)
    reaching = yield from ways(way, len(board[0]), points - wanted)
    if reaching is None:
        return _cut_off()
    values: dict[str, object] = {"goal": wanted}
    rows: list[list[object]] = [
        [Message("Boards with {goal} strings or more", values).to_json(), str(reaching)]
    ]
    details: dict[str, object] = {}
    legal = None
    if len(board[0]) <= WIDEST_FOR_ALL:
        legal = yield from ways(way, len(board[0]), None)
    if legal is not None:
        details["legal"] = str(legal)
        rows.append([Message("Legal boards, with any number of strings").to_json(), str(legal)])
    head = [Message("All boards, colours counted apart").to_json(), Message("Number").to_json()]
    return Answer(reaching, details=details | {"table": {"head": head, "rows": rows}})


def _cut_off() -> Answer:
    note = Message("This board is too large for counting every single position.")
    return Answer(None, proven=False, details={"note": note.to_json()})


def ways(
    way: list[general.Point], width: int, limit: int | None
) -> Generator[Progress, None, int | None]:
    """Return how many boards lose no more than the limit; None when there are too many states.

    ways(after, lost + loss) += ways(state, lost). Without a limit losses are left aside, so that
    states with different ones are counted together.
    """
    most = IMPOSSIBLE - 1 if limit is None else limit
    layer: dict[general.State, dict[int, int]] = {(0,) * width: {0: 1}}
    shown_at = time.monotonic()
    for number, point in enumerate(way):
        following = way[number + 1] if number + 1 < len(way) else None
        after_point: dict[general.State, dict[int, int]] = {}
        bounds: dict[general.State, int] = {}
        for state, known in layer.items():
            if time.monotonic() > shown_at + _SHOW_EVERY:
                shown_at = time.monotonic()
                yield Progress(number, len(way))
            for after, loss, _ in general.choices(state, point):
                if after not in bounds:
                    bounds[after] = general.to_go(after, following)
                for lost, boards in known.items():
                    total = 0 if limit is None else lost + loss
                    if total + bounds[after] <= most:
                        reached = after_point.setdefault(after, {})
                        reached[total] = reached.get(total, 0) + boards
        if len(after_point) > MOST_STATES:
            return None
        layer = after_point
    return sum(boards for known in layer.values() for boards in known.values())
