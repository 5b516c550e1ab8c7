"""The question `hint`: help for a student, from the mildest level to the plainest."""

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, HintAnswer
from solvers.grid import neighbours
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run, limited
from solvers.reasons import reason_of
from solvers.tonari import rules
from solvers.tonari.count import count
from solvers.tonari.rules import Position
from solvers.tonari.solve import find

NODES = 2_000_000
"""Search nodes for one position, which take a second or two."""

COUNT_SECONDS = 2.0
"""Seconds for the count that selects the best move. If they do not suffice, any solving move is
used."""

COUNTED = 25
"""The most empty points with which the orders are counted at every level. This takes 5 ms on
5x5."""

COUNTED_MEMORY = 32 << 20
"""Bytes for that count, so that it takes at most a tenth of a second on larger boards too."""

_REACHABLE = Message("The target can be reached.")
_TRAPPED = Message("This can't be solved any more, though every stone may still get its colour.")
_DOOMED = Message("This can't be solved any more: a stone will end in the wrong colour.")
_UNREACHABLE = Message("No order reaches this target.")
_SEARCHED = Message("All orders were ruled out by a search.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run[HintAnswer]:
    """Tell whether the position can be solved and, if the `level` of `solvers.hint` allows it, how.

    Returns a `HintAnswer`; it is undecided when a search of `NODES` nodes did not end. `left`, the
    number of solutions, is filled in where it was counted. From the level "region" on, `region`
    lists points among which the next stone may be put. At the level "next", `moves` has the move
    with the most solutions where these can be counted quickly, else some move that leads to a
    solution.
    """
    line = yield from find(position, NODES)
    if line is None:
        return UNKNOWN
    if not line and not kind.judge(position).solved:
        return (yield from _lost(kind, position, level))
    answer = HintAnswer(Exact(1), state="live", note=LIVE if position.placed else _REACHABLE)
    if not line:
        return replace(answer, left=Exact(1))
    counted = yield from _counted(kind, position, level)
    if counted and counted.proven:
        answer = replace(answer, left=counted.value)
    if level == ALIVE:
        return answer
    by_move = counted.by_move if counted else {}
    text = max(by_move, key=lambda text: by_move[text], default="")
    move = kind.read_move(text) if text else line[0]
    near = {move, *neighbours(move, position.rows, position.columns)}
    region = [cell for cell in sorted(near) if not position.occupied & position.bit(cell)]
    return replace(
        answer,
        moves=(kind.write_move(move),) if level == NEXT else (),
        region=tuple(map(kind.write_move, region)),
    )


def _lost(kind: Kind[Position, Cell], position: Position, level: str) -> Run[HintAnswer]:
    doomed = rules.doomed(position)
    answer = HintAnswer(
        Exact(0),
        state="doomed" if doomed else "trapped",
        note=_DOOMED if doomed else _TRAPPED,
        doomed=tuple(map(kind.write_move, doomed)),
    )
    if not position.placed:
        return replace(answer, note=_UNREACHABLE, reason=rules.obstacle(position) or _SEARCHED)

    def is_live(stage: Position) -> Run[bool | None]:
        line = yield from find(stage, NODES)
        return None if line is None else bool(line)

    keep = yield from moves_to_keep(stages_of(kind, position), is_live)
    why = None if level == ALIVE else (yield from reason_of(kind, position))
    return replace(answer, keep=keep, why=why)


def _counted(kind: Kind[Position, Cell], position: Position, level: str) -> Run[CountAnswer | None]:
    """Return the count of the orders from a solvable position, or None where it would cost too
    much."""
    if level != ALIVE:
        return (yield from limited(count(kind, position), COUNT_SECONDS, CountAnswer))
    if position.rows * position.columns - position.occupied.bit_count() > COUNTED:
        return None
    return (yield from count(kind, position, memory=COUNTED_MEMORY))
