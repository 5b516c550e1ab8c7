"""Why a target can't be reached any more, when it can be seen without any search.

Three theorems, each from the fate of a stone: it ends white iff it is put down beside an odd
number of empty orthogonal neighbours.

- A stone that stands has its fate. (Start stones too: one on an edge, beside three empty
  points, ends white.)
- In an orthogonally connected area of empty points, each pair of neighbours is counted once,
  when its first stone comes down. So the number of stones that will end white has the parity
  of the number of pairs. For one start stone on m x n points: white has the parity of m + n.
- When every legal move puts down a stone of the wrong fate, the next stone is lost. (From the
  corner of a board of 3x3 or more, the first stone always ends black.)
"""

from collections.abc import Iterator

from solvers.capabilities import Obstacles
from solvers.grid import neighbours
from solvers.kind import Cell
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.rules import Position

_WILL_BE_BLACK = Message("This stone will end black; the target wants white.")
_WILL_BE_WHITE = Message("This stone will end white; the target wants black.")


class TonariObstacles(Obstacles[Position]):
    """What the kind shows where it is allowed."""

    def obstacle(self, position: Position) -> Message | None:
        return obstacle(position)

    def doomed(self, position: Position) -> tuple[tuple[Cell, Message], ...]:
        return tuple(
            (cell, _WILL_BE_BLACK if rules.wants_white(position, cell) else _WILL_BE_WHITE)
            for cell in rules.doomed(position)
        )


def obstacle(position: Position) -> Message | None:
    """Return why no order can reach the target; None does not mean that one can."""
    return next((message for message, _ in reasons(position)), None)


def reasons(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    """Yield why no order can reach the target, the plainest first, each with the points it is
    about; nothing proves nothing."""
    yield from _fated(position)
    yield from _parity(position)
    yield from _next_stone(position)


def _fated(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    for cell in rules.doomed(position):
        values = {
            "row": cell[0] + 1,
            "column": cell[1] + 1,
            "empty": rules.empties_beside(position, cell),
        }
        if rules.wants_white(position, cell):
            message = Message(
                "The stone at row {row}, column {column} will end black, but the target wants "
                "white. Empty points beside it, each of which will turn it over once: {empty}.",
                values,
            )
        else:
            message = Message(
                "The stone at row {row}, column {column} will end white, but the target wants "
                "black. Empty points beside it, each of which will turn it over once: {empty}.",
                values,
            )
        yield message, [cell]


def _parity(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    for area in areas(position):
        white = sum(rules.wants_white(position, cell) for cell in area)
        pairs = sum(
            beside in area
            for cell in area
            for beside in neighbours(cell, position.rows, position.columns)
        )
        if (white - pairs // 2) % 2:
            row, column = min(area)
            values = {"row": row + 1, "column": column + 1, "points": len(area), "white": white}
            if white % 2:
                message = Message(
                    "Empty area around row {row}, column {column}, points: {points}. An even "
                    "number of them will end white, whatever the order, but the target wants "
                    "{white}.",
                    values,
                )
            else:
                message = Message(
                    "Empty area around row {row}, column {column}, points: {points}. An odd "
                    "number of them will end white, whatever the order, but the target wants "
                    "{white}.",
                    values,
                )
            yield message, sorted(area)


def _next_stone(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    moves = list(rules.moves(position))
    if moves and not any(rules.keeps_target(position, move) for move in moves):
        yield Message("Wherever the next stone is put, it will end in the wrong colour."), moves


def areas(position: Position) -> list[set[Cell]]:
    """Return the orthogonally connected areas of empty points."""
    occupied = position.occupied
    left = {cell for cell in position.cells if not occupied & position.bit(cell)}
    found = []
    while left:
        first = min(left)
        left.remove(first)
        area, frontier = {first}, [first]
        while frontier:
            for beside in neighbours(frontier.pop(), position.rows, position.columns):
                if beside in left:
                    left.remove(beside)
                    area.add(beside)
                    frontier.append(beside)
        found.append(area)
    return found
