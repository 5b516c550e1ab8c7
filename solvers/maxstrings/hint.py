"""The question `hint`: what a student may be told, from the mildest to the plainest."""

from solvers.grid import neighbours, write_cell
from solvers.kind import Answer, Kind, Run
from solvers.maxstrings import rules
from solvers.maxstrings.best import find
from solvers.maxstrings.plain import goal
from solvers.maxstrings.review import first_lost, stages_of, without_goal
from solvers.maxstrings.rules import FREE, Move, Position
from solvers.message import Message


def hint(kind: Kind[Position, Move], position: Position) -> Run:
    """Ask for help with the position.

    Value 1 while the goal can be reached by adding stones, 0 when not, None and not proven when
    that was not decided. details: `reach`, the most strings that are left, and `goal`; `state`,
    "live" or "trapped"; `note`, it in words. When live: `region`, points (`row,column`) of which
    one gets a stone in a best board, and as the answer's move that stone. When lost: `keep`, how
    many of the moves played may stay (null when none of them is to blame).
    """
    wanted = goal(position)
    if wanted is None:
        return without_goal()
    found = yield from find(position)
    values = {"reach": found.strings, "goal": wanted}
    details: dict[str, object] = dict(values)
    if found.strings is not None and found.strings >= wanted:
        note = Message("This board can still reach {reach} strings; {goal} are asked for.", values)
        moves = found.moves[:1]
        details |= {"state": "live", "note": note.to_json(), "region": []}
        if moves:
            details["region"] = _region(position, kind.read_move(moves[0]))
        return Answer(1, moves, details=details)
    if found.bound >= wanted:
        note = Message("It could not be found out in time whether the goal can still be reached.")
        return Answer(None, proven=False, details=details | {"note": note.to_json()})
    if found.strings is None:
        note = Message("With the stones that stand no legal board is left.")
    else:
        note = Message(
            "With the stones that stand {reach} of {goal} strings can be reached.", values
        )
    stages = stages_of(kind, position)
    lost = yield from first_lost(stages, wanted, [None] * len(stages))
    details |= {"state": "trapped", "note": note.to_json(), "keep": lost - 1 if lost else None}
    return Answer(0, details=details)


def _region(position: Position, move: Move) -> list[str]:
    """Return the open points at and around a move's point."""
    near = {move.cell, *neighbours(move.cell, position.rows, position.columns)}
    return [
        write_cell((row, column))
        for row, column in sorted(near)
        if rules.merged(position)[row][column] in (FREE, rules.EITHER)
    ]
