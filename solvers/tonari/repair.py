"""The question `repair`: the smallest changes of a target that make it reachable."""

from collections.abc import Generator, Iterator
from itertools import combinations

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.rules import Position
from solvers.tonari.solve import find

MOST_CHANGES = 3
"""Points changed besides start stones."""

NODES = 100_000
"""Search nodes for one target."""

LISTED = 20
"""Targets given."""


def repair(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    most: int = MOST_CHANGES,
    listed: int = LISTED,
) -> Run:
    """Ask how the target must be changed, as little as can be, to be reachable from the start.

    The value is the number of points that change colour, 0 when none need. details: `targets`,
    the ways to do it, at most `listed`: `position`, and `changed`, its points. Start stones
    painted in a colour they can't get change first. Not proven when `most` further changes
    do not suffice, or a target passed over was not decided.
    """
    targets, decided = yield from nearest(position, most, listed)
    if not targets:
        note = Message("No change of so few points makes this target reachable: {most}.",
                       {"most": most})  # fmt: skip
        return Answer(None, proven=False, details={"targets": [], "note": note.to_json()})
    return Answer(
        (targets[0].white ^ position.white).bit_count(),
        proven=decided,
        details={
            "targets": [
                {
                    "position": kind.write(target),
                    "changed": [
                        kind.write_move(cell)
                        for cell in target.cells
                        if (target.white ^ position.white) & target.bit(cell)
                    ],
                }
                for target in targets
            ]
        },
    )


def nearest(
    position: Position, most: int, listed: int
) -> Generator[Progress, None, tuple[list[Position], bool]]:
    """Return the reachable targets that differ in the fewest points, and whether all those
    passed over are proven out of reach."""
    start = with_fated_starts(position)
    free = [cell for cell in position.cells if not position.starts & position.bit(cell)]
    decided = True
    for size in range(most + 1):
        found: list[Position] = []
        for tried, target in enumerate(_changed(start, free, size)):
            if tried % 50 == 0:
                yield Progress(size, most + 1)
            line = yield from find(target, NODES)
            decided &= line is not None
            if line or (line is not None and rules.judge(target).solved):
                found.append(target)
                if len(found) == listed:
                    break
        if found:
            return found, decided
    return [], decided


def with_fated_starts(position: Position) -> Position:
    """Return the start with its start stones wanted in the colours they will get."""
    start = Position(position.rows, position.columns, position.white, position.starts)
    white = start.white & ~start.starts
    white |= sum(start.bit(cell) for cell, is_white in rules.fates(start).items() if is_white)
    return Position(start.rows, start.columns, white, start.starts)


def _changed(start: Position, free: list[Cell], size: int) -> Iterator[Position]:
    """Yield the targets that differ in so many free points."""
    for cells in combinations(free, size):
        white = start.white ^ sum(map(start.bit, cells))
        yield Position(start.rows, start.columns, white, start.starts)
