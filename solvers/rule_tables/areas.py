"""Where a rule looks: the areas of a board.

    board            all open cells; its number is the goal
    row, column, line    the open cells of a row, of a column, of both: they go on behind walls
    diagonal         every diagonal; long diagonal: the two that begin in the upper corners
    room             the cells with one letter; its number is the clue in one of them
    run              the cells of a row or column from wall to wall
    stretch          a part of a line that crosses exactly two borders of rooms, at its ends
    cell, near4, near8, slant4, knight, plus, box, around    a cell, or the open cells around it
    sight            a cell and the cells that one sees from it, straight, up to the first wall
    pair, gate       two cells beside each other; gate: in different rooms
    square, three    a block of 2x2; three in a line. A block with a wall does not count. On a
                     board that is too narrow, what a block has at most holds for what fits
    corner           the cells at a corner with a number
    dots             two cells side by side with a mark between them
    ray              what lies in the direction of a cell's arrow; it goes on behind walls
    face             the four edges around a cell, for tables of edges

Around a wall lies an area only where the wall carries a clue.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from solvers.kind import BadText, Cell
from solvers.rule_tables.boards import DIRECTIONS, Board, Drawn
from solvers.rule_tables.table import Rule, Table

STEPS4 = ((-1, 0), (0, -1), (0, 1), (1, 0))
SLANT4 = ((-1, -1), (-1, 1), (1, -1), (1, 1))
STEPS8 = STEPS4 + SLANT4
KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
PRESETS: dict[str, tuple[tuple[int, int], ...]] = {
    "cell": ((0, 0),),
    "near4": STEPS4,
    "near8": STEPS8,
    "slant4": SLANT4,
    "knight": KNIGHT,
    "plus": ((0, 0), *STEPS4),
    "box": ((0, 0), *STEPS8),
}
"""Area -> the offsets (rows down, columns right) of its cells."""


class Edge(NamedTuple):
    """An edge of a cell: the one above it, or the one to its left."""

    direction: Literal["h", "v"]
    """`h` for the edge above, which is horizontal, `v` for the one to the left."""
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Area:
    """Some cells that a rule speaks of."""

    cells: tuple[Cell, ...]
    clue: int | tuple[int, ...] | None = None
    """What the author wrote there."""
    base: Cell | None = None
    """The cell around which the area lies."""
    drawn: Drawn | None = None
    """Where the author wrote it."""


def check_areas(table: Table, board: Board) -> None:
    """Raise BadText where a room has several numbers, without the work that a model takes."""
    for rule in table.rules:
        if rule.where == "room":
            for _area in areas(board, rule):
                pass


def areas(board: Board, rule: Rule) -> Iterator[Area]:
    """Yield the areas of a rule. Raise BadText where a room has several numbers."""
    where = rule.where
    opened = [cell for cell in board if board.is_open(cell)]
    if where == "board":
        yield Area(tuple(opened), board.goal, drawn=Drawn("goal", 0))
    elif where in ("row", "column", "line"):
        for cells, numbers, drawn in lines(board, where):
            clue: int | tuple[int, ...] | None = numbers[0] if numbers else None
            if rule.relation == "runs" and numbers:
                # A line without a run has the number 0.
                clue = tuple(number for number in numbers if number)
            yield Area(tuple(cell for cell in cells if board.is_open(cell)), clue, drawn=drawn)
    elif where == "diagonal":
        for slope in (1, -1):
            for key in sorted({row * slope + column for row, column in board}):
                yield Area(tuple(cell for cell in opened if cell[0] * slope + cell[1] == key))
    elif where == "long diagonal":
        yield Area(tuple(cell for cell in opened if cell[0] == cell[1]))
        yield Area(tuple(cell for cell in opened if cell[0] + cell[1] == board.columns - 1))
    elif where == "room":
        yield from _rooms(board, opened, reads_clue=rule.number == "clue")
    elif where == "run":
        yield from _runs(board)
    elif where == "stretch":
        yield from _stretches(board)
    elif where in ("pair", "gate"):
        for row, column in opened:
            for other in ((row, column + 1), (row + 1, column)):
                if board.is_open(other) and (
                    where == "pair" or board.room(other) != board.room((row, column))
                ):
                    yield Area(((row, column), other))
    elif where in ("square", "three"):
        sides: tuple[tuple[int, int], ...] = ((2, 2),) if where == "square" else ((1, 3), (3, 1))
        if rule.relation == "different" or (rule.relation == "most" and rule.number != "clue"):
            # What is forbidden in a block is forbidden in a part of it, on a narrow board.
            sides = tuple((min(h, board.rows), min(w, board.columns)) for h, w in sides)
        for height, width in dict.fromkeys(sides):
            for row, column in board:
                block = [(row + i, column + j) for i in range(height) for j in range(width)]
                if all(board.is_open(cell) for cell in block):
                    yield Area(tuple(block))
    elif where == "corner":
        for at, number in enumerate(board.corners):
            row, column = divmod(at, board.columns + 1)
            if number is not None:
                around = [(row + i, column + j) for i in (-1, 0) for j in (-1, 0)]
                cells_ = tuple(cell for cell in around if board.is_open(cell))
                yield Area(cells_, number, drawn=Drawn("corners", at))
    elif where == "dots":
        for section, (down, right) in (("beside", (0, 1)), ("below", (1, 0))):
            for row, column in opened:
                mark = board.number(getattr(board, section), (row, column))
                other = (row + down, column + right)
                if (
                    board.is_open(other)
                    and mark is not None
                    and ((mark < 0) == (rule.relation == "less"))
                ):
                    drawn_ = Drawn(section, row * board.columns + column)
                    yield Area(((row, column), other), mark, drawn=drawn_)
    else:
        yield from _around(board, rule)


def lines(board: Board, where: str) -> Iterator[tuple[list[Cell], tuple[int, ...], Drawn]]:
    """Yield the cells of every row, or column, or both, with the numbers at their beginning."""
    if where != "column":
        for row in range(board.rows):
            numbers = board.left[row] if board.left else ()
            cells = [(row, column) for column in range(board.columns)]
            yield cells, numbers, Drawn("left", row)
    if where != "row":
        for column in range(board.columns):
            numbers = board.top[column] if board.top else ()
            cells = [(row, column) for row in range(board.rows)]
            yield cells, numbers, Drawn("top", column)


def views(board: Board) -> Iterator[tuple[list[Cell], int, Drawn]]:
    """Yield every line with a number at one of its ends: its open cells as one sees them from
    there, the number, and where it stands."""
    for side in ("left", "right", "top", "bottom"):
        where = "row" if side in ("left", "right") else "column"
        for (cells, _, (_, at)), numbers in zip(lines(board, where), getattr(board, side)):
            if numbers:
                seen = [cell for cell in cells if board.is_open(cell)]
                seen = seen if side in ("left", "top") else seen[::-1]
                yield seen, numbers[0], Drawn(side, at)


def ray(board: Board, cell: Cell, step: tuple[int, int]) -> list[Cell]:
    """Return the open cells that one sees from a cell in one direction, the nearest first."""
    seen = []
    while board.is_open(cell := (cell[0] + step[0], cell[1] + step[1])):
        seen.append(cell)
    return seen


def _rooms(board: Board, opened: list[Cell], *, reads_clue: bool) -> Iterator[Area]:
    for letter in sorted({board.room(cell) for cell in opened}):
        cells = [cell for cell in opened if board.room(cell) == letter]
        clued = [cell for cell in cells if board.number(board.clues, cell) is not None]
        if reads_clue and len(clued) > 1:
            raise BadText("The room “{letter}” has several numbers.", letter=letter)
        if not clued:
            yield Area(tuple(cells))
            continue
        row, column = clued[0]
        drawn = Drawn("clues", row * board.columns + column)
        yield Area(tuple(cells), board.number(board.clues, clued[0]), drawn=drawn)


def _runs(board: Board) -> Iterator[Area]:
    for where, section in (("row", "across"), ("column", "down")):
        for cells, _, _ in lines(board, where):
            run: list[Cell] = []
            for cell in [*cells, None]:
                if cell and board.is_open(cell):
                    run.append(cell)
                elif run:
                    number = board.number(getattr(board, section), run[0])
                    drawn = Drawn(section, run[0][0] * board.columns + run[0][1])
                    yield Area(tuple(run), number, drawn=drawn)
                    run = []


def _stretches(board: Board) -> Iterator[Area]:
    for cells, _, _ in lines(board, "line"):
        for first in range(len(cells)):
            for last in range(first + 2, len(cells)):
                part = cells[first : last + 1]
                borders = [board.room(one) != board.room(two) for one, two in pairwise(part)]
                is_open = all(board.is_open(cell) for cell in part)
                if is_open and sum(borders) == 2 and borders[0] and borders[-1]:
                    yield Area(tuple(part))


def _around(board: Board, rule: Rule) -> Iterator[Area]:
    reads_clue = rule.number == "clue" or rule.who == "clue"
    for base in board:
        clue = board.number(board.clues, base)
        if not board.is_open(base) and (
            rule.where != "face" and not (reads_clue and clue is not None)
        ):
            continue
        if rule.where == "sight":
            cells = [base] if board.is_open(base) else []
            cells += [cell for step in STEPS4 for cell in ray(board, base, step)]
        elif rule.where == "face":
            cells = []
        elif rule.where == "ray":
            at = base[0] * board.columns + base[1]
            if not board.arrows or board.arrows[at] not in DIRECTIONS:
                continue
            down, right = DIRECTIONS[board.arrows[at]]
            farther = range(1, max(board.rows, board.columns))
            cells = [(base[0] + n * down, base[1] + n * right) for n in farther]
            cells = [cell for cell in cells if board.is_open(cell)]
        else:
            offsets = rule.reach or PRESETS[rule.where]
            cells = [(base[0] + down, base[1] + right) for down, right in offsets]
            cells = [cell for cell in cells if board.is_open(cell)]
        drawn = Drawn("clues", base[0] * board.columns + base[1])
        yield Area(tuple(cells), clue, base, drawn)


def lines_of(table: Table, board: Board) -> Iterator[Edge]:
    """Yield where lines can be, from the top left to the bottom right: on the edges of all cells,
    or, for links, between two open cells that are not alike if a rule demands it.

    A line that the author has drawn is yielded in any case. It may contradict the rule.
    """
    if table.site == "edges":
        yield from edges(board)
        return
    joins_alike = not any(
        rule.relation == "different" and rule.where == "pair" for rule in table.rules
    )
    for edge in links_of(board):
        one, two = map(board.sign, beside(edge))
        if joins_alike or one != two or board.has_line(*half_cells(edge)):
            yield edge


def links_of(board: Board) -> Iterator[Edge]:
    """Yield the links between any two open cells side by side."""
    return (edge for edge in edges(board) if all(map(board.is_open, beside(edge))))


def edges(board: Board) -> Iterator[Edge]:
    """Yield the edges of all cells, from the top left to the bottom right."""
    for row in range(board.rows + 1):
        yield from (Edge("h", row, column) for column in range(board.columns))
        if row < board.rows:
            yield from (Edge("v", row, column) for column in range(board.columns + 1))


def edges_around(cell: Cell) -> tuple[Edge, Edge, Edge, Edge]:
    """Return the four edges of a cell."""
    row, column = cell
    return (
        Edge("h", row, column),
        Edge("v", row, column),
        Edge("v", row, column + 1),
        Edge("h", row + 1, column),
    )


def beside(edge: Edge) -> tuple[Cell, Cell]:
    """Return the two cells between which an edge lies, which may lie off the board."""
    row, column = edge.row, edge.column
    return ((row - 1, column) if edge.direction == "h" else (row, column - 1)), (row, column)


def half_cells(edge: Edge) -> Cell:
    """Return the row and the column of an edge, counted in half cells."""
    if edge.direction == "h":
        return 2 * edge.row, 2 * edge.column + 1
    return 2 * edge.row + 1, 2 * edge.column


def edge_at(row: int, column: int) -> Edge:
    """Return the edge at a row and a column that are counted in half cells."""
    return Edge("v" if row % 2 else "h", row // 2, column // 2)


def ways(board: Board, cell: Cell) -> Iterator[tuple[str, Edge]]:
    """Yield the edges that lines cross on their way from a cell up, down, left and right: `u`, `d`,
    `l` and `r` for those of the cell, and capital letters for the next ones."""
    for name, (down, right) in DIRECTIONS.items():
        for sign, (row, column) in (
            (name, cell),
            (name.upper(), (cell[0] + down, cell[1] + right)),
        ):
            pair = ((row, column), (row + down, column + right))
            if all(map(board.is_open, pair)):
                yield sign, Edge("h" if down else "v", *max(pair))


def ends(table: Table, edge: Edge) -> tuple[Cell, Cell]:
    """Return the two corners that an edge connects, or the two cells that a link connects."""
    if table.site == "links":
        return beside(edge)
    row, column = edge.row, edge.column
    return (row, column), ((row, column + 1) if edge.direction == "h" else (row + 1, column))
