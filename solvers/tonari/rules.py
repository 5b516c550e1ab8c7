"""The rules of Tonari Othello, in their plainest form. They are the reference for everything else.

A stone's final colour is fixed when the stone is put down, because from then on every orthogonal
neighbour that is still empty will flip it exactly once. A stone ends white iff it is put down
beside an odd number of empty orthogonal neighbours.

So some targets are seen to be out of reach without any search. Three theorems follow:

- The final colour of every stone on the board is known. This holds for start stones too: one on
  an edge, beside three empty points, ends white.
- In an orthogonally connected area of empty points, each pair of neighbours is counted once,
  when its first stone is put down. So the number of stones that will end white has the parity
  of the number of pairs. For one start stone on m x n points, the number of white points has the
  parity of m + n.
- When every legal move puts down a stone of the wrong final colour, the next stone is lost. For
  example, from the corner of a board of 3x3 or more, the first stone always ends black.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

from solvers.grid import Rectangle, neighbours
from solvers.kind import Cell, IllegalMove, Verdict, row_and_column
from solvers.message import Message, gettext_noop

TEXTS = SimpleNamespace(
    outside=gettext_noop(
        "There is no point at row {row}, column {column}: the board has {rows} rows and "
        "{columns} columns."
    ),
    occupied=gettext_noop("A stone already stands at row {row}, column {column}."),
    apart=gettext_noop(
        "The point at row {row}, column {column} touches no stone, not even at a corner."
    ),
    placed=gettext_noop("Black to row {row}, column {column}"),
    white=gettext_noop("Turned to white: row {row}, column {column}"),
    black=gettext_noop("Turned to black: row {row}, column {column}"),
    should_be_white=gettext_noop("The stone at row {row}, column {column} should be white."),
    should_be_black=gettext_noop("The stone at row {row}, column {column} should be black."),
)
"""The texts of the rules, by the names under which `static/tonari.js` says them."""


@dataclass(frozen=True, slots=True)
class Position(Rectangle):
    """A target, the start stones, and the stones put down since, in order."""

    rows: int
    columns: int
    white: int
    """The cells that the target wants white: bit `row * columns + column`."""
    starts: int
    """The cells with a start stone, as bits. There is at least one."""
    placed: tuple[Cell, ...] = ()

    def painted(self, white: int) -> "Position":
        """Return the start with a target in which exactly these cells are white."""
        return Position(self.rows, self.columns, white, self.starts)

    @property
    def cells(self) -> Iterator[Cell]:
        """The cells of the board, row by row."""
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    @property
    def occupied(self) -> int:
        """The cells with a stone, as bits."""
        occupied = self.starts
        for cell in self.placed:
            occupied |= self.bit(cell)
        return occupied


def colours(position: Position) -> dict[Cell, bool]:
    """Return for each cell with a stone whether that stone is white now."""
    stones = {cell: False for cell in position.cells if position.starts & position.bit(cell)}
    for cell in position.placed:
        stones[cell] = False
        for beside in neighbours(cell, position.rows, position.columns):
            if beside in stones:
                stones[beside] = not stones[beside]
    return stones


def flipped(position: Position) -> frozenset[Cell]:
    """Return the cells of the stones that the last move turned over."""
    if not position.placed:
        return frozenset()
    beside = neighbours(position.placed[-1], position.rows, position.columns)
    return frozenset(cell for cell in beside if position.occupied & position.bit(cell))


def orientation(position: Position) -> str:
    """Return which stones have turned over which: a sign for each pair of neighbours of which at
    least one has been put down. Of two neighbours the later stone turns the earlier one over."""
    order = {cell: number for number, cell in enumerate(position.placed)}
    signs = []
    for cell in position.cells:
        row, column = cell
        for beside in ((row, column + 1), (row + 1, column)):
            if position.holds(beside) and (cell in order or beside in order):
                signs.append("<" if order.get(cell, -1) < order.get(beside, -1) else ">")
    return "".join(signs)


def moves(position: Position) -> Iterator[Cell]:
    """Yield the empty cells with a stone among their eight neighbours, row by row."""
    occupied = position.occupied
    for cell in position.cells:
        if not occupied & position.bit(cell) and _touches_stone(position, occupied, cell):
            yield cell


def _touches_stone(position: Position, occupied: int, cell: Cell) -> bool:
    row, column = cell
    return any(
        position.holds(beside) and occupied & position.bit(beside)
        for r in (-1, 0, 1)
        for c in (-1, 0, 1)
        for beside in [(row + r, column + c)]
    )


def play(position: Position, move: Cell) -> Position:
    """Return the position after a stone is put down. Raise IllegalMove, with the reason, if the
    rules forbid it."""
    if not position.holds(move):
        raise IllegalMove(TEXTS.outside, cell=move, rows=position.rows, columns=position.columns)
    occupied = position.occupied
    if occupied & position.bit(move):
        raise IllegalMove(TEXTS.occupied, cell=move)
    if not _touches_stone(position, occupied, move):
        raise IllegalMove(TEXTS.apart, cell=move)
    placed = (*position.placed, move)
    return Position(position.rows, position.columns, position.white, position.starts, placed)


def judge(position: Position) -> Verdict:
    """Return whether the board shows the target. The wrong stones of a full board are the faults.

    A game ends only with a full board: as long as a point is empty, some empty point touches a
    stone.
    """
    stones = colours(position)
    if len(stones) < position.rows * position.columns:
        return Verdict(solved=False, over=False)
    wrong = tuple(
        (cell, _should_be(cell, is_white=not white))
        for cell, white in sorted(stones.items())
        if white != wants_white(position, cell)
    )
    return Verdict(solved=not wrong, over=True, faults=wrong)


def _should_be(cell: Cell, *, is_white: bool) -> Message:
    text = TEXTS.should_be_white if is_white else TEXTS.should_be_black
    return Message(text, row_and_column(cell))


def wants_white(position: Position, cell: Cell) -> bool:
    """Return whether the target wants white on the cell."""
    return bool(position.white & position.bit(cell))


def empties_beside(position: Position, cell: Cell) -> int:
    """Return the number of empty orthogonal neighbours of a cell."""
    occupied = position.occupied
    beside = neighbours(cell, position.rows, position.columns)
    return sum(not occupied & position.bit(other) for other in beside)


def final_colours(position: Position) -> dict[Cell, bool]:
    """Return for each cell with a stone whether the stone will be white at the end."""
    return {
        cell: white ^ (empties_beside(position, cell) % 2 == 1)
        for cell, white in colours(position).items()
    }


def with_attainable_starts(position: Position) -> Position:
    """Return the start, with a target that wants its start stones in the colours they will get."""
    start = position.painted(position.white)
    attained = sum(start.bit(cell) for cell, is_white in final_colours(start).items() if is_white)
    return start.painted(start.white & ~start.starts | attained)


def keeps_target(position: Position, move: Cell) -> bool:
    """Return whether a stone put down on the cell would get the colour the target wants."""
    return (empties_beside(position, move) % 2 == 1) == wants_white(position, move)


def doomed(position: Position) -> tuple[Cell, ...]:
    """Return the stones that can no longer get the colour the target wants, row by row."""
    return tuple(
        cell
        for cell, white in sorted(final_colours(position).items())
        if white != wants_white(position, cell)
    )


def doomed_stones(position: Position) -> tuple[tuple[Cell, Message], ...]:
    """Return the stones that can no longer get their wanted colour, each with a message that says
    so."""
    return tuple(
        (cell, _will_end(cell, is_white=not wants_white(position, cell)))
        for cell in doomed(position)
    )


def _will_end(cell: Cell, *, is_white: bool) -> Message:
    if is_white:
        text = gettext_noop(
            "The stone at row {row}, column {column} will end white; the target wants black."
        )
    else:
        text = gettext_noop(
            "The stone at row {row}, column {column} will end black; the target wants white."
        )
    return Message(text, row_and_column(cell))


def text_rows(position: Position) -> list[str]:
    """Return the rows of the target as text: `b` and `w`, with a capital where a start stone
    stands."""
    letters = ""
    for cell in position.cells:
        letter = "w" if wants_white(position, cell) else "b"
        letters += letter.upper() if position.starts & position.bit(cell) else letter
    width = position.columns
    return [letters[i : i + width] for i in range(0, len(letters), width)]


def obstacle(position: Position) -> Message | None:
    """Return the plainest reason why no order can reach the target.

    None does not mean that an order can.
    """
    return next((message for message, _ in reasons(position)), None)


def reasons(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    """Yield the reasons why no order can reach the target, each with the points that it is about.

    The plainest reason comes first. That there is no reason proves nothing.
    """
    yield from _doomed_reasons(position)
    yield from _parity_reasons(position)
    legal = list(moves(position))
    if legal and not any(keeps_target(position, move) for move in legal):
        yield Message("Wherever the next stone is put, it will end in the wrong colour."), legal


def _doomed_reasons(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    for cell in doomed(position):
        values = row_and_column(cell) | {"empty": empties_beside(position, cell)}
        if wants_white(position, cell):
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


def _parity_reasons(position: Position) -> Iterator[tuple[Message, list[Cell]]]:
    for area in areas(position):
        white = sum(wants_white(position, cell) for cell in area)
        pairs = sum(
            beside in area
            for cell in area
            for beside in neighbours(cell, position.rows, position.columns)
        )
        if (white - pairs // 2) % 2:
            values = row_and_column(min(area)) | {"points": len(area), "white": white}
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


def areas(position: Position) -> list[set[Cell]]:
    """Return the orthogonally connected areas of empty points."""
    occupied = position.occupied
    left = {cell for cell in position.cells if not occupied & position.bit(cell)}
    result = []
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
        result.append(area)
    return result
