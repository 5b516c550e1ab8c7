"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, HintAnswer
from solvers.grid import neighbours
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Run, limited
from solvers.tonari import rules
from solvers.tonari.count import count
from solvers.tonari.rules import Position
from solvers.tonari.solve import find

NODES = 2_000_000
"""Search nodes for one position: a second or two."""

COUNT_SECONDS = 2.0
"""For the count by which the best move is chosen, before any move that leads on is taken."""

COUNTED = 25
"""Empty points up to which the orders are counted at every level: 5 ms on 5x5."""

COUNTED_MEMORY = 32 << 20
"""Bytes; so also on larger boards it takes no longer than a tenth of a second."""

_REACHABLE = Message("The target can be reached.")
_TRAPPED = Message("This can't be solved any more, though every stone may still get its colour.")
_DOOMED = Message("This can't be solved any more: a stone will end in the wrong colour.")
_UNREACHABLE = Message("No order reaches this target.")
_SEARCHED = Message("All orders were ruled out by a search.")


def hint(kind: Kind[Position, Cell], position: Position, *, level: str) -> Run[HintAnswer]:
    """Ask for help with the position, as much as the `level` (of `solvers.hint`) allows.

    Not decided when a search of `NODES` nodes did not end. `left` is given where few points are
    empty or it was counted anyway, `region` from "region" on: points among which the next stone
    may be put. At "next": that stone, of all moves the one with the most solutions, where these
    can be counted quickly.
    """
    line = yield from find(position, NODES)
    if line is None:
        return UNKNOWN
    if not line and not kind.judge(position).solved:
        return (yield from _lost(kind, position))
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


def _lost(kind: Kind[Position, Cell], position: Position) -> Run[HintAnswer]:
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

    return replace(answer, keep=(yield from moves_to_keep(stages_of(kind, position), is_live)))


def _counted(kind: Kind[Position, Cell], position: Position, level: str) -> Run[CountAnswer | None]:
    """Return the count of the orders from a position that can be solved, as far as it is cheap."""
    if level != ALIVE:
        return (yield from limited(count(kind, position), COUNT_SECONDS, CountAnswer))
    if position.rows * position.columns - position.occupied.bit_count() > COUNTED:
        return None
    return (yield from count(kind, position, memory=COUNTED_MEMORY))
