"""The question `solve`: a solution, and whether there is another; or a proof that there is none."""

from solvers.kikazu.placements import moves, placements
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import Race, problem
from solvers.kind import Answer, Kind, Run
from solvers.message import Message

SECONDS = 60.0
"""Of searching, before the question is given up."""


def solve(kind: Kind[Position, Move], position: Position, *, seconds: float = SECONDS) -> Run:
    """Ask for one way to place the rest of the hand.

    Value 1 and its moves; value 0 when there is provably none; value None and not proven when
    `seconds` did not decide it. details: `unique` (null when not decided in time), and where
    it is false the moves of a `second` way.
    """
    if kind.judge(position).solved:
        return Answer(1, details={"unique": True})
    asked = problem(position)
    if asked is None:
        return Answer(0)
    race = Race(asked, leaves=2)
    while race.winner is None and len(race.leaves) < 2 and race.seconds < seconds:
        yield race.step()
    ways = [
        moves(asked, placement)
        for leaf in race.leaves[:2]
        for placement, _ in zip(placements(asked, leaf), range(2))
    ]
    if ways:
        details: dict[str, object] = {"unique": None if race.winner is None else True}
        if len(ways) > 1:
            details = {"unique": False, "second": list(ways[1])}
        return Answer(1, ways[0], details=details)
    if race.winner is None:
        note = Message("Not decided after {seconds} s.", {"seconds": seconds})
        return Answer(None, proven=False, details={"note": note.to_json()})
    return Answer(0)
