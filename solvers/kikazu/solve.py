"""The question `solve`: a solution, and whether there is another; or a proof that there is none."""

from itertools import chain, islice

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
    never = kind.obstacle(position)
    if asked is None or never:
        return Answer(0, details={"note": never.to_json()} if never else {})
    race = Race(asked, keep=2)
    while not race.leader.finished and race.leader.kept < 2 and race.seconds < seconds:
        yield race.step()
    found = (placements(asked, leaf) for leaf in race.leader.leaves())
    ways = [moves(asked, placement) for placement in islice(chain.from_iterable(found), 2)]
    decided = race.leader.finished
    if ways:
        details: dict[str, object] = {"unique": True if decided else None}
        if len(ways) > 1:
            details = {"unique": False, "second": list(ways[1])}
        return Answer(1, ways[0], details=details)
    if not decided:
        note = Message("Not decided after {seconds} s.", {"seconds": seconds})
        return Answer(None, proven=False, details={"note": note.to_json()})
    return Answer(0)
