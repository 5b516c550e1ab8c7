"""The question `repair`: why a target can't be reached, and the smallest changes that help."""

import time
from collections.abc import Generator, Iterator
from itertools import combinations

from solvers.asking import limited
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import obstacle, rules
from solvers.tonari.rules import Position, with_fated_starts
from solvers.tonari.solve import find

MOST_CHANGES = 3
"""Points changed besides start stones."""

NODES = 100_000
"""Search nodes for one target."""

LISTED = 20
"""Targets given."""

COUNT_SECONDS = 5.0
"""For counting the solutions of the targets given, together."""


def repair(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    most: int = MOST_CHANGES,
    listed: int = LISTED,
    count_seconds: float = COUNT_SECONDS,
) -> Run:
    """Ask why the target can't be reached from the start, and how to change it as little as can be.

    The value is the number of points that change colour, 0 when none need; None, not proven,
    when `most` changes besides the start stones' do not suffice. details: `diagnosis`, what is
    wrong, each with `message` and the `cells` (`row,column`) it is about; `repairs`, the ways to
    mend it, at most `listed`, each with `flips` (`white row,column` or `black row,column`),
    `position`, and `solutions` where they could be counted in time, most solutions first; `all`,
    whether these are all there are. Start stones painted in a colour they can't get change
    first. Not proven either when a target passed over was not decided.
    """
    start = kind.start(position)
    line = yield from find(start, NODES)
    if line or rules.judge(start).solved:
        return Answer(0, details={"diagnosis": [], "repairs": [], "all": True})
    details: dict[str, object] = {"diagnosis": _diagnosis(kind, start, line)}
    targets, decided, complete = yield from nearest(start, most, listed)
    details["repairs"] = yield from _described(kind, start, targets, count_seconds)
    details["all"] = complete
    if targets:
        changes = (targets[0].white ^ start.white).bit_count()
        return Answer(changes, proven=decided, details=details)
    note = Message(
        "No change of so few points makes this target reachable: {most}.", {"most": most}
    )
    return Answer(None, proven=False, details=details | {"note": note.to_json()})


def _diagnosis(
    kind: Kind[Position, Cell], start: Position, line: list[Cell] | None
) -> list[dict[str, object]]:
    reasons = list(obstacle.reasons(start))
    if not reasons:
        reasons = [(_ALL_SEARCHED if line == [] else _UNDECIDED, [])]
    return [
        {"message": message.to_json(), "cells": list(map(kind.write_move, cells))}
        for message, cells in reasons
    ]


_ALL_SEARCHED = Message("All orders were searched: none ends in this target.")
_UNDECIDED = Message("No order that ends in this target was found in time.")


def _described(
    kind: Kind[Position, Cell], start: Position, targets: list[Position], seconds: float
) -> Generator[Progress, None, list[dict[str, object]]]:
    """Return the targets as `repairs`, those with the most solutions first."""
    deadline = time.monotonic() + seconds
    counted: list[tuple[int, Position]] = []
    for target in targets:
        run = kind.questions["count"].ask(kind, target)
        answer = yield from limited(run, deadline - time.monotonic())
        counted.append(((answer.value or 0) if answer.proven else 0, target))
    counted.sort(key=lambda found: -found[0])
    described: list[dict[str, object]] = []
    for solutions, target in counted:
        changed = [c for c in target.cells if (target.white ^ start.white) & target.bit(c)]
        entry: dict[str, object] = {
            "position": kind.write(target),
            "flips": [
                f"{'white' if rules.wants_white(target, cell) else 'black'} {kind.write_move(cell)}"
                for cell in changed
            ],
        }
        described.append(entry | ({"solutions": str(solutions)} if solutions else {}))
    return described


def nearest(
    position: Position, most: int, listed: int
) -> Generator[Progress, None, tuple[list[Position], bool, bool]]:
    """Return the reachable targets that differ in the fewest points, at most `listed`; whether
    all those passed over are proven out of reach; and whether these are all."""
    start = with_fated_starts(position)
    free = [cell for cell in position.cells if not position.starts & position.bit(cell)]
    decided = True
    for size in range(most + 1):
        found: list[Position] = []
        note = Message("Looking at targets with this many changes: {changes}", {"changes": size})
        for tried, target in enumerate(_changed(start, free, size)):
            if tried % 50 == 0:
                yield Progress(size, most + 1, note)
            line = yield from find(target, NODES)
            decided &= line is not None
            if line or (line is not None and rules.judge(target).solved):
                if len(found) == listed:
                    return found, decided, False
                found.append(target)
        if found:
            return found, decided, decided
    return [], decided, decided


def _changed(start: Position, free: list[Cell], size: int) -> Iterator[Position]:
    """Yield the targets that differ in so many free points."""
    for cells in combinations(free, size):
        white = start.white ^ sum(map(start.bit, cells))
        yield Position(start.rows, start.columns, white, start.starts)
