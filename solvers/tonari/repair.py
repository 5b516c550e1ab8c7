"""The question `repair`: why a target can't be reached, and the smallest changes that make it
so."""

import time
from itertools import combinations

from solvers.answers import CellChange, CountAnswer, Diagnosis, Exact, Repair, RepairAnswer
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run, limited
from solvers.tonari import rules
from solvers.tonari.rules import Position, with_attainable_starts
from solvers.tonari.solve import find

MAX_CHANGES = 3
"""The most points that are changed besides start stones."""

NODES = 100_000
"""Search nodes for one target."""

LISTED = 20
"""The most targets that are listed."""

COUNT_SECONDS = 5.0
"""Seconds for counting the solutions of all listed targets together."""


def repair(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    most: int = MAX_CHANGES,
    listed: int = LISTED,
    count_seconds: float = COUNT_SECONDS,
) -> Run[RepairAnswer]:
    """Explain why the target can't be reached from the start, and find the smallest changes to it.

    Start stones with a wanted colour that they can't get are corrected first. Returns a
    `RepairAnswer` whose value is the number of points to change. It lists at most `listed` changed
    targets, whose solutions are counted for `count_seconds` seconds altogether. The value is None
    and not proven when `most` changes besides the start stones do not suffice. The value is not
    proven either when the search could not decide a target with fewer changes.
    """
    start = kind.start(position)
    line = yield from find(start, NODES)
    if line or rules.judge(start).solved:
        return RepairAnswer(Exact(0), is_all=True)
    reasons = list(rules.reasons(start))
    if not reasons:
        reasons = [(_ALL_SEARCHED if line == [] else _UNDECIDED, [])]
    diagnosis = tuple(
        Diagnosis(message, tuple(map(kind.write_move, cells))) for message, cells in reasons
    )
    targets, decided, complete = yield from nearest(start, most, listed)
    if not targets:
        note = Message(
            "No change of so few points makes this target reachable: {most}.", {"most": most}
        )
        return RepairAnswer(None, proven=False, note=note, diagnosis=diagnosis, is_all=complete)
    return RepairAnswer(
        Exact((targets[0].white ^ start.white).bit_count()),
        proven=decided,
        diagnosis=diagnosis,
        repairs=(yield from _described(kind, start, targets, count_seconds)),
        is_all=complete,
    )


_ALL_SEARCHED = Message("All orders were searched: none ends in this target.")
_UNDECIDED = Message("No order that ends in this target was found in time.")


def _described(
    kind: Kind[Position, Cell], start: Position, targets: list[Position], seconds: float
) -> Run[tuple[Repair, ...]]:
    """Return the targets as repairs, those with the most solutions first."""
    deadline = time.monotonic() + seconds
    described = []
    for target in targets:
        run = kind.questions["count"].ask(kind, target)
        answer = yield from limited(run, deadline - time.monotonic(), CountAnswer)
        changed = (c for c in target.cells if (target.white ^ start.white) & target.bit(c))
        described.append(
            Repair(
                kind.write(target),
                tuple(_change(kind, target, cell) for cell in changed),
                answer.value if answer.proven and answer.value else None,
            )
        )
    return tuple(sorted(described, key=lambda repair: -(repair.solutions or 0)))


def _change(kind: Kind[Position, Cell], target: Position, cell: Cell) -> CellChange:
    brush = "white" if rules.wants_white(target, cell) else "black"
    place = kind.write_move(cell)
    title = Message(kind.editor.brushes[brush])
    return CellChange(place, Message("{brush}: {place}", {"brush": title, "place": place}))


def nearest(position: Position, most: int, listed: int) -> Run[tuple[list[Position], bool, bool]]:
    """Return (targets, decided, complete) for the reachable targets that differ in the fewest
    points.

    There are at most `listed` targets, with at most `most` changes. `decided` says whether all
    targets passed over are proven to be out of reach, and `complete` whether the list has all
    nearest targets.
    """
    start = with_attainable_starts(position)
    free = [cell for cell in position.cells if not position.starts & position.bit(cell)]
    decided = True
    for size in range(most + 1):
        targets: list[Position] = []
        note = Message("Looking at targets with this many changes: {changes}", {"changes": size})
        for number, cells in enumerate(combinations(free, size)):
            target = start.painted(start.white ^ sum(map(start.bit, cells)))
            if number % 50 == 0:
                yield Progress(size, most + 1, note)
            line = yield from find(target, NODES)
            decided &= line is not None
            if line or (line is not None and rules.judge(target).solved):
                if len(targets) == listed:
                    return targets, decided, False
                targets.append(target)
        if targets:
            return targets, decided, decided
    return [], decided, decided
