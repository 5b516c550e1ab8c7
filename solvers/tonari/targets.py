"""The question `targets`: which pictures can be reached from the start stones of a board at all."""

from collections.abc import Generator, Iterator

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import obstacle
from solvers.tonari.classes import found_classes
from solvers.tonari.layout import symmetries
from solvers.tonari.limits import refuse_large
from solvers.tonari.repair import with_fated_starts
from solvers.tonari.rules import Position
from solvers.tonari.sift import Sift

MOST_CLASSED = 15
"""Empty points up to which the classes of every target are looked for: 32768 targets."""

BOARDS = 48
"""Targets with one order that are drawn."""

_EVERY = 200
"""Targets between two signs of life."""


def targets(kind: Kind[Position, Cell], position: Position) -> Run:
    """Ask how many of all pictures can be reached from the start stones; the target and the
    moves of the position don't matter.

    details: `one_order`, the number of targets that exactly one order reaches; `one_class`, of
    those in whose solutions the same stones flip the same others (null beyond `MOST_CLASSED`
    empty points); `table`, all this to be shown; `boards`, those with one order, mirror images
    left out, at most `BOARDS`. Not proven when a search was given up on the way. Raises
    PuzzleError for too many targets.
    """
    refuse_large(position)
    start = with_fated_starts(Position(position.rows, position.columns, 0, position.starts))
    free = [start.bit(cell) for cell in start.cells if not start.starts & start.bit(cell)]
    sift = Sift(start, free, 1, 1)
    alone: list[Position] = []
    for found in sift.run():
        alone += found
        yield Progress(sift.looked, sift.total, None, sift.reachable)
    one_order = sum(len(_alike(target)) for target in alone)
    one_class = None
    if len(free) <= MOST_CLASSED:
        one_class = yield from _with_one_class(start, free)
    rows = (
        (Message("All pictures of black and white"), 1 << (start.rows * start.columns)),
        (Message("With the start stones in the colours they will get"), sift.total),
        (Message("Reachable"), sift.reachable),
        (Message("Reached by exactly one order"), one_order),
        (Message("All solutions alike in who flips whom"), one_class),
    )
    details: dict[str, object] = {
        "one_order": str(one_order),
        "one_class": None if one_class is None else str(one_class),
        "table": {
            "head": [Message("Targets").to_json(), Message("Number").to_json()],
            "rows": [[name.to_json(), str(number)] for name, number in rows if number is not None],
        },
        "boards": [
            {"position": kind.write(target), "caption": _ONE_ORDER.to_json()}
            for target in alone[:BOARDS]
        ],
    }
    return Answer(sift.reachable, proven=not sift.undecided, details=details)


_ONE_ORDER = Message("Exactly one order")


def _alike(target: Position) -> set[int]:
    """Return the white cells of a target and of its mirror images on the same start stones."""
    bare = Position(target.rows, target.columns, 0, target.starts)
    white = [cell for cell in target.cells if target.white & target.bit(cell)]
    images = [sum(map(target.bit, map(image, white))) for image in symmetries(bare)]
    return {target.white, *images}


def _with_one_class(start: Position, free: list[int]) -> Generator[Progress, None, int]:
    """Return how many targets have one class of solutions."""
    total = 0
    for number, white in enumerate(_whites(free)):
        if number % _EVERY == 0:
            yield Progress(number, 1 << len(free))
        white |= start.white
        target = Position(start.rows, start.columns, white, start.starts)
        if not obstacle.obstacle(target):
            classes = 0
            for found in found_classes(target):
                classes += len(found)
                if classes > 1:
                    break
            total += classes == 1
    return total


def _whites(free: list[int]) -> Iterator[int]:
    """Yield all sets of free cells."""
    for number in range(1 << len(free)):
        yield sum(bit for i, bit in enumerate(free) if number >> i & 1)
